/**
 * The newest release of the project, as the address in `RELEASE_URL` named it last: one record,
 * which a tick writes at most daily. It stops nothing: doctor and the page only say it. Pure.
 */
import { VERSION } from '../base/version.ts';
import { type Key, settingKey } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

export const newestReleaseKey = (space: string): Key => settingKey(space, 'newest-release');

/** @returns the release that is newer than this one; undefined if none is known */
export const newerRelease = (item: Item | undefined): string | undefined => {
  const version: unknown = item?.version;
  return typeof version === 'string' && version.localeCompare(VERSION, 'en', { numeric: true }) > 0
    ? version
    : undefined;
};
