/**
 * Whether what was read is one moment of a growing log. Records are read while others write: one
 * may have changed since its leaf, or be erased before its tombstone is there. Says what to read
 * again; leaves newer records out, so that the log signs all of an export. Pure.
 */
import * as z from 'zod/mini';
import { MERGE_DELAY_MS } from '../base/limits.ts';
import { earlierForms, LEAF_ALONE, type RecordKind, recordHash } from '../evidence/record-hash.ts';
import { readFixed } from '../evidence/verifier/record-forms.ts';
import { isLaterForm } from '../evidence/verifier/record-state.ts';
import { rootOf } from '../signal/ids.ts';
import type { LooseRecord } from './evidence-records.ts';

export interface ReadRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly hash: string;
  /** Time of its last change, epoch milliseconds; 0 if it does not say. */
  readonly at: number;
  readonly isErased: boolean;
  /** A tombstone lists the records whose content was erased with its object. */
  readonly covers: readonly string[];
  /** The whole record as JSON. */
  readonly text: string;
}

/** The last leaf of a record, among those of the export. */
export interface CutLeaf {
  readonly index: number;
  readonly hash: string;
  readonly signal: string;
  readonly state: string;
}

interface Problem {
  readonly why: string;
  /**
   * The next write of somebody may settle it. If false, only a read at a bad moment explains it.
   */
  readonly mayPass: boolean;
}

export interface Cut {
  /** Records of the export's moment. */
  readonly records: readonly ReadRecord[];
  /** Number of newer records. */
  readonly leftOut: number;
  /** Records that do not fit the moment, by name, and why. */
  readonly unsettled: ReadonlyMap<string, Problem>;
}

export const nameOf = ({ kind, id }: Pick<ReadRecord, 'kind' | 'id'>): string => `${kind} ${id}`;

const AnyRecord = z.object({ fixed: z.looseObject({}) });

const fixedOf = ({ text }: ReadRecord) => AnyRecord.parse(JSON.parse(text)).fixed;

const couldBecome = (record: ReadRecord, leaf: CutLeaf): boolean => {
  const read = readFixed(record.kind, fixedOf(record));
  return read !== undefined && isLaterForm(read, leaf);
};

const findProblem = (record: ReadRecord, leaf: CutLeaf | undefined, now: number): Problem | undefined => {
  if (leaf === undefined) return { why: 'it has no leaf yet', mayPass: true };
  if (record.hash === leaf.hash) return undefined;
  const isExplained = record.kind === 'tombstone' || couldBecome(record, leaf);
  if (!isExplained) return { why: 'it is not what the log says', mayPass: false };
  // Until the log's writer is late, the record can be shown as it was at its leaf.
  if (record.at > now - MERGE_DELAY_MS && atLeaf(JSON.parse(record.text), leaf.hash) !== undefined) return undefined;
  return { why: 'the log does not say yet how it changed', mayPass: true };
};

/** The record as it was when it got its leaf; undefined if that cannot be worked out any more. */
export const atLeaf = (record: LooseRecord, hash: string): LooseRecord | undefined => {
  const { kind, fixed, content } = record;
  if (recordHash(kind, fixed) === hash) return record;
  const form = earlierForms(kind, fixed).find((one) => recordHash(kind, one) === hash);
  if (form === undefined || content === undefined) return form && { ...record, fixed: form };
  const { output: _later, ...before } = { output: '', ...content };
  return { ...record, fixed: form, content: before };
};

const numberOf = ({ id }: ReadRecord): number => Number(id);

/** The members of a job's records that place them. */
const PlacedInJob = z.object({
  job: z.string(),
  kind: z.optional(z.string()),
  version: z.number(),
  instant: z.optional(z.number()),
  closedAt: z.optional(z.number()),
});

const readPlace = (record: ReadRecord) => PlacedInJob.parse(fixedOf(record));

const ProvenEffect = z.object({ approval: z.optional(z.string()) });

/** Each job as the export's leaves have it: its newest version, and its newest moment. */
const newestOfJobs = (all: ReadonlyMap<string, ReadRecord>, leaves: ReadonlyMap<string, CutLeaf>) => {
  const [versions, moments, closed] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const [name, record] of all) {
    if ((record.kind !== 'job' && record.kind !== 'occurrence') || !leaves.has(name)) continue;
    const { job, version, instant = 0, kind, closedAt } = readPlace(record);
    versions.set(job, Math.max(versions.get(job) ?? 0, version));
    if (kind === 'rule') moments.set(job, Math.max(moments.get(job) ?? 0, instant));
    if (closedAt !== undefined) closed.set(record.id, closedAt);
  }
  return { versions, moments, closed };
};

/**
 * Whether it is proof of one with a leaf: a version before others, or part of a closed run. The
 * log's writer reads page by page, so its leaf is on the way.
 */
