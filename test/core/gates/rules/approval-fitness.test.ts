/** An approval fits in every part or not at all (I5). */

import { describe, expect, it } from 'vitest';
import { verify } from '../../../../lib/core/gates/engine/verify.ts';
import { approvalProblem, grantProblem } from '../../../../lib/core/gates/rules/approval-fitness.ts';
import { actionHash } from '../../../../lib/core/signal/action.ts';
import type { ApprovalFacts, Facts } from '../../../../lib/core/signal/facts.ts';
import { PASS } from '../../../../lib/core/signal/gate.ts';
import { approvedFacts, factsFor, gate, gateSetWith, NOW, POLICY_VERSION, webhookCall } from '../samples.ts';

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

/** A grant answers what was asked in every part or not at all, and a block wins over it. */

type GrantFacts = NonNullable<Facts['grant']>;

const grantFacts = (changes: Partial<GrantFacts> = {}): GrantFacts => ({
  id: 'a'.repeat(12),
  actionHash: hash,
  policyVersion: POLICY_VERSION,
  space: 'default',
  state: 'live',
  expiresAt: NOW + 1,
  gates: ['asker'],
  coversTaint: false,
  ...changes,
});
const facts = (changes: Partial<GrantFacts> = {}, more: Partial<Facts> = {}): Facts =>
  factsFor(action, { stage: 'act', grant: grantFacts(changes), ...more });

describe('grantProblem', () => {
  it.each<[string, Facts, string]>([
    ['one that fits', facts(), ''],
    ['one spent by this effect, past its end', facts({ state: 'spent-here', expiresAt: NOW }), ''],
    ['outside text it names', facts({ coversTaint: true }, { origin: 'outside' }), ''],
    ['none', factsFor(action, { stage: 'act' }), 'no grant covers it'],
    ['one that was taken back', facts({ state: 'revoked' }), 'the grant is revoked'],
    ['one that is used up', facts({ state: 'used-up' }), 'the grant is used-up'],
    ['another action', facts({ actionHash: 'f'.repeat(64) }), 'the grant was found for another action'],
    ['facts of another action', facts({}, { actionHash: 'f'.repeat(64) }), 'the grant was found for another action'],
    ['a state nobody knows', facts({ state: 'given' as 'live' }), 'the grant is in no known state'],
    ['no action', facts({ actionHash: '' }), 'the grant was found for another action'],
    ['other rules', facts({ policyVersion: 'b' }), 'the policy has changed since the grant'],
    ['another space', facts({ space: 'other' }), 'the grant is for another space'],
    ['its end', facts({ expiresAt: NOW }), 'the grant has expired'],
    ['another gate', facts({ gates: ['other'] }), 'the grant was not given for what this gate asks'],
    ['outside text', facts({}, { origin: 'outside' }), 'the grant does not cover what outside text asked for'],
    ['no id', facts({ id: '' }), 'the grant has no id'],
  ])('judges %s', (_name, given, problem) => {
    expect(grantProblem(given, 'asker', hash)).toBe(problem);
  });
});

describe('verify, with a grant', () => {
  const asker = gate('asker', () => ({ verdict: 'ask', reason: 'may it?' }), 20);
  const entry = ({ trace }: ReturnType<typeof verify>) => trace.find(({ gate: name }) => name === 'asker');

  it('lets an ask stand at the last mile, and says by what', () => {
    const result = verify(gateSetWith(asker), action, facts());
    expect(result.outcome).toBe('pass');
    expect(entry(result)).toStrictEqual({
      gate: 'asker',
      verdict: 'ask',
      reason: 'a grant covers exactly this action: may it?',
    });
  });

  it('never lets a block pass', () => {
    const blocker = gate('blocker', () => ({ verdict: 'block', reason: 'never' }), 5);
    expect(verify(gateSetWith(asker, blocker), action, facts()).outcome).toBe('block');
  });

  it('blocks where another gate asks as well, which the grant was not given for', () => {
    const other = gate('other', () => ({ verdict: 'ask', reason: 'and this?' }), 15);
    expect(verify(gateSetWith(asker, other), action, facts())).toMatchObject({
      outcome: 'block',
      reason: 'the grant was not given for what this gate asks: and this?',
    });
  });

  it('changes nothing for what nobody asks about, and nothing before the last mile', () => {
    expect(verify(gateSetWith(gate('asker', () => PASS)), action, facts()).outcome).toBe('pass');
    expect(verify(gateSetWith(asker), action, facts({}, { stage: 'reason' })).outcome).toBe('ask');
  });

  it('counts for nothing beside an approval that does not fit', () => {
    const approval = {
      id: '0'.repeat(32),
      actionHash: hash,
      policyVersion: POLICY_VERSION,
      space: 'default',
      state: 'denied' as const,
      expiresAt: NOW + 1,
    };
    expect(verify(gateSetWith(asker), action, facts({}, { approval })).outcome).toBe('block');
  });
});
