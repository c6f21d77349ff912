/**
 * Reads the fixed part of a record by hand, as far as the rules look at it. The record's hash holds
 * every other member. Pure; imports types only.
 */
import type {
  FixedApproval,
  FixedCommit,
  FixedDecision,
  FixedEffect,
  FixedJob,
  FixedOccurrence,
  FixedSkill,
  FixedTombstone,
} from '../record-hash.ts';
import type { FixedOrder, FixedRunnerReceipt, FixedRunnerResult } from '../runner-records.ts';
import { type Fields, readCount, readFieldList, readFields, readList, readText } from './fields.ts';

export type AnyFixed =
  | { readonly kind: 'decision'; readonly record: FixedDecision }
  | { readonly kind: 'effect'; readonly record: FixedEffect }
  | { readonly kind: 'approval'; readonly record: FixedApproval }
  | { readonly kind: 'commit'; readonly record: FixedCommit }
  | { readonly kind: 'tombstone'; readonly record: FixedTombstone }
  | { readonly kind: 'occurrence'; readonly record: FixedOccurrence }
  | { readonly kind: 'job'; readonly record: FixedJob }
  | { readonly kind: 'skill'; readonly record: FixedSkill }
  | { readonly kind: 'runner-job'; readonly record: FixedOrder }
  | { readonly kind: 'runner-receipt'; readonly record: FixedRunnerReceipt }
  | { readonly kind: 'runner-result'; readonly record: FixedRunnerResult };

const hasTexts = (fields: Fields, names: readonly string[]): boolean =>
  names.every((name) => readText(fields, name) !== undefined);
const hasCounts = (fields: Fields, names: readonly string[]): boolean =>
  names.every((name) => readCount(fields, name) !== undefined);
/** Each field is absent or has the type. */
const mayHave = (fields: Fields, type: 'string' | 'number' | 'boolean', names: readonly string[]): boolean =>
  names.every((name) => fields[name] === undefined || typeof fields[name] === type);

const isJudged = (fields: Fields): boolean =>
  hasTexts(fields, ['hash', 'outcome', 'facts']) && readList(fields, 'trace') !== undefined;

const isAttempt = (fields: Fields): boolean =>
  hasCounts(fields, ['n']) &&
  mayHave(fields, 'string', ['proposal']) &&
  readFieldList(fields, 'judged')?.every(isJudged) === true;

const isDecision = (fields: Fields): fields is Fields & FixedDecision =>
  hasTexts(fields, ['signalId', 'gateSet']) &&
  hasCounts(fields, ['at']) &&
  readFieldList(fields, 'attempts')?.every(isAttempt) === true &&
  readFieldList(fields, 'actions')?.every(isJudged) === true;

const isEffect = (fields: Fields): fields is Fields & FixedEffect =>
  hasTexts(fields, ['signalId', 'state', 'actionHash', 'facts']) &&
  hasCounts(fields, ['n']) &&
  readList(fields, 'trace') !== undefined &&
  mayHave(fields, 'number', ['claimedAt', 'settledAt']) &&
  mayHave(fields, 'string', ['approval', 'grant', 'output']);

const isApproval = (fields: Fields): fields is Fields & FixedApproval =>
  hasTexts(fields, ['ref', 'signalId', 'actionHash', 'state']) &&
  hasCounts(fields, ['n', 'createdAt', 'expiresAt']) &&
  mayHave(fields, 'number', ['decidedAt', 'spentAt', 'endedAt']) &&
  mayHave(fields, 'string', ['decider']);

const isChange = (fields: Fields): boolean =>
  hasTexts(fields, ['id']) && [fields.old, fields.new].every((hash) => hash === null || typeof hash === 'string');

const isCommit = (fields: Fields): fields is Fields & FixedCommit =>
  hasCounts(fields, ['number', 'at']) && readFieldList(fields, 'changes')?.every(isChange) === true;

const isTombstone = (fields: Fields): fields is Fields & FixedTombstone =>
  hasTexts(fields, ['object', 'hash']) &&
  hasCounts(fields, ['forgottenAt']) &&
  readList(fields, 'covers')?.every((name) => typeof name === 'string') === true;

