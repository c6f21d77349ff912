/**
 * Records as evidence: what changes their hash, what does not, and that no approval's id is in
 * them.
 */
import { describe, expect, it } from 'vitest';
import { approvalRef, earlierForms, recordHash } from '../../../lib/core/evidence/record-hash.ts';
import { packDecision, packEffect } from '../../../lib/core/ledger/ledger.ts';
import { buildApprovalRecord, buildDecisionRecord, buildEffectRecord } from '../../../lib/core/log/evidence-records.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import { Attempt, Decision, Effect, type JudgedAction } from '../../../lib/core/signal/decision.ts';
import { approvalRecordHash, decisionRecordHash, effectRecordHash } from '../../support/record-hashes.ts';
import { buildApproval } from '../edge/console/stored-fixtures.ts';
import { approvedFacts, factsFor, NOW, reply } from '../gates/samples.ts';

const ID = 'fe'.repeat(16);
const judged = (text: string, card?: string): JudgedAction => {
  const action = reply({ text, ...(card === undefined ? {} : { card, author: 'code' as const }) });
  const trace = [{ gate: 'kill-switch', verdict: 'pass' as const, reason: '' }];
  return { action, hash: actionHash(action), outcome: 'pass', trace, facts: [factsFor(action)] };
};
const attempt = (n: number): Attempt => ({
  schemaVersion: 1,
  n,
  at: NOW,
  provider: 'demo',
  model: 'scripted',
  promptHash: 'a'.repeat(64),
  proposal: { text: `try ${n}`, calls: [] },
  judged: [judged(`try ${n}`)],
});
const decision: Decision = {
  schemaVersion: 1,
  signalId: 'con-1',
  at: NOW,
  outcome: 'act',
  reason: '',
  gateSet: 'b'.repeat(64),
  policyVersion: 'c'.repeat(64),
  attempt: attempt(2),
  attemptCount: 2,
  actions: [judged('hello')],
};
const facts = approvedFacts(judged('hello').action, {});
const effect: Effect = {
  schemaVersion: 1,
  n: 0,
  actuator: 'telegram',
  state: 'claimed',
  actionHash: judged('hello').hash,
  trace: judged('hello').trace,
  facts: [{ ...facts, approval: facts.approval === null ? null : { ...facts.approval, id: ID } }],
  tries: 1,
  claim: 'c1',
  claimedAt: NOW,
  leaseUntil: NOW + 1,
  approvalId: ID,
};
const settled: Effect = {
  ...effect,
  state: 'done',
  settledAt: NOW + 5,
  output: '{"messageIds":[1]}',
  outputOrigin: 'agent',
};

describe('decisionRecordHash', () => {
  const hash = decisionRecordHash(decision, [attempt(1)]);

  it('is the same for a decision that was stored and read again', () => {
    const read = Decision.parse(JSON.parse(JSON.stringify(packDecision(decision))));
    expect(decisionRecordHash(read, [Attempt.parse(attempt(1))])).toBe(hash);
  });

  it.each<[string, Decision]>([
    ['the reason', { ...decision, reason: 'x' }],
    ['an action', { ...decision, actions: [judged('other')] }],
    ['a verdict', { ...decision, actions: [{ ...judged('hello'), trace: [] }] }],
    ['a fact', { ...decision, actions: [{ ...judged('hello'), facts: [factsFor(reply(), { isStopped: true })] }] }],
    ['the policy', { ...decision, policyVersion: 'd'.repeat(64) }],
    ['its attempt', { ...decision, attempt: attempt(3) }],
    ['where memory stood', { ...decision, memory: { commit: 3 } }],
    ['an object it was shown', { ...decision, seen: [{ id: ID, version: 1 }] }],
  ])('changes with %s', (_, changed) => {
    expect(decisionRecordHash(changed, [attempt(1)])).not.toBe(hash);
  });

  it('changes with a rejected attempt, and counts its own attempt once', () => {
    expect(decisionRecordHash(decision, [])).not.toBe(hash);
    expect(decisionRecordHash(decision, [attempt(1), attempt(2)])).toBe(hash);
  });

  it('stays when the content is forgotten, and the content is gone from the record', () => {
    const forgotten = { ...decision, forgottenAt: NOW + 9 };
    expect(decisionRecordHash(forgotten, [attempt(1)])).toBe(hash);
    expect(JSON.stringify(buildDecisionRecord(forgotten, [attempt(1)]))).not.toMatch(/hello|try 1/);
  });

  it('withholds an approval card, whose bytes hold a capability', () => {
    const { content, fixed } = buildDecisionRecord({ ...decision, actions: [judged('card', ID)] }, []);
    expect(JSON.stringify({ content, fixed })).not.toContain(ID);
    expect(content).toMatchObject({ actions: [{ isWithheld: true }] });
  });
});

