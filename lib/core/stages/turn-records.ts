/** Reads the records of features: their keys join a read that is made anyway. */
import { RECORDS } from '../../features/records.ts';
import type { Key } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import type { RecordRow, TurnRecords } from '../store/turn-records.ts';

const readingOf = (rows: readonly RecordRow[]) => ({
  keys: (space: string): readonly Key[] => rows.map(({ key }) => key(space)),
  /** @param items of these keys, in their order */
  read: (items: readonly (Item | undefined)[]): TurnRecords =>
    Object.assign({}, ...rows.map(({ read }, n) => read(items[n]))),
});

/** Those that every turn is judged by. */
export const STANDING = readingOf(RECORDS.filter(({ isStanding }) => isStanding));
/** Those that only turns with calls of tools may need. */
export const FOR_CALLS = readingOf(RECORDS.filter(({ isStanding }) => !isStanding));
