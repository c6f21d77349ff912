/**
 * Keys of memory. `memory#<space>` has current objects (`object#`) and immutable versions
 * (`version#`), sorted by the commit that wrote them. `commit#<space>` has the head, records and
 * marks of effects. `snapshot#<space>` has names, and the snapshots that nobody named.
 */
import type { Key } from '../store/keys.ts';

const partition = (space: string): string => `memory#${space}`;
const commitPartition = (space: string): string => `commit#${space}`;
const snapshotPartition = (space: string): string => `snapshot#${space}`;

/** Ten digits last three hundred years at one commit a second. */
const digits = (number: number): string => String(number).padStart(10, '0');

export const OBJECT_PREFIX = 'object#';
const RECORD_PREFIX = 'record#';
export const SNAPSHOT_PREFIX = 'name#';
export const AUTO_PREFIX = 'auto#';

/** Start of the sort keys of an object's versions. */
export const versionPrefix = (id: string): string => `version#${id}#`;
const versionSort = (id: string, commit: number): string => `${versionPrefix(id)}c${digits(commit)}`;

export const memoryKeys = {
  partition,
  object: (space: string, id: string): Key => ({ pk: partition(space), sk: `${OBJECT_PREFIX}${id}` }),
  version: (space: string, id: string, commit: number): Key => ({ pk: partition(space), sk: versionSort(id, commit) }),
  /** All versions of an object up to a commit. */
  versionsUpTo: (id: string, commit: number): readonly [string, string] => [versionPrefix(id), versionSort(id, commit)],
} as const;

export const commitKeys = {
  partition: commitPartition,
  head: (space: string): Key => ({ pk: commitPartition(space), sk: 'head' }),
  record: (space: string, number: number): Key => ({
    pk: commitPartition(space),
    sk: `${RECORD_PREFIX}${digits(number)}`,
  }),
  /** Further changes of a large commit. */
  part: (space: string, number: number, part: number): Key => ({
    pk: commitPartition(space),
    sk: `${RECORD_PREFIX}${digits(number)}#${String(part).padStart(4, '0')}`,
  }),
  /** Records and their parts from the first number to the last. */
  between: (first: number, last: number): readonly [string, string] => [
    `${RECORD_PREFIX}${digits(first)}`,
    `${RECORD_PREFIX}${digits(last)}#~`,
  ],
  /** Mark of an effect that made its commit. */
  done: (space: string, signalId: string, effectId: string): Key => ({
    pk: commitPartition(space),
    sk: `${donePrefix(signalId)}${effectId}`,
  }),
  /** Ids that a big commit is about to write. */
  manifest: (space: string, number: number, token: string): Key => ({
    pk: commitPartition(space),
    sk: `manifest#${digits(number)}#${token}`,
  }),
} as const;

/** Start of the sort keys of a signal's marks. */
export const donePrefix = (signalId: string): string => `done#${signalId}#`;

/** Evidence that lost its content with a forgotten object, for the object's tombstone. */
export const coversKey = (space: string, id: string): Key => ({ pk: commitPartition(space), sk: `covers#${id}` });

export const snapshotKeys = {
  partition: snapshotPartition,
  name: (space: string, name: string): Key => ({ pk: snapshotPartition(space), sk: `${SNAPSHOT_PREFIX}${name}` }),
  /** One of the places for snapshots that nobody named, which are used again. */
  auto: (space: string, place: number): Key => ({
    pk: snapshotPartition(space),
    sk: `${AUTO_PREFIX}${String(place).padStart(3, '0')}`,
  }),
  newest: (space: string): Key => ({ pk: snapshotPartition(space), sk: 'newest' }),
} as const;
