/**
 * Keys of memory: one partition per space, current objects under `object#`, immutable versions under `version#`. A version
 * number has six digits, so that the sort order of the keys is the order of the versions.
 */
import type { Key } from '../aws/keys.ts';

const partition = (space: string): string => `memory#${space}`;

export const OBJECT_PREFIX = 'object#';

export const memoryKeys = {
  partition,
  object: (space: string, id: string): Key => ({ pk: partition(space), sk: `${OBJECT_PREFIX}${id}` }),
  version: (space: string, id: string, version: number): Key => ({
    pk: partition(space),
    sk: `${versionPrefix(id)}${String(version).padStart(6, '0')}`,
  }),
} as const;

/** What the sort keys of all versions of one object start with. */
export const versionPrefix = (id: string): string => `version#${id}#`;
