/**
 * The records of an export. Each must hash to what its last leaf says, come in the order of the
 * log, and be there if its leaf is. Content beside a record must fit it; if the content is gone, a
 * tombstone of the log must cover it. A record that has no leaf yet, or has changed since, must be
 * younger than the merge delay.
 */
import { MERGE_DELAY_MS } from '../../base/limits.ts';
import { CLOCK_SKEW_MS } from '../limits.ts';
import { LEAF_ALONE, recordHash } from '../record-hash.ts';
import { checkContent, failOf, type Subject, type Unshown } from './content.ts';
import { addApproval, addDecision, addEffect, type Effects, endEffects } from './effects.ts';
import { type Fields, fail, readCount, readFields, readText } from './fields.ts';
import { endJobs, type JobKnowledge } from './job-checks.ts';
import { addJob, addOccurrence, addSkill, type Jobs, noteDecision, noteEffect, startJobs } from './job-summary.ts';
import { dueTo, hashChanges, type LastLeaf, type Leaves, splitName } from './leaves.ts';
import { type AnyFixed, readFixed } from './record-forms.ts';
import { changedAt, idOf, isLaterForm } from './record-state.ts';
import { endRunners } from './runner-checks.ts';
import { noteDecisionOfRunner, noteEffectOfRunner, type Runners, startRunners } from './runner-summary.ts';

export interface RecordCounts {
  readonly records: number;
  /** Records without a leaf, or changed since theirs, within the merge delay. */
  readonly pending: number;
  /** Kind and id of the first of them; empty without one. */
  readonly firstPending: string;
  /** Records whose content was erased at the owner's request. */
  readonly forgotten: number;
  /** Actions that are not shown, because they hold an approval's id. */
  readonly withheld: number;
  /** Actions that are not shown, and no approval cards; with the first decision that has one. */
  readonly hidden: number;
  readonly firstHidden: string;
  readonly jobs: number;
  readonly occurrences: number;
  /** Jobs that were handed to runners. */
  readonly runnerJobs: number;
}

export const NO_RECORDS: RecordCounts = {
  records: 0,
  pending: 0,
  firstPending: '',
  forgotten: 0,
  withheld: 0,
  hidden: 0,
  firstHidden: '',
  jobs: 0,
  occurrences: 0,
  runnerJobs: 0,
};

export interface Records {
  readonly leaves: Leaves;
  readonly effects: Effects;
  readonly jobs: Jobs;
  readonly runners: Runners;
  readonly exportedAt: number;
  /** Last leaf of every record that must be here, in order. */
  readonly due: readonly (readonly [name: string, leaf: LastLeaf])[];
  /** Records with a leaf that have come. */
  placed: number;
  counts: RecordCounts;
  /** Names of records without a leaf. */
  readonly unlogged: Set<string>;
  /** Names of records that a tombstone covers. */
  readonly covered: Set<string>;
  /** Records without their content. */
  readonly erased: Subject[];
  /** Hash of each memory object after the last commit. */
  readonly objects: Map<string, string | null>;
  commits: number;
}

export const startRecords = (leaves: Leaves, effects: Effects, exportedAt: number): Records => ({
  leaves,
  effects,
  jobs: startJobs(),
  runners: startRunners(),
  exportedAt,
  due: [...leaves.last].filter(([name]) => !LEAF_ALONE.test(name)).sort(([, a], [, b]) => a.index - b.index),
  placed: 0,
  counts: NO_RECORDS,
  unlogged: new Set(),
  covered: new Set(),
  erased: [],
  objects: new Map(),
  commits: 0,
});

const failMissing = (name: string, { index }: LastLeaf): never => {
  const { kind, id } = splitName(name);
  return fail(kind, id, index, 'its record is missing');
};

