/**
 * The model says in its own words why it wants an action: an approver or a reader of the trace
 * needs that.
 * - stops: explanations that are missing, too short, a row of one letter, or a stock sentence that
 *   software puts in
 * - lets through: plain replies, fixed notices, a person's own commands, any real sentence in any
 *   language
 */
import { EXPLANATION_CHARS_MIN } from '../../base/limits.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { isFixedNotice, isOwnerCommand, isPlainReply } from './action-kind.ts';

/** Different letters or digits: a row of dots is long but says nothing. */
const EXPLANATION_LETTERS_MIN = 4;

const NOT_A_LETTER = /[^\p{L}\p{N}]+/gu;

/** Compared whole, without case, spaces and punctuation: a longer sentence is the model's own. */
const STOCK_SENTENCES: ReadonlySet<string> = new Set(
  [
    'no explanation',
    'no explanation given',
    'no explanation provided',
    'no explanation needed',
    'explanation not provided',
    'explanation missing',
    'not applicable',
    'tool call',
    'function call',
    'calling the tool',
    'calling tool',
    'executing tool call',
    'model tool call',
    'the model called a tool',
    'as requested',
    'as requested by the user',
    'requested by user',
    'user requested',
    'user request',
    'the user asked',
    'automatically generated',
    'auto generated explanation',
    'default explanation',
    'lorem ipsum dolor sit amet',
    'placeholder',
    'explanation',
    'explanation goes here',
    'undefined undefined',
  ].map((sentence) => sentence.replace(NOT_A_LETTER, '')),
);

export const checkExplanation = (action: Action, facts: Facts): Verdict => {
  if (isFixedNotice(action)) return { verdict: 'pass', reason: 'fixed notice' };
  if (isPlainReply(action, facts)) return { verdict: 'pass', reason: 'plain reply' };
  if (isOwnerCommand(action)) return { verdict: 'pass', reason: "a person's own command" };
  const explanation = action.explanation.trim();
  if (explanation.length < EXPLANATION_CHARS_MIN) {
    const reason = `the explanation must say in at least ${EXPLANATION_CHARS_MIN} characters why this is done`;
    return { verdict: 'block', reason };
  }
  const letters = explanation.normalize('NFKC').toLowerCase().replace(NOT_A_LETTER, '');
  if (new Set(letters).size < EXPLANATION_LETTERS_MIN) {
    return { verdict: 'block', reason: 'the explanation holds no sentence' };
  }
  if (STOCK_SENTENCES.has(letters)) {
    return { verdict: 'block', reason: 'the explanation is a stock sentence: say why this is done, in own words' };
  }
  return PASS;
};
