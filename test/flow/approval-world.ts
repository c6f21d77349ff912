/**
 * A simulated space whose model proposes the webhook `deploys` with the ref it is told, and nothing
 * else.
 */

import { parseApproval } from '../../lib/core/approvals/approval.ts';
import type { Grant } from '../../lib/core/approvals/grant.ts';
import { parseGrant } from '../../lib/core/approvals/grants.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Payload, Signal } from '../../lib/core/signal/signal.ts';
import { approvalKey, grantKey, indexPartitions } from '../../lib/core/store/keys.ts';
import type { Item, Table } from '../../lib/core/store/table.ts';
import {
  type Answer,
  buildSimulation,
  ownerMessage,
  type SimulationOptions,
  signalWith,
} from '../support/simulation.ts';
import { callTool, evidenceOf, newSpace } from './adversity-world.ts';

export const URLS = { deploys: 'https://deploys.example/hook' };

const answerFor = ({ messages }: Prompt): Answer => {
  const last = messages.at(-1)?.content ?? '';
  const ref = last.includes('state: ') ? undefined : /deploy (\S+)/.exec(last)?.[1];
  return ref === undefined
    ? { content: 'That is how it went.' }
    : callTool('call-webhook', { webhook: 'deploys', body: { ref, to: 'production' } });
};

type Decide = Extract<Payload, { sensor: 'approval-decision' }>['decision'];

export const buildApprovalWorld = (table: Table, changes: Partial<SimulationOptions> = {}) => {
  const space = newSpace();
  let ids = 0;
  const simulation = buildSimulation({
    table,
    space,
    webhookUrls: URLS,
    answer: answerFor,
    outside: (action) =>
      action.target === 'webhook'
        ? { state: 'done', output: '{"status":200}', origin: 'outside' }
        : { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' },
    ...changes,
  });
  const nextId = () => {
    ids += 1;
    return ids;
  };
  const evidence = (id: string) => evidenceOf(table, space, id);
  const tapOf = (approvalId: string, decision: Decide, chat = '7'): Signal =>
    signalWith(
      space,
      `tg-1-${nextId()}`,
      { sensor: 'approval-decision', approvalId, decision, card: { chat, message: 5 } },
      chat,
      simulation.now(),
    );
  return {
    space,
    simulation,
    evidence,
    tapOf,
    /** Webhook calls that reached the outside. */
    calls: () => simulation.sent.filter(({ target }) => target === 'webhook'),
    texts: () => simulation.sent.filter(({ target }) => target === 'telegram').map(({ text }) => text),
    /** Says it, and lets everything happen that follows. @returns the signal's id. */
    say: async (text: string, chat = '7'): Promise<string> => {
      const signal = ownerMessage(space, nextId(), text, chat);
      await simulation.accept(signal);
      await simulation.drain();
      return signal.id;
    },
    send: async (signal: Signal): Promise<void> => {
      await simulation.accept(signal);
      await simulation.drain();
    },
    command: (name: string, rest = '', sender: Partial<Signal> = {}): Signal => ({
      ...signalWith(space, `tg-1-${nextId()}`, { sensor: 'command', name, rest }, '7', simulation.now()),
      ...sender,
    }),
    approvalOf: async (id: string): Promise<string> =>
      (await evidence(id)).effects.find(({ approvalId }) => approvalId !== undefined)?.approvalId ?? 'none',
    approval: async (id: string) => {
      const [item] = await table.load([approvalKey(space, id)], { isConsistent: true });
      if (item === undefined) throw new Error('there is no such approval');
      return parseApproval(id, item);
    },
    changeApproval: async (id: string, change: Item): Promise<void> => {
      const [item] = await table.load([approvalKey(space, id)], { isConsistent: true });
      await table.put(approvalKey(space, id), { ...item, ...change });
    },
    changeGrant: async (id: string, change: Item): Promise<void> => {
      const [item] = await table.load([grantKey(space, id)], { isConsistent: true });
      await table.put(grantKey(space, id), { ...item, ...change });
    },
    grants: async (): Promise<readonly Grant[]> => {
      const page = await table.queryIndex({ index: 'unfinished', partition: indexPartitions.grants(space), limit: 50 });
      const items = await table.load(page.items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
      return items.flatMap((item) => (item === undefined ? [] : [parseGrant(item)]));
    },
    statesOf: async (id: string) => (await evidence(id)).effects.map(({ state }) => state),
  };
};
export type ApprovalWorld = ReturnType<typeof buildApprovalWorld>;