/** The leaf that the record belongs to, which must be the next one due. */
const placeRecord = (records: Records, subject: Subject): LastLeaf | undefined => {
  const { leaves, due, unlogged } = records;
  const { kind, id, index } = subject;
  const name = `${kind} ${id}`;
  if (index === null) {
    if (leaves.last.has(name)) failOf(subject, 'it says it has no leaf, and has one');
    if (unlogged.has(name)) failOf(subject, 'it is there twice');
    unlogged.add(name);
    return undefined;
  }
  const [dueName, leaf] = due[records.placed] ?? failOf(subject, 'no leaf of the log is left for it');
  if (unlogged.size > 0) failOf(subject, 'it comes after records without a leaf');
  if (index > leaf.index) failMissing(dueName, leaf);
  if (index < leaf.index) failOf(subject, 'it is there twice, out of order, or its leaf is not its last');
  if (dueName !== name) failOf(subject, `its leaf is of another record: ${dueName}`);
  records.placed += 1;
  return leaf;
};

const checkHash = (records: Records, subject: Subject, fixed: AnyFixed, leaf: LastLeaf | undefined): void => {
  const { exportedAt, counts } = records;
  if (leaf !== undefined && recordHash(fixed.kind, fixed.record) === leaf.hash) return;
  if (leaf !== undefined && !isLaterForm(fixed, leaf))
    failOf(subject, 'it was changed: its hash is not the one in the log');
  const at = changedAt(fixed);
  // The clocks of the process that wrote the record and of the one that exports may differ.
  if (at > exportedAt + CLOCK_SKEW_MS) failOf(subject, 'it is younger than the export');
  const isLate = at <= exportedAt - MERGE_DELAY_MS - CLOCK_SKEW_MS;
  if (isLate && leaf === undefined) failOf(subject, 'it is older than the merge delay and has no leaf');
  if (isLate) failOf(subject, 'it changed longer ago than the merge delay, and the log does not say so');
  const firstPending = counts.pending === 0 ? `${subject.kind} ${subject.id}` : counts.firstPending;
  records.counts = { ...counts, pending: counts.pending + 1, firstPending };
};

const ERASABLE: readonly string[] = ['decision', 'effect', 'job', 'skill'];

/** Content must fit, or be marked as forgotten. @returns it if all of it is shown */
const checkErasable = (records: Records, subject: Subject, fixed: AnyFixed, line: Fields): Fields | undefined => {
  const content = readFields(line.content);
  const isErasable = ERASABLE.includes(fixed.kind);
  const isMarked = Object.hasOwn(line, 'isForgotten');
  if (Object.hasOwn(line, 'content') && (content === undefined || !isErasable || isMarked))
    failOf(subject, 'it has content where there can be none');
  if (!isErasable && isMarked) failOf(subject, 'it is marked as forgotten, and has nothing to forget');
  if (!isErasable) return undefined;
  const { counts } = records;
  if (content !== undefined) {
    const { withheld, hidden } = checkCanonical(subject, fixed, content);
    const firstHidden = hidden > 0 && counts.hidden === 0 ? subject.id : counts.firstHidden;
    records.counts = { ...counts, withheld: counts.withheld + withheld, hidden: counts.hidden + hidden, firstHidden };
    return hidden > 0 ? undefined : content;
  }
  if (line.isForgotten !== true) failOf(subject, 'its content is missing, and it is not marked as forgotten');
  records.erased.push(subject);
  records.counts = { ...counts, forgotten: counts.forgotten + 1 };
  return undefined;
};

const checkCanonical = (subject: Subject, fixed: AnyFixed, content: Fields): Unshown => {
  try {
    return checkContent(subject, fixed, content);
  } catch (error) {
    if (error instanceof Error && error.name === 'ProtocolError')
      return failOf(subject, 'its content has no canonical form');
    throw error;
  }
};

