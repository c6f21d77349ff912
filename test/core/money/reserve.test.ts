/**
 * Reservations over the real table: many at once, never over a cap; settled once, and only by who
 * holds it.
 */
import { randomBytes } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../lib/core/base/defined.ts';
import type { BudgetCaps } from '../../../lib/core/money/caps.ts';
import {
  type Charge,
  copyToHead,
  type HeadSpend,
  jobSession,
  parseDaySpend,
  sessionEntry,
  spendKey,
} from '../../../lib/core/money/day-spend.ts';
import type { Account } from '../../../lib/core/money/plan-reservation.ts';
import { SPENDING_SESSIONS_MAX } from '../../../lib/core/money/plan-reservation.ts';
import { claimNotice, reserveCall, settleCall } from '../../../lib/core/money/reserve.ts';
import { sessionKey } from '../../../lib/core/store/keys.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { itemBytes, type WireItem } from '../../bench/item-size.ts';
import { DEFAULT_CAPS } from '../../support/default-caps.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const NOW = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 24 * 60 * 60 * 1000;
const newSpace = () => `s${randomBytes(6).toString('hex')}`;

const caps = (changes: Partial<BudgetCaps>): BudgetCaps => ({ ...DEFAULT_CAPS, ...changes });
const account = (session: string, changes: Partial<Account> = {}): Account => ({
  session,
  root: `${session}-1`,
  turnUsd: 0,
  ...changes,
});

const itemOf = async (space: string, now = NOW): Promise<Item | undefined> =>
  (await dynamo.table.load([spendKey(space, now)], { isConsistent: true }))[0];
const spentIn = async (space: string, now = NOW) => {
  const { usd, tokens } = parseDaySpend(await itemOf(space, now));
  return { usd, tokens };
};

interface Wish {
  readonly account: Account;
  readonly worst: Charge;
  readonly caps?: BudgetCaps;
  /** As it was read before; the table's own item unless given. */
  readonly seen?: Item | undefined;
  readonly now?: number;
}

const reserve = async (space: string, wish: Wish) => {
  const now = wish.now ?? NOW;
  const seen = 'seen' in wish ? wish.seen : await itemOf(space, now);
  const request = { account: wish.account, worst: wish.worst, caps: wish.caps ?? DEFAULT_CAPS };
  return reserveCall(dynamo.table, space, now, seen, request);
};

