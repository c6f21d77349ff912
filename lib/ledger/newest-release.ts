/**
 * The newest release of the project, as the address in `RELEASE_URL` named it last: one record,
 * which a tick writes at most daily. It stops nothing: doctor and the page only say it.
 */
import * as z from 'zod/mini';
import { DAY_MS } from '../base/limits.ts';
import { VERSION } from '../base/version.ts';
import { absent, anyOf, below } from '../store/condition.ts';
import { type Key, settingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';

const NewestRelease = z.object({ schemaVersion: z.literal(1), at: z.int(), version: z.optional(z.string()) });

const releaseKey = (space: string): Key => settingKey(space, 'newest-release');

const NUMBERS = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/;
const numbersIn = (version: string): readonly number[] => NUMBERS.exec(version)?.slice(1).map(Number) ?? [];

/** `1.2.3` of `v1.2.3`; undefined if it is no such name. */
export const parseVersion = (name: string): string | undefined =>
  NUMBERS.test(name) ? numbersIn(name).join('.') : undefined;

const isNewer = (version: string): boolean => {
  const [mine, other] = [numbersIn(VERSION), numbersIn(version)];
  const first = other.findIndex((number, at) => number !== mine[at]);
  return first >= 0 && (other[first] ?? 0) > (mine[first] ?? 0);
};

/** @returns the release that is newer than this one; undefined if none is known */
export const loadNewerRelease = async (table: Pick<Table, 'load'>, space: string): Promise<string | undefined> => {
  const { version } = NewestRelease.safeParse(await loadItem(table, releaseKey(space))).data ?? {};
  return version !== undefined && isNewer(version) ? version : undefined;
};

/** Whether nobody looked for a day. Noted first, so that a failed look is not repeated either. */
export const claimReleaseLook = async (
  table: Pick<Table, 'load' | 'update'>,
  space: string,
  now: number,
): Promise<boolean> => {
  const key = releaseKey(space);
  const last = NewestRelease.safeParse(await loadItem(table, key)).data?.at;
  if (last !== undefined && last > now - DAY_MS) return false;
  const holds = anyOf(absent('at'), below('at', now - DAY_MS + 1));
  return updateIf(table, key, { set: { schemaVersion: 1, at: now } }, { name: 'nobody looked today', holds });
};

export const noteRelease = async (table: Pick<Table, 'update'>, space: string, version: string): Promise<void> => {
  await table.update(releaseKey(space), { set: { schemaVersion: 1, version } });
};
