/**
 * Snapshots that nobody named: at most one in five minutes, and only if memory has changed. The 20
 * newest stay, then one a day for 30 days and one a week for a year. They lie in places that are
 * used again, so that their number is bounded; a snapshot that a person named is never touched.
 */
import { ConditionError } from '../base/errors.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../base/limits.ts';
import { absent, equals } from '../store/condition.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table, Write } from '../store/table.ts';
import type { By } from './commit.ts';
import { snapshotKeys } from './keys.ts';
import type { MemoryReader } from './read.ts';
import { type AutoPlace, loadAutoSnapshots, parseSnapshot, type Snapshot } from './read-memory.ts';

/** Two of them are at least so far apart. */
const AUTO_SAVE_MS_MIN = 5 * MINUTE_MS;
/** The newest stay whatever their age: enough to undo the last hours step by step. */
const AUTO_RECENT_MAX = 20;
/** Then the last of each day (UTC) for a month. */
const AUTO_DAYS_MAX = 30;
/** Then the last of each week, from Monday, for a year. */
const AUTO_WEEKS_MAX = 53;

const dayOf = (at: number): number => Math.floor(at / DAY_MS);
/** The first day of all was a Thursday. */
const weekOf = (at: number): number => Math.floor((dayOf(at) + 3) / 7);

/** The snapshots that stay, the newest first. Pure. @param now epoch milliseconds */
export const planRetention = <T extends Pick<Snapshot, 'at'>>(snapshots: readonly T[], now: number): readonly T[] => {
  const newestFirst = snapshots.toSorted((a, b) => b.at - a.at);
  const seen = new Set<string>();
  const isFirstOf = (period: string): boolean => seen.size < seen.add(period).size;
  return newestFirst.filter(({ at }, n) => {
    const isLastOfDay = isFirstOf(`day ${dayOf(at)}`) && dayOf(now) - dayOf(at) < AUTO_DAYS_MAX;
    const isLastOfWeek = isFirstOf(`week ${weekOf(at)}`) && weekOf(now) - weekOf(at) < AUTO_WEEKS_MAX;
    return n < AUTO_RECENT_MAX || isLastOfDay || isLastOfWeek;
  });
};

/** `auto-2026-11-23T08.30.05`: UTC, in the letters that a snapshot's name may have. */
export const autoName = (at: number): string =>
  `auto-${new Date(at - (at % SECOND_MS)).toISOString().slice(0, 19).replaceAll(':', '.')}`;

export type AutoSaved =
  | { readonly kind: 'saved'; readonly snapshot: Snapshot; readonly kept: number }
  /** Nothing changed since this one, or it is too young. */
  | { readonly kind: 'unchanged' | 'too-soon'; readonly snapshot: Snapshot }
  | { readonly kind: 'empty' };

export interface AutoSaveDeps {
  readonly table: Pick<Table, 'load' | 'query' | 'transact'>;
  readonly space: string;
  readonly reader: Pick<MemoryReader, 'loadHead'>;
}

interface Planned {
  readonly writes: readonly Write[];
  readonly kept: number;
}

const firstFree = (taken: readonly AutoPlace[]): number => {
  const numbers = new Set(taken.map(({ place }) => place));
  let place = 0;
  while (numbers.has(place)) place += 1;
  return place;
};

/** Puts the new one into a free place, and drops those that go. */
const planSave = (space: string, places: readonly AutoPlace[], made: Snapshot): Planned => {
  const live = places.flatMap(({ snapshot }) => snapshot ?? []);
  const stay = new Set(planRetention([...live, made], made.at));
  const kept = places.filter(({ snapshot }) => snapshot !== undefined && stay.has(snapshot));
  const place = firstFree(kept);
  const dropped = places.filter((one) => one.snapshot !== undefined && !kept.includes(one) && one.place !== place);
  return {
    kept: stay.size,
    writes: [
      { kind: 'put', key: snapshotKeys.auto(space, place), item: { ...made } },
      ...dropped.map(({ place: other }): Write => {
        return { kind: 'update', key: snapshotKeys.auto(space, other), change: { set: { isDropped: true } } };
      }),
    ],
  };
};

const isStillNewest = (before: Snapshot | undefined) => ({
  name: 'no other snapshot came first',
  holds: before === undefined ? absent('pk') : equals('effectId', before.effectId),
});

const parseNewest = (item: Item | undefined): Snapshot | undefined =>
  item === undefined ? undefined : parseSnapshot(item);

/** A repeat finds its own snapshot, as the newest one, and makes no other. */
export const autoSave = async (
  { table, space, reader }: AutoSaveDeps,
  { signalId, effectId, actor, now: at }: By,
): Promise<AutoSaved> => {
  const { number, hash } = await reader.loadHead();
  const newest = parseNewest(await loadItem(table, snapshotKeys.newest(space)));
  if (newest?.number === number) return { kind: 'unchanged', snapshot: newest };
  if (newest !== undefined && at - newest.at < AUTO_SAVE_MS_MIN) return { kind: 'too-soon', snapshot: newest };
  if (number === 0) return { kind: 'empty' };
  const made: Snapshot = { schemaVersion: 1, name: autoName(at), number, hash, at, signalId, effectId, actor };
  const { writes, kept } = planSave(space, await loadAutoSnapshots(table, space), made);
  const move: Write = {
    kind: 'put',
    key: snapshotKeys.newest(space),
    item: { ...made },
    condition: isStillNewest(newest),
  };
  try {
    await table.transact([move, ...writes]);
    return { kind: 'saved', snapshot: made, kept };
  } catch (error) {
    const first = parseNewest(await loadItem(table, snapshotKeys.newest(space)));
    if (!(error instanceof ConditionError) || first === undefined) throw error;
    return { kind: 'too-soon', snapshot: first };
  }
};
