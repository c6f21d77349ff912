/**
 * Content that stands beside a record: actions, proposals, facts, outputs, definitions of jobs,
 * files of skills. Each must hash to the hash in the record's fixed part, with nothing added or
 * left out. An approval card is withheld, and the signed parts say that it is one; any other action
 * that is withheld is counted as hidden.
 */
import { hashOf } from '../../base/canonical.ts';
import {
  CARD_REASON,
  type FixedDecision,
  type FixedEffect,
  type FixedJob,
  type FixedJudged,
  type FixedSkill,
  type RecordKind,
} from '../record-hash.ts';
import { type Fields, fail, hasExactly, readFieldList, readFields, readList, readText } from './fields.ts';
import type { AnyFixed } from './record-forms.ts';

/** The record that is looked at. */
export interface Subject {
  readonly kind: RecordKind;
  readonly id: string;
  /** Its leaf; null without one. */
  readonly index: number | null;
}

export const failOf = ({ kind, id, index }: Subject, what: string): never => fail(kind, id, index, what);

/** How code names the signal of a card. One that answers a tap gives a reason instead. */
const CARD_ID = /.\/card-\d{1,4}$/;

const isCard = ({ signalId, reason, attemptCount, actions }: FixedDecision): boolean =>
  (CARD_ID.test(signalId) || reason === CARD_REASON) && attemptCount === 0 && actions.length === 1;

const checkMembers = (subject: Subject, part: string, fields: Fields, names: readonly string[]): void => {
  if (hasExactly(fields, names)) return;
  const extra = Object.keys(fields).find((name) => !names.includes(name));
  const missing = names.find((name) => !Object.hasOwn(fields, name));
  failOf(subject, extra === undefined ? `${part} lacks ${missing}` : `${part} has a member too many: ${extra}`);
};

/** @returns how many actions are withheld */
const checkJudged = (subject: Subject, fixed: readonly FixedJudged[], shown: readonly Fields[] | undefined): number => {
  if (shown?.length !== fixed.length) return failOf(subject, 'its content holds another number of actions');
  let withheld = 0;
  for (const [n, one] of fixed.entries()) {
    const given = shown[n] ?? {};
    const isWithheld = Object.hasOwn(given, 'isWithheld');
    if (isWithheld && given.isWithheld !== true) failOf(subject, `action ${n} does not say whether it is withheld`);
    checkMembers(subject, `action ${n}`, given, [isWithheld ? 'isWithheld' : 'action', 'facts']);
    if (isWithheld) withheld += 1;
    else if (hashOf('action', given.action) !== one.hash) failOf(subject, `action ${n} was changed`);
    if (hashOf('facts', given.facts) !== one.facts) failOf(subject, `the facts of action ${n} were changed`);
  }
  return withheld;
};

/** Numbers of actions that are not shown. */
export interface Unshown {
  /** Approval cards: their bytes hold a capability. */
  readonly withheld: number;
  /** Others, which no export leaves out by itself. */
  readonly hidden: number;
}

const checkDecision = (subject: Subject, fixed: FixedDecision, content: Fields): Unshown => {
  checkMembers(subject, 'its content', content, ['attempts', 'actions']);
  const count = checkJudged(subject, fixed.actions, readFieldList(content, 'actions'));
  const shown = readFieldList(content, 'attempts') ?? [];
  if (shown.length !== fixed.attempts.length) failOf(subject, 'its content holds another number of attempts');
  let hidden = isCard(fixed) ? 0 : count;
  for (const [index, { n, proposal, judged }] of fixed.attempts.entries()) {
    const one = shown[index] ?? {};
    checkMembers(subject, `attempt ${n}`, one, proposal === undefined ? ['judged'] : ['proposal', 'judged']);
    if (proposal !== undefined && hashOf('proposal', one.proposal) !== proposal)
      failOf(subject, `the proposal of attempt ${n} was changed`);
    hidden += checkJudged(subject, judged, readFieldList(one, 'judged'));
  }
  return { withheld: isCard(fixed) ? count : 0, hidden };
};

const checkEffect = (subject: Subject, { facts, output }: FixedEffect, content: Fields): void => {
  checkMembers(subject, 'its content', content, output === undefined ? ['facts'] : ['facts', 'output']);
  if (hashOf('facts', readList(content, 'facts')) !== facts) failOf(subject, 'its facts were changed');
  if (output !== undefined && hashOf('output', readText(content, 'output')) !== output)
    failOf(subject, 'its output was changed');
};

const checkJob = (subject: Subject, { job, definition, when }: FixedJob, content: Fields): void => {
  checkMembers(subject, 'its content', content, ['definition']);
  if (hashOf('job-version', content.definition) !== definition) failOf(subject, 'its definition was changed');
  const shown = readFields(content.definition) ?? {};
  const rule = readFields(shown.when) ?? {};
  const isSame = Object.entries(when).every(([name, value]) => rule[name] === value);
  if (!isSame || shown.name !== job) failOf(subject, 'its rule is not the one of its definition');
};

/** The version of a skill is a hash over the paths and hashes of its files, by path. */
const checkSkill = (subject: Subject, { version }: FixedSkill, content: Fields): void => {
  checkMembers(subject, 'its content', content, ['files']);
  const files = readFieldList(content, 'files') ?? failOf(subject, 'its files are not a list');
  for (const file of files) checkMembers(subject, 'a file', file, ['path', 'sha256', 'bytes']);
  const pairs = files.map((file) => [readText(file, 'path') ?? '', readText(file, 'sha256') ?? ''] as const);
  const isVersion =
    version === 'removed'
      ? files.length === 0
      : hashOf(
          'skill-version',
          pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ) === version;
  if (!isVersion) failOf(subject, 'its files are not the ones of its version');
};

/** @throws WrongError; ProtocolError if a part has no canonical form */
export const checkContent = (subject: Subject, fixed: AnyFixed, content: Fields): Unshown => {
  if (fixed.kind === 'decision') return checkDecision(subject, fixed.record, content);
  if (fixed.kind === 'effect') checkEffect(subject, fixed.record, content);
  if (fixed.kind === 'job') checkJob(subject, fixed.record, content);
  if (fixed.kind === 'skill') checkSkill(subject, fixed.record, content);
  return { withheld: 0, hidden: 0 };
};
