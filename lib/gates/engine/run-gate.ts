/**
 * Runs one gate on one action, and closes every way in which a gate can fail (I3): one that throws, answers with
 * something that is not a verdict, or changes what no gate may change, has blocked.
 *
 * At the last mile (I4) nothing is changed any more and nobody can be asked: there a `modify` is a block, and an `ask`
 * stands only with an approval, or a grant, that is fit to be spent. Never throws; reasons of faults are fixed words, since what a
 * broken gate says may hold anything.
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { type Gate, PASS, Verdict } from '../../signal/gate.ts';
import { approvalProblem } from '../rules/approval-fitness.ts';
import { grantProblem } from '../rules/grant-fitness.ts';

/**
 * Who speaks, to whom it belongs and why it is done are not a gate's to rewrite: a changed author could pass for the
 * system, a changed explanation for the model's own words, a changed target for what a person has read.
 */
const UNCHANGEABLE = ['author', 'template', 'card', 'explanation', 'target'] as const;

const block = (reason: string): Verdict => ({ verdict: 'block', reason });

const answerOf = (gate: Gate, action: Action, facts: Facts): Verdict => {
  try {
    const answer: unknown = gate.check(action, facts);
    if (answer === PASS) return PASS;
    const parsed = Verdict.safeParse(answer);
    return parsed.success ? parsed.data : block('the gate gave no valid verdict');
  } catch {
    return block('the gate failed');
  }
};

const withoutRewriting = (action: Action, verdict: Verdict): Verdict => {
  if (verdict.verdict !== 'modify') return verdict;
  const changed = UNCHANGEABLE.find((field) => verdict.action[field] !== action[field]);
  return changed === undefined ? verdict : block(`the gate tried to change ${changed}, which no gate may`);
};

const atLastMile = (gate: string, verdict: Verdict, facts: Facts, hash: string): Verdict => {
  if (verdict.verdict === 'modify') {
    return block(`it would have to be changed, and at the last mile nothing is: ${verdict.reason}`);
  }
  if (verdict.verdict !== 'ask') return verdict;
  const byGrant = facts.approval === null && facts.grant !== undefined;
  const problem = byGrant ? grantProblem(facts, gate, hash) : approvalProblem(facts, hash);
  if (problem !== '') return block(`${problem}: ${verdict.reason}`);
  const yes = byGrant ? 'a grant covers exactly this action' : 'a person approved exactly this action';
  return { verdict: 'ask', reason: `${yes}: ${verdict.reason}` };
};

/** The verdict of one gate, after all rules. `hash` is the canonical hash of `action`. */
export const runGate = (gate: Gate, action: Action, facts: Facts, hash: string): Verdict => {
  const verdict = withoutRewriting(action, answerOf(gate, action, facts));
  return facts.stage === 'act' ? atLastMile(gate.name, verdict, facts, hash) : verdict;
};
