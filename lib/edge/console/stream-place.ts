/**
 * Places for streams, in whichever environments they run: one item has an attribute for each held
 * request, with the time its wait ends. The newest STREAMS_HELD_MAX keep their places and the older
 * ones give way; while STREAM_REQUESTS_HELD_MAX are held, a further one is not. An entry that a
 * crash leaves behind counts until its time is over.
 */

import { settingKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Item } from '../../store/table.ts';
import { STREAM_REQUESTS_HELD_MAX } from '../limits.ts';
import type { ConsoleDeps } from './deps.ts';

/** Streams a space keeps at once. A page follows one; it may have 6 connections to one server. */
export const STREAMS_HELD_MAX = 3;

/** Part of an attribute's name, and so of a placeholder: letters and digits only. */
const PREFIX = 'held';

type PlaceDeps = Pick<ConsoleDeps, 'space' | 'table' | 'now' | 'newId' | 'report'>;

export interface StreamPlace {
  readonly isKept: () => Promise<boolean>;
  /** Never rejects. */
  readonly leave: () => Promise<void>;
}

interface Entry {
  readonly name: string;
  readonly until: number;
}

/** Newest first. Pure. */
const readEntries = (item: Item = {}): readonly Entry[] =>
  Object.entries(item)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, until]) => ({ name, until: Number(until) }))
    .sort((left, right) => right.until - left.until || (left.name < right.name ? -1 : 1));

/**
 * @param until epoch milliseconds; the same wait for all, so that the newest ends last
 * @returns undefined if too many requests are held
 */
export const takePlace = async (
  { space, table, now, newId, report }: PlaceDeps,
  until: number,
): Promise<StreamPlace | undefined> => {
  const key = settingKey(space, 'streams');
  const own = `${PREFIX}${newId()}`;
  const load = async () => readEntries(await loadItem(table, key));
  const entries = await load();
  const over = entries.filter((entry) => entry.until <= now());
  // Two that look at the same moment may both get in: one too many is no harm.
  if (entries.length - over.length >= STREAM_REQUESTS_HELD_MAX) return undefined;
  await table.update(key, { set: { schemaVersion: 1, [own]: until }, remove: over.map(({ name }) => name) });
  return {
    // One that is not there any more has waited to its end.
    isKept: async () => (await load()).findIndex(({ name }) => name === own) < STREAMS_HELD_MAX,
    leave: async () => {
      await table.update(key, { remove: [own] }).catch(report);
    },
  };
};