describe('reserveCall', () => {
  it('gives the last cent to one of many that race for it', async () => {
    const space = newSpace();
    const racing = Array.from({ length: 40 }, (_, index) =>
      reserve(space, {
        account: account(`s${index}`),
        worst: { id: `${index}`, usd: 300_000, tokens: 10 },
        caps: caps({ day: 1_000_000 }),
        seen: undefined,
      }),
    );
    const kinds = (await Promise.all(racing)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(3);
    expect(await spentIn(space)).toStrictEqual({ usd: 900_000, tokens: 30 });
  });

  it('gives the last tokens to one of many that race for them, though they cost nothing', async () => {
    const space = newSpace();
    const racing = Array.from({ length: 20 }, (_, index) =>
      reserve(space, {
        account: account(`s${index}`),
        worst: { id: `${index}`, usd: 0, tokens: 400 },
        caps: caps({ dayTokens: 1_000 }),
        seen: undefined,
      }),
    );
    expect((await Promise.all(racing)).filter(({ kind }) => kind === 'reserved')).toHaveLength(2);
    expect(await spentIn(space)).toStrictEqual({ usd: 0, tokens: 800 });
  });

  it('holds a source under its share in all its conversations, and gives back what they did not use', async () => {
    const space = newSpace();
    const of = (n: number) => account(`job:j${n}`, { source: { name: 'webhook:ci', usd: 500, tokens: 50 } });
    const race = (cost: { usd: number; tokens: number }) =>
      Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          reserve(space, { account: of(n), worst: { id: `${n}`, ...cost }, seen: undefined }),
        ),
      );
    const overs = (await race({ usd: 200, tokens: 1 })).filter(({ kind }) => kind === 'over');
    expect(overs).toHaveLength(4);
    expect(overs[0]).toStrictEqual({ kind: 'over', cap: 'quota', limit: 500, committed: 400, requested: 200 });
    for (let n = 0; n < 6; n += 1)
      await settleCall(dynamo.table, space, NOW, await itemOf(space), of(n), { id: `${n}`, usd: 10, tokens: 1 });
    expect([...parseDaySpend(await itemOf(space)).sources.values()].sort()).toStrictEqual([2, 20]);
    const dearInTokens = await race({ usd: 0, tokens: 24 });
    expect(dearInTokens.filter(({ kind }) => kind === 'reserved')).toHaveLength(2);
    expect(dearInTokens).toContainEqual(expect.objectContaining({ cap: 'quota-tokens', limit: 50 }));
    expect(await reserve(space, { account: account('owner'), worst: { id: 'o', usd: 200, tokens: 30 } })).toMatchObject(
      { kind: 'reserved' },
    );
  });

  it('holds a conversation under its caps when deliveries of it race', async () => {
    const space = newSpace();
    const racing = Array.from({ length: 6 }, (_, index) =>
      reserve(space, {
        account: account('one', { root: `r${index % 2}` }),
        worst: { id: `${index}`, usd: 200_000, tokens: 10 },
        caps: caps({ session: 500_000 }),
        seen: undefined,
      }),
    );
    const outcomes = await Promise.all(racing);
    expect(outcomes.filter(({ kind }) => kind === 'reserved')).toHaveLength(2);
    expect(outcomes.find(({ kind }) => kind === 'over')).toStrictEqual({
      kind: 'over',
      cap: 'session',
      limit: 500_000,
      committed: 400_000,
      requested: 200_000,
    });
    expect((await spentIn(space)).usd).toBe(400_000);
  });

  const worst = { id: 'a', usd: 200_000, tokens: 700 };
  it.each([
    ['turn', caps({ turn: 199_999 }), {}, 199_999, 200_000],
    ['session', caps({ session: 199_999 }), {}, 199_999, 200_000],
    ['job', caps({ job: 199_999 }), { session: jobSession('tidy') }, 199_999, 200_000],
    ['day', caps({ day: 199_999 }), {}, 199_999, 200_000],
    ['tokens', caps({ dayTokens: 699 }), {}, 699, 700],
  ] as const)('refuses what a cap of the %s does not allow', async (cap, limits, changes, limit, requested) => {
    const space = newSpace();
    expect(await reserve(space, { account: account('one', changes), worst, caps: limits })).toStrictEqual({
      kind: 'over',
      cap,
      limit,
      committed: 0,
      requested,
    });
    expect(await itemOf(space)).toBeUndefined();
  });

  it('adds the calls of a turn up, and begins a new turn at nothing', async () => {
    const space = newSpace();
    const limits = caps({ turn: 500_000 });
    const call = (id: string, root: string, turnUsd = 0) =>
      reserve(space, { account: account('one', { root, turnUsd }), worst: { ...worst, id }, caps: limits });
    expect(await call('a', 'r1')).toMatchObject({ kind: 'reserved', turnUsd: 200_000 });
    expect(await call('b', 'r1')).toMatchObject({ kind: 'reserved', turnUsd: 400_000 });
    expect(await call('c', 'r1')).toMatchObject({ kind: 'over', cap: 'turn', committed: 400_000 });
    expect(await call('d', 'r2')).toMatchObject({ kind: 'reserved', turnUsd: 200_000 });
    // Back after another turn: what its stored decisions say counts.
    expect(await call('e', 'r1', 400_000)).toMatchObject({ kind: 'over', cap: 'turn', committed: 400_000 });
  });

  it('keeps jobs apart from each other and from conversations', async () => {
    const space = newSpace();
    const limits = caps({ job: 300_000 });
    const call = (id: string, job: string | undefined) =>
      reserve(space, {
        account: account(job === undefined ? 'one' : jobSession(job), { root: id }),
        worst: { ...worst, id },
        caps: limits,
      });
    expect(await call('a', 'tidy')).toMatchObject({ kind: 'reserved' });
    expect(await call('b', 'report')).toMatchObject({ kind: 'reserved' });
    expect(await call('c', 'report')).toMatchObject({ kind: 'over', cap: 'job', committed: 200_000 });
    expect(await call('d', undefined)).toMatchObject({ kind: 'reserved' });
    const { jobsUsd, jobCount } = parseDaySpend(await itemOf(space));
    expect([jobsUsd, jobCount]).toStrictEqual([400_000, 2]);
  });

  it('takes no further conversation into a day that is full of them', async () => {
    const entries = Array.from(
      { length: SPENDING_SESSIONS_MAX },
      (_, index) => [`s_${index}`, 'x'.repeat(170)] as const,
    );
    const space = newSpace();
    await dynamo.table.put(spendKey(space, NOW), Object.fromEntries(entries));
    expect(await reserve(space, { account: account('one'), worst })).toStrictEqual({
      kind: 'over',
      cap: 'conversations',
      limit: SPENDING_SESSIONS_MAX,
      committed: SPENDING_SESSIONS_MAX,
      requested: 1,
    });
  });

  it('leaves what is free to a space whose money is spent', async () => {
    const space = newSpace();
    const free = { id: 'f', usd: 0, tokens: 10 };
    expect(
      await reserve(space, { account: account('one'), worst: free, caps: caps({ day: 0, turn: 0, session: 0 }) }),
    ).toMatchObject({ kind: 'reserved' });
  });

  it('begins anew with the day', async () => {
    const space = newSpace();
    const limits = caps({ day: 200_000 });
    expect(await reserve(space, { account: account('one'), worst, caps: limits })).toMatchObject({ kind: 'reserved' });
    expect(await reserve(space, { account: account('two'), worst, caps: limits })).toMatchObject({ kind: 'over' });
    const tomorrow = NOW + DAY_MS;
    expect(await reserve(space, { account: account('one'), worst, caps: limits, now: tomorrow })).toMatchObject({
      kind: 'reserved',
    });
    expect(await spentIn(space, tomorrow)).toStrictEqual({ usd: 200_000, tokens: 700 });
  });

  it('adds up to what was settled and the worst of the rest, whatever the order', async () => {
    const call = fc.record({
      session: fc.integer({ min: 0, max: 2 }),
      worst: fc.integer({ min: 1, max: 1_000 }),
      actual: fc.integer({ min: 0, max: 1_500 }),
      // Its process dies before it is known what it cost.
      isLost: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const space = newSpace();
        for (const [index, one] of calls.entries()) {
          const worst = { id: `${index}`, usd: one.worst, tokens: one.worst };
          const own = account(`s${one.session}`);
          await reserve(space, { account: own, worst });
          const actual = { ...worst, usd: one.actual, tokens: one.actual };
          if (!one.isLost) await settleCall(dynamo.table, space, NOW, await itemOf(space), own, actual);
        }
        const sum = calls.reduce((total, one) => total + (one.isLost ? one.worst : one.actual), 0);
        expect(await spentIn(space)).toStrictEqual({ usd: sum, tokens: sum });
      }),
      { numRuns: 25 },
    );
  });
});

