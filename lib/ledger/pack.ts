/**
 * How judgements are stored: a gate that passed without a word is its name alone, and facts leave out what they say by
 * default, and each judgement is one JSON text. Evidence is unlimited in time and charged by the kilobyte; unpacked it is the same, value for value. The schemas
 * of `lib/signal/decision.ts` read both forms. Pure.
 */

import type { Attempt, Decision, Effect, JudgedAction } from '../signal/decision.ts';
import { FACT_DEFAULTS, type Facts } from '../signal/facts.ts';
import type { TraceEntry } from '../signal/gate.ts';

export const packTrace = (trace: readonly TraceEntry[]): readonly (string | TraceEntry)[] =>
  trace.map((entry) => (entry.verdict === 'pass' && entry.reason === '' ? entry.gate : entry));

const isDefault = (name: string, value: unknown): boolean =>
  Object.hasOwn(FACT_DEFAULTS, name) && JSON.stringify(Reflect.get(FACT_DEFAULTS, name)) === JSON.stringify(value);

export const packFacts = (facts: readonly Facts[]): readonly object[] =>
  facts.map((one) => Object.fromEntries(Object.entries(one).filter(([name, value]) => !isDefault(name, value))));

const packJudged = (judged: JudgedAction): object => ({
  ...judged,
  trace: packTrace(judged.trace),
  facts: packFacts(judged.facts),
});

const packAttemptIn = (attempt: Attempt): object => ({ ...attempt, judged: attempt.judged.map(packJudged) });

export const packAttempt = (attempt: Attempt) => ({
  ...attempt,
  judged: JSON.stringify(attempt.judged.map(packJudged)),
});

export const packDecision = (decision: Decision) => ({
  ...decision,
  ...(decision.attempt === undefined ? {} : { attempt: JSON.stringify(packAttemptIn(decision.attempt)) }),
  actions: JSON.stringify(decision.actions.map(packJudged)),
});

export const packEffect = (effect: Effect) => ({
  ...effect,
  trace: JSON.stringify(packTrace(effect.trace)),
  facts: JSON.stringify(packFacts(effect.facts)),
});
