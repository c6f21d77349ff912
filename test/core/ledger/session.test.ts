import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContendedError } from '../../../lib/core/base/errors.ts';
import { HISTORY_TURNS_MAX } from '../../../lib/core/base/limits.ts';
import { withoutReserve } from '../../../lib/core/ledger/quota.ts';
import type { SessionHead } from '../../../lib/core/ledger/record.ts';
import {
  droppedTurns,
  type Entry,
  enterTurn,
  HISTORY_TURNS_KEPT,
  leaveTurn,
  owedTurns,
  type TurnEnding,
} from '../../../lib/core/ledger/session.ts';
import { summarySignalId } from '../../../lib/core/signal/ids.ts';
import type { Signal } from '../../../lib/core/signal/signal.ts';
import { sessionKey } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { ownerMessage } from '../../support/simulation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const newSpace = () => `s${randomBytes(6).toString('hex')}`;
const headOf = async ({ space, session }: Signal) => {
  const [item] = await dynamo.table.load([sessionKey(space, session)], { isConsistent: true });
  return item;
};

const no = async () => false;

describe('enterTurn', () => {
  const HELD = { schemaVersion: 1, startedAt: 1, turn: 'tg-1-0' } as const;
  const waiting = (count: number): string[] => Array.from({ length: count }, (_, n) => `tg-2-${n}`);
  const OTHERS = withoutReserve(50);
  const SUMMARY = summarySignalId('telegram:7', 'tg-1-0');
  it.each<[string, head: Partial<SessionHead> | undefined, isApprover: boolean, Entry['kind'], mailbox?: string[]]>([
    ['nobody is there', undefined, true, 'running'],
    ['nobody is at work', { schemaVersion: 1, startedAt: 1 }, true, 'running'],
    ['its own turn runs', { ...HELD, turn: 'tg-1-1' }, true, 'running'],
    ['another turn runs', HELD, true, 'waiting', ['tg-1-1']],
    ['a summary is made', { ...HELD, turn: SUMMARY, mailbox: [] }, true, 'running', []],
    [
      'others wait for a summary',
      { ...HELD, turn: SUMMARY, mailbox: ['tg-2-0'] },
      true,
      'waiting',
      ['tg-2-0', 'tg-1-1'],
    ],
    ['others wait', { ...HELD, mailbox: ['tg-2-0'] }, true, 'waiting', ['tg-2-0', 'tg-1-1']],
    ['it waits already', { ...HELD, mailbox: ['tg-1-1'] }, true, 'waiting', ['tg-1-1']],
    ['one place is left', { ...HELD, mailbox: waiting(49) }, true, 'waiting', [...waiting(49), 'tg-1-1']],
    ['no place is left', { ...HELD, mailbox: waiting(50) }, true, 'full', waiting(50)],
    [
      'it has the last place',
      { ...HELD, mailbox: [...waiting(49), 'tg-1-1'] },
      true,
      'waiting',
      [...waiting(49), 'tg-1-1'],
    ],
    [
      'a place of other people is left',
      { ...HELD, mailbox: waiting(OTHERS - 1) },
      false,
      'waiting',
      [...waiting(OTHERS - 1), 'tg-1-1'],
    ],
    ['the rest is for the owner', { ...HELD, mailbox: waiting(OTHERS) }, false, 'full', waiting(OTHERS)],
    [
      'the rest is for the owner, who comes',
      { ...HELD, mailbox: waiting(OTHERS) },
      true,
      'waiting',
      [...waiting(OTHERS), 'tg-1-1'],
    ],
  ])('takes the turn, waits or is refused where %s', async (_, head, isApprover, kind, mailbox) => {
    const signal = ownerMessage(newSpace(), 1, 'hi');
    const sent = { ...signal, sender: { ...signal.sender, isApprover } };
    if (head !== undefined) await dynamo.table.put(sessionKey(signal.space, signal.session), { ...head });
    expect((await enterTurn(dynamo.table, sent, 7, no)).kind).toBe(kind);
    const after = await headOf(signal);
    expect(after?.turn).toBe(kind === 'running' ? signal.id : head?.turn);
    expect(after?.mailbox).toStrictEqual(mailbox);
    expect(after?.startedAt).toBe(head === undefined ? 7 : 1);
  });

  it.each<[string, isDecided: boolean, Entry['kind']]>([
    ['waits for no second turn once it is decided', true, 'ended'],
    ['waits again if it is tried anew', false, 'waiting'],
  ])('whose turn has ended %s', async (_, isDecided, kind) => {
    const signal = ownerMessage(newSpace(), 1, 'hi');
    await dynamo.table.put(sessionKey(signal.space, signal.session), { ...HELD, recent: [signal.root] });
    expect((await enterTurn(dynamo.table, signal, 7, async () => isDecided)).kind).toBe(kind);
    expect((await headOf(signal))?.mailbox ?? []).toHaveLength(kind === 'waiting' ? 1 : 0);
  });

  it('gives a message beside a summary the turns that the summary is made of', async () => {
    const signal = ownerMessage(newSpace(), 1, 'hi');
    const owed = { turns: ['tg-0-1'], tries: 1, at: 5 };
    const head = { ...HELD, turn: SUMMARY, recent: ['tg-0-2'], owed };
    await dynamo.table.put(sessionKey(signal.space, signal.session), head);
    const entry = await enterTurn(dynamo.table, signal, 7, no);
    expect(entry).toMatchObject({ kind: 'running', head: { turn: signal.id, recent: ['tg-0-1', 'tg-0-2'] } });
    expect(await headOf(signal)).toMatchObject({ ...head, turn: signal.id });
  });

  it('makes a summary wait for the turn that runs, if only of another summary', async () => {
    const signal = { ...ownerMessage(newSpace(), 1, ''), id: SUMMARY, root: SUMMARY };
    for (const turn of ['tg-1-0', summarySignalId('telegram:7', 'tg-1-1')]) {
      await dynamo.table.put(sessionKey(signal.space, signal.session), { ...HELD, turn });
      expect((await enterTurn(dynamo.table, signal, 7, no)).kind).toBe('waiting');
      expect(await headOf(signal)).toMatchObject({ turn, mailbox: [SUMMARY] });
    }
  });

  it('takes a turn that ends between its two writes, rather than wait for nobody', async () => {
    const space = newSpace();
    const [first, second] = [ownerMessage(space, 1, 'first'), ownerMessage(space, 2, 'second')];
    await enterTurn(dynamo.table, first, 1, no);
    let updates = 0;
    const table: Pick<Table, 'update'> = {
      update: async (...args) => {
        updates += 1;
        // The first write has found the turn taken; before the second, the turn ends.
        if (updates === 2) await leaveTurn(dynamo.table, first, { schemaVersion: 1, turn: first.id, startedAt: 1 });
        return dynamo.table.update(...args);
      },
    };
    expect(await enterTurn(table, second, 2, no)).toMatchObject({ kind: 'running', head: { turn: second.id } });
    expect(await headOf(second)).toMatchObject({ turn: second.id, recent: [first.id] });
    expect((await headOf(second))?.mailbox).toBeUndefined();
  });

  it('lets every one of many that come at once run in the end', async () => {
    const space = newSpace();
    const signals = Array.from({ length: 12 }, (_, index) => ownerMessage(space, index + 1, `${index}`));
    const ran: string[] = [];
    // A signal that lost too many races comes again later, as from the queue.
    const enter = async (signal: Signal): Promise<Entry> => {
      for (;;) {
        try {
          return await enterTurn(dynamo.table, signal, 1, no);
        } catch (error) {
          if (!(error instanceof ContendedError)) throw error;
        }
      }
    };
    const run = async (signal: Signal): Promise<void> => {
      const entry = await enter(signal);
      if (entry.kind !== 'running') return;
      ran.push(signal.id);
      const next = await leaveTurn(dynamo.table, signal, entry.head);
      const waiting = signals.find((one) => one.id === next);
      if (waiting !== undefined) await run(waiting);
    };
    await Promise.all(signals.map(run));
    expect([...ran].sort()).toStrictEqual(signals.map((signal) => signal.id).sort());
    expect(await headOf(ownerMessage(space, 1, ''))).not.toHaveProperty('turn');
  });
});

