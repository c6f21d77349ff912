/**
 * STOP to the letter, at the real table: wherever it comes between any two operations of the
 * pipeline, nothing is performed after it: not what is queued, approved, granted, claimed or
 * waiting for its next try. A resume right behind it revives none of it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { Approval, stageOf } from '../../lib/core/approvals/approval.ts';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import type { ActuatorResult } from '../../lib/core/signal/actuator.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { startDynamo } from '../support/dynamo.ts';
import { ownerMessage } from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const OPERATIONS_MAX = 120;
/** Stops looked at that came after the action was done. */
const AFTER_DONE = 3;

/**
 * A table before whose k-th operation from now on somebody stops the space, and resumes it at once
 * where told so.
 */
const buildInterrupted = (isResumed: boolean) => {
  const state = { space: '', left: Number.POSITIVE_INFINITY, now: () => 0, tries: 0, triesAtStop: -1 };
  const before = async (): Promise<void> => {
    state.left -= 1;
    if (state.left !== 0) return;
    const by = 'telegram:7';
    const at = state.now();
    await setKillSwitch(dynamo.table, state.space, { isStopped: true, by, at });
    if (isResumed) await setKillSwitch(dynamo.table, state.space, { isStopped: false, by, at: at + 1 });
    state.triesAtStop = state.tries;
  };
  const hooked =
    <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await before();
      return operation(...args);
    };
  const table: Table = {
    load: hooked(dynamo.table.load),
    query: hooked(dynamo.table.query),
    queryIndex: hooked(dynamo.table.queryIndex),
    put: hooked(dynamo.table.put),
    update: hooked(dynamo.table.update),
    transact: hooked(dynamo.table.transact),
  };
  return { table, state };
};

/**
 * A world whose webhook is refused `retries` times before it takes a call; every try is counted.
 */
const buildWorld = (isResumed: boolean, retries: number) => {
  const { table, state } = buildInterrupted(isResumed);
  const outside = ({ target }: { readonly target: string }): ActuatorResult => {
    if (target !== 'webhook') return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
    state.tries += 1;
    if (state.tries <= retries) return { state: 'retry', reason: 'answered 503', isInDoubt: true };
    return { state: 'done', output: '{"status":200}', origin: 'outside' };
  };
  const world = buildApprovalWorld(table, { outside });
  state.space = world.space;
  state.now = world.simulation.now;
  return { world, state };
};

const approve = async (world: ApprovalWorld): Promise<string> => {
  const signal = await world.say('deploy main');
  await world.simulation.accept(world.tapOf(await world.approvalOf(signal), 'approve'));
  return signal;
};

/** Granted before, so that nobody is asked; the tries of the first call do not count. */
const granted = async (world: ApprovalWorld, state: { tries: number }): Promise<string> => {
  await world.send(world.tapOf(await world.approvalOf(await world.say('deploy main')), 'allow-similar'));
  state.tries = 0;
  world.simulation.advance(10);
  await world.simulation.accept(ownerMessage(world.space, 40, 'deploy main', '7', world.simulation.now()));
  return 'tg-1-40';
};

const settle = async (world: ApprovalWorld): Promise<void> => {
  await world.simulation.drain();
  world.simulation.advance(2 * 60_000);
  await world.simulation.sweep();
  await world.simulation.drain();
};

describe('STOP before any operation', () => {
  it.each([
    ['an approved action that is tried again', true, 1, 1],
    ['an approved action that is tried again, with no resume', false, 1, 3],
  ] as const)('lets no try of %s follow it', async (_name, isResumed, retries, step) => {
    let isSeenBefore = false;
    let doneCount = 0;
    for (let k = 1; k < OPERATIONS_MAX && doneCount < AFTER_DONE; k += step) {
      const { world, state } = buildWorld(isResumed, retries);
      const signal = await approve(world);
      state.left = k;
      await settle(world);
      expect({ k, tries: state.tries }).toStrictEqual({ k, tries: state.triesAtStop });
      const [effect] = (await world.evidence(signal)).effects;
      const isDone = state.triesAtStop > retries;
      if (isDone) doneCount += 1;
      else isSeenBefore = true;
      // A yes that was not taken yet waits on. Whatever was taken is done, or refused for good, or
      // unknown if it was tried: the other side may have done it all the same.
      const notDone = state.triesAtStop > 0 ? 'unknown' : 'refused';
      const isWaiting = effect?.state === 'suspended';
      if (isWaiting) expect(await world.approval(effect?.approvalId ?? '')).toMatchObject({ state: 'pending' });
      else expect({ k, state: effect?.state }).toStrictEqual({ k, state: isDone ? 'done' : notDone });
    }
    expect({ isSeenBefore, doneCount }).toStrictEqual({ isSeenBefore: true, doneCount: AFTER_DONE });
  });

  it('lets no use of a grant follow it', async () => {
    const states: (string | undefined)[] = [];
    for (let k = 1; k < OPERATIONS_MAX && states.filter((state) => state === 'done').length < AFTER_DONE; k += 2) {
      const { world, state } = buildWorld(true, 0);
      const signal = await granted(world, state);
      state.left = k;
      await settle(world);
      expect({ k, tries: state.tries }).toStrictEqual({ k, tries: state.triesAtStop });
      states.push((await world.statesOf(signal))[0]);
    }
    expect([...new Set(states)].sort()).toStrictEqual(['done', 'refused']);
  });
});

