/**
 * Whether what was read of a growing log is one moment of it. Records, leaves and tombstones are
 * read one after the other while others write: a record may have changed since its leaf, or lost
 * its content to a forgetting whose tombstone is not there yet. Says what has to be read again, by
 * the verifier's own rules; leaves out what has no leaf yet, and shows a record that changed since
 * its leaf as it was then. So the log signs all of an export. What stays unsettled is written as it
 * was found. Pure.
 */

import { MERGE_DELAY_MS } from '../../../lib/base/limits.ts';
import { earlierForms, type RecordKind, recordHash } from '../../../lib/evidence/record-hash.ts';
import { readFixed } from '../../../lib/evidence/verifier/read-fixed.ts';
import { isLaterForm } from '../../../lib/evidence/verifier/record-section.ts';
import type { LooseRecord } from '../../../lib/log/records.ts';

/** A record as it was read. */
export interface Kept {
  readonly kind: RecordKind;
  readonly id: string;
  readonly hash: string;
  /** When it last changed, epoch milliseconds; 0 where it does not say. */
  readonly at: number;
  /** Its content is erased. */
  readonly isErased: boolean;
  /** Of a tombstone: records whose content went with its object. */
  readonly covers: readonly string[];
  /** The whole of it. */
  readonly text: string;
}

/** The last leaf of a record, among those the export holds. */
export interface CutLeaf {
  readonly index: number;
  readonly hash: string;
  readonly signal: string;
  readonly state: string;
}

export interface Problem {
  readonly why: string;
  /**
   * Somebody's next writing may settle it; otherwise only having read it at a bad moment could
   * explain it.
   */
  readonly mayPass: boolean;
}

export interface Cut {
  /** Belong to the moment the export is of. */
  readonly records: readonly Kept[];
  /** Newer than it: for a later export. */
  readonly leftOut: number;
  /** Names of records that do not fit the moment, and why. */
  readonly unsettled: ReadonlyMap<string, Problem>;
}

export const nameOf = ({ kind, id }: Pick<Kept, 'kind' | 'id'>): string => `${kind} ${id}`;

const couldBecome = ({ text, kind }: Kept, leaf: CutLeaf): boolean => {
  const { fixed }: LooseRecord = JSON.parse(text);
  const read = readFixed(kind, { ...fixed });
  return read !== undefined && isLaterForm(read, leaf);
};

const problemOf = (one: Kept, leaf: CutLeaf | undefined, now: number): Problem | undefined => {
  if (leaf === undefined) return { why: 'it has no leaf yet', mayPass: true };
  if (one.hash === leaf.hash) return undefined;
  const isExplained = one.kind === 'tombstone' || couldBecome(one, leaf);
  if (!isExplained) return { why: 'it is not what the log says', mayPass: false };
  // As it was at its leaf it can be shown, while the log's writer is not late.
  if (one.at > now - MERGE_DELAY_MS && atLeaf(JSON.parse(one.text), leaf.hash) !== undefined) return undefined;
  return { why: 'the log does not say yet how it changed', mayPass: true };
};

/** The record as it was when it got its leaf; undefined where that cannot be made out any more. */
export const atLeaf = (record: LooseRecord, hash: string): LooseRecord | undefined => {
  const { kind, fixed, content } = record;
  if (recordHash(kind, fixed) === hash) return record;
  const form = earlierForms(kind, fixed).find((one) => recordHash(kind, one) === hash);
  if (form === undefined || content === undefined) return form && { ...record, fixed: form };
  const { output: _later, ...before } = { output: '', ...content };
  return { ...record, fixed: form, content: before };
};

/**
 * Has no leaf, and came to be within the merge delay; or has no time either, and waits for a
 * person.
 */
const isToCome = ({ at }: Kept, leaf: CutLeaf | undefined, now: number): boolean =>
  leaf === undefined && (at === 0 || at > now - MERGE_DELAY_MS);

/** @param now of the moment the leaves were counted at, epoch milliseconds */
export const cutAt = (all: ReadonlyMap<string, Kept>, leaves: ReadonlyMap<string, CutLeaf>, now: number): Cut => {
  const unsettled = new Map<string, Problem>();
  const isNewer = (one: Kept): boolean => isToCome(one, leaves.get(nameOf(one)), now);
  // Commits are numbered without a gap, whatever the clocks of those who made them say.
  const firstOut = Math.min(...[...all.values()].filter((one) => one.kind === 'commit' && isNewer(one)).map(numberOf));
  const isOut = (one: Kept): boolean => {
    if (one.kind === 'commit') return numberOf(one) >= firstOut;
    if (isNewer(one)) return true;
    if (one.kind !== 'effect' || leaves.has(nameOf(one))) return false;
    // With clocks apart its decision or its approval may be dated after it: without them it proves
    // nothing.
    const { fixed }: { readonly fixed: { readonly approval?: string } } = JSON.parse(one.text);
    const names = [`decision ${one.id.slice(0, one.id.lastIndexOf('#'))}`, `approval ${fixed.approval}`];
    return names.map((name) => all.get(name)).some((record) => record !== undefined && isNewer(record));
  };
  const records = [...all.values()].filter((one) => !isOut(one));
  for (const one of records) {
    const problem = problemOf(one, leaves.get(nameOf(one)), now);
    if (problem !== undefined) unsettled.set(nameOf(one), problem);
  }
  for (const name of leaves.keys())
    if (!all.has(name) && !name.startsWith('rotation '))
      unsettled.set(name, {
        why: 'the log has a leaf of it, and it is not there',
        mayPass: name.startsWith('tombstone '),
      });
  const covered = new Set(records.flatMap(({ covers }) => covers));
  for (const one of records)
    if (one.isErased && !covered.has(nameOf(one)))
      unsettled.set(nameOf(one), { why: 'it is being forgotten, or was erased', mayPass: true });
  return { records, leftOut: all.size - records.length, unsettled };
};

const numberOf = ({ id }: Kept): number => Number(id);

const ORDER: readonly RecordKind[] = ['commit', 'tombstone', 'decision', 'approval', 'effect', 'rotation'];
const inOrder = new Intl.Collator('en');

/**
 * As the log has them; those without a leaf last: commits by their number, decisions before
 * effects.
 */
export const compareKept =
  (leaves: ReadonlyMap<string, CutLeaf>) =>
  (a: Kept, b: Kept): number => {
    const place = (one: Kept): number => leaves.get(nameOf(one))?.index ?? Number.MAX_SAFE_INTEGER;
    return (
      place(a) - place(b) ||
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      (a.kind === 'commit' ? numberOf(a) - numberOf(b) : a.at - b.at) ||
      inOrder.compare(a.id, b.id)
    );
  };
