/**
 * A backup as lines of JSON; an end counts the items. It holds no token, and one secret: the
 * signing key that the data folder made, because without it the restored log could not go on.
 */
import * as z from 'zod/mini';
import { KIB } from '../../../lib/core/base/limits.ts';
import { AnchoredCheckpoint, KeptForgotten } from '../../../lib/core/log/anchor.ts';

export const BACKUP_FORMAT = 'passepartout-backup';

/** An item has at most 400 KB, and escaped control characters take six times as much. */
export const BACKUP_LINE_CHARS_MAX = 4 * 1024 * KIB;

const Item = z.record(z.string(), z.unknown());

export const BackupHeader = z.object({
  type: z.literal('header'),
  format: z.literal(BACKUP_FORMAT),
  version: z.literal(1),
  /** Random: a restore that was interrupted goes on only with the same file. */
  id: z.string(),
  /** The moment that all items are of, epoch milliseconds. */
  at: z.int(),
  /** The newest version of data in it. */
  dataVersion: z.int(),
  /** Keys and indexes, as CreateTable takes them. */
  table: z.unknown(),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

export const BackupLine = z.discriminatedUnion('type', [
  BackupHeader,
  z.object({ type: z.literal('item'), item: Item }),
  z.object({ type: z.literal('anchor'), space: z.string(), anchored: AnchoredCheckpoint }),
  z.object({ type: z.literal('forgotten'), space: z.string(), kept: KeptForgotten }),
  z.object({ type: z.literal('key'), logSigningKey: z.string() }),
  /** A piece of a picture; those of one follow each other. */
  z.object({
    type: z.literal('file'),
    space: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
    hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    /** When it was kept, epoch milliseconds. */
    at: z.int(),
    /** It lies apart, and stays as long as its skill. */
    isOfSkill: z.optional(z.literal(true)),
    isLast: z.boolean(),
    data: z.string(),
  }),
  z.object({ type: z.literal('end'), items: z.int() }),
]);
export type BackupLine = z.infer<typeof BackupLine>;

/** The file is no whole backup, or the passphrase is wrong: said in one sentence. */
export class BackupFileError extends Error {
  override readonly name: string = 'BackupFileError';
}

/** @throws BackupFileError */
export const parseLine = (text: string): BackupLine => {
  try {
    return z.parse(BackupLine, JSON.parse(text));
  } catch {
    throw new BackupFileError('it is a backup of another version of Passepartout: restore it with the newer one');
  }
};
