/**
 * A snapshot: a name for a commit number, so that making one is a single small write, whatever memory holds. Names are
 * unique in a space and never only digits, because a rollback takes a name or a number. Pure.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { SNAPSHOT_NAME_CHARS_MAX } from '../base/limits.ts';
import type { Item } from '../store/table.ts';
import { Sha256 } from './object-parts.ts';
import { parseItem } from './stored.ts';

export const Snapshot = z.object({
  schemaVersion: z.literal(1),
  name: z.string(),
  /** The last commit it holds. */
  number: z.int(),
  /** Hash of that commit's record. */
  hash: Sha256,
  at: z.int(),
  signalId: z.string(),
  effectId: z.string(),
  actor: z.string(),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const parseSnapshot = (item: Item): Snapshot => parseItem(item, Snapshot, 1);

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u;

/** The name in its one spelling. @throws ProtocolError saying what a name may be. */
export const parseSnapshotName = (name: string): string => {
  const plain = name.trim().normalize('NFC');
  if (plain.length > SNAPSHOT_NAME_CHARS_MAX || !NAME.test(plain))
    throw new ProtocolError(
      `a snapshot's name is at most ${SNAPSHOT_NAME_CHARS_MAX} letters, digits, spaces, dots and dashes`,
    );
  if (/^\d+$/.test(plain)) throw new ProtocolError("a snapshot's name needs a letter: a number means a commit");
  return plain;
};
