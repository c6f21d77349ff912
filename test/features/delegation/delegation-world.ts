/** A simulated space whose model delegates, and whose helpers answer by their words. */
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { indexPartitions, jobKeys, signalIdOf, signalKeys } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { taskCounts } from '../../../lib/features/delegation/task.ts';
import { BECAUSE, evidenceOf, newSpace } from '../../flow/adversity-world.ts';
import {
  type Answer,
  buildSimulation,
  ownerMessage,
  type SimulationOptions,
  signalWith,
} from '../../support/simulation.ts';

export const calls = (...list: readonly (readonly [name: string, args: object])[]): Answer => ({
  toolCalls: list.map(([name, args], n) => ({
    id: `c${n}`,
    name,
    argumentsText: JSON.stringify({ ...args, explanation: BECAUSE }),
  })),
});

/** All that this prompt shows of its turn. */
export const shown = ({ messages }: Prompt): string => messages.map(({ content }) => content).join('\n');
/** The words that this prompt's turn began with: a helper has a role. */
export const isHelper = (prompt: Prompt): boolean => shown(prompt).includes('You are a helper');
/** Results of the newest step. */
export const results = ({ messages }: Prompt): readonly string[] =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

export const buildDelegationWorld = (
  table: Table,
  answer: (prompt: Prompt) => Answer,
  changes: Partial<SimulationOptions> = {},
) => {
  const space = newSpace();
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table,
    space,
    answer: (prompt) => {
      prompts.push(prompt);
      return answer(prompt);
    },
    ...changes,
  });
  let ids = 0;
  return {
    space,
    simulation,
    prompts,
    helperPrompts: () => prompts.filter(isHelper),
    texts: () => simulation.sent.filter(({ target }) => target === 'telegram').map(({ text }) => text),
    evidence: (id: string) => evidenceOf(table, space, id),
    accept: async (text: string): Promise<string> => {
      ids += 1;
      const signal = ownerMessage(space, ids, text, '7', simulation.now());
      await simulation.accept(signal);
      return signal.id;
    },
    /** @returns the id of the message, after all that follows */
    say: async (text: string): Promise<string> => {
      ids += 1;
      const signal = ownerMessage(space, ids, text, '7', simulation.now());
      await simulation.accept(signal);
      await simulation.drain();
      return signal.id;
    },
    send: async (payload: Payload, more: object = {}): Promise<string> => {
      ids += 1;
      const signal = { ...signalWith(space, `tg-1-${ids}`, payload, '7', simulation.now()), ...more };
      await simulation.accept(signal);
      await simulation.drain();
      return signal.id;
    },
    /** Signals of helpers that are still to be looked at. */
    open: async (): Promise<readonly string[]> => {
      const page = await table.queryIndex({ index: 'unfinished', partition: indexPartitions.jobs(space), limit: 50 });
      return page.items.filter(({ sk }) => sk === 'task').map(({ pk }) => signalIdOf(pk, space));
    },
    /** Helpers there ever were. */
    helpers: async (): Promise<number> => {
      const page = await table.queryIndex({ index: 'feed', partition: indexPartitions.feed(space), limit: 1_000 });
      return page.items.filter(({ pk }) => /#task-[0-9a-f]+$/.test(String(pk))).length;
    },
    row: async (id: string) => (await table.load([jobKeys.occurrence(space, id)], { isConsistent: true }))[0],
    openCount: async () => (await table.load([taskCounts.open(space)], { isConsistent: true }))[0]?.open,
    record: async (id: string) => (await table.load([signalKeys.record(space, id)], { isConsistent: true }))[0],
  };
};
