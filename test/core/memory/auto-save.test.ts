import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { autoName } from '../../../lib/core/memory/auto-save.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { aNote } from './notes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

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
    expect(await world.save(START)).toMatchObject({ kind: 'saved', snapshot: { name: autoName(START) } });
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

  it('keeps the 20 newest, the last of 30 days and of a year of weeks, and what a person named', async () => {
    const world = open('auto-3');
    await world.change(START);
    const person = { signalId: 'con-p', effectId: 'con-p#0', actor: 'console', now: START };
    for (const name of ['before the move', 'auto-mine']) await world.memory.snapshot({ name, by: person });
    const times: number[] = [];
    for (let at = START; at < START + 400 * DAY; at += 11 * HOUR) {
      await world.change(at);
      expect((await world.save(at)).kind).toBe('saved');
      times.push(at);
    }
    const lastOf = (length: number, count: number): readonly number[] => {
      // Weeks begin on a Monday.
      const periods = Map.groupBy(times, (at) => Math.floor((at + (length === 7 * DAY ? 3 * DAY : 0)) / length));
      return [...periods.values()].map((each) => Math.max(...each)).slice(-count);
    };
    const expected = new Set([...times.slice(-20), ...lastOf(DAY, 30), ...lastOf(7 * DAY, 53)]);
    const names = await world.names();
    expect(names.slice(-2)).toStrictEqual(['auto-mine', 'before the move']);
    expect(names.slice(0, -2)).toStrictEqual([...expected].toSorted((a, b) => a - b).map(autoName));
  });
});
