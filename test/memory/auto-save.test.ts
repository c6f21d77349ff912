import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { autoName, planRetention } from '../../lib/memory/auto-save.ts';
import { snapshotKeys } from '../../lib/memory/keys.ts';
import { buildMemory } from '../../lib/memory/memory.ts';
import { queryAll } from '../../lib/store/query-all.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { aNote } from './notes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

describe('planRetention', () => {
  it('keeps the 20 newest, then one a day for 30 days, then one a week for a year', () => {
    let kept: readonly { at: number }[] = [];
    let most = 0;
    // Memory changes all the time for a year and a month, and the plan is made again at each save.
    for (let at = START; at < START + 396 * DAY; at += 10 * MINUTE) {
      kept = planRetention([...kept, { at }], at);
      most = Math.max(most, kept.length);
    }
    const now = START + 396 * DAY - 10 * MINUTE;
    const agesIn = (from: number, to: number) =>
      kept.map(({ at }) => now - at).filter((age) => age >= from * DAY && age < to * DAY);
    expect(most).toBeLessThanOrEqual(103);
    expect(kept.slice(0, 20).map(({ at }) => now - at)).toStrictEqual(
      Array.from({ length: 20 }, (_, n) => n * 10 * MINUTE),
    );
    // The last of each day: 23:50.
    expect(agesIn(1, 30)).toStrictEqual(Array.from({ length: 29 }, (_, n) => (n + 1) * DAY));
    const weeks = agesIn(37, 366);
    expect(weeks.length).toBe(47);
    expect(new Set(weeks.slice(1).map((age, n) => age - (weeks[n] ?? 0)))).toStrictEqual(new Set([7 * DAY]));
    expect(agesIn(372, 400)).toStrictEqual([]);
  });

  it('keeps the last of each day, and old ones while there are fewer than 20', () => {
    const at = (text: string) => ({ at: Date.parse(text) });
    const old = [at('2020-05-01T10:00Z'), at('2020-05-01T09:00Z')];
    expect(planRetention(old, START)).toStrictEqual(old);
    const many = Array.from({ length: 20 }, (_, n) => ({ at: START - n * MINUTE }));
    const days = [at('2025-12-20T21:00Z'), at('2025-12-20T08:00Z')];
    expect(planRetention([...days, ...many], START)).toStrictEqual([...many, days[0]]);
  });
});

describe('autoSave', () => {
  let dynamo: TestDynamo;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo?.stop());

  const open = (space: string) => {
    const memory = buildMemory(dynamo.table, space);
    let n = 0;
    const by = (now: number) => ({ signalId: `job-${n}`, effectId: `${space}/job-${n}#0`, actor: 'auto-save', now });
    return {
      memory,
      change: (now: number) => {
        n += 1;
        return memory.remember(aNote({ text: `note ${n}`, effectId: `con-${n}#0`, signalId: `con-${n}`, now }));
      },
      save: async (now: number) => {
        n += 1;
        return memory.autoSave(by(now));
      },
      repeat: (now: number) => memory.autoSave(by(now)),
      names: async () => (await memory.snapshots()).map(({ name }) => name),
    };
  };

  it('saves only what changed, at most every five minutes, and once for each effect', async () => {
    const world = open('auto-1');
    expect((await world.save(START)).kind).toBe('empty');
    await world.change(START);
    expect(await world.save(START)).toMatchObject({ kind: 'saved', kept: 1, snapshot: { name: autoName(START) } });
    expect((await world.repeat(START + 1)).kind).toBe('unchanged');
    expect((await world.save(START + HOUR)).kind).toBe('unchanged');
    await world.change(START + HOUR);
    await world.save(START + HOUR);
    await world.change(START + HOUR + MINUTE);
    expect((await world.save(START + HOUR + 5 * MINUTE - 1)).kind).toBe('too-soon');
    expect((await world.save(START + HOUR + 5 * MINUTE)).kind).toBe('saved');
    expect(await world.names()).toStrictEqual([0, HOUR, HOUR + 5 * MINUTE].map((age) => autoName(START + age)));
  });

  it('goes back to one by its name, and lets only one of two writers save', async () => {
    const world = open('auto-2');
    await world.change(START);
    await world.save(START);
    const note = await world.change(START + HOUR);
    const both = await Promise.all([world.save(START + HOUR), world.save(START + HOUR)]);
    expect(both.map(({ kind }) => kind).toSorted()).toStrictEqual(['saved', 'too-soon']);
    await world.memory.rollback({
      to: autoName(START),
      by: { signalId: 'con-back', effectId: 'con-back#0', actor: 'console', now: START + 2 * HOUR },
    });
    expect((await world.memory.load(note.id))?.state).not.toBe('live');
  });

  it('uses places again over a year of changes, and never touches a snapshot that a person named', async () => {
    const world = open('auto-3');
    await world.change(START);
    const person = { signalId: 'con-p', effectId: 'con-p#0', actor: 'console', now: START };
    for (const name of ['before the move', 'auto-mine']) await world.memory.snapshot({ name, by: person });
    const times: number[] = [];
    for (let at = START; at < START + 380 * DAY; at += 23 * HOUR) {
      await world.change(at);
      expect((await world.save(at)).kind).toBe('saved');
      times.push(at);
    }
    const now = times.at(-1) ?? 0;
    const expected = planRetention(
      times.map((at) => ({ at })),
      now,
    ).map(({ at }) => autoName(at));
    const names = await world.names();
    expect(names.slice(-2)).toStrictEqual(['auto-mine', 'before the move']);
    expect(names.slice(0, -2).toSorted()).toStrictEqual(expected.toSorted());
    expect(dayOf(now)).toBe('2027-01-15');
    const stored = await queryAll(dynamo.table, { pk: snapshotKeys.partition('auto-3'), skPrefix: 'auto#' });
    expect(stored.items.length).toBeLessThanOrEqual(104);
  });
});