const checkCommit = (records: Records, subject: Subject, fixed: AnyFixed, leaf: LastLeaf | undefined): void => {
  if (fixed.kind !== 'commit') return;
  const { number, changes } = fixed.record;
  if (number !== records.commits + 1) failOf(subject, `it follows commit ${records.commits}`);
  records.commits = number;
  const isNamed =
    leaf === undefined ||
    (leaf.count === changes.length && (leaf.changes === '' || leaf.changes === hashChanges(changes)));
  if (!isNamed) failOf(subject, 'its leaf names other changes');
  for (const change of changes) {
    if (change.old !== (records.objects.get(change.id) ?? null))
      failOf(subject, `object ${change.id} did not have the hash it says`);
    records.objects.set(change.id, change.new);
  }
};

const checkRules = ({ effects, covered }: Records, { id, index }: Subject, { kind, record }: AnyFixed): void => {
  if (kind === 'decision') addDecision(effects, { id, index, fixed: record });
  if (kind === 'effect') addEffect(effects, { id, index, fixed: record });
  if (kind === 'approval') addApproval(effects, { id, index, fixed: record });
  if (kind === 'tombstone') for (const name of record.covers) covered.add(name);
};

const noteForJobs = (
  { jobs }: Records,
  subject: Subject,
  { kind, record }: AnyFixed,
  content: Fields | undefined,
): void => {
  if (kind === 'decision') noteDecision(jobs, subject.id, record.actions.length, content);
  if (kind === 'effect') noteEffect(jobs, subject.id, record);
  if (kind === 'occurrence') addOccurrence(jobs, subject, record);
  if (kind === 'job') addJob(jobs, subject, record, content);
  if (kind === 'skill') addSkill(jobs, subject, record);
};

const noteForRunners = (
  { runners }: Records,
  subject: Subject,
  { kind, record }: AnyFixed,
  content: Fields | undefined,
): void => {
  if (kind === 'decision') noteDecisionOfRunner(runners, subject.id, record, content);
  if (kind === 'effect') noteEffectOfRunner(runners, subject, record, content);
  if (kind === 'runner-job') runners.jobs.set(subject.id, { ...subject, fixed: record });
  if (kind === 'runner-receipt') runners.receipts.set(subject.id, { ...subject, fixed: record });
  if (kind === 'runner-result') runners.results.set(subject.id, { ...subject, fixed: record });
};

const countRecord = ({ counts, jobs, runners }: Records, kind: string): RecordCounts => ({
  ...counts,
  records: counts.records + 1,
  jobs: jobs.versions.size,
  occurrences: counts.occurrences + (kind === 'occurrence' ? 1 : 0),
  runnerJobs: runners.jobs.size,
});

export const addRecord = (records: Records, line: Fields): void => {
  const kind = readText(line, 'kind') || 'record';
  const id = readText(line, 'id') ?? '';
  const index = readCount(line, 'leaf') ?? null;
  const fixed = readFixed(kind, readFields(line.fixed) ?? {});
  if (index === null && Object.hasOwn(line, 'leaf')) fail(kind, id, null, 'its leaf is not a number');
  if (fixed === undefined) fail(kind, id, index, 'its record does not have a known form');
  const subject = { kind: fixed.kind, id, index };
  const ownId = idOf(fixed, id);
  if (ownId !== id) failOf(subject, `its record is of ${ownId}`);
  const leaf = placeRecord(records, subject);
  checkHash(records, subject, fixed, leaf);
  const content = checkErasable(records, subject, fixed, line);
  checkCommit(records, subject, fixed, leaf);
  checkRules(records, subject, fixed);
  noteForJobs(records, subject, fixed, content);
  noteForRunners(records, subject, fixed, content);
  records.counts = countRecord(records, fixed.kind);
};

export const endRecords = (records: Records, known: JobKnowledge): void => {
  const { due, placed, erased, covered, effects, jobs, leaves, runners } = records;
  const missing = due[placed];
  if (missing !== undefined) failMissing(missing[0], missing[1]);
  const bare = erased.find(({ kind, id }) => !covered.has(`${kind} ${id}`));
  if (bare !== undefined) failOf(bare, 'its content is missing, and no tombstone of the log covers it');
  endEffects(effects);
  endJobs(jobs, effects, dueTo(leaves), known);
  endRunners(runners, leaves.space);
};