const isJob = (fields: Fields): fields is Fields & FixedJob =>
  hasTexts(fields, ['job', 'state', 'definition', 'by', 'signal', 'effect']) &&
  hasCounts(fields, ['version', 'from']) &&
  readText(readFields(fields.when) ?? {}, 'kind') !== undefined;

/** One that never ran is closed, and one that is open has no outcome yet. */
const isClosedRight = ({ state, closedAt }: Fields): boolean =>
  closedAt === undefined ? state === 'fired' || state === 'late' : true;

const isOccurrence = (fields: Fields): fields is Fields & FixedOccurrence =>
  hasTexts(fields, ['job', 'kind', 'state']) &&
  hasCounts(fields, ['version', 'instant', 'at']) &&
  mayHave(fields, 'number', ['after', 'lateMs', 'closedAt']) &&
  mayHave(fields, 'string', ['why', 'eventId']) &&
  mayHave(fields, 'boolean', ['isShifted']) &&
  isClosedRight(fields);

const isSkill = (fields: Fields): fields is Fields & FixedSkill =>
  hasTexts(fields, ['skill', 'version', 'trust', 'by', 'signal']) && hasCounts(fields, ['at']);

const JOB_TEXTS = ['id', 'space', 'runner', 'actionHash', 'decisionHash', 'traceHash'];

const isOrder = (fields: Fields): fields is Fields & FixedOrder => {
  const [job, pairing] = [readFields(fields.job) ?? {}, readFields(fields.pairing) ?? {}];
  const consent = job.consent === undefined ? { kind: '', id: '' } : (readFields(job.consent) ?? {});
  return (
    hasTexts(fields, ['signature']) &&
    hasTexts(job, JOB_TEXTS) &&
    hasTexts(consent, ['kind', 'id']) &&
    hasTexts(pairing, ['publicKey', 'actKey', 'pairedBy']) &&
    hasCounts(job, ['issuedAt', 'expiresAt']) &&
    hasCounts(pairing, ['pairedAt']) &&
    readCount(fields, 'at') === job.issuedAt
  );
};

const isRunnerReceipt = (fields: Fields): fields is Fields & FixedRunnerReceipt =>
  hasTexts(fields, ['effect', 'signature']) &&
  hasCounts(fields, ['at']) &&
  hasTexts(readFields(fields.receipt) ?? {}, ['jobHash', 'runner', 'claim']) &&
  hasCounts(readFields(fields.receipt) ?? {}, ['takenAt']);

const isRunnerResult = (fields: Fields): fields is Fields & FixedRunnerResult => {
  const result = readFields(fields.result) ?? {};
  return (
    hasTexts(fields, ['effect', 'signature']) &&
    hasCounts(fields, ['at']) &&
    hasTexts(result, ['jobHash', 'runner', 'state']) &&
    mayHave(result, 'string', ['claim']) &&
    hasTexts(readFields(result.shown) ?? {}, ['hash', 'head'])
  );
};

/** @returns undefined for another kind, version or form */
export const readFixed = (kind: string, fields: Fields): AnyFixed | undefined => {
  if (fields.v !== 1) return undefined;
  if (kind === 'decision' && isDecision(fields)) return { kind, record: fields };
  if (kind === 'effect' && isEffect(fields)) return { kind, record: fields };
  if (kind === 'approval' && isApproval(fields)) return { kind, record: fields };
  if (kind === 'commit' && isCommit(fields)) return { kind, record: fields };
  if (kind === 'tombstone' && isTombstone(fields)) return { kind, record: fields };
  if (kind === 'occurrence' && isOccurrence(fields)) return { kind, record: fields };
  if (kind === 'job' && isJob(fields)) return { kind, record: fields };
  if (kind === 'skill' && isSkill(fields)) return { kind, record: fields };
  if (kind === 'runner-job' && isOrder(fields)) return { kind, record: fields };
  if (kind === 'runner-receipt' && isRunnerReceipt(fields)) return { kind, record: fields };
  if (kind === 'runner-result' && isRunnerResult(fields)) return { kind, record: fields };
  return undefined;
};
