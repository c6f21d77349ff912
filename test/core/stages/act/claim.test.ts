/** One delivery gets the claim, whatever item has the effect's key, and only its holder ends it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../../lib/core/base/defined.ts';
import { RetryLaterError, UnavailableError, WaitingError } from '../../../../lib/core/base/errors.ts';
import { DAY_MS, MINUTE_MS, RECEIVE_COUNT_MAX, RETRY_BACKOFF_MS, SECOND_MS } from '../../../../lib/core/base/limits.ts';
import { packEffect } from '../../../../lib/core/ledger/ledger.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import type { ActuatorResult } from '../../../../lib/core/signal/actuator.ts';
import type { Effect } from '../../../../lib/core/signal/decision.ts';
import type { Signal } from '../../../../lib/core/signal/signal.ts';
import {
  type ClaimKind,
  claimEffect,
  claimedEffect,
  giveBack,
  recordEffect,
  type Settlement,
  settleEffect,
  settleResult,
} from '../../../../lib/core/stages/act/claim.ts';
import { absent } from '../../../../lib/core/store/condition.ts';
import { approvalKey, grantKey, indexPartitions, type Key, signalKeys } from '../../../../lib/core/store/keys.ts';
import type { Item } from '../../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import {
  APPROVAL_ID,
  CALL,
  GRANT_ID,
  NOW,
  putRecord,
  sampleDeps,
  sampleEffect,
  sampleGrant,
  sampleSignal,
  sampleTask,
  TEXT,
} from './sample-task.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const load = async (key: Key): Promise<Item | undefined> => {
  const [item] = await dynamo.table.load([key], { isConsistent: true });
  return item;
};
const effectKey = ({ space, id }: Signal): Key => signalKeys.effect(space, id, 0);
const putRow = (signal: Signal, row: Partial<Effect>, marks: object = {}): Promise<void> =>
  dynamo.table.put(effectKey(signal), { ...packEffect(sampleEffect(row)), ...marks });

const OURS = sampleEffect({ claim: 'ours', leaseUntil: NOW + 1, approvalId: APPROVAL_ID, grantId: GRANT_ID });

/** Puts what the claim spends, in a state that lets it be spent unless it is changed. */
const putConsent = async ({ space }: Signal, approval: object = {}, grant: object = {}): Promise<void> => {
  const approved = { state: 'approved', actionHash: OURS.actionHash, expiresAtMs: NOW + 1, unfinishedAt: 1 };
  await dynamo.table.put(approvalKey(space, APPROVAL_ID), { ...approved, ...approval });
  await dynamo.table.put(grantKey(space, GRANT_ID), { ...sampleGrant(space), ...grant });
};

describe('claimedEffect', () => {
  it('is leased a little longer than its invocation lasts', () => {
    const { state: _state, tries: _tries, ...base } = sampleEffect();
    const lease = { now: NOW, remainingMs: 60_000, claim: 'x', tries: 2 };
    expect(claimedEffect(base, lease)).toStrictEqual({
      ...base,
      state: 'claimed',
      claimedAt: NOW,
      leaseUntil: NOW + 65_000,
      claim: 'x',
      tries: 2,
    });
  });
});

