/**
 * Tries a policy on past decisions before it is in force. For every action that the model proposed,
 * the tier is found again and the gates run again on the stored facts. A different outcome is a
 * flip; a flip that lets more through is a widening. Only the policy changes: a decision of another
 * gate set is first judged again without the policy. Pure.
 */

import { type GateSet, verify } from '../../gates/engine/verify.ts';
import type { Action } from '../../signal/action.ts';
import type { Attempt, Decision, JudgedAction } from '../../signal/decision.ts';
import type { Facts } from '../../signal/facts.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import { isSummaryId } from '../../signal/ids.ts';
import { isSkillReason } from '../../skills/skill-settings.ts';
import { permissionOf } from '../gather-facts.ts';
import type { SpacePolicy } from './space-policy.ts';

/** A stored judgement, as far as a trial needs it. */
export interface PastJudgement {
  readonly id: string;
  readonly session: string;
  /** Rejected attempts; the decision holds its own. */
  readonly attempts: readonly Attempt[];
  readonly decision: Decision | null;
  readonly isForgotten: boolean;
}

type Outcome = JudgedAction['outcome'];

export interface PolicyFlip {
  readonly signalId: string;
  /** `action 0`, `attempt 2, action 1`. */
  readonly where: string;
  readonly action: Action;
  readonly before: Outcome;
  readonly after: Outcome;
  /** The policy lets more through: a block now asks or passes, or an ask now passes. */
  readonly isWidening: boolean;
  readonly traceBefore: readonly TraceEntry[];
  readonly traceAfter: readonly TraceEntry[];
}

export interface PolicyTrial {
  /** Actions of the model that were judged again. */
  readonly actionCount: number;
  readonly flips: readonly PolicyFlip[];
}

const STRICTNESS: Readonly<Record<Outcome, number>> = { pass: 0, ask: 1, block: 2 };

/** Judges the action once more as it stands: gates have made their changes to it already. */
const judgeOnce = (
  gateSet: GateSet,
  action: Action,
  facts: Facts,
): { outcome: Outcome; trace: readonly TraceEntry[] } => {
  const { outcome, trace } = verify(gateSet, action, facts);
  return { outcome: outcome === 'modify' ? 'block' : outcome, trace };
};

const tryOne = (
  gateSet: GateSet,
  policy: SpacePolicy,
  evidence: PastJudgement,
  { action, facts, outcome, trace }: JudgedAction,
  where: string,
): readonly PolicyFlip[] => {
  const last = facts.at(-1);
  if (last === undefined) return [];
  const { now, space, origin, isPlainReply, shell, runner } = last;
  const question = { now, space, origin, policy, session: evidence.session, shell, runner };
  const sensor = isSummaryId(evidence.id) ? ({ sensor: 'session-summary' } as const) : {};
  // A policy cannot switch a skill on, so a skill that was off stays denied.
  const isOff = isSkillReason(last.policyReason);
  const permission = permissionOf(action, isPlainReply, { ...question, ...sensor });
  const isSameGateSet = evidence.decision?.gateSet === gateSet.version;
  const old = isSameGateSet ? { outcome, trace } : judgeOnce(gateSet, action, last);
  const { isCommandNamed: _ofThePolicyThen, ...others } = last;
  const fresh = judgeOnce(gateSet, action, isOff ? last : { ...others, ...permission });
  if (fresh.outcome === old.outcome) return [];
  return [
    {
      signalId: evidence.id,
      where,
      action,
      before: old.outcome,
      after: fresh.outcome,
      isWidening: STRICTNESS[fresh.outcome] < STRICTNESS[old.outcome],
      traceBefore: old.trace,
      traceAfter: fresh.trace,
    },
  ];
};

/** Every action that the model proposed, with its place. A policy does not rule on code's own. */
const judgedOf = ({ attempts, decision }: PastJudgement): readonly (readonly [JudgedAction, string])[] => {
  const own = decision?.attempt === undefined ? [] : [decision.attempt];
  const rejected = [...attempts, ...own].flatMap(({ n, judged }) =>
    judged.map((one, index) => [one, `attempt ${n}, action ${index}`] as const),
  );
  const decided = (decision?.actions ?? []).map((one, index) => [one, `action ${index}`] as const);
  return [...rejected, ...decided].filter(([{ action }]) => action.author === 'model');
};

export const tryPolicy = (gateSet: GateSet, policy: SpacePolicy, evidence: PastJudgement): PolicyTrial => {
  const all = evidence.isForgotten ? [] : judgedOf(evidence);
  return {
    actionCount: all.length,
    flips: all.flatMap(([judged, where]) => tryOne(gateSet, policy, evidence, judged, where)),
  };
};
