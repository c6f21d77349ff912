/**
 * Tries a policy on past decisions before it is in force. For every action that was proposed or
 * typed, the tier is found again and the gates run again on the stored facts. A different outcome
 * is a flip; a flip that lets more through is a widening. Only the policy changes: what another
 * release judged is first judged again without it. Pure.
 */

import { type GateSet, verify } from '../../core/gates/engine/verify.ts';
import { NO_TARGETS, type Targets } from '../../core/judge/declared.ts';
import { rulePermission } from '../../core/judge/facts/permissions.ts';
import { NO_POLICY, type SpacePolicy } from '../../core/judge/space-policy.ts';
import { codeOfEffect, isOffBySkill } from '../../core/ledger/old-sentences.ts';
import type { Action } from '../../core/signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../core/signal/decision.ts';
import type { Facts } from '../../core/signal/facts.ts';
import type { TraceEntry } from '../../core/signal/gate.ts';
import { isOfCode } from '../../core/signal/ids.ts';
import { bringsOutside, type Happened, type PastAt } from './past.ts';
import { NO_PAST } from './policy-domain.ts';

/** A stored judgement, as far as a trial needs it. */
export interface PastJudgement {
  readonly id: string;
  readonly session: string;
  /** Rejected attempts; the decision holds its own. */
  readonly attempts: readonly Attempt[];
  readonly decision: Decision | null;
  readonly isForgotten: boolean;
  /** Without them, what passed its decision counts as done. */
  readonly effects?: readonly Effect[];
}

type JudgedOutcome = JudgedAction['outcome'];

export interface PolicyFlip {
  readonly signalId: string;
  /** `action 0`, `attempt 2, action 1`. */
  readonly where: string;
  readonly action: Action;
  readonly before: JudgedOutcome;
  readonly after: JudgedOutcome;
  /** The policy lets more through: a block now asks or passes, or an ask now passes. */
  readonly isWidening: boolean;
  readonly traceBefore: readonly TraceEntry[];
  readonly traceAfter: readonly TraceEntry[];
}

/** The other sources of a trial. */
interface Tried {
  readonly pastAt: PastAt;
  readonly targets: Targets;
}

export interface PolicyTrial {
  /** Actions that were judged again. */
  readonly actionCount: number;
  readonly flips: readonly PolicyFlip[];
}

const STRICTNESS: Readonly<Record<JudgedOutcome, number>> = { pass: 0, ask: 1, block: 2 };

/** Judges the action once more as it stands: gates have made their changes to it already. */
const judgeOnce = (
  gateSet: GateSet,
  action: Action,
  facts: Facts,
): { outcome: JudgedOutcome; trace: readonly TraceEntry[] } => {
  const { outcome, trace } = verify(gateSet, action, facts);
  return { outcome: outcome === 'modify' ? 'block' : outcome, trace };
};

/** As under this policy. It makes no tool known and switches no skill on: such denials stay. */
const factsUnder = (
  policy: SpacePolicy,
  action: Action,
  facts: Facts,
  { id: signalId, session }: Pick<PastJudgement, 'id' | 'session'>,
  { pastAt, targets }: Tried,
): Facts => {
  if (!facts.isKnown || isOffBySkill(facts)) return facts;
  const { isCommandNamed: _ofThePolicyThen, ...others } = facts;
  const { now, space, origin, isPlainReply, shell, runner, tier, passingRead } = facts;
  const copies =
    tier === 'allow' && action.target === 'webhook' ? [{ target: action.target, to: action.to ?? '' }] : [];
  const moment = { now, origin, session, before: { signalId } };
  const past = policy.readPast !== undefined ? pastAt(action, moment) : undefined;
  const sources = { now, space, origin, session, shell, runner, passingRead, copies, past, targets, state: { policy } };
  return { ...others, ...rulePermission(action, isPlainReply, sources) };
};

const tryOne = (
  gateSet: GateSet,
  policy: SpacePolicy,
  evidence: PastJudgement,
  { action, facts, outcome, trace }: JudgedAction,
  where: string,
  tried: Tried,
): readonly PolicyFlip[] => {
  const last = facts.at(-1);
  if (last === undefined) return [];
  const isSameGateSet = evidence.decision?.gateSet === gateSet.version;
  const wasRuled = last.policyReason !== '';
  // If no rule spoke, the defaults of now are the ones to compare with.
  const before = wasRuled ? last : factsUnder(NO_POLICY, action, last, evidence, tried);
  const old = isSameGateSet && wasRuled ? { outcome, trace } : judgeOnce(gateSet, action, before);
  const fresh = judgeOnce(gateSet, action, factsUnder(policy, action, last, evidence, tried));
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

/** Every action with its place. A policy does not rule on code's own. */
const judgedOf = ({ attempts, decision }: PastJudgement): readonly (readonly [JudgedAction, string])[] => {
  const own = decision?.attempt === undefined ? [] : [decision.attempt];
  const rejected = [...attempts, ...own].flatMap(({ n, judged }) =>
    judged.map((one, index) => [one, `attempt ${n}, action ${index}`] as const),
  );
  const decided = (decision?.actions ?? []).map((one, index) => [one, `action ${index}`] as const);
  return [...rejected, ...decided].filter(([{ action }]) => !isOfCode(action));
};

/** Actions that were begun or denied, for a policy that counts them. Plain replies are no deeds. */
export const happenedIn = ({ id: signalId, session, decision, effects }: PastJudgement): readonly Happened[] =>
  (decision?.actions ?? []).flatMap(({ action, facts, outcome }, n): readonly Happened[] => {
    const effect = effects?.find((one) => one.n === n);
    const isDenied = effect !== undefined && effect.claimedAt === undefined && codeOfEffect(effect)?.code === 'denied';
    const begunAt = effects === undefined && outcome === 'pass' ? decision?.at : effect?.claimedAt;
    const at = isDenied ? effect.settledAt : begunAt;
    if (at === undefined || isOfCode(action) || facts.at(-1)?.isPlainReply !== false) return [];
    const isOpen = effect?.state === 'claimed' || effect?.state === 'suspended';
    return [
      {
        ...{ at, id: `${signalId}#${n}`, session, action, isDenied, bringsOutside: bringsOutside(action) },
        isApproved: effect?.approvalId === undefined || isDenied ? undefined : true,
        hasFailed: effect !== undefined && ['failed', 'refused', 'unknown'].includes(effect.state),
        endedAt: isOpen ? undefined : (effect?.settledAt ?? at),
      },
    ];
  });

/**
 * @param pastAt what was done before each moment; nothing if absent
 * @param targets as they are now; none declares anything if absent
 */
export const tryPolicy = (
  gateSet: GateSet,
  policy: SpacePolicy,
  evidence: PastJudgement,
  pastAt: PastAt = () => NO_PAST,
  targets: Targets = NO_TARGETS,
): PolicyTrial => {
  const all = evidence.isForgotten ? [] : judgedOf(evidence);
  return {
    actionCount: all.length,
    flips: all.flatMap(([judged, where]) => tryOne(gateSet, policy, evidence, judged, where, { pastAt, targets })),
  };
};
