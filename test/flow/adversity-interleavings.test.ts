/**
 * Random interleavings of messages in several conversations, with repeats, crashes, lost queues and
 * queues that take turns as they like: whatever the order of things, what a person sees is right.
 * fast-check prints seed and path of a failure.
 */

import type { Arbitrary } from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseHead } from '../../lib/core/ledger/session.ts';
import { withoutSituation } from '../../lib/core/prompt/blocks.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import { actionHash } from '../../lib/core/signal/action.ts';
import { indexPartitions, sessionKey } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { fc } from '../support/fast-check.ts';
import { type Answer, buildSimulation, Crash, ownerMessage, type Simulation } from '../support/simulation.ts';
import { callTool, type Evidence, evidenceOf, newSpace } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SESSIONS = ['7', '8', '9'];
const MINUTE_MS = 60_000;

type Step =
  /**
   * A person writes; the message arrives `copies` times. A `tool` message makes the model call a
   * tool first.
   */
  | { readonly kind: 'write'; readonly session: number; readonly copies: number; readonly isTool: boolean }
  /** The `pick`-th of the queues that have something delivers its first message, `times` times. */
  | { readonly kind: 'deliver'; readonly pick: number; readonly times: number }
  | { readonly kind: 'crash'; readonly after: number }
  | { readonly kind: 'lose-queues' }
  | { readonly kind: 'heartbeat'; readonly minutes: number };

const steps: Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        session: fc.nat(SESSIONS.length - 1),
        copies: fc.integer({ min: 1, max: 3 }),
        isTool: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('deliver' as const),
        pick: fc.nat(8),
        times: fc.integer({ min: 1, max: 2 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('crash' as const), after: fc.integer({ min: 1, max: 12 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'lose-queues' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('heartbeat' as const), minutes: fc.integer({ min: 0, max: 7 }) }),
    },
  ),
  { minLength: 6, maxLength: 30 },
);

const answer = (prompt: Prompt): Answer => {
  const last = prompt.messages.findLastIndex(
    ({ role, content }) => role === 'user' && withoutSituation(content) !== '',
  );
  const text = withoutSituation(prompt.messages[last]?.content ?? '');
  const hasResult = prompt.messages.slice(last).some(({ role }) => role === 'tool');
  return text.startsWith('tool') && !hasResult ? callTool('current-time', {}) : { content: `re: ${text}` };
};

/**
 * Found by this property before: an earlier message, swept once, was taken up again after a later
 * one.
 */
const found: readonly Step[] = [
  { kind: 'write', session: 1, copies: 1, isTool: false },
  { kind: 'heartbeat', minutes: 2 },
  { kind: 'write', session: 1, copies: 1, isTool: false },
  { kind: 'lose-queues' },
];

interface Written {
  readonly id: string;
  readonly session: string;
  readonly text: string;
}

const orCrash = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return false;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return true;
  }
};

/** Brings the first message of one of the queues (a stage and a conversation each) to the front. */
const pickQueue = (simulation: Simulation, pick: number): void => {
  const queues = [...new Set(simulation.queue.map(({ stage, session }) => `${stage} ${session}`))];
  const chosen = queues[pick % Math.max(1, queues.length)];
  const at = simulation.queue.findIndex(({ stage, session }) => `${stage} ${session}` === chosen);
  const [message] = at < 0 ? [] : simulation.queue.splice(at, 1);
  if (message !== undefined) simulation.queue.unshift(message);
};

/** A start on empty queues is repeated until it came through, as a start that dies is. */
const recover = async (simulation: Simulation): Promise<void> => {
  simulation.loseQueues();
  while (await orCrash(simulation.sweep(true))) simulation.loseQueues();
};

const play = async (simulation: Simulation, space: string, step: Step, written: Written[]): Promise<void> => {
  switch (step.kind) {
    case 'write': {
      const session = SESSIONS[step.session] ?? '7';
      const n = written.length + 1;
      const text = `${step.isTool ? 'tool' : 'word'} ${n}`;
      written.push({ id: `tg-1-${n}`, session, text });
      const signal = ownerMessage(space, n, text, session, simulation.now() + n);
      for (let copy = 0; copy < step.copies; copy += 1) await simulation.accept(signal);
      return;
    }
    case 'deliver': {
      pickQueue(simulation, step.pick);
      const [message] = simulation.queue;
      // A consumer that died after its work and before it said so: the same message comes again.
      if (step.times === 2 && message !== undefined) simulation.queue.unshift(message);
      for (let time = 0; time < step.times; time += 1) await simulation.deliverNext();
      return;
    }
    case 'crash':
      simulation.crashAt(step.after);
      return;
    case 'lose-queues':
      return recover(simulation);
    case 'heartbeat':
      simulation.advance(step.minutes * MINUTE_MS);
      await orCrash(simulation.sweep());
      return;
  }
};

