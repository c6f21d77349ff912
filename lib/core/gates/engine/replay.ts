/**
 * Runs the gates again on a stored judgement's own facts. The same gate set must give the stored
 * trace, byte for byte (I9). Names the first difference. Pure.
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
  /** The first difference from the stored judgement; empty if every byte is the same. */
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

/** Judges again. @param original as proposed, if gates changed it (several sets of facts) */
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
