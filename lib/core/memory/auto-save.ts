/**
 * Snapshots that nobody named: at most one in five minutes, and only if memory has changed. The 20
 * newest stay, the last of each day for 30 days and the last of each week for a year. They lie in
 * places that are used again; a snapshot that a person named is never touched.
 */
import { ConditionError } from '../base/errors.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../base/limits.ts';
import { absent, equals } from '../store/condition.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table, Write } from '../store/table.ts';
import type { By } from './commit.ts';
import { snapshotKeys } from './keys.ts';
import type { MemoryReader } from './read.ts';
import { parseSnapshot, type Snapshot } from './read-memory.ts';

/** Two of them are at least so far apart; the setting MEMORY_AUTO_SAVE_MINUTES has no less. */
const AUTO_SAVE_MS_MIN = 5 * MINUTE_MS;
/** The newest stay whatever their age: enough to undo the last hours step by step. */
const AUTO_RECENT_MAX = 20;
/** Then the last of each day (UTC) for a month. */
const AUTO_DAYS_MAX = 30;
/** Then the last of each week, from Monday, for a year. */
const AUTO_WEEKS_MAX = 53;

/** The places of a snapshot: one of the newest, that of its day and that of its week. */
const placesOf = (count: number, at: number): readonly number[] => {
  const day = Math.floor(at / DAY_MS);
  // The first day of all was a Thursday.
  const week = Math.floor((day + 3) / 7);
  const [days, weeks] = [AUTO_RECENT_MAX, AUTO_RECENT_MAX + AUTO_DAYS_MAX];
  return [count % AUTO_RECENT_MAX, days + (day % AUTO_DAYS_MAX), weeks + (week % AUTO_WEEKS_MAX)];
};

/** `auto-2026-11-23T08.30.05`: UTC, in the letters that a snapshot's name may have. */
export const autoName = (at: number): string =>
  `auto-${new Date(at - (at % SECOND_MS)).toISOString().slice(0, 19).replaceAll(':', '.')}`;

export type AutoSaved =
  | { readonly kind: 'saved'; readonly snapshot: Snapshot }
  /** Nothing changed since this one, or it is too young. */
  | { readonly kind: 'unchanged' | 'too-soon'; readonly snapshot: Snapshot }
  | { readonly kind: 'empty' };

export interface AutoSaveDeps {
  readonly table: Pick<Table, 'load' | 'transact'>;
  readonly space: string;
  readonly reader: Pick<MemoryReader, 'loadHead'>;
}

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
  const item = await loadItem(table, snapshotKeys.newest(space));
  const newest = parseNewest(item);
  if (newest?.number === number) return { kind: 'unchanged', snapshot: newest };
  if (newest !== undefined && at - newest.at < AUTO_SAVE_MS_MIN) return { kind: 'too-soon', snapshot: newest };
  if (number === 0) return { kind: 'empty' };
  const made: Snapshot = { schemaVersion: 1, name: autoName(at), number, hash, at, signalId, effectId, actor };
  const count = Number(item?.count ?? 0) + 1;
  const newestWrite: Write = {
    kind: 'put',
    key: snapshotKeys.newest(space),
    item: { ...made, count },
    condition: isStillNewest(newest),
  };
  const places = placesOf(count, at).map((place): Write => {
    return { kind: 'put', key: snapshotKeys.auto(space, place), item: { ...made } };
  });
  try {
    await table.transact([newestWrite, ...places]);
    return { kind: 'saved', snapshot: made };
  } catch (error) {
    const first = parseNewest(await loadItem(table, snapshotKeys.newest(space)));
    if (!(error instanceof ConditionError) || first === undefined) throw error;
    return { kind: 'too-soon', snapshot: first };
  }
};
