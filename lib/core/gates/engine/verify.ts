/**
 * Judges an action by a gate set. The same values always give the same result, and nothing in a
 * gate, an action or a fact makes it throw. Only `verifyFully` waits: for facts.
 * - `verify` runs the gates once and hands a `modify` back to the caller
 * - `verifyFully` gathers facts for the changed action and runs every gate again, until it settles
 */

import { ProtocolError } from '../../base/errors.ts';
import { GATE_REASON_CHARS_MAX, JSON_DEPTH_MAX } from '../../base/limits.ts';
import { type Action, actionHash } from '../../signal/action.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import { Facts } from '../../signal/facts.ts';
import { type Gate, PASS, type TraceEntry, Verdict } from '../../signal/gate.ts';
import { approvalProblem, grantProblem } from '../rules/approval-fitness.ts';
import { ENGINE_NAME, type GateSet } from './build-gate-set.ts';

/** Gates that still change an action after so many rounds have blocked it. */
export const MODIFY_ROUNDS_MAX = 3;

export type { GateSet } from './build-gate-set.ts';

/** Runs every gate over the action. At Act, an `ask` that passed is an approval to spend. */
export const verify = (gateSet: GateSet, action: Action, facts: Facts): Verification => {
  const prepared = prepare(gateSet, action, facts);
  return typeof prepared === 'string' ? blockByEngine(action, [], prepared) : runGates(gateSet, prepared);
};

/** Whether a gate asked for a person. At Act it passes only with an approval to spend. */
export const hasAsked = (trace: readonly TraceEntry[]): boolean => trace.some((entry) => entry.verdict === 'ask');

/** The judgement over all rounds: the part that is stored (`JudgedAction`), and the reason. */
export interface FullVerification {
  /** The action in its last form, as a frozen copy. */
  readonly action: Action;
  /** Canonical hash of that form; empty for an action without one, which is blocked. */
  readonly hash: string;
  readonly outcome: JudgedAction['outcome'];
  readonly trace: readonly TraceEntry[];
  /** One entry per round. */
  readonly facts: readonly Facts[];
  /** Why it is not a plain pass: for the model or the person. */
  readonly reason: string;
}

/** The state between two rounds. It is settled once the outcome is no longer `modify`. */
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

/** Judges one round. The replay uses it too, so the two cannot drift apart. */
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

/** Runs the gates on facts of exactly the frozen copy, and again after each `modify`. */
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

export interface Verification {
  readonly outcome: 'pass' | 'ask' | 'block' | 'modify';
  /** The action judged, as a frozen copy; after `modify`, the changed one. */
  readonly action: Action;
  /** Every gate that ran, in order. */
  readonly trace: readonly TraceEntry[];
  /** Why it is no plain pass: the reason of the gate that ended the run, or of all that asked. */
  readonly reason: string;
}

/** Keeps the text well-formed after the cut, so that every trace has a canonical form. */
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

/** Adds a block by the engine itself to the trace. */
export const blockByEngine = (action: Action, trace: readonly TraceEntry[], reason: string): Verification => {
  const entry = entryOf(ENGINE_NAME, { verdict: 'block', reason });
  return { outcome: 'block', action, trace: [...trace, entry], reason: entry.reason };
};

/** Undefined if the action has no canonical form: it can be neither judged nor performed. */
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

/** Copies that no gate can change, after a check that they belong together; else the fault. */
export const prepare = (gateSet: GateSet, action: Action, facts: Facts): Prepared | string => {
  if (gateSet.problem !== '') return gateSet.problem;
  try {
    const judged = frozenCopy(action);
    const hash = actionHash(judged);
    const known = frozenCopy(facts);
    if (!Facts.safeParse(known).success) return 'the facts are not what gates can judge by';
    if (known.actionHash !== hash) return 'the facts are about another action';
    return { action: judged, facts: known, hash };
  } catch {
    return 'the action has no canonical form';
  }
};

/**
 * Runs the gates in order and joins their verdicts.
 * - a `block` ends the run
 * - an `ask` is remembered and the run goes on: a later block wins
 * - a `modify` ends the run; the changed action is judged anew from the first gate on
 * - a faulty list, facts about another action, or an action that is not plain data block before any
 *   gate runs, under the engine's own name
 */
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

/**
 * A changed author could pass for the system, a changed explanation for the model's own words, a
 * changed target for the one a person has read.
 */
const UNCHANGEABLE = ['author', 'template', 'card', 'explanation', 'target'] as const;

const block = (reason: string): Verdict => ({ verdict: 'block', reason });

const answerOf = (gate: Gate, action: Action, facts: Facts): Verdict => {
  try {
    const answer: unknown = gate.check(action, facts);
    if (answer === PASS) return PASS;
    const parsed = Verdict.safeParse(answer);
    return parsed.success ? parsed.data : block('the gate gave no valid verdict');
  } catch {
    return block('the gate failed');
  }
};

const withoutRewriting = (action: Action, verdict: Verdict): Verdict => {
  if (verdict.verdict !== 'modify') return verdict;
  const changed = UNCHANGEABLE.find((field) => verdict.action[field] !== action[field]);
  return changed === undefined ? verdict : block(`the gate tried to change ${changed}, which no gate may`);
};

const atLastMile = (gate: string, verdict: Verdict, facts: Facts, hash: string): Verdict => {
  if (verdict.verdict === 'modify') {
    return block(`it would have to be changed, and at the last mile nothing is: ${verdict.reason}`);
  }
  if (verdict.verdict !== 'ask') return verdict;
  const byGrant = facts.approval === null && facts.grant !== undefined;
  const problem = byGrant ? grantProblem(facts, gate, hash) : approvalProblem(facts, hash);
  if (problem !== '') return block(`${problem}: ${verdict.reason}`);
  const yes = byGrant ? 'a grant covers exactly this action' : 'a person approved exactly this action';
  return { verdict: 'ask', reason: `${yes}: ${verdict.reason}` };
};

/**
 * Runs one gate. A gate that throws, gives no verdict, or changes a field that no gate may change
 * has blocked (I3). Reasons of faults are fixed words: the words of a broken gate may hold
 * anything.
 * At the last mile (I4) a `modify` is a block, and an `ask` needs an approval or a grant that fits.
 */
export const runGate = (gate: Gate, action: Action, facts: Facts, hash: string): Verdict => {
  const verdict = withoutRewriting(action, answerOf(gate, action, facts));
  return facts.stage === 'act' ? atLastMile(gate.name, verdict, facts, hash) : verdict;
};

const copyOf = (value: unknown, depthLeft: number): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (depthLeft === 0) throw new ProtocolError('the value is nested too deeply');
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copyOf(item, depthLeft - 1)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new ProtocolError('the value is not plain data');
  // Facts that are built member by member would be slow to read: they have many.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    if (key === '__proto__') throw new ProtocolError('the value has a key that objects cannot carry');
    const child = copy[key];
    if (child === undefined) delete copy[key];
    else if (typeof child === 'object') copy[key] = copyOf(child, depthLeft - 1);
  }
  return Object.freeze(copy);
};

/**
 * Copies plain data deeply and freezes it, so that no gate can change what another judges. Members
 * that are `undefined` are dropped, as canonical JSON does. Actions and facts hold JSON one level
 * down: one level more than JSON may have.
 * @throws ProtocolError on data that is not plain or nested too deeply, and on a `__proto__` key.
 */
export function frozenCopy<T>(value: T): T;
export function frozenCopy(value: unknown): unknown {
  return copyOf(value, JSON_DEPTH_MAX + 1);
}
