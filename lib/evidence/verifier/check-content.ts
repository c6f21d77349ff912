/**
 * Content that stands beside a record: actions, proposals, facts, outputs. Each must hash to what the record's fixed part says of it, and
 * none may be added or left out. Pure but for throwing what is wrong.
 */
import { hashOf } from '../canonical.ts';
import type { FixedDecision, FixedEffect, FixedJudged, RecordKind } from '../record-hash.ts';
import { type Fields, fieldListOf, listOf, textOf } from './fields.ts';
import type { AnyFixed } from './read-fixed.ts';
import { fail } from './wrong.ts';

/** Which record is looked at. */
export interface Seen {
  readonly kind: RecordKind;
  readonly id: string;
  /** Of its leaf; null where it has none. */
  readonly index: number | null;
}

/** @returns how many actions are withheld. */
const checkJudged = (seen: Seen, fixed: readonly FixedJudged[], shown: readonly Fields[] | undefined): number => {
  const { kind, id, index } = seen;
  if (shown?.length !== fixed.length) fail(kind, id, index, 'its content holds another number of actions');
  let withheld = 0;
  for (const [n, one] of fixed.entries()) {
    const { action, facts, isWithheld } = shown[n] ?? {};
    if (isWithheld === true) withheld += 1;
    else if (hashOf('action', action) !== one.hash) fail(kind, id, index, `action ${n} was changed`);
    if (hashOf('facts', facts) !== one.facts) fail(kind, id, index, `the facts of action ${n} were changed`);
  }
  return withheld;
};

const checkDecision = (seen: Seen, fixed: FixedDecision, content: Fields): number => {
  const { kind, id, index } = seen;
  let withheld = checkJudged(seen, fixed.actions, fieldListOf(content, 'actions'));
  const shown = fieldListOf(content, 'attempts') ?? [];
  if (shown.length !== fixed.attempts.length) fail(kind, id, index, 'its content holds another number of attempts');
  for (const [n, { proposal, judged, ...attempt }] of fixed.attempts.entries()) {
    const one = shown[n] ?? {};
    const isSame =
      proposal === undefined ? !Object.hasOwn(one, 'proposal') : hashOf('proposal', one.proposal) === proposal;
    if (!isSame) fail(kind, id, index, `the proposal of attempt ${attempt.n} was changed`);
    withheld += checkJudged(seen, judged, fieldListOf(one, 'judged'));
  }
  return withheld;
};

const checkEffect = ({ kind, id, index }: Seen, fixed: FixedEffect, content: Fields): void => {
  if (hashOf('facts', listOf(content, 'facts')) !== fixed.facts) fail(kind, id, index, 'its facts were changed');
  const { output } = content;
  const hash = output === undefined ? undefined : hashOf('output', textOf(content, 'output'));
  if (hash !== fixed.output) fail(kind, id, index, 'its output was changed');
};

/** @returns how many actions are withheld. @throws WrongError; ProtocolError where something has no canonical form */
export const checkContent = (seen: Seen, fixed: AnyFixed, content: Fields): number => {
  if (fixed.kind === 'decision') return checkDecision(seen, fixed.record, content);
  if (fixed.kind === 'effect') checkEffect(seen, fixed.record, content);
  return 0;
};