describe('leaveTurn', () => {
  const recent = Array.from({ length: HISTORY_TURNS_MAX }, (_, n) => `tg-0-${n}`);
  const dropped = recent.slice(0, HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT);
  const leave = async (session: string, ending?: TurnEnding, owed?: SessionHead['owed'], mailbox: string[] = []) => {
    const signal = { ...ownerMessage(newSpace(), 1, 'hi'), session };
    const head: SessionHead = { schemaVersion: 1, startedAt: 1, turn: signal.root, recent, mailbox };
    const seen = owed === undefined ? head : { ...head, owed };
    await dynamo.table.put(sessionKey(signal.space, session), { ...seen });
    await leaveTurn(dynamo.table, signal, seen, ending);
    return (await headOf(signal))?.owed;
  };

  it('hands the conversation to the one that waits longest, and ends nothing but its own turn', async () => {
    const signal = ownerMessage(newSpace(), 1, 'hi');
    const key = sessionKey(signal.space, signal.session);
    const head = { schemaVersion: 1, startedAt: 1, turn: signal.root, mailbox: ['tg-1-2/1', 'tg-1-3'] } as const;
    const first: SessionHead = { ...head, mailbox: [...head.mailbox] };
    await dynamo.table.put(key, { ...first });
    expect(await leaveTurn(dynamo.table, signal, first)).toBe('tg-1-2/1');
    const second = await headOf(signal);
    expect(second).toMatchObject({ turn: 'tg-1-2', mailbox: ['tg-1-3'], recent: [signal.root] });
    for (const stale of [first, undefined]) {
      expect(await leaveTurn(dynamo.table, signal, stale)).toBeUndefined();
      expect(await headOf(signal)).toStrictEqual(second);
    }
  });

  it('hands it to one that came after the head was read', async () => {
    const signal = ownerMessage(newSpace(), 1, 'hi');
    const head: SessionHead = { schemaVersion: 1, startedAt: 1, turn: signal.root };
    await dynamo.table.put(sessionKey(signal.space, signal.session), { ...head, mailbox: ['tg-1-2'] });
    expect(await leaveTurn(dynamo.table, signal, head)).toBe('tg-1-2');
    expect(await headOf(signal)).toMatchObject({ turn: 'tg-1-2', mailbox: [] });
  });

  it('keeps which turns leave without a summary, whoever ends the turn and whoever waits', async () => {
    expect(await leave('telegram:7')).toStrictEqual({ turns: dropped, tries: 0, at: 0 });
    const asked = { tries: 1, at: 9 };
    expect(await leave('console:main', { asked }, undefined, ['tg-1-2'])).toStrictEqual({ turns: dropped, ...asked });
    expect(await leave('webhook:mail')).toBeUndefined();
    const owed = { turns: ['tg-0-x'], tries: 4, at: 5 };
    expect(await leave('telegram:7', {}, owed)).toStrictEqual({ turns: ['tg-0-x', ...dropped], tries: 0, at: 0 });
  });

  it('takes away those that are in a summary now, and with the last of them all of it', async () => {
    const owed = { turns: [...dropped, 'tg-0-x'], tries: 2, at: 5 };
    expect(await leave('telegram:7', { summarised: dropped }, owed)).toStrictEqual({
      turns: ['tg-0-x'],
      tries: 0,
      at: 0,
    });
    for (const mailbox of [[], ['tg-1-2']])
      expect(await leave('telegram:7', { summarised: owed.turns }, owed, mailbox)).toBeUndefined();
  });

  it('stores a summary whose turn a message took, unless its turns were summarised meanwhile', async () => {
    const id = summarySignalId('telegram:7', 'tg-0-2');
    const signal = { ...ownerMessage(newSpace(), 1, ''), id, root: id };
    const key = sessionKey(signal.space, signal.session);
    const ending = { summary: { id: 'made', until: 'tg-0-2' }, summarised: ['tg-0-1', 'tg-0-2'] };
    const running = { schemaVersion: 1, startedAt: 1, turn: 'tg-1-1', recent: ['tg-0-9'] } as const;
    const [due, more] = [ending.summarised, [...ending.summarised, 'tg-0-3']].map((turns) => ({
      ...{ ...running, recent: [...running.recent] },
      owed: { turns, tries: 1, at: 5 },
    }));
    for (const [stored, left] of [
      [due, undefined],
      [more, { turns: ['tg-0-3'], tries: 1, at: 5 }],
    ] as const) {
      await dynamo.table.put(key, { ...stored });
      // Read before the last turn left history.
      expect(await leaveTurn(dynamo.table, signal, due, ending)).toBeUndefined();
      expect(await headOf(signal)).toMatchObject({ ...running, summary: ending.summary });
      expect((await headOf(signal))?.owed).toStrictEqual(left);
    }
    const newer = { ...running, recent: [...running.recent], summary: { id: 'newer', until: 'tg-0-3' } };
    await dynamo.table.put(key, { ...newer });
    for (const seen of [due, newer]) expect(await leaveTurn(dynamo.table, signal, seen, ending)).toBeUndefined();
    expect(await headOf(signal)).toMatchObject(newer);
  });
});

