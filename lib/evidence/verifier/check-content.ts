/**
 * Content that stands beside a record: actions, proposals, facts, outputs. Each must hash to what
 * the record's fixed part says of it, and nothing may be added or left out. Only an approval card
 * may be withheld, and the signed parts must say that it is one. Pure but for throwing what is
 * wrong.
 */
import { hashOf } from '../../base/canonical.ts';
import type { FixedDecision, FixedEffect, FixedJudged, RecordKind } from '../record-hash.ts';
import { type Fields, fieldListOf, hasExactly, listOf, textOf } from './fields.ts';
import type { AnyFixed } from './read-fixed.ts';
import { fail } from './wrong.ts';

/** Which record is looked at. */
export interface Seen {
  readonly kind: RecordKind;
  readonly id: string;
  /** Of its leaf; null where it has none. */
  readonly index: number | null;
}

/**
 * Code alone decided to send a card, and its signal is named for it: `<signal that asks>/card-<n>`.
 */
const CARD_ID = /.\/card-\d{1,4}$/;

const isCard = ({ signalId, attemptCount, actions }: FixedDecision): boolean =>
  CARD_ID.test(signalId) && attemptCount === 0 && actions.length === 1;

const checkMembers = ({ kind, id, index }: Seen, what: string, fields: Fields, names: readonly string[]): void => {
  if (hasExactly(fields, names)) return;
  const extra = Object.keys(fields).find((name) => !names.includes(name));
  const missing = names.find((name) => !Object.hasOwn(fields, name));
  fail(kind, id, index, extra === undefined ? `${what} lacks ${missing}` : `${what} has a member too many: ${extra}`);
};

/** @returns how many actions are withheld. */
const checkJudged = (
  seen: Seen,
  fixed: readonly FixedJudged[],
  shown: readonly Fields[] | undefined,
  mayWithhold: boolean,
): number => {
  const { kind, id, index } = seen;
  if (shown?.length !== fixed.length) fail(kind, id, index, 'its content holds another number of actions');
  let withheld = 0;
  for (const [n, one] of fixed.entries()) {
    const given = shown[n] ?? {};
    const isWithheld = Object.hasOwn(given, 'isWithheld');
    if (isWithheld && (given.isWithheld !== true || !mayWithhold))
      fail(kind, id, index, `action ${n} is withheld, and it is no approval card`);
    checkMembers(seen, `action ${n}`, given, [isWithheld ? 'isWithheld' : 'action', 'facts']);
    if (isWithheld) withheld += 1;
    else if (hashOf('action', given.action) !== one.hash) fail(kind, id, index, `action ${n} was changed`);
    if (hashOf('facts', given.facts) !== one.facts) fail(kind, id, index, `the facts of action ${n} were changed`);
  }
  return withheld;
};

const checkDecision = (seen: Seen, fixed: FixedDecision, content: Fields): number => {
  const { kind, id, index } = seen;
  checkMembers(seen, 'its content', content, ['attempts', 'actions']);
  const withheld = checkJudged(seen, fixed.actions, fieldListOf(content, 'actions'), isCard(fixed));
  const shown = fieldListOf(content, 'attempts') ?? [];
  if (shown.length !== fixed.attempts.length) fail(kind, id, index, 'its content holds another number of attempts');
  for (const [n, { proposal, judged, ...attempt }] of fixed.attempts.entries()) {
    const one = shown[n] ?? {};
    checkMembers(seen, `attempt ${attempt.n}`, one, proposal === undefined ? ['judged'] : ['proposal', 'judged']);
    if (proposal !== undefined && hashOf('proposal', one.proposal) !== proposal)
      fail(kind, id, index, `the proposal of attempt ${attempt.n} was changed`);
    checkJudged(seen, judged, fieldListOf(one, 'judged'), false);
  }
  return withheld;
};

const checkEffect = (seen: Seen, fixed: FixedEffect, content: Fields): void => {
  const { kind, id, index } = seen;
  checkMembers(seen, 'its content', content, fixed.output === undefined ? ['facts'] : ['facts', 'output']);
  if (hashOf('facts', listOf(content, 'facts')) !== fixed.facts) fail(kind, id, index, 'its facts were changed');
  if (fixed.output !== undefined && hashOf('output', textOf(content, 'output')) !== fixed.output)
    fail(kind, id, index, 'its output was changed');
};

/**
 * @returns how many actions are withheld. @throws WrongError; ProtocolError where something has no
 * canonical form
 */
export const checkContent = (seen: Seen, fixed: AnyFixed, content: Fields): number => {
  if (fixed.kind === 'decision') return checkDecision(seen, fixed.record, content);
  if (fixed.kind === 'effect') checkEffect(seen, fixed.record, content);
  return 0;
};