describe('releasing entries', () => {
  const worst = { usd: 200_000, tokens: 700 };
  const ACTUAL = { usd: 50_000, tokens: 100 };

  /** Ends a turn as Act does: the entry is copied to the conversation's head. */
  const endTurn = async (space: string, session: string) => {
    const key = sessionKey(space, session);
    const [item, head] = await dynamo.table.load([spendKey(space, NOW), key], { isConsistent: true });
    const spend = copyToHead(parseDaySpend(item), session, head?.spend as HeadSpend | undefined);
    await dynamo.table.update(key, { set: { schemaVersion: 1, startedAt: NOW, ...defined({ spend }) } });
  };

  /** One turn of a conversation, as Reason reads it: the counter and the head at once. */
  const turn = async (space: string, session: string, id: string, limits = DEFAULT_CAPS) => {
    const keys = [spendKey(space, NOW), sessionKey(space, session)];
    const [seen, head] = await dynamo.table.load(keys, { isConsistent: true });
    const own = account(session, { root: id, head: head?.spend as HeadSpend | undefined });
    const reserved = await reserve(space, { account: own, worst: { id, ...worst }, caps: limits, seen });
    if (reserved.kind === 'reserved') {
      await settleCall(dynamo.table, space, NOW, reserved.item, own, { id, ...ACTUAL });
      await endTurn(space, session);
    }
    return reserved;
  };

  const bytesOf = (item: Item | undefined): number => itemBytes(marshall(item ?? {}) as unknown as WireItem);

  it('keeps the counter below one write unit however many conversations a day has, and loses no spending', async () => {
    const space = newSpace();
    const limits = caps({ day: 1e9 });
    for (let n = 0; n < 60; n += 1) {
      expect((await turn(space, `telegram:10000${n}`, `tg-4711-${n}`, limits)).kind).toBe('reserved');
      expect(bytesOf(await itemOf(space))).toBeLessThan(1_024);
    }
    const last = parseDaySpend(await itemOf(space));
    expect(last.usd).toBe(60 * ACTUAL.usd);
    expect(last.entries.size).toBeLessThanOrEqual(6);
  });

  it('holds a conversation under its caps after its entry was released', async () => {
    const space = newSpace();
    const limits = caps({ session: 300_000 });
    await turn(space, 'one', 'one-1', limits);
    for (let n = 0; n < 8; n += 1) await turn(space, `other-${n}`, `${n}`);
    expect(sessionEntry(parseDaySpend(await itemOf(space)), 'one')).toBeUndefined();
    expect(await turn(space, 'one', 'one-2', limits)).toMatchObject({ kind: 'reserved', turnUsd: 200_000 });
    expect((await spentIn(space)).usd).toBe(10 * ACTUAL.usd);
    expect(sessionEntry(parseDaySpend(await itemOf(space)), 'one')?.usd).toBe(100_000);
    expect(await turn(space, 'one', 'one-3', limits)).toStrictEqual({
      kind: 'reserved',
      item: expect.anything(),
      turnUsd: 200_000,
    });
    expect(await turn(space, 'one', 'one-4', limits)).toMatchObject({
      kind: 'over',
      cap: 'session',
      committed: 150_000,
    });
  });

  it('leaves the entry of a conversation whose head does not have it', async () => {
    const space = newSpace();
    await reserve(space, { account: account('crashed'), worst: { id: 'lost', ...worst } });
    for (let n = 0; n < 20; n += 1) await turn(space, `other-${n}`, `${n}`);
    expect(sessionEntry(parseDaySpend(await itemOf(space)), 'crashed')?.usd).toBe(200_000);
  });

  it('leaves the entry of a conversation whose head has another sum', async () => {
    const space = newSpace();
    await turn(space, 'one', 'one-1');
    // Its next turn goes on while others spend.
    await reserve(space, { account: account('one', { root: 'one-2' }), worst: { id: 'one-2', ...worst } });
    for (let n = 0; n < 20; n += 1) await turn(space, `other-${n}`, `${n}`);
    expect(sessionEntry(parseDaySpend(await itemOf(space)), 'one')?.usd).toBe(250_000);
  });

  it('plans anew if entries were released since the conversation was read', async () => {
    const space = newSpace();
    const limits = caps({ session: 200_000 });
    const seen = await itemOf(space);
    // A repeat of the first delivery has read the conversation; then the turn ends, and its entry
    // is released.
    await turn(space, 'one', 'one-1', limits);
    for (let n = 0; n < 8; n += 1) await turn(space, `other-${n}`, `${n}`);
    const late = { account: account('one', { root: 'one-1' }), worst: { id: 'one-1', ...worst }, caps: limits, seen };
    expect(await reserve(space, late)).toMatchObject({ kind: 'over', cap: 'session', committed: 50_000 });
  });
});