const buildIsNeeded = (all: ReadonlyMap<string, ReadRecord>, leaves: ReadonlyMap<string, CutLeaf>) => {
  const { versions, moments, closed } = newestOfJobs(all, leaves);
  return (record: ReadRecord): boolean => {
    const { kind, id, at } = record;
    if (kind === 'decision' || kind === 'effect') {
      const closedAt = id.startsWith('job-') ? closed.get(rootOf(id).split('#')[0] ?? '') : undefined;
      return closedAt !== undefined && at > 0 && at <= closedAt;
    }
    if (kind !== 'job' && kind !== 'occurrence') return false;
    const { job, version, kind: way, instant = 0 } = readPlace(record);
    const isEarlier = version < (versions.get(job) ?? 0) || (way === 'rule' && instant < (moments.get(job) ?? 0));
    return isEarlier && !leaves.has(nameOf(record));
  };
};

/** Without a leaf, and made within the merge delay, or without a time: they wait for a person. */
const findNewer = (
  all: ReadonlyMap<string, ReadRecord>,
  leaves: ReadonlyMap<string, CutLeaf>,
  now: number,
): ReadonlySet<string> => {
  const isNewer = (record: ReadRecord): boolean =>
    !leaves.has(nameOf(record)) && (record.at === 0 || record.at > now - MERGE_DELAY_MS);
  const isNeeded = buildIsNeeded(all, leaves);
  const newer = new Set([...all].flatMap(([name, record]) => (isNewer(record) && !isNeeded(record) ? [name] : [])));
  const commits = [...all.values()].filter(({ kind }) => kind === 'commit');
  // Commits are numbered without a gap: after the first newer one all are newer, whatever the
  // clocks say.
  const firstNewer = Math.min(...commits.filter((commit) => newer.has(nameOf(commit))).map(numberOf));
  // With clocks apart, the decision or the approval of an effect may be dated after it. Without
  // them it proves nothing.
  const lacksProof = (record: ReadRecord): boolean => {
    const { kind, id } = record;
    if (kind !== 'effect' || leaves.has(`effect ${id}`)) return false;
    const { approval } = ProvenEffect.parse(fixedOf(record));
    return newer.has(`decision ${id.slice(0, id.lastIndexOf('#'))}`) || newer.has(`approval ${approval}`);
  };
  const effects = [...all].flatMap(([name, record]) => (lacksProof(record) ? [name] : []));
  const later = commits.filter((commit) => numberOf(commit) >= firstNewer).map(nameOf);
  return new Set([...newer, ...effects, ...later]);
};

/** @param now epoch milliseconds of the moment at which the leaves were counted */
export const cutAt = (all: ReadonlyMap<string, ReadRecord>, leaves: ReadonlyMap<string, CutLeaf>, now: number): Cut => {
  const newer = findNewer(all, leaves, now);
  const records = [...all].flatMap(([name, record]) => (newer.has(name) ? [] : [record]));
  const unsettled = new Map<string, Problem>();
  for (const record of records) {
    const problem = findProblem(record, leaves.get(nameOf(record)), now);
    if (problem !== undefined) unsettled.set(nameOf(record), problem);
  }
  for (const name of leaves.keys())
    if (!all.has(name) && !LEAF_ALONE.test(name))
      unsettled.set(name, {
        why: 'the log has a leaf of it, and it is not there',
        mayPass: name.startsWith('tombstone '),
      });
  const covered = new Set(records.flatMap(({ covers }) => covers));
  for (const record of records)
    if (record.isErased && !covered.has(nameOf(record)))
      unsettled.set(nameOf(record), { why: 'it is being forgotten, or was erased', mayPass: true });
  return { records, leftOut: all.size - records.length, unsettled };
};

/** Each kind has a place here: another one does not compile below. */
const ORDER = [
  'commit',
  'tombstone',
  'occurrence',
  'decision',
  'approval',
  'runner-job',
  'runner-receipt',
  'runner-result',
  'effect',
  'job',
  'skill',
  'rotation',
  'right',
] as const satisfies readonly RecordKind[];
const collator = new Intl.Collator('en');

/**
 * In the order of the log; those without a leaf last: commits by number, decisions before effects.
 */
export const compareRecords =
  (leaves: ReadonlyMap<string, CutLeaf>) =>
  (a: ReadRecord, b: ReadRecord): number => {
    const place = (record: ReadRecord): number => leaves.get(nameOf(record))?.index ?? Number.MAX_SAFE_INTEGER;
    return (
      place(a) - place(b) ||
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      (a.kind === 'commit' ? numberOf(a) - numberOf(b) : a.at - b.at) ||
      collator.compare(a.id, b.id)
    );
  };
