/** I1 No trace, no act: writes that fail, messages and stored decisions that somebody altered. */
import { afterAll, describe, expect, it } from 'vitest';
import { PipelineError, UnavailableError } from '../../lib/core/base/errors.ts';
import { ActMessage } from '../../lib/core/signal/messages.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage, type Simulation } from '../support/simulation.ts';
import {
  breakTable,
  callTool,
  deliverUntilAct,
  evidenceOf,
  type FailingWrite,
  newSpace,
  tryDeliver,
} from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const MINUTE_MS = 60_000;

const playBroken = async (isFailing: FailingWrite) => {
  const space = newSpace();
  const { table, state } = breakTable(dynamo.table, isFailing);
  const simulation = buildSimulation({ table, space, answer: () => ({ content: 'Hello' }) });
  await simulation.accept(ownerMessage(space, 1, 'hi'));
  return { space, simulation, state };
};

describe('I1: a write that fails', () => {
  const beforeDelivery: readonly (readonly [string, FailingWrite, number])[] = [
    ['the decision', (kind, sk) => kind === 'put' && sk === 'decision', 0],
    ['the claim', (kind, sk, stored) => kind === 'put' && sk === 'effect#0' && stored.state === 'claimed', 1],
  ];

  it.each(beforeDelivery)('has no effect, and the message is seen again: %s', async (_name, isFailing, decisions) => {
    const { space, simulation, state } = await playBroken(isFailing);
    const failures: unknown[] = [];
    for (let count = 0; count < 12; count += 1) {
      const failure = await tryDeliver(simulation);
      if (failure !== undefined) failures.push(failure);
    }
    expect(state.failures).toBeGreaterThan(2);
    expect(failures.every((failure) => failure instanceof UnavailableError)).toBe(true);
    expect(simulation.sent).toStrictEqual([]);
    const { effects, decision } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect({ effects, decisions: decision === undefined ? 0 : 1 }).toStrictEqual({ effects: [], decisions });

    state.isBroken = false;
    await simulation.drain();
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual(['Hello']);
    const after = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect(after.record?.state).toBe('acted');
    expect(after.effects.map((effect) => effect.state)).toStrictEqual(['done']);
  });

  it('never asks the model again for an attempt that was stored', async () => {
    const space = newSpace();
    const { table, state } = breakTable(dynamo.table, (kind, sk) => kind === 'put' && sk === 'decision');
    let calls = 0;
    const simulation = buildSimulation({
      table,
      space,
      answer: () => {
        calls += 1;
        return calls === 1 ? callTool('run-shell', {}) : { content: 'Hello' };
      },
    });
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    for (let count = 0; count < 4; count += 1) await tryDeliver(simulation);
    const rejected = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect(rejected.attempts.map(({ n }) => n)).toStrictEqual([1]);
    expect(calls).toBe(1 + state.failures);
    state.isBroken = false;
    await simulation.drain();
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual(['Hello']);
  });

  it('is unknown, told, and never repeated, when only the outcome of a text could not be stored', async () => {
    const { space, simulation, state } = await playBroken((kind, sk) => kind === 'update' && sk === 'effect#0');
    for (let count = 0; count < 4; count += 1) await tryDeliver(simulation);
    expect(simulation.sent).toHaveLength(1);
    expect(state.failures).toBeGreaterThan(0);
    state.isBroken = false;
    await simulation.drain();
    for (let round = 0; round < 4; round += 1) {
      simulation.advance(40 * MINUTE_MS);
      await simulation.sweep();
      await simulation.drain();
    }
    const [reply, notice, ...others] = simulation.sent.map(({ text }) => text);
    expect([reply, others]).toStrictEqual(['Hello', []]);
    expect(notice).toMatch(/^My answer to “hi” may not have arrived\. I send it again only if you say so/);
    const { record, effects } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect(effects.map((effect) => effect.state)).toStrictEqual(['unknown']);
    expect(effects[0]?.reason).toMatch(/may or may not/);
    expect(record?.state).toBe('acted');
  });
});

const HASH = 'f'.repeat(64);

/** Two chats, each with a decided signal; their messages for Act are on the queue. */
const decideTwo = async () => {
  const space = newSpace();
  let n = 0;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      if (prompt.messages.some(({ role }) => role === 'tool')) return { content: 'Noted.' };
      n += 1;
      return { content: `reply ${n}`, toolCalls: callTool('remember', { text: `note ${n}` }).toolCalls ?? [] };
    },
  });
  await simulation.accept(ownerMessage(space, 1, 'one', '7'));
  await simulation.accept(ownerMessage(space, 2, 'two', '8'));
  for (let count = 0; simulation.queue.some(({ stage }) => stage !== 'act'); count += 1) {
    if (count > 20) throw new Error('not decided');
    const next = simulation.queue.findIndex(({ stage }) => stage !== 'act');
    const [message] = simulation.queue.splice(next, 1);
    if (message !== undefined) await simulation.deliver(message);
  }
  const [first, second] = simulation.queue.map((message) => ActMessage.parse(message));
  if (first === undefined || second === undefined) throw new Error('not decided');
  return { space, simulation, first, second };
};

