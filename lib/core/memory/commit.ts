/**
 * A commit is one atomic change of a space's memory. Its record names objects by ids and hashes
 * only, so that it stays true after something is forgotten, and names the record before by its
 * hash. The head names the last commit and the lease of a big one.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { type FixedCommit, recordHash } from '../evidence/record-hash.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item } from '../store/table.ts';
import type { MemoryObject } from './object.ts';
import { MemoryId, Sha256 } from './object-parts.ts';

/** Changes in one item of a record, some 200 bytes each. */
export const MEMORY_RECORD_CHANGES_MAX = 1_000;

/** `void`: a big commit that was given up and changed nothing. */
export const CommitKind = z.enum(['write', 'forget', 'rollback', 'revert', 'import', 'void']);
export type CommitKind = z.infer<typeof CommitKind>;

/** One changed object; `null` if it does not exist. A forgotten one keeps its hash. */
export const CommitChange = z.strictObject({
  id: MemoryId,
  oldHash: z.nullable(Sha256),
  newHash: z.nullable(Sha256),
  version: z.int(),
});
export type CommitChange = z.infer<typeof CommitChange>;

/** Author of a commit. `actor` is a sender's id (`telegram:7`, `console`), or `agent`. */
export interface By {
  readonly signalId: string;
  readonly effectId: string;
  readonly actor: string;
  readonly now: number;
}

const recordFields = {
  number: z.int().check(z.positive()),
  /** Hash of the record before; 64 zeros for the first. */
  previous: Sha256,
  at: z.int(),
  signalId: z.string(),
  effectId: z.string(),
  actor: z.string(),
  kind: CommitKind,
  /** The commit that a rollback restored. */
  target: z.optional(z.int()),
};

export const CommitRecord = z.strictObject({ ...recordFields, changes: z.array(CommitChange) });
export type CommitRecord = z.infer<typeof CommitRecord>;

/** As stored: with the hash, and in parts if there are many changes. */
const StoredRecord = z.object({
  schemaVersion: z.literal(1),
  ...recordFields,
  hash: Sha256,
  parts: z.int(),
  changes: z.array(CommitChange),
});
const StoredPart = z.object({ schemaVersion: z.literal(1), changes: z.array(CommitChange) });

/** The hashed and exported form: ids and hashes only. */
export interface HashedCommit extends FixedCommit {
  readonly previous: string;
  readonly effect: string;
  readonly kind: CommitKind;
  readonly target: number | null;
  /** Versions of the changed objects, in their order. */
  readonly versions: readonly number[];
}

/** The evidence of a commit: its leaf names the changes and this form's hash. */
const hashedCommitOf = (record: CommitRecord): HashedCommit => ({
  v: 1,
  number: record.number,
  previous: record.previous,
  signal: record.signalId,
  effect: record.effectId,
  actor: record.actor,
  at: record.at,
  kind: record.kind,
  target: record.target ?? null,
  changes: record.changes.map(({ id, oldHash, newHash }) => ({ id, old: oldHash, new: newHash })),
  versions: record.changes.map(({ version }) => version),
});

/** The hash that a commit's leaf in the evidence log holds. */
export const commitRecordHash = (record: CommitRecord): string => recordHash('commit', hashedCommitOf(record));

export const NO_COMMIT_HASH = '0'.repeat(64);

export const Head = z.object({
  schemaVersion: z.literal(1),
  number: z.int(),
  hash: Sha256,
  /** A big commit under way: its writer, alone until `pendingUntil`, and the item with its ids. */
  pendingToken: z.optional(z.string()),
  pendingEffect: z.optional(z.string()),
  pendingUntil: z.optional(z.int()),
  pendingManifest: z.optional(z.string()),
});
export type Head = z.infer<typeof Head>;

const EMPTY_HEAD: Head = { schemaVersion: 1, number: 0, hash: NO_COMMIT_HASH };

export const parseHead = (item: Item | undefined): Head => (item === undefined ? EMPTY_HEAD : parseStored(item, Head));

const hashIn = (object: MemoryObject | undefined): string | null =>
  object === undefined || object.state === 'removed' ? null : object.hash;

export const buildChange = (before: MemoryObject | undefined, after: MemoryObject): CommitChange => ({
  id: after.id,
  oldHash: hashIn(before),
  newHash: hashIn(after),
  version: after.version,
});

export interface SplitRecord {
  readonly record: Item;
  readonly parts: readonly Item[];
  readonly hash: string;
}

/** One item, or one and its parts. */
export const splitRecord = (record: CommitRecord): SplitRecord => {
  const hash = commitRecordHash(record);
  const { changes, ...rest } = record;
  const isSmall = changes.length <= MEMORY_RECORD_CHANGES_MAX;
  const parts: Item[] = [];
  for (let first = 0; !isSmall && first < changes.length; first += MEMORY_RECORD_CHANGES_MAX)
    parts.push({ schemaVersion: 1, changes: changes.slice(first, first + MEMORY_RECORD_CHANGES_MAX) });
  const item = { schemaVersion: 1, ...rest, hash, parts: parts.length, changes: isSmall ? changes : [] };
  return { record: item, parts, hash };
};

/** Joins items to records, without commits given up. @throws StoredItemError */
export const joinRecords = (items: readonly Item[]): readonly CommitRecord[] => {
  const records: CommitRecord[] = [];
  for (let at = 0; at < items.length; ) {
    const item = items[at];
    at += 1;
    // A part without its record: a big commit is still being written.
    if (item === undefined || String(item.sk).split('#').length > 2) continue;
    const { schemaVersion: _s, hash: _h, parts, changes, ...rest } = parseStored(item, StoredRecord);
    // A walk from number to number would never end.
    if (Number(String(item.sk).split('#')[1]) !== rest.number)
      throw new StoredItemError(`${item.pk} ${item.sk}`, 'it has the number of another commit');
    const joined = [...changes];
    for (let part = 0; part < parts; part += 1, at += 1) {
      const next = items[at];
      if (next === undefined) throw new StoredItemError(`${item.pk} ${item.sk}`, `part ${part} is missing`);
      joined.push(...parseStored(next, StoredPart).changes);
    }
    records.push({ ...rest, changes: joined });
  }
  return records;
};

export const parseRecordHead = (item: Item): Omit<CommitRecord, 'changes'> => {
  const { schemaVersion: _s, hash: _h, parts: _p, changes: _c, ...rest } = parseStored(item, StoredRecord);
  return rest;
};

/** One text: a list of ids would take a third more bytes. */
const Manifest = z.object({ schemaVersion: z.literal(1), ids: z.string() });
export const parseManifest = (item: Item): z.infer<typeof Manifest> => parseStored(item, Manifest);

/** Mark of an effect: the commit it made. */
const Done = z.object({ schemaVersion: z.literal(1), number: z.int() });
export const parseDone = (item: Item): z.infer<typeof Done> => parseStored(item, Done);