describe('effectRecordHash', () => {
  it('is the same for an effect that was stored and read again', () => {
    const read = Effect.parse(JSON.parse(JSON.stringify(packEffect(settled))));
    expect(effectRecordHash('con-1', read)).toBe(effectRecordHash('con-1', settled));
  });

  it('holds no approval id, neither in the effect nor in its facts', () => {
    const record = buildEffectRecord('con-1', settled);
    expect(JSON.stringify(record)).not.toContain(ID);
    expect(record.fixed.approval).toBe(approvalRef(ID));
    expect(record.id).toBe('con-1#0');
  });

  it('knows how it stood when it was claimed', () => {
    const [claimed] = earlierForms('effect', buildEffectRecord('con-1', settled).fixed);
    expect(recordHash('effect', claimed as object)).toBe(effectRecordHash('con-1', effect));
  });

  it('stays for an effect of an earlier release, whatever facts have been added since', () => {
    const stored = {
      schemaVersion: 1,
      n: 0,
      actuator: 'console',
      state: 'done',
      actionHash: 'a'.repeat(64),
      trace: '["kill-switch"]',
      facts: `[{"schemaVersion":1,"stage":"act","now":1,"space":"default","actionHash":"${'a'.repeat(64)}","tier":"allow","origin":"owner","policyVersion":"${'b'.repeat(64)}"}]`,
      tries: 1,
      claim: 'c',
      claimedAt: 1,
      leaseUntil: 90_001,
      settledAt: 2,
      output: 'ok',
    };
    // A new fact needs a default, or every effect in the log would seem to have been changed.
    expect(effectRecordHash('con-1', Effect.parse(stored))).toBe(
      '915410461140ab30f2d0de058aa2425febdd22b32253d638f9e03fcf1bbdde24',
    );
  });

  it('does not change with the lease, which is over when anybody asks', () => {
    expect(effectRecordHash('con-1', { ...effect, leaseUntil: NOW + 2 })).toBe(effectRecordHash('con-1', effect));
  });

  it.each<[string, Effect]>([
    ['the output', { ...settled, output: '' }],
    ['the state', { ...settled, state: 'failed' }],
    ['a verdict', { ...settled, trace: [] }],
    ['the claim', { ...settled, claim: 'c2' }],
    ['its approval', { ...settled, approvalId: 'ab'.repeat(16) }],
  ])('changes with %s', (_, changed) => {
    expect(effectRecordHash('con-1', changed)).not.toBe(effectRecordHash('con-1', settled));
  });
});

describe('approvalRecordHash', () => {
  const pending = buildApproval(ID, judged('hello'), { signalId: 'con-1', createdAt: NOW, expiresAtMs: NOW + 60_000 });
  const approved = { ...pending, state: 'approved', decidedBy: 'con-2', decider: 'owner', decidedAt: NOW + 1 } as const;
  const spent = { ...approved, state: 'spent', spentAt: NOW + 2 } as const;

  it('changes with every step, and the record knows the steps before', () => {
    const hashes = [pending, approved, spent].map(approvalRecordHash);
    expect(new Set(hashes).size).toBe(3);
    const earlier = earlierForms('approval', buildApprovalRecord(spent).fixed).map((form) =>
      recordHash('approval', form),
    );
    expect(earlier).toStrictEqual([hashes[1], hashes[0]]);
  });

  it('holds a reference for the id, which cannot be found again', () => {
    expect(JSON.stringify(buildApprovalRecord(spent))).not.toContain(ID);
    expect(buildApprovalRecord(spent).id).toBe(approvalRef(ID));
    expect(approvalRef(ID)).toMatch(/^[0-9a-f]{32}$/);
  });
});
