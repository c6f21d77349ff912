/**
 * Records of the table as evidence: the fixed part, whose hash goes into a leaf, and the content,
 * which may be forgotten. Judgements keep the form they are stored in (`ledger/ledger.ts`): that
 * form stays the same when facts are added later. Approval ids become references, and approval
 * cards are withheld: their bytes hold one (I5). Pure.
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
  type RecordKind,
  recordHash,
  withoutAttempts,
} from '../evidence/record-hash.ts';
import { packFacts, packTrace } from '../ledger/ledger.ts';
import type { Attempt, Decision, Effect, JudgedAction, Proposal } from '../signal/decision.ts';
import type { Facts } from '../signal/facts.ts';
import type { TraceEntry } from '../signal/gate.ts';
import type { SignalRecords } from './due-leaves.ts';

export interface EvidenceRecord<T extends object> {
  readonly id: string;
  readonly fixed: T;
  /** Absent if it was forgotten, and for kinds of records that have none. */
  readonly content?: object;
}

/** A record as an export holds it, without its leaf. */
export interface LooseRecord extends EvidenceRecord<object> {
  readonly kind: RecordKind;
  /** Its content was erased at the owner's request. */
  readonly isForgotten?: true;
}

/** A member that is present but undefined has no canonical form. */
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

/** Hashes that stand for content after it is forgotten. */
export const factsHash = (facts: readonly Facts[]): string => hashOf('facts', maskFacts(facts));
export const proposalHash = (proposal: Proposal): string => hashOf('proposal', withoutUndefined(proposal));
export const outputHash = (output: string): string => hashOf('output', output);

const fixJudged = ({ hash, outcome, trace, facts, factsHash: storedHash }: JudgedAction): FixedJudged => ({
  hash,
  outcome,
  trace: packTrace(trace),
  facts: storedHash ?? factsHash(facts),
});

const showJudged = ({ action, facts }: JudgedAction): object => ({
  ...(action.card === undefined ? { action } : { isWithheld: true }),
  facts: maskFacts(facts),
});

const fixAttempt = ({
  schemaVersion: _v,
  proposal,
  proposalHash: storedHash,
  judged,
  ...rest
}: Attempt): FixedAttempt =>
  withoutUndefined({
    ...rest,
    proposal: proposal === undefined ? storedHash : proposalHash(proposal),
    judged: judged.map(fixJudged),
  });

const showAttempt = ({ proposal, judged }: Attempt): object => ({
  ...(proposal === undefined ? {} : { proposal: withoutUndefined(proposal) }),
  judged: judged.map(showJudged),
});

/** A decision with its rejected attempts, which are items of their own. */
export const buildDecisionRecord = (
  decision: Decision,
  rejected: readonly Attempt[],
): EvidenceRecord<FixedDecision> => {
  const { signalId, at, outcome, reason, gateSet, policyVersion, attemptCount, memory, seen, skill, actions, attempt } =
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
    ...(skill === undefined ? {} : { skill: { name: skill.name, hash: skill.hash } }),
    attempts: attempts.map(fixAttempt),
    actions: actions.map(fixJudged),
  };
  const content = { attempts: attempts.map(showAttempt), actions: actions.map(showJudged) };
  return decision.forgottenAt === undefined ? { id: signalId, fixed, content } : { id: signalId, fixed };
};

/** The claim's facts, Act's own trace, and the outcome. */
export const buildEffectRecord = (signalId: string, effect: Effect): EvidenceRecord<FixedEffect> => {
  const { schemaVersion: _v, leaseUntil: _lease, trace, facts, output, approvalId, grantId, ...stored } = effect;
  const { forgottenAt, factsHash: storedFacts, outputHash: storedOutput, ...rest } = stored;
  const fixed: FixedEffect = withoutUndefined({
    ...rest,
    v: 1 as const,
    signalId,
    trace: packTrace(trace),
    facts: storedFacts ?? factsHash(facts),
    approval: approvalId === undefined ? undefined : approvalRef(approvalId),
    grant: grantId,
    output: output === undefined ? storedOutput : outputHash(output),
  });
  const id = effectId(signalId, effect.n);
  if (forgottenAt !== undefined) return { id, fixed };
  return { id, fixed, content: { facts: maskFacts(facts), ...defined({ output }) } };
};

/** The question, who was asked, and the answer; the action itself stands in the decision. */
export const buildApprovalRecord = (approval: Approval): EvidenceRecord<FixedApproval> => {
  const ref = approvalRef(approval.id);
  const { session, signalId, n, actionHash, policyVersion, reasons, requester, origin, state, createdAt } = approval;
  const { expiresAtMs: expiresAt, decidedBy, decider, decidedAt, endedBecause, spentAt, endedAt } = approval;
  const bound = { session, signalId, n, actionHash, policyVersion, reasons, requester, origin, createdAt, expiresAt };
  const answered = { state, decidedBy, decider, decidedAt, endedBecause, spentAt, endedAt };
  return { id: ref, fixed: withoutUndefined({ v: 1 as const, ref, ...bound, ...answered }) };
};

/** The decision that a runner's job names: no attempt changes what was decided. */
export const jobDecisionHash = (decision: Decision): string =>
  recordHash('decision', withoutAttempts(buildDecisionRecord(decision, []).fixed));

/** The last mile's trace, as a job for a runner names it. */
export const jobTraceHash = (trace: readonly TraceEntry[]): string => hashOf('trace', packTrace(trace));

/** A signal's records, the decision before its effects. */
export const buildSignalRecords = (signal: SignalRecords): readonly LooseRecord[] => {
  const { decision, attempts, effects, approvals, rows } = signal;
  const ofRows = (wanted: boolean) =>
    rows.flatMap(({ mark: _mark, leaf: { kind }, isFirst = false, ...record }) =>
      isFirst === wanted ? [{ kind, ...record }] : [],
    );
  const records: LooseRecord[] = ofRows(true);
  if (decision !== undefined) {
    const record = buildDecisionRecord(decision, attempts);
    records.push({ kind: 'decision', ...record, ...(record.content === undefined ? { isForgotten: true } : {}) });
  }
  for (const approval of approvals) records.push({ kind: 'approval', ...buildApprovalRecord(approval) });
  for (const effect of effects) {
    const record = buildEffectRecord(signal.signal.id, effect);
    records.push({ kind: 'effect', ...record, ...(record.content === undefined ? { isForgotten: true } : {}) });
  }
  return [...records, ...ofRows(false)];
};