/** Pure rules of the history: which turns stay, leave, and are owed a summary. */
describe('droppedTurns', () => {
  const roots = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `tg-7-${n + 1}`);

  it.each([
    ['an empty history', [], 'tg-7-1', []],
    ['a history with room', roots(HISTORY_TURNS_MAX - 1), 'tg-7-99', []],
    ['the same turn again', roots(HISTORY_TURNS_MAX), 'tg-7-1', []],
    ['a summary, which is no turn', roots(HISTORY_TURNS_MAX), summarySignalId('telegram:7', 'tg-7-1'), []],
    [
      'a full history',
      roots(HISTORY_TURNS_MAX),
      'tg-7-99',
      roots(HISTORY_TURNS_MAX).slice(0, HISTORY_TURNS_MAX - HISTORY_TURNS_KEPT + 1),
    ],
  ])('of %s', (_, recent, root, dropped) => {
    expect(droppedTurns(recent, root)).toStrictEqual(dropped);
  });
});

describe('owedTurns', () => {
  const head = (recent: readonly string[], turns?: readonly string[]): SessionHead => ({
    schemaVersion: 1,
    startedAt: 1,
    recent: [...recent],
    ...(turns === undefined ? {} : { owed: { turns: [...turns], tries: 1, at: 1 } }),
  });
  const full = Array.from({ length: HISTORY_TURNS_MAX }, (_, n) => `tg-7-${n + 1}`);

  it.each([
    ['nothing while history has room', 'telegram:7', head(['tg-7-1']), []],
    ['turns whose summary failed before', 'telegram:7', head(['tg-7-9'], ['tg-7-1']), ['tg-7-1']],
    ['nothing of a webhook', 'webhook:github', head(full, ['tg-7-0']), []],
    ['both kinds, oldest first', 'console:main', head(full, ['tg-7-0']), ['tg-7-0', ...droppedTurns(full, 'tg-7-99')]],
  ])('are %s', (_, session, before, owed) => {
    expect(owedTurns(before, { session, root: 'tg-7-99' })).toStrictEqual(owed);
  });
});
