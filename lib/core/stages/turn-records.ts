/** Reads the records of features: their keys join a read that is made anyway. */
import { RECORDS } from '../../features/records.ts';
import type { Key } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import type { TurnRecords } from '../store/turn-records.ts';

export const recordKeys = (space: string): readonly Key[] => RECORDS.map(({ key }) => key(space));

/** @param items of these keys, in their order */
export const readRecords = (items: readonly (Item | undefined)[]): TurnRecords =>
  Object.assign({}, ...RECORDS.map(({ read }, n) => read(items[n])));
