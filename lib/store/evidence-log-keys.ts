/**
 * Keys of the evidence log. `log#<space>` holds its head, the edges of its tiles, chunks of entries, full tiles,
 * checkpoints, public keys, the gate sets there were, and what was forgotten. Which leaves a
 * signal's records have stands beside them, in their own partition, so that whoever reads them
 * reads it too.
 */
import { type Key, signalKeys } from './keys.ts';

const partition = (space: string): string => `log#${space}`;

/** As many as the largest log has. */
const digits = (value: number): string => String(value).padStart(13, '0');

export const ENTRIES_PREFIX = 'entries#';
export const CHECKPOINT_PREFIX = 'checkpoint#';
export const KEY_PREFIX = 'key#';
export const FORGOTTEN_PREFIX = 'forgotten#';
export const GATE_SET_PREFIX = 'gate-set#';

export const logKeys = {
  partition,
  head: (space: string): Key => ({ pk: partition(space), sk: 'head' }),
  /** Partial tiles above the lowest level. */
  edge: (space: string): Key => ({ pk: partition(space), sk: 'edge' }),
  entries: (space: string, start: number): Key => ({ pk: partition(space), sk: `${ENTRIES_PREFIX}${digits(start)}` }),
  /** Chunks that begin from `first` to `last`. */
  entriesBetween: (first: number, last: number): readonly [string, string] => [
    `${ENTRIES_PREFIX}${digits(first)}`,
    `${ENTRIES_PREFIX}${digits(last)}`,
  ],
  tile: (space: string, level: number, index: number): Key => ({
    pk: partition(space),
    sk: `tile#${level}#${digits(index)}`,
  }),
  checkpoint: (space: string, size: number): Key => ({
    pk: partition(space),
    sk: `${CHECKPOINT_PREFIX}${digits(size)}`,
  }),
  /** Checkpoints of more leaves than `size`. */
  checkpointsAfter: (size: number): readonly [string, string] => [
    `${CHECKPOINT_PREFIX}${digits(size + 1)}`,
    `${CHECKPOINT_PREFIX}~`,
  ],
  key: (space: string, order: number): Key => ({ pk: partition(space), sk: `${KEY_PREFIX}${digits(order)}` }),
  /** What a version of the gate set is the hash of. */
  gateSet: (space: string, version: string): Key => ({ pk: partition(space), sk: `${GATE_SET_PREFIX}${version}` }),
  /** The tombstone of an object. */
  forgotten: (space: string, objectId: string): Key => ({ pk: partition(space), sk: `${FORGOTTEN_PREFIX}${objectId}` }),
  /** Leaves that the records of a signal have. */
  marks: (space: string, signalId: string): Key => ({ pk: signalKeys.partition(space, signalId), sk: 'log' }),
} as const;