describe('after a stop and a resume', () => {
  const stopAndResume = async (world: ApprovalWorld): Promise<void> => {
    const by = 'telegram:7';
    await setKillSwitch(dynamo.table, world.space, { isStopped: true, by, at: world.simulation.now() });
    world.simulation.advance(1);
    await setKillSwitch(dynamo.table, world.space, { isStopped: false, by, at: world.simulation.now() });
    world.simulation.advance(1);
  };

  it('a reply decided before is not sent, its person is told, and the next message is served', async () => {
    const world = buildApprovalWorld(dynamo.table, { answer: () => ({ content: 'Good morning.' }) });
    await world.simulation.accept(ownerMessage(world.space, 30, 'hello'));
    while (world.simulation.queue[0]?.stage !== 'act') await world.simulation.deliverNext();
    await stopAndResume(world);
    await world.simulation.drain();
    expect(await world.statesOf('tg-1-30')).toStrictEqual(['refused']);
    expect(world.texts()).toStrictEqual([
      'A stop came while I worked on this, so I did not answer. Ask again if you still want it. Details: /why tg-1-30',
    ]);
    await world.say('hello again');
    expect(world.texts().at(-1)).toBe('Good morning.');
  });

  it('a yes given before, and taken up only now, is not taken', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const approvalId = await world.approvalOf(await world.say('deploy main'));
    await world.simulation.accept(world.tapOf(approvalId, 'approve'));
    await stopAndResume(world);
    await world.simulation.drain();
    expect(world.calls()).toStrictEqual([]);
    expect(await world.approval(approvalId)).toMatchObject({ state: 'pending' });
    expect(world.texts().at(-1)).toBe(
      'The agent is stopped; nothing is performed. /resume first, then approve. Denying works.',
    );
    await world.send(world.tapOf(approvalId, 'approve'));
    expect(world.calls()).toHaveLength(1);
  });

  it('the card of what was approved before says that it will not be done', async () => {
    const world = buildApprovalWorld(dynamo.table);
    const signal = await approve(world);
    while (world.simulation.queue[0]?.stage !== 'act') await world.simulation.deliverNext();
    const [queued] = world.simulation.queue.splice(0, 1);
    await stopAndResume(world);
    if (queued !== undefined) world.simulation.queue.push(queued);
    await world.simulation.drain();
    expect(await world.statesOf(signal)).toStrictEqual(['refused']);
    expect(world.texts().join('\n')).toContain('It was stopped before it was done, and will not be done.');
    const approvalId = (await world.evidence(signal)).effects[0]?.approvalId ?? '';
    const approval = await world.approval(approvalId);
    expect(approval).toMatchObject({ state: 'expired', endedBecause: 'refused', decider: 'telegram:7' });
    expect(stageOf(Approval.parse(approval), world.simulation.now(), '')).toBe('APPROVED');
  });
});

describe('a crash while an approved action is refused for a stop', () => {
  it('leaves a closed signal and a card that says so, after any operation and with all queues lost', async () => {
    for (let k = 1; k < OPERATIONS_MAX; k += 1) {
      const world = buildApprovalWorld(dynamo.table);
      const signal = await approve(world);
      while (world.simulation.queue[0]?.stage !== 'act') await world.simulation.deliverNext();
      world.simulation.advance(1);
      const stop = { isStopped: true, by: 'telegram:7', at: world.simulation.now() };
      await setKillSwitch(dynamo.table, world.space, stop);
      world.simulation.crashAt(k);
      for (let n = 0; n < 50 && world.simulation.crashes.length === 0 && world.simulation.queue.length > 0; n += 1)
        await world.simulation.deliverNext();
      const isOver = world.simulation.crashes.length === 0;
      world.simulation.loseQueues();
      world.simulation.advance(2 * 60_000);
      await world.simulation.sweep(true);
      await world.simulation.drain();
      const { record, effects } = await world.evidence(signal);
      const isTold = world.texts().some((text) => text.includes('It was stopped before it was done'));
      const isUnknown = (await world.evidence(`${signal}/c0-spent`)).effects.some(({ state }) => state === 'unknown');
      expect({ k, state: record?.state, effect: effects[0]?.state, isTold: isTold || isUnknown }).toStrictEqual({
        k,
        state: 'refused',
        effect: 'refused',
        isTold: true,
      });
      if (isOver) return;
    }
    throw new Error('there were more operations');
  });
});

describe('a model whose answer was rejected', () => {
  it('is not asked again once the space is stopped', async () => {
    let stopping: Promise<unknown> = Promise.resolve();
    const table: Table = {
      ...dynamo.table,
      load: async (...args) => {
        await stopping;
        return dynamo.table.load(...args);
      },
    };
    const world = buildApprovalWorld(table, {
      answer: () => {
        stopping = setKillSwitch(dynamo.table, world.space, {
          isStopped: true,
          by: 'telegram:7',
          at: world.simulation.now(),
        });
        return callTool('no-such-tool', {});
      },
    });
    const id = await world.say('hello');
    expect(world.simulation.modelCalls()).toBe(1);
    expect((await world.evidence(id)).record).toMatchObject({
      state: 'refused',
      stateReason: 'the kill switch is on',
    });
  });
});
