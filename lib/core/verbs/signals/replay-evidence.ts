/**
 * Replays everything that was judged about a signal on its stored facts (I9): each came out the
 * same to the last byte or differs, is of another gate set, was forgotten, or is a card. Pure.
 */
import { canonicalJson } from '../../base/canonical.ts';
import { replay } from '../../gates/engine/replay.ts';
import { beginRounds, type GateSet, judgeRound, settleRounds } from '../../gates/engine/verify.ts';
import { buildActions } from '../../judge/build-actions.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Facts } from '../../signal/facts.ts';
import type { Evidence } from './signal-evidence.ts';

export type ReplayKind = 'identical' | 'different' | 'other-version' | 'forgotten' | 'withheld';

export interface Replayed {
  readonly kind: ReplayKind;
  /** `action 0`, `attempt 2, action 1`, `effect 0`. */
  readonly where: string;
  /** Says what differs; empty unless the kind is `different`. */
  readonly difference: string;
}

interface Replaying {
  readonly evidence: Evidence;
  readonly decision: Decision;
  /** The gate set at hand that a policy version belongs to. */
  readonly versions: ReadonlyMap<string, GateSet>;
}

/** The gate set at hand that judged by these facts: the one their policy version belongs to. */
const setOf = ({ versions }: Replaying, facts: readonly Facts[]): GateSet | undefined => {
  const [first, ...more] = facts.map(({ policyVersion }) => versions.get(policyVersion));
  return more.every((one) => one === first) ? first : undefined;
};

/** Addresses of webhooks as they were configured when the action was judged. */
const urlsOf = (judged: readonly JudgedAction[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    judged.flatMap(({ action, facts }) => {
      const url = facts[0]?.network?.configuredUrl ?? '';
      return action.to === undefined || url === '' ? [] : [[action.to, url]];
    }),
  );

/** The actions as the model proposed them, which a replay needs if gates changed them. */
const originalsOf = (
  { reply }: Evidence,
  attempt: Attempt | undefined,
  judged: readonly JudgedAction[],
): readonly Action[] => {
  const actions = judged.map(({ action }) => action);
  const proposal = attempt?.proposal;
  if (proposal === undefined || judged.every(({ facts }) => facts.length < 2)) return actions;
  const originals = buildActions(proposal, { reply, webhookUrls: urlsOf(judged) });
  // A job's answer goes to further destinations, between the first text and the calls.
  const copies = actions.slice(1, 1 + actions.length - originals.length);
  const copied = copies.map(
    ({ links: _shown, ...action }): Action => (isText(action) ? { ...action, text: proposal.text ?? '' } : action),
  );
  return [...originals.slice(0, 1), ...copied, ...originals.slice(1)];
};

const replayJudged = (context: Replaying, judged: JudgedAction, original: Action, where: string): Replayed => {
  const gateSet = setOf(context, judged.facts);
  if (gateSet === undefined) return { kind: 'other-version', where, difference: '' };
  const { difference } = replay(gateSet, judged, judged.facts.length > 1 ? original : judged.action);
  return { kind: difference === '' ? 'identical' : 'different', where, difference };
};

const replayAttempt = (context: Replaying, attempt: Attempt): readonly Replayed[] => {
  const originals = originalsOf(context.evidence, attempt, attempt.judged);
  return attempt.judged.map((judged, n) =>
    replayJudged(context, judged, originals[n] ?? judged.action, `attempt ${attempt.n}, action ${n}`),
  );
};

/**
 * The last mile judges the decided action, and stores trace and facts; its outcome is the effect's.
 */
const replayEffect = (context: Replaying, effect: Effect): Replayed => {
  const where = `effect ${effect.n}`;
  const action = context.decision.actions[effect.n]?.action;
  if (action === undefined) return { kind: 'different', where, difference: 'the decision has no such action' };
  if (context.evidence.withheld.includes(effect.n)) return { kind: 'withheld', where, difference: '' };
  const gateSet = setOf(context, effect.facts);
  if (gateSet === undefined) return { kind: 'other-version', where, difference: '' };
  let rounds = beginRounds(action);
  for (const facts of effect.facts) rounds = judgeRound(gateSet, rounds, facts);
  const isSame = canonicalJson(settleRounds(rounds).trace) === canonicalJson(effect.trace);
  return {
    kind: isSame ? 'identical' : 'different',
    where,
    difference: isSame ? '' : 'the trace of the last mile differs',
  };
};

const replayDecision = (context: Replaying): readonly Replayed[] => {
  const { decision, evidence } = context;
  const originals = originalsOf(evidence, decision.attempt, decision.outcome === 'act' ? decision.actions : []);
  const own = decision.attempt?.judged ?? [];
  return [
    ...(decision.attempt === undefined || own.length === 0 ? [] : replayAttempt(context, decision.attempt)),
    ...decision.actions.map((judged, n): Replayed => {
      const where = `action ${n}`;
      if (evidence.withheld.includes(n)) return { kind: 'withheld', where, difference: '' };
      return replayJudged(context, judged, originals[n] ?? judged.action, where);
    }),
  ];
};

const NO_OTHERS: ReadonlyMap<string, GateSet> = new Map();

/**
 * @param policyHashes known to have been in force: the last mile may have had another policy
 * @param others further gate sets at hand, by their versions
 */
export const replayEvidence = (
  gateSet: GateSet,
  evidence: Evidence,
  policyHashes: readonly string[] = [],
  others = NO_OTHERS,
): readonly Replayed[] => {
  const { decision, attempts, effects } = evidence;
  if (decision === null) return [];
  if (evidence.isForgotten) return [{ kind: 'forgotten', where: 'decision', difference: '' }];
  const known = new Map([...others, [gateSet.version, gateSet]]);
  const versions = new Map(
    [...known].flatMap(([version, one]) =>
      ['', ...policyHashes].map((hash) => [buildPolicyVersion({ version }, hash), one] as const),
    ),
  );
  const own = known.get(decision.gateSet);
  if (own !== undefined) versions.set(decision.policyVersion, own);
  const context: Replaying = { evidence, decision, versions };
  return [
    ...attempts.flatMap((attempt) => replayAttempt(context, attempt)),
    ...replayDecision(context),
    // An effect refused before it was judged has neither facts nor trace.
    ...effects
      .filter(({ facts, trace }) => facts.length + trace.length > 0)
      .map((effect) => replayEffect(context, effect)),
  ];
};
