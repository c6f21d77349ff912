/** An approval fits in every part or not at all (I5). */
import { describe, expect, it } from 'vitest';
import { approvalProblem } from '../../../lib/gates/rules/approval-fitness.ts';
import { actionHash } from '../../../lib/signal/action.ts';
import type { ApprovalFacts, Facts } from '../../../lib/signal/facts.ts';
import { approvedFacts, factsFor, NOW, webhookCall } from '../samples.ts';

const action = webhookCall();
const hash = actionHash(action);
const given = (changes: Partial<ApprovalFacts> = {}, more: Partial<Facts> = {}): Facts => {
  const facts = approvedFacts(action, more);
  return { ...facts, approval: { ...(facts.approval as ApprovalFacts), ...changes } };
};

describe('approvalProblem', () => {
  it.each<readonly [string, Facts, string]>([
    ['one that fits', given(), ''],
    ['one spent by this effect, past its end', given({ state: 'spent-here', expiresAt: NOW - 1 }), ''],
    ['none', factsFor(action), 'no approval was given'],
    ['one still pending', given({ state: 'pending' }), 'the approval is pending'],
    ['one that was denied', given({ state: 'denied' }), 'the approval is denied'],
    ['one that expired', given({ state: 'expired' }), 'the approval is expired'],
    ['one that was spent', given({ state: 'spent' }), 'the approval is spent'],
    ['a state nobody knows', given({ state: 'given' as 'spent' }), 'the approval is in no known state'],
    ['another action', given({ actionHash: 'f'.repeat(64) }), 'the approval is for another action'],
    ['facts of another action', given({}, { actionHash: 'f'.repeat(64) }), 'the approval is for another action'],
    ['other rules', given({ policyVersion: 'b' }), 'the policy has changed since the approval'],
    ['another space', given({ space: 'other' }), 'the approval is for another space'],
    ['its end', given({ expiresAt: NOW }), 'the approval has expired'],
    ['no id', given({ id: '' }), 'the approval has no id'],
  ])('judges %s', (_name, facts, problem) => {
    expect(approvalProblem(facts, hash)).toBe(problem);
  });
});
