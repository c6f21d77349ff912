import type { Approval } from '../../lib/core/approvals/approval.ts';
import { recordHash } from '../../lib/core/evidence/record-hash.ts';
import { buildApprovalRecord, buildDecisionRecord, buildEffectRecord } from '../../lib/core/log/evidence-records.ts';
import type { Attempt, Decision, Effect } from '../../lib/core/signal/decision.ts';

/** For the leaf of a decision. @throws ProtocolError if something in it has no canonical form */
export const decisionRecordHash = (decision: Decision, rejected: readonly Attempt[]): string =>
  recordHash('decision', buildDecisionRecord(decision, rejected).fixed);

export const effectRecordHash = (signalId: string, effect: Effect): string =>
  recordHash('effect', buildEffectRecord(signalId, effect).fixed);

export const approvalRecordHash = (approval: Approval): string =>
  recordHash('approval', buildApprovalRecord(approval).fixed);