describe('settleCall', () => {
  const worst = { id: 'a', usd: 200_000, tokens: 700 };

  it('gives back what was not used, and nothing the second time', async () => {
    const space = newSpace();
    const tidy = account(jobSession('tidy'));
    const reserved = await reserve(space, { account: tidy, worst });
    if (reserved.kind !== 'reserved') throw new Error('it did not fit');
    const settle = () => settleCall(dynamo.table, space, NOW, reserved.item, tidy, { ...worst, usd: 0, tokens: 0 });
    await Promise.all([settle(), settle()]);
    await settle();
    const after = parseDaySpend(await itemOf(space));
    expect([after.usd, after.tokens, after.jobsUsd, sessionEntry(after, tidy.session)?.usd]).toStrictEqual([
      0, 0, 0, 0,
    ]);
  });

  it('changes nothing once another call is open', async () => {
    const space = newSpace();
    await reserve(space, { account: account('one'), worst });
    await reserve(space, { account: account('one'), worst: { ...worst, id: 'b' } });
    await settleCall(dynamo.table, space, NOW, await itemOf(space), account('one'), { ...worst, usd: 0 });
    expect((await spentIn(space)).usd).toBe(400_000);
  });
});

describe('claimNotice', () => {
  it('picks one of many to tell the owner, and the same one again', async () => {
    const space = newSpace();
    const names = Array.from({ length: 10 }, (_, index) => `tg-1-${index}`);
    const claims = await Promise.all(names.map((name) => claimNotice(dynamo.table, space, NOW, 'day', name)));
    expect(claims.filter((isFirst) => isFirst)).toHaveLength(1);
    const again = await Promise.all(names.map((name) => claimNotice(dynamo.table, space, NOW, 'day', name)));
    expect(again).toStrictEqual(claims);
    expect(await claimNotice(dynamo.table, space, NOW, 'turn', 'x')).toBe(true);
    expect(await claimNotice(dynamo.table, space, NOW + DAY_MS, 'day', 'x')).toBe(true);
  });
});
