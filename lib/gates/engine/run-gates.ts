/**
 * One run of a gate set over one action and its facts.
 *
 * - a `block` ends the run; nothing after it can revive the action
 * - an `ask` is remembered and the run goes on: a later block wins
 * - a `modify` ends the run with the changed action, which is judged anew from the first gate on (`verify.ts`)
 * - a broken list, facts about another action, or something that is not plain data block before any gate runs; the
 *   trace then says so under the engine's own name
 */
import { GATE_REASON_CHARS_MAX } from '../../base/limits.ts';
import { type Action, actionHash } from '../../signal/action.ts';
import { Facts } from '../../signal/facts.ts';
import type { TraceEntry, Verdict } from '../../signal/gate.ts';
import { ENGINE_NAME, type GateSet } from './build-gate-set.ts';
import { frozenCopy } from './frozen-copy.ts';
import { runGate } from './run-gate.ts';

export interface Verification {
  readonly outcome: 'pass' | 'ask' | 'block' | 'modify';
  /** The action judged, as a frozen copy; after `modify`, the changed one. */
  readonly action: Action;
  /** Every gate that ran, in order. */
  readonly trace: readonly TraceEntry[];
  /** Why it is not a plain pass: the blocking or changing gate's reason, or those of all gates that asked. */
  readonly reason: string;
}

/** Cut to the bound, and well-formed after the cut, so that every trace has a canonical form. */
const cutReason = (reason: string): string => {
  const text = reason.toWellFormed();
  if (text.length <= GATE_REASON_CHARS_MAX) return text;
  const cut = text.slice(0, GATE_REASON_CHARS_MAX - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
};

const entryOf = (gate: string, { verdict, reason }: Verdict): TraceEntry => ({
  gate,
  verdict,
  reason: cutReason(reason),
});

/** A block by the engine itself, as the last entry of a trace. */
export const blockByEngine = (action: Action, trace: readonly TraceEntry[], reason: string): Verification => {
  const entry = entryOf(ENGINE_NAME, { verdict: 'block', reason });
  return { outcome: 'block', action, trace: [...trace, entry], reason: entry.reason };
};

/** Hash of the action, or undefined where it has no canonical form: such a thing can be neither judged nor performed. */
export const canonicalHash = (action: Action): string | undefined => {
  try {
    return actionHash(frozenCopy(action));
  } catch {
    return undefined;
  }
};

export interface Prepared {
  readonly action: Action;
  readonly facts: Facts;
  readonly hash: string;
}

/** Copies that no gate can change, checked to belong together; or what is wrong with them. */
export const prepare = (gateSet: GateSet, action: Action, facts: Facts): Prepared | string => {
  if (gateSet.problem !== '') return gateSet.problem;
  try {
    const judged = frozenCopy(action);
    const hash = actionHash(judged);
    const parsed = Facts.safeParse(facts);
    if (!parsed.success) return 'the facts are not what gates can judge by';
    if (parsed.data.actionHash !== hash) return 'the facts are about another action';
    return { action: judged, facts: frozenCopy(parsed.data), hash };
  } catch {
    return 'the action has no canonical form';
  }
};

/** Runs the gates in order and joins their verdicts. At `act`, an ask that still stands has its approval. */
export const runGates = (gateSet: GateSet, { action, facts, hash }: Prepared): Verification => {
  const trace: TraceEntry[] = [];
  for (const gate of gateSet.gates) {
    const verdict = runGate(gate, action, facts, hash);
    const entry = entryOf(gate.name, verdict);
    trace.push(entry);
    if (verdict.verdict === 'block') return { outcome: 'block', action, trace, reason: entry.reason };
    if (verdict.verdict === 'modify') {
      return { outcome: 'modify', action: verdict.action, trace, reason: entry.reason };
    }
  }
  const asked = trace.filter((entry) => entry.verdict === 'ask');
  if (asked.length === 0) return { outcome: 'pass', action, trace, reason: '' };
  const reason = cutReason(asked.map((entry) => entry.reason).join('; '));
  return { outcome: facts.stage === 'act' ? 'pass' : 'ask', action, trace, reason };
};