/** Those that have ended wait there for the log's writer only. */
const unfinished = async (space: string): Promise<number> => {
  const partition = indexPartitions.unfinishedSignals(space);
  const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 100 });
  const records = await dynamo.table.load(
    items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
    { isConsistent: true },
  );
  return records.filter((record) => record?.awaitsLog !== true).length;
};

/** Nothing more goes wrong; the heartbeat repairs what did. */
const settle = async (simulation: Simulation, space: string): Promise<void> => {
  simulation.crashAt(Number.POSITIVE_INFINITY);
  for (let round = 0; round < 8; round += 1) {
    await simulation.drain();
    if ((await unfinished(space)) === 0) return;
    simulation.advance(6 * MINUTE_MS);
    await simulation.sweep();
  }
};

const checkSent = async (simulation: Simulation, space: string): Promise<void> => {
  for (const { effectId, text, to } of simulation.sent) {
    const [, id = '', n = ''] = /^[^/]+\/(.+)#(\d+)$/.exec(effectId) ?? [];
    const { decision, effects } = await evidenceOf(dynamo.table, space, id);
    const judged = decision?.actions[Number(n)];
    const effect = effects.find((one) => one.n === Number(n));
    expect(judged?.action).toMatchObject({ text, to });
    expect(judged === undefined ? '' : actionHash(judged.action)).toBe(judged?.hash);
    expect(effect?.actionHash).toBe(judged?.hash);
    expect(judged?.trace.length).toBeGreaterThan(5);
  }
};

const isUnknown = ({ effects }: Evidence): boolean => effects.some(({ state }) => state === 'unknown');

const checkReplies = async (simulation: Simulation, space: string, written: readonly Written[]): Promise<void> => {
  for (const { id, session, text } of written) {
    const replies = simulation.sent.filter((one) => one.to === session && one.text === `re: ${text}`);
    const turn = [await evidenceOf(dynamo.table, space, id), await evidenceOf(dynamo.table, space, `${id}/1`)];
    expect({ text, state: turn[0]?.record?.state }).toStrictEqual({ text, state: 'acted' });
    if (replies.length === 0)
      expect({ text, isUnknown: turn.some(isUnknown) }).toStrictEqual({ text, isUnknown: true });
    else expect({ text, replies: replies.length }).toStrictEqual({ text, replies: 1 });
  }
  for (const session of SESSIONS) {
    // The notice that a reply may be lost is none.
    const sent = simulation.sent
      .filter(({ to, text }) => to === session && !text.includes('may not have arrived'))
      .map(({ text }) => text);
    const wanted = written.filter((one) => one.session === session).map(({ text }) => `re: ${text}`);
    expect(sent).toStrictEqual(wanted.filter((text) => sent.includes(text)));
    const [head] = await dynamo.table.load([sessionKey(space, `telegram:${session}`)], { isConsistent: true });
    if (head === undefined) continue;
    const { turn, mailbox = [] } = parseHead(session, head);
    expect({ turn, mailbox }).toStrictEqual({ turn: undefined, mailbox: [] });
  }
};

describe('any interleaving', () => {
  it('ends with one reply per message or an unknown, in order, with its evidence, and nothing left over', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const space = newSpace();
        const simulation = buildSimulation({ table: dynamo.table, space, answer });
        const written: Written[] = [];
        for (const step of list) await play(simulation, space, step, written);
        await settle(simulation, space);
        expect(await unfinished(space)).toBe(0);
        expect(simulation.queue).toStrictEqual([]);
        await checkReplies(simulation, space, written);
        await checkSent(simulation, space);
      }),
      { numRuns: Number(process.env.INTERLEAVINGS ?? 40), examples: [[found]] },
    );
  });
});
