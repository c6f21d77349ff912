/**
 * Records of the table as evidence: the fixed part whose hash goes into a leaf, and the content beside it that may be forgotten.
 * Judgements are taken in the form they are stored in (`lib/ledger/ledger.ts`), because that form stays the same when facts are
 * added later. Approval ids are replaced by references, and approval cards are withheld: their bytes hold one (I5). Pure.
 */

import type { Approval } from '../approvals/approval.ts';
import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import {
  approvalRef,
  effectId,
  type FixedApproval,
  type FixedAttempt,
  type FixedDecision,
  type FixedEffect,
  type FixedJudged,
  recordHash,
} from '../evidence/record-hash.ts';
import { packFacts, packTrace } from '../ledger/ledger.ts';
import type { Attempt, Decision, Effect, JudgedAction, Proposal } from '../signal/decision.ts';
import type { Facts } from '../signal/facts.ts';

/** A record as an export holds it. */
export interface EvidenceRecord<T extends object> {
  readonly id: string;
  readonly fixed: T;
  /** Absent when it was forgotten, and where a kind of record has none. */
  readonly content?: object;
}

/** A member that is there but undefined has no canonical form. */
const withoutUndefined = <T extends object>(members: T): T => {
  const copy = { ...members };
  for (const [name, value] of Object.entries(copy)) if (value === undefined) Reflect.deleteProperty(copy, name);
  return copy;
};

const maskFacts = (facts: readonly Facts[]): readonly object[] =>
  packFacts(
    facts.map((one) =>
      one.approval === null ? one : { ...one, approval: { ...one.approval, id: approvalRef(one.approval.id) } },
    ),
  );

/** The hashes that stand for what may be forgotten; they are kept where it was. */
export const factsHash = (facts: readonly Facts[]): string => hashOf('facts', maskFacts(facts));
export const proposalHash = (proposal: Proposal): string => hashOf('proposal', withoutUndefined(proposal));
export const outputHash = (output: string): string => hashOf('output', output);

const fixJudged = ({ hash, outcome, trace, facts, factsHash: kept }: JudgedAction): FixedJudged => ({
  hash,
  outcome,
  trace: packTrace(trace),
  facts: kept ?? factsHash(facts),
});

const showJudged = ({ action, facts }: JudgedAction): object => ({
  ...(action.card === undefined ? { action } : { isWithheld: true }),
  facts: maskFacts(facts),
});

const fixAttempt = ({ schemaVersion: _v, proposal, proposalHash: kept, judged, ...rest }: Attempt): FixedAttempt =>
  withoutUndefined({
    ...rest,
    proposal: proposal === undefined ? kept : proposalHash(proposal),
    judged: judged.map(fixJudged),
  });

const showAttempt = ({ proposal, judged }: Attempt): object => ({
  ...(proposal === undefined ? {} : { proposal: withoutUndefined(proposal) }),
  judged: judged.map(showJudged),
});

/**
 * A decision with all its attempts: the rejected ones, which are items of their own, and the last, which it holds.
 * @param rejected in order
 */
export const buildDecisionRecord = (
  decision: Decision,
  rejected: readonly Attempt[],
): EvidenceRecord<FixedDecision> => {
  const { signalId, at, outcome, reason, gateSet, policyVersion, attemptCount, memory, seen, actions, attempt } =
    decision;
  const attempts = attempt === undefined ? rejected : [...rejected.filter(({ n }) => n !== attempt.n), attempt];
  const fixed: FixedDecision = {
    v: 1,
    signalId,
    at,
    outcome,
    reason,
    gateSet,
    policyVersion,
    attemptCount,
    ...(memory === undefined ? {} : { memory: withoutUndefined(memory) }),
    ...defined({ seen }),
    attempts: attempts.map(fixAttempt),
    actions: actions.map(fixJudged),
  };
  const content = { attempts: attempts.map(showAttempt), actions: actions.map(showJudged) };
  return decision.forgottenAt === undefined ? { id: signalId, fixed, content } : { id: signalId, fixed };
};

/** The claim's facts, the trace of the last mile, and what came of it. */
export const buildEffectRecord = (signalId: string, effect: Effect): EvidenceRecord<FixedEffect> => {
  const { schemaVersion: _v, leaseUntil: _lease, trace, facts, output, approvalId, grantId, ...kept } = effect;
  const { forgottenAt, factsHash: keptFacts, outputHash: keptOutput, ...rest } = kept;
  const fixed: FixedEffect = withoutUndefined({
    ...rest,
    v: 1 as const,
    signalId,
    trace: packTrace(trace),
    facts: keptFacts ?? factsHash(facts),
    approval: approvalId === undefined ? undefined : approvalRef(approvalId),
    grant: grantId,
    output: output === undefined ? keptOutput : outputHash(output),
  });
  const id = effectId(signalId, effect.n);
  if (forgottenAt !== undefined) return { id, fixed };
  return { id, fixed, content: { facts: maskFacts(facts), ...defined({ output }) } };
};

/** What was asked, of whom, and what was answered; the action itself stands in the decision. */
export const buildApprovalRecord = (approval: Approval): EvidenceRecord<FixedApproval> => {
  const ref = approvalRef(approval.id);
  const { session, signalId, n, actionHash, policyVersion, reasons, requester, origin, state, createdAt } = approval;
  const { expiresAtMs: expiresAt, decidedBy, decider, decidedAt, endedBecause, spentAt, endedAt } = approval;
  const bound = { session, signalId, n, actionHash, policyVersion, reasons, requester, origin, createdAt, expiresAt };
  const answered = { state, decidedBy, decider, decidedAt, endedBecause, spentAt, endedAt };
  return { id: ref, fixed: withoutUndefined({ v: 1 as const, ref, ...bound, ...answered }) };
};

/** Hash for the leaf of a decision. @throws ProtocolError when something in it has no canonical form. */
export const decisionRecordHash = (decision: Decision, rejected: readonly Attempt[]): string =>
  recordHash('decision', buildDecisionRecord(decision, rejected).fixed);

/** Hash for the leaf of an effect as it stands: when it is claimed, and again when it is settled or a person resolved it. */
export const effectRecordHash = (signalId: string, effect: Effect): string =>
  recordHash('effect', buildEffectRecord(signalId, effect).fixed);

/** Hash for the leaf of an approval as it stands: when it is asked for, decided, spent or has expired. */
export const approvalRecordHash = (approval: Approval): string =>
  recordHash('approval', buildApprovalRecord(approval).fixed);
