/**
 * Runs the gates again on a stored judgement's own facts, without any effect: on the same gate set it must give the
 * stored trace, byte for byte (I9). Takes what the decision stores; names the first difference, if there is one. Pure.
 */
import { canonicalJson } from '../../base/canonical.ts';
import type { Action } from '../../signal/action.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import type { GateSet } from './build-gate-set.ts';
import { beginRounds, type FullVerification, judgeRound, settleRounds } from './verify.ts';

export interface Replay {
  readonly outcome: JudgedAction['outcome'];
  readonly trace: readonly TraceEntry[];
  /** What differs from the stored judgement; empty when nothing does, to the last byte. */
  readonly difference: string;
}

const differenceOf = (stored: JudgedAction, again: FullVerification, isComplete: boolean): string => {
  if (!isComplete) return 'the rounds do not end where the stored facts do';
  if (again.hash === '' || again.hash !== stored.hash) return 'the action is another one';
  if (again.outcome !== stored.outcome) return `the outcome is ${again.outcome} and was ${stored.outcome}`;
  if (canonicalJson(again.trace) === canonicalJson(stored.trace)) return '';
  const index = again.trace.findIndex((entry, at) => canonicalJson(entry) !== canonicalJson(stored.trace[at] ?? null));
  return `the trace differs at entry ${index === -1 ? again.trace.length : index}`;
};

/**
 * Re-runs a stored judgement on its stored facts. Whether the gate set is the one the decision names is the caller's
 * question (`decision.gateSet === gateSet.version`).
 * @param original the action as proposed, where gates changed it (more than one set of facts); else it is not needed.
 */
export const replay = (gateSet: GateSet, judged: JudgedAction, original: Action = judged.action): Replay => {
  let rounds = beginRounds(original);
  let used = 0;
  for (const facts of judged.facts) {
    if (rounds.outcome !== 'modify') break;
    rounds = judgeRound(gateSet, rounds, facts);
    used += 1;
  }
  const isComplete = rounds.outcome !== 'modify' && used === judged.facts.length;
  const again = settleRounds(rounds);
  return { outcome: again.outcome, trace: again.trace, difference: differenceOf(judged, again, isComplete) };
};