const memoriesOf = async (space: string): Promise<number> =>
  (await dynamo.table.query({ pk: `memory#${space}`, skPrefix: 'object#' })).items.length;

describe('I1: a message altered on act.fifo', () => {
  type Alter = (first: ActMessage, second: ActMessage) => ActMessage;
  const refused: readonly (readonly [string, Alter])[] = [
    ['hashes of the actions', (first) => ({ ...first, actions: first.actions.map(({ n }) => ({ n, hash: HASH })) })],
    ['hash of the decision', (first) => ({ ...first, decisionHash: HASH })],
    ['hash of another decision', (first, second) => ({ ...first, decisionHash: second.decisionHash })],
    [
      'hashes of another decision',
      (first, second) => ({ ...second, signalId: first.signalId, session: first.session }),
    ],
  ];

  it.each(refused)('performs nothing and ends refused: %s', async (_name, alter) => {
    const { space, simulation, first, second } = await decideTwo();
    await simulation.deliver(alter(first, second));
    expect(simulation.sent).toStrictEqual([]);
    expect(await memoriesOf(space)).toBe(0);
    const { record, effects } = await evidenceOf(dynamo.table, space, first.signalId);
    expect(record?.state).toBe('refused');
    expect(effects.map(({ state, reason }) => ({ state, reason }))).toStrictEqual(
      [0, 1].map(() => ({ state: 'refused', reason: 'the action at hand is not the one that was decided' })),
    );
  });

  const poison: readonly (readonly [string, Alter])[] = [
    ['an action past the end', (first) => ({ ...first, actions: [...first.actions, { n: 9, hash: HASH }] })],
    ['a negative action', (first) => ({ ...first, actions: [{ n: -1, hash: HASH }] })],
    ['no action', (first) => ({ ...first, actions: [] })],
    ['only some of the actions', (first) => ({ ...first, actions: first.actions.slice(1) })],
    ['an action twice', (first) => ({ ...first, actions: [...first.actions, ...first.actions] })],
    ['a signal nobody stored', (first) => ({ ...first, signalId: 'tg-1-99' })],
    ['another space', (first) => ({ ...first, space: 'elsewhere' })],
  ];

  it.each(poison)('is poison before anything is performed: %s', async (_name, alter) => {
    const { space, simulation, first, second } = await decideTwo();
    await expect(simulation.deliver(alter(first, second))).rejects.toThrow(PipelineError);
    expect(simulation.sent).toStrictEqual([]);
    expect(await memoriesOf(space)).toBe(0);
    // The genuine message still finds everything as it was.
    await simulation.drain();
    expect(simulation.sent.map(({ text }) => text)).toContain('reply 1');
    expect((await evidenceOf(dynamo.table, space, first.signalId)).record?.state).toBe('acted');
  });

  const malformed: readonly (readonly [string, (first: ActMessage) => unknown])[] = [
    ['an action in the body', (first) => ({ ...first, action: { target: 'telegram', text: 'x', to: '7' } })],
    [
      'an action beside its hash',
      (first) => ({ ...first, actions: first.actions.map((one) => ({ ...one, action: { text: 'x' } })) }),
    ],
    ['a flag', (first) => ({ ...first, approved: true })],
    [
      'a flag beside a hash',
      (first) => ({ ...first, actions: first.actions.map((one) => ({ ...one, approved: true })) }),
    ],
    ['another version', (first) => ({ ...first, v: 2 })],
    ['no hash', (first) => ({ ...first, actions: [{ n: 0 }] })],
  ];

  it.each(malformed)('does not even have the form of a message: %s', async (_name, alter) => {
    const { first } = await decideTwo();
    expect(ActMessage.safeParse(first).success).toBe(true);
    expect(ActMessage.safeParse(alter(first)).success).toBe(false);
  });

  it('performs each action once, however often and late the genuine message comes', async () => {
    const { space, simulation, first } = await decideTwo();
    await simulation.drain();
    for (let count = 0; count < 3; count += 1) {
      await simulation.deliver(first);
      simulation.advance(30 * MINUTE_MS);
    }
    expect(simulation.sent.filter(({ to }) => to === '7').map(({ text }) => text)).toHaveLength(
      new Set(simulation.sent.filter(({ to }) => to === '7').map(({ effectId }) => effectId)).size,
    );
    expect((await evidenceOf(dynamo.table, space, first.signalId)).effects.map(({ state }) => state)).toStrictEqual([
      'done',
      'done',
    ]);
  });
});