describe('claimEffect', () => {
  const ROWS: readonly (readonly [row: Partial<Effect> | undefined, takenBy: readonly ClaimKind[]])[] = [
    [undefined, ['first', 'again', 'grant']],
    [{ state: 'suspended' }, ['again', 'spend']],
    [{ state: 'claimed', leaseUntil: NOW - 1 }, ['again']],
    [{ state: 'claimed', leaseUntil: NOW }, []],
    [{ state: 'claimed', leaseUntil: NOW + 1 }, []],
    [{ state: 'claimed', leaseUntil: 0, isReleased: true }, ['again']],
    [{ state: 'unknown' }, []],
    [{ state: 'unknown', resolution: 'retry' }, ['again']],
    [{ state: 'unknown', resolution: 'done' }, []],
    [{ state: 'done' }, []],
    [{ state: 'failed' }, []],
    [{ state: 'refused' }, []],
  ];
  const KINDS: readonly ClaimKind[] = ['first', 'again', 'spend', 'grant'];

  it.each(ROWS)('finds %j, which only %j may take, and leaves it as it was to the others', async (row, takenBy) => {
    for (const kind of KINDS) {
      const signal = sampleSignal();
      await putConsent(signal);
      if (row !== undefined) await putRow(signal, row);
      const before = await load(effectKey(signal));
      const isTaken = await claimEffect(dynamo.table, signal, OURS, { now: NOW, kind });
      expect(isTaken, kind).toBe(takenBy.includes(kind));
      const after = await load(effectKey(signal));
      expect(after?.claim, kind).toBe(isTaken ? 'ours' : undefined);
      if (!isTaken) expect(after).toStrictEqual(before);
      const [approval, grant] = [
        await load(approvalKey(signal.space, APPROVAL_ID)),
        await load(grantKey(signal.space, GRANT_ID)),
      ];
      expect(approval?.state, kind).toBe(isTaken && kind === 'spend' ? 'spent' : 'approved');
      expect(grant?.uses, kind).toBe(isTaken && kind === 'grant' ? 1 : 0);
    }
  });

  it.each<[ClaimKind, approval: object, grant: object]>([
    ['spend', { state: 'pending' }, {}],
    ['spend', { state: 'denied' }, {}],
    ['spend', { state: 'spent' }, {}],
    ['spend', { actionHash: 'another' }, {}],
    ['spend', { expiresAtMs: NOW }, {}],
    ['grant', {}, { state: 'revoked' }],
    ['grant', {}, { uses: 2 }],
    ['grant', {}, { expiresAtMs: NOW }],
  ])('takes nothing as %s from approval %j and grant %j', async (kind, approval, grant) => {
    const signal = sampleSignal();
    await putConsent(signal, approval, grant);
    if (kind === 'spend') await putRow(signal, { state: 'suspended' });
    const before = await load(effectKey(signal));
    expect(await claimEffect(dynamo.table, signal, OURS, { now: NOW, kind })).toBe(false);
    expect(await load(effectKey(signal))).toStrictEqual(before);
  });

  it('takes nothing if the approval or the grant is missing', async () => {
    const signal = sampleSignal();
    expect(await claimEffect(dynamo.table, signal, OURS, { now: NOW, kind: 'grant' })).toBe(false);
    await putRow(signal, { state: 'suspended' });
    expect(await claimEffect(dynamo.table, signal, OURS, { now: NOW, kind: 'spend' })).toBe(false);
  });

  it('takes a spent approval out of the list of pending ones', async () => {
    const signal = sampleSignal();
    await putConsent(signal, { unfinishedSpace: indexPartitions.pendingApprovals(signal.space) });
    await putRow(signal, { state: 'suspended' });
    expect(await claimEffect(dynamo.table, signal, OURS, { now: NOW, kind: 'spend' })).toBe(true);
    const approval = await load(approvalKey(signal.space, APPROVAL_ID));
    expect(approval).toMatchObject({ state: 'spent', spentAt: NOW });
    expect(approval).not.toHaveProperty('unfinishedSpace');
    expect(approval).not.toHaveProperty('unfinishedAt');
  });

  it.each(KINDS)('pays as %s in the same transaction, or neither claims, spends nor pays', async (kind) => {
    for (const isPayable of [true, false]) {
      const signal = sampleSignal();
      const account: Key = { pk: `spend#${signal.space}`, sk: 'day' };
      if (!isPayable) await dynamo.table.put(account, { usd: 1 });
      await putConsent(signal);
      if (kind === 'spend') await putRow(signal, { state: 'suspended' });
      const condition = { name: 'nothing was spent', holds: absent('usd') };
      const payment = [{ kind: 'update', key: account, change: { add: { usd: 5 } }, condition } as const];
      expect(await claimEffect(dynamo.table, signal, OURS, { now: NOW, kind, payment })).toBe(isPayable);
      expect((await load(account))?.usd).toBe(isPayable ? 5 : 1);
      expect((await load(effectKey(signal)))?.claim).toBe(isPayable ? 'ours' : undefined);
      expect((await load(approvalKey(signal.space, APPROVAL_ID)))?.state).toBe(
        isPayable && kind === 'spend' ? 'spent' : 'approved',
      );
      expect((await load(grantKey(signal.space, GRANT_ID)))?.uses).toBe(isPayable && kind === 'grant' ? 1 : 0);
    }
  });

  it('lets one of many that come at once have it', async () => {
    const signal = sampleSignal();
    const claims = Array.from({ length: 8 }, (_, index) =>
      claimEffect(dynamo.table, signal, { ...OURS, claim: `${index}` }, { now: NOW, kind: 'first' }),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });

  it('keeps a text that waits in its index while it is tried again, and no refused one', async () => {
    const [waiting, refused] = [sampleSignal(), sampleSignal()];
    const row = { ...OURS, waitingSince: NOW - 5 };
    await claimEffect(dynamo.table, waiting, row, { now: NOW, kind: 'again' });
    await claimEffect(dynamo.table, refused, { ...row, state: 'refused' }, { now: NOW, kind: 'again' });
    expect(await load(effectKey(waiting))).toMatchObject({
      unfinishedSpace: indexPartitions.waitingEffects(waiting.space),
      unfinishedAt: NOW - 5,
    });
    expect(await load(effectKey(refused))).not.toHaveProperty('unfinishedSpace');
  });

  it('throws on an error of the table that says nothing about the claim', async () => {
    const away = new UnavailableError('the table did not answer');
    const table = { ...dynamo.table, put: () => Promise.reject(away) };
    await expect(claimEffect(table, sampleSignal(), OURS, { now: NOW, kind: 'first' })).rejects.toBe(away);
  });
});

describe('settleEffect', () => {
  const AT = NOW + 9;
  const settle = async (held: string, settlement: Settlement, waitingSince?: number) => {
    const signal = sampleSignal();
    const marks = { unfinishedSpace: indexPartitions.waitingEffects(signal.space), unfinishedAt: waitingSince };
    const row = waitingSince === undefined ? {} : { waitingSince };
    await putRow(signal, { claim: held, ...row }, waitingSince === undefined ? {} : marks);
    const settled = await settleEffect(dynamo.table, signal, { ...OURS, ...row }, settlement, AT);
    return { signal, settled, stored: await load(effectKey(signal)) };
  };
  const MARKS = ['unfinishedSpace', 'unfinishedAt'];

  it.each<Settlement>([
    { state: 'done', output: 'ok', outputOrigin: 'outside' },
    { state: 'failed', reason: 'no such chat' },
    { state: 'refused', reason: 'stopped' },
  ])('ends the current claim as %j, out of every index', async (settlement) => {
    for (const waitingSince of [undefined, NOW - 5]) {
      const { settled, stored } = await settle('ours', settlement, waitingSince);
      expect(settled).toMatchObject({ ...settlement, settledAt: AT, claim: 'ours' });
      expect(stored).toMatchObject({ ...settlement, settledAt: AT });
      for (const mark of MARKS) expect(stored).not.toHaveProperty(mark);
    }
  });

  it('lists an effect whose outcome nobody knows, also if it had waited', async () => {
    for (const waitingSince of [undefined, NOW - 5]) {
      const { signal, stored } = await settle('ours', { state: 'unknown', reason: 'lost' }, waitingSince);
      const unfinishedSpace = indexPartitions.unknownEffects(signal.space);
      expect(stored).toMatchObject({ state: 'unknown', settledAt: AT, unfinishedSpace, unfinishedAt: AT });
    }
  });

  it('gives a claim back without an end', async () => {
    const { settled, stored } = await settle('ours', giveBack(true));
    expect(stored).toMatchObject({ state: 'claimed', leaseUntil: 0, isReleased: true });
    for (const one of [settled, stored]) expect(one).not.toHaveProperty('settledAt');
  });

  it.each<Settlement>([{ state: 'done' }, { state: 'unknown' }, giveBack(true)])(
    'changes nothing by %j if the claim is another one by now',
    async (settlement) => {
      const { settled, stored } = await settle('theirs', settlement);
      const { pk: _pk, sk: _sk, ...row } = stored ?? {};
      expect(row).toStrictEqual(packEffect(sampleEffect({ claim: 'theirs' })));
      expect(settled).toMatchObject(settlement);
    },
  );

  it('leaves an effect that another delivery settled under the same claim', async () => {
    const signal = sampleSignal();
    await putRow(signal, { claim: 'ours' });
    for (const at of [AT, AT + 1]) await settleEffect(dynamo.table, signal, OURS, { state: 'unknown' }, at);
    expect(await load(effectKey(signal))).toMatchObject({ state: 'unknown', settledAt: AT });
  });

  it('ends an effect that was stored without a claim', async () => {
    const signal = sampleSignal();
    const { claim: _claim, ...effect } = OURS;
    await dynamo.table.put(effectKey(signal), packEffect(effect));
    await settleEffect(dynamo.table, signal, effect, { state: 'unknown' }, AT);
    expect(await load(effectKey(signal))).toMatchObject({ state: 'unknown', settledAt: AT });
  });

  it('makes no row of one that is gone', async () => {
    const signal = sampleSignal();
    await settleEffect(dynamo.table, signal, OURS, { state: 'done' }, AT);
    expect(await load(effectKey(signal))).toBeUndefined();
  });

  it('asks a table again that did not answer', async () => {
    const signal = sampleSignal();
    await putRow(signal, { claim: 'ours' });
    let tries = 0;
    const update: typeof dynamo.table.update = (...args) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new UnavailableError('away')) : dynamo.table.update(...args);
    };
    await settleEffect({ ...dynamo.table, update }, signal, OURS, { state: 'done' }, AT);
    expect((await load(effectKey(signal)))?.state).toBe('done');
    expect(tries).toBe(2);
  });
});

