/**
 * Judges an action by a gate set. Pure but for the gathering of facts, and total: the same values always give the same
 * result, byte for byte, and nothing a gate, an action or a fact contains makes it throw.
 *
 * - `verify` runs the gates once (`run-gates.ts` has the rules); a `modify` is handed back to the caller
 * - `verifyFully` goes on until the action settles: after a `modify` it gathers facts for the changed action and runs
 *   every gate again, at most MODIFY_ROUNDS_MAX times; gates that keep changing it have blocked it
 */
import type { Action } from '../../signal/action.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import type { Facts } from '../../signal/facts.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import type { GateSet } from './build-gate-set.ts';
import { frozenCopy } from './frozen-copy.ts';
import { blockByEngine, canonicalHash, prepare, runGates, type Verification } from './run-gates.ts';

/** Times an action may be changed by `modify` verdicts before it counts as blocked: gates that fight each other. */
export const MODIFY_ROUNDS_MAX = 3;

/** Part of every signature here. */
export type { GateSet } from './build-gate-set.ts';

/** Runs every gate of the set over the action. At `stage` `act` an `ask` in the trace of a pass is an approval to spend. */
export const verify = (gateSet: GateSet, action: Action, facts: Facts): Verification => {
  const prepared = prepare(gateSet, action, facts);
  return typeof prepared === 'string' ? blockByEngine(action, [], prepared) : runGates(gateSet, prepared);
};

/** Whether a gate asked for a person: at Act such an action passes only together with the approval spent in its claim. */
export const hasAsked = (trace: readonly TraceEntry[]): boolean => trace.some((entry) => entry.verdict === 'ask');

/** The judgement of an action over all rounds: what is stored (`JudgedAction`), and the reason to tell. */
export interface FullVerification {
  /** In its last form, as a frozen copy. */
  readonly action: Action;
  /** Canonical hash of that form; empty where it has none (and is blocked). */
  readonly hash: string;
  readonly outcome: JudgedAction['outcome'];
  readonly trace: readonly TraceEntry[];
  /** One entry per round. */
  readonly facts: readonly Facts[];
  /** Why it is not a plain pass, for the rejection given back to the model or the person. */
  readonly reason: string;
}

/** Where a run stands between two rounds; settled once the outcome is no longer `modify`. */
export interface Rounds extends Verification {
  readonly facts: readonly Facts[];
}

export const beginRounds = (action: Action): Rounds => ({
  outcome: 'modify',
  action,
  trace: [],
  facts: [],
  reason: '',
});

/** One round on the action as the last one left it. Shared with the replay, so that the two cannot drift apart. */
export const judgeRound = (gateSet: GateSet, before: Rounds, facts: Facts): Rounds => {
  const run = verify(gateSet, before.action, facts);
  const trace = [...before.trace, ...run.trace];
  const allFacts = [...before.facts, facts];
  if (run.outcome !== 'modify' || before.facts.length < MODIFY_ROUNDS_MAX) {
    return { ...run, trace, facts: allFacts };
  }
  const unsettled = `the gates were still changing it after ${MODIFY_ROUNDS_MAX} rounds`;
  return { ...blockByEngine(before.action, trace, unsettled), facts: allFacts };
};

export const settleRounds = ({ action, outcome, trace, facts, reason }: Rounds): FullVerification => ({
  action,
  hash: canonicalHash(action) ?? '',
  outcome: outcome === 'modify' ? 'block' : outcome,
  trace,
  facts,
  reason,
});

/**
 * Gathers facts, runs the gates, and goes round again after each `modify`.
 * @param gatherFacts gives the facts about exactly the action it is handed (a frozen copy). What it throws is thrown
 * on: without facts there is no judgement, and the caller sees the message again or refuses it.
 */
export const verifyFully = async (
  gateSet: GateSet,
  action: Action,
  gatherFacts: (action: Action) => Promise<Facts>,
): Promise<FullVerification> => {
  if (canonicalHash(action) === undefined) {
    return settleRounds({ ...blockByEngine(action, [], 'the action has no canonical form'), facts: [] });
  }
  let rounds = beginRounds(frozenCopy(action));
  while (rounds.outcome === 'modify') {
    rounds = judgeRound(gateSet, rounds, await gatherFacts(rounds.action));
  }
  return settleRounds(rounds);
};
