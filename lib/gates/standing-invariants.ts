/**
 * What holds whatever the task: the agent does not act behind its owner's back, and does not claim a consent nobody gave.
 * Judged on the model's own explanation of a call, in the order of the invariants: transparency, autonomy, bloat.
 * (Modularity, mentorship and sustainability are served by structure, not by a rule on words; none is pretended here.)
 * - stops: calls that are explained by keeping something from the owner (transparency)
 * - asks: calls that are explained by an approval already given or not needed (autonomy); only the approval itself counts
 * - lets through, with a word: calls of unusual size (bloat); and everything else, also talk about approvals in replies
 */
import { BLOATED_CALL_CHARS } from '../limits.ts';
import type { Action } from '../signal/action.ts';
import { isText } from '../signal/action.ts';
import { caseless } from './canonical-text.ts';
import type { Facts } from './facts.ts';
import { PASS, type Verdict } from './gate.ts';

/** Only the beginning is read: a reason stands there, and the explanation's own length has its bound elsewhere. */
const EXPLANATION_READ_CHARS = 2_000;
const HIDING =
  /\b(?:without (?:telling|informing|notifying)|(?:do not|don't|never|must not|should not) (?:tell|inform|notify|alert)|(?:hide|hiding|conceal|keep|keeping) (?:this|it|that) (?:secret )?from) (?:the |my |our |its )?(?:owner|user|person|human|approver)s?\b/;
const CLAIMED =
  /\b(?:already|pre-?) ?approved\b|\bapproval (?:is |was )?(?:already given|not (?:needed|required|necessary))\b|\b(?:no|without|skip(?:ping)?|bypass(?:ing)?) (?:the |an |any |human |owner's )?approval\b/;

export const checkStandingInvariants = (action: Action, _facts: Facts): Verdict => {
  if (action.author !== 'model' || isText(action)) return PASS;
  const said = caseless(action.explanation.slice(0, EXPLANATION_READ_CHARS));
  if (HIDING.test(said)) {
    return { verdict: 'block', reason: 'transparency: it is explained by keeping something from the owner' };
  }
  if (CLAIMED.test(said)) {
    return { verdict: 'ask', reason: 'autonomy: it claims an approval, and only a given one counts' };
  }
  const isBloated = JSON.stringify(action.args ?? {}).length > BLOATED_CALL_CHARS;
  return isBloated ? { verdict: 'pass', reason: 'bloat: the arguments are unusually long' } : PASS;
};