describe('recordEffect', () => {
  it('stores an effect once: the first one stays', async () => {
    const signal = sampleSignal();
    await recordEffect(dynamo.table, signal, sampleEffect({ state: 'refused', reason: 'first' }));
    await recordEffect(dynamo.table, signal, sampleEffect({ state: 'done' }));
    expect(await load(effectKey(signal))).toMatchObject({ state: 'refused', reason: 'first' });
  });
});

describe('settleResult', () => {
  const settle = async (action: Action, row: Partial<Effect>, result: ActuatorResult, earlier?: Effect) => {
    const signal = sampleSignal();
    await putRecord(dynamo.table, signal);
    const effect = { ...OURS, tries: 1, ...row };
    await putRow(signal, effect);
    const task = { ...sampleTask(signal, action), ...defined({ effect: earlier }) };
    const outcome = await settleResult(sampleDeps(dynamo.table), task, effect, result).catch((error: unknown) => error);
    const record = await load(signalKeys.record(signal.space, signal.id));
    return { outcome, stored: await load(effectKey(signal)), record };
  };
  const AWAY = { state: 'retry', reason: 'it is away' } as const;

  it.each<[ActuatorResult, Partial<Effect>]>([
    [
      { state: 'done', output: 'ok', origin: 'outside' },
      { state: 'done', output: 'ok', outputOrigin: 'outside' },
    ],
    [
      { state: 'failed', reason: 'no' },
      { state: 'failed', reason: 'no' },
    ],
    [
      { state: 'unknown', reason: 'lost' },
      { state: 'unknown', reason: 'lost' },
    ],
  ])('ends %j as %j, for a text and for a call', async (result, expected) => {
    for (const action of [TEXT, CALL]) {
      const { outcome, stored } = await settle(action, {}, result);
      expect(outcome).toMatchObject({ ...expected, settledAt: NOW });
      expect(stored).toMatchObject({ ...expected, settledAt: NOW });
    }
  });

  it.each([
    [1, undefined, RETRY_BACKOFF_MS[0]],
    [2, undefined, RETRY_BACKOFF_MS[1]],
    [1, 42, 42],
    [2, 90_000, 90_000],
  ])('gives a call back after try %d with a wait of its own of %j: next in %d ms', async (tries, ownMs, afterMs) => {
    const result = ownMs === undefined ? AWAY : { ...AWAY, afterMs: ownMs };
    const { outcome, stored } = await settle(CALL, { tries }, result);
    expect(outcome).toStrictEqual(new RetryLaterError(AWAY.reason, afterMs));
    expect(outcome).toMatchObject({ afterMs });
    expect(stored).toMatchObject({ ...giveBack(true), reason: AWAY.reason });
  });

  it('fails a call whose tries are over', async () => {
    const { outcome } = await settle(CALL, { tries: RECEIVE_COUNT_MAX }, AWAY);
    expect(outcome).toMatchObject({ state: 'failed', reason: `it is away (${RECEIVE_COUNT_MAX} tries)` });
  });

  const LAPSED = sampleEffect({ state: 'claimed', leaseUntil: 0 });
  const RELEASED = { ...LAPSED, isReleased: true };
  it.each<[string, ActuatorResult, Effect | undefined, 'failed' | 'unknown']>([
    ['this try and no other', { ...AWAY, isInDoubt: true }, undefined, 'unknown'],
    ['an earlier try', AWAY, LAPSED, 'unknown'],
    ['no try', AWAY, RELEASED, 'failed'],
  ])('ends a call as it knows: %s may have been carried out', async (_, result, earlier, state) => {
    const again = await settle(CALL, { tries: 1 }, result, earlier);
    expect(again.stored?.isReleased).toBe(state === 'failed' ? true : undefined);
    const last = await settle(CALL, { tries: RECEIVE_COUNT_MAX }, result, earlier);
    expect(last.outcome).toMatchObject({ state });
  });

  it.each([
    ['the first time', undefined, 0, 5 * SECOND_MS],
    ['at once again', 0, 0, 5 * SECOND_MS],
    ['after a minute', MINUTE_MS, 0, MINUTE_MS],
    ['after an hour', 60 * MINUTE_MS, 0, 5 * MINUTE_MS],
    ['for as long as the channel says', MINUTE_MS, 10 * MINUTE_MS, 10 * MINUTE_MS],
    ['no shorter than its own wait', MINUTE_MS, 1, MINUTE_MS],
    ['for the last time', DAY_MS - 1, 0, 5 * MINUTE_MS],
  ])('lets a text wait %s', async (_, waitedMs, afterMs, waitMs) => {
    const row = waitedMs === undefined ? {} : { waitingSince: NOW - waitedMs };
    // Its tries are not counted: RECEIVE_COUNT_MAX is no bound for it.
    const { outcome, stored, record } = await settle(TEXT, { ...row, tries: 99 }, { ...AWAY, afterMs });
    expect(outcome).toStrictEqual(new WaitingError(AWAY.reason, waitMs));
    expect(outcome).toMatchObject({ afterMs: waitMs });
    expect(stored).toMatchObject({
      state: 'claimed',
      isReleased: true,
      leaseUntil: NOW + waitMs,
      waitingSince: NOW - (waitedMs ?? 0),
      unfinishedAt: NOW - (waitedMs ?? 0),
    });
    expect(record).toMatchObject({ unfinishedAt: NOW + waitMs, sweeps: 0 });
  });

  it('keeps the parts of a text that were sent before it had to wait', async () => {
    expect((await settle(TEXT, {}, { ...AWAY, sentIds: [4, 5] })).stored?.sentIds).toStrictEqual([4, 5]);
    expect((await settle(TEXT, {}, { ...AWAY, sentIds: [] })).stored).not.toHaveProperty('sentIds');
  });

  it('fails a text that has waited for a day', async () => {
    const { outcome, stored } = await settle(TEXT, { waitingSince: NOW - DAY_MS }, AWAY);
    expect(outcome).toMatchObject({ state: 'failed', reason: 'it is away for a day' });
    expect(stored).toMatchObject({ state: 'failed', settledAt: NOW });
  });
});