/**
 * Changes one stored judged action of a decided signal, as somebody with access to the table could.
 */
const alterDecision = async (space: string, id: string, changes: object, others: object = {}): Promise<void> => {
  const key = signalKeys.decision(space, id);
  const [item] = await dynamo.table.load([key], { isConsistent: true });
  const [first, ...rest] = JSON.parse(String(item?.actions));
  await dynamo.table.put(key, { ...item, ...others, actions: JSON.stringify([{ ...first, ...changes }, ...rest]) });
};

const decideOne = async (answer = { content: 'Hello' }) => {
  const space = newSpace();
  const simulation = buildSimulation({ table: dynamo.table, space, answer: () => answer });
  await simulation.accept(ownerMessage(space, 1, 'hi'));
  await deliverUntilAct(simulation);
  return { space, simulation };
};

/** Queues that were lost: the repeat is made from what is stored, with hashes of what is stored. */
const repeatFromTable = async (simulation: Simulation): Promise<void> => {
  simulation.loseQueues();
  await simulation.sweep(true);
};

/** All that leaves then: that nothing was done, and why, in words nobody altered. */
const NOT_DECIDED = [
  'I could not do that: what I proposed was refused by the rules.',
  '– the action at hand is not the one that was decided',
  'Details: /why tg-1-1',
].join('\n');

describe('I1: a decision altered in the table', () => {
  const changes = async (space: string) => {
    const { decision } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    const action = decision?.actions[0]?.action;
    return [
      ['its text', { action: { ...action, text: 'Send me money' } }],
      ['its recipient', { action: { ...action, to: '666' } }],
      ['its author', { action: { ...action, author: 'code', template: 'stopped' } }],
      ['its hash', { hash: HASH }],
    ] as const;
  };

  it.each([
    ['while the message was under way', async () => undefined],
    ['before the message was made', repeatFromTable],
  ] as const)('is refused, %s', async (_name, before) => {
    for (let index = 0; index < 4; index += 1) {
      const { space, simulation } = await decideOne();
      const [, change] = (await changes(space))[index] ?? [];
      await alterDecision(space, 'tg-1-1', change ?? {});
      await before(simulation);
      await simulation.drain();
      // Only the notice that says so leaves.
      // A text that passes for a notice is silent: it has no model to have been refused.
      expect(simulation.sent.map(({ text }) => text)).toStrictEqual(index === 2 ? [] : [NOT_DECIDED]);
      const { record, effects } = await evidenceOf(dynamo.table, space, 'tg-1-1');
      expect({ index, state: record?.state, effects: effects.map(({ state }) => state) }).toStrictEqual({
        index,
        state: 'refused',
        effects: ['refused'],
      });
    }
  });

  it.each([
    ['its trace', { trace: [] }, {}],
    ['its outcome', { outcome: 'ask' }, {}],
    ['its facts', { facts: [] }, {}],
    ['the gate set it names', {}, { gateSet: HASH }],
    ['the reason', {}, { reason: 'another' }],
  ])('is refused when anything of the evidence was changed: %s', async (_name, change, others) => {
    const { space, simulation } = await decideOne();
    await alterDecision(space, 'tg-1-1', change, others);
    await simulation.drain();
    // Only the notice that says so leaves.
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual([NOT_DECIDED]);
    expect((await evidenceOf(dynamo.table, space, 'tg-1-1')).effects.map(({ state }) => state)).not.toContain('done');
  });

  it('is refused, and nobody is asked to approve it, where it needed an approval', async () => {
    const space = newSpace();
    const answer = () => callTool('call-webhook', { webhook: 'deploys', body: { ref: 'main' } });
    const webhookUrls = { deploys: 'https://deploys.example/hook' };
    const simulation = buildSimulation({ table: dynamo.table, space, answer, webhookUrls });
    await simulation.accept(ownerMessage(space, 1, 'deploy'));
    await deliverUntilAct(simulation);
    const { decision } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    const action = { ...decision?.actions[0]?.action, args: { webhook: 'deploys', body: { ref: 'evil' } } };
    await alterDecision(space, 'tg-1-1', { action });
    await repeatFromTable(simulation);
    for (let count = 0; simulation.queue.length > 0 && count < 3; count += 1) await simulation.deliverNext();
    const { effects } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect(effects.map(({ state, approvalId }) => ({ state, approvalId }))).toStrictEqual([
      { state: 'refused', approvalId: undefined },
    ]);
    expect(simulation.sent).toStrictEqual([]);
  });

  it('cannot be read at all with a field that no decision has', async () => {
    const { space, simulation } = await decideOne();
    await alterDecision(space, 'tg-1-1', { approved: true });
    expect(await tryDeliver(simulation)).toMatchObject({ name: 'StoredItemError', isRetryable: false });
    expect(simulation.sent).toStrictEqual([]);
  });
});
