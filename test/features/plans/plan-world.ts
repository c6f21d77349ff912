/** A simulated space in which plans are written, edited as notes, approved and performed. */
import { parseApproval } from '../../../lib/core/approvals/approval.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import type { LiveObject } from '../../../lib/core/memory/object.ts';
import { childrenOf } from '../../../lib/core/memory/outline.ts';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorResult } from '../../../lib/core/signal/actuator.ts';
import type { Signal } from '../../../lib/core/signal/signal.ts';
import { approvalKey, indexPartitions } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { BECAUSE, newSpace } from '../../flow/adversity-world.ts';
import { type Answer, buildSimulation, signalWith } from '../../support/simulation.ts';

export type Call = readonly [tool: string, args: JsonObject];
export const pay = (body: JsonObject): Call => ['call-webhook', { webhook: 'pay', body }];
export const stepOf = ([tool, args]: Call, words: string): JsonObject => ({ words, tool, args });

interface Options {
  /** The model's next answers: calls, or a text. */
  readonly answers?: readonly (readonly Call[])[];
  readonly outside?: (action: Action) => Promise<ActuatorResult | undefined> | ActuatorResult | undefined;
  readonly table?: Table;
}

export const buildPlanWorld = (table: Table, { answers = [], outside }: Options = {}) => {
  const space = newSpace();
  const left = [...answers];
  const prompts: string[] = [];
  const calls: unknown[] = [];
  const answer = (prompt: Prompt): Answer => {
    prompts.push(JSON.stringify(prompt));
    const toolCalls = (left.shift() ?? []).map(([name, args], n) => ({
      id: `c${n}`,
      name,
      argumentsText: JSON.stringify({ ...args, explanation: BECAUSE }),
    }));
    return toolCalls.length === 0 ? { content: 'So it is.' } : { toolCalls };
  };
  const simulation = buildSimulation({
    table,
    space,
    webhookUrls: { pay: 'https://pay.example/hook' },
    answer,
    outside: async (action) => {
      if (action.target !== 'webhook')
        return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
      calls.push(action.args?.body);
      return (await outside?.(action)) ?? { state: 'done', output: '{"status":200}', origin: 'outside' };
    },
  });
  const memory = buildMemory(table, space);
  let n = 0;
  const send = async (payload: Signal['payload'], change: Partial<Signal> = {}): Promise<string> => {
    n += 1;
    const before = simulation.sent.length;
    await simulation.accept({ ...signalWith(space, `tg-1-${n}`, payload, '7', simulation.now()), ...change });
    await simulation.drain();
    return simulation.sent
      .slice(before)
      .filter(({ target }) => target !== 'webhook')
      .map(({ text }) => text)
      .join('\n');
  };
  const write = async (edits: readonly Edit[]): Promise<void> => {
    n += 1;
    const by = { signalId: `tg-1-${n}`, effectId: `edit-${n}`, actor: 'test', now: simulation.now() };
    await memory.edit({ by, edits: () => edits });
  };
  const waiting = async (): Promise<readonly string[]> => {
    const partition = indexPartitions.pendingApprovals(space);
    const { items } = await table.queryIndex({ index: 'unfinished', partition, limit: 20 });
    const ids = items.map(({ pk }) => String(pk).split('#').at(-1) ?? '');
    const found = await table.load(
      ids.map((id) => approvalKey(space, id)),
      { isConsistent: true },
    );
    return found.flatMap((item, index) =>
      item !== undefined && parseApproval(ids[index] ?? '', item).state === 'pending' ? [ids[index] ?? ''] : [],
    );
  };
  return {
    space,
    simulation,
    memory,
    prompts,
    texts: () => simulation.sent.map(({ text }) => text),
    /** The model's next answers. */
    answerNext: (...next: readonly (readonly Call[])[]) => {
      left.splice(0, left.length, ...next);
    },
    tap: (approvalId: string) => send({ sensor: 'approval-decision', approvalId, decision: 'approve' }),
    /** Bodies of the calls that left. */
    calls,
    waiting,
    say: (line: string, change: Partial<Signal> = {}) => {
      const [, name = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
      return send({ sensor: 'command', name, rest }, change);
    },
    ask: (text: string, origin: 'owner' | 'outside' = 'owner') =>
      send({ sensor: 'chat-message', text: [{ text, origin }] }),
    decide: async (decision: 'approve' | 'deny'): Promise<string> => {
      const [approvalId = ''] = await waiting();
      return send({ sensor: 'approval-decision', approvalId, decision });
    },
    approval: async () => {
      const [id = ''] = await waiting();
      const [item] = await table.load([approvalKey(space, id)], { isConsistent: true });
      return item === undefined ? undefined : parseApproval(id, item);
    },
    /** The plan's note and those of its steps. */
    notes: async (): Promise<readonly LiveObject[]> => {
      const { objects } = await memory.view();
      const plan = [...objects.values()].find(
        (one): one is LiveObject => one.state === 'live' && one.attributes.tags.includes('plan'),
      );
      const steps = plan === undefined ? [] : childrenOf(objects, plan);
      return [plan, ...steps].flatMap((one) => (one?.state === 'live' ? [one] : []));
    },
    /** Changes a note beside the pipeline, as another program that writes memory would. */
    edit: async (
      id: string,
      change: { readonly content?: string; readonly todo?: string; readonly title?: string },
    ) => {
      const object = await memory.load(id);
      if (object?.state !== 'live') throw new Error('there is no such note');
      const { content = object.content, ...attributes } = change;
      await write([
        { kind: 'update', id, content, attributes: { ...object.attributes, ...attributes }, origin: 'owner' },
      ]);
    },
    write,
  };
};
export type PlanWorld = ReturnType<typeof buildPlanWorld>;
