/**
 * Requests at a service's address that did not prove who sent them: counted for the day with the
 * last reason, so that the owner sees why nothing arrives. The sender learns no reason. Anybody may
 * send such requests: a process writes at most once a minute for each source.
 */
import { MINUTE_MS } from '../base/limits.ts';
import type { Table } from '../store/table.ts';
import { quotaItemFields, quotaKey } from './quota.ts';

const WRITE_MS_MIN = MINUTE_MS;

const keyOf = (space: string, now: number) => quotaKey(space, { kind: 'source', name: 'unproven' }, now);

/** @param name of a source that is configured. @param reason quotes nothing of the request */
export type NoteUnproven = (name: string, reason: string, now: number) => Promise<void>;

/** The last requests before a process ends may stay uncounted. */
export const buildNoteUnproven = (table: Pick<Table, 'update'>, space: string): NoteUnproven => {
  const pending = new Map<string, { count: number; writtenAt: number }>();
  return async (name, reason, now) => {
    const known = pending.get(name) ?? { count: 0, writtenAt: 0 };
    const count = known.count + 1;
    const isDue = now - known.writtenAt >= WRITE_MS_MIN;
    pending.set(name, isDue ? { count: 0, writtenAt: now } : { count, writtenAt: known.writtenAt });
    if (!isDue) return;
    const set = { ...quotaItemFields(now), [`why_${name}`]: reason };
    await table.update(keyOf(space, now), { set, add: { [`count_${name}`]: count } });
  };
};

export interface Unproven {
  readonly count: number;
  readonly reason: string;
}

/** Of today, by source. */
export const loadUnproven = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
): Promise<ReadonlyMap<string, Unproven>> => {
  const [item = {}] = await table.load([keyOf(space, now)]);
  const names = Object.keys(item).flatMap((key) => /^count_(.+)$/.exec(key)?.slice(1) ?? []);
  return new Map(
    names.map((name) => [name, { count: Number(item[`count_${name}`]), reason: String(item[`why_${name}`]) }]),
  );
};
