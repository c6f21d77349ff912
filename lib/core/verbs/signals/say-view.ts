/**
 * A signal's view in the language of a person who reads it on the page: sentences of actions and
 * stored reasons, which are without orders to the model. The stored ones stay whole. Pure.
 */

import { defined } from '../../base/defined.ts';
import type { CardWords } from '../../judge/card.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import type { AttemptView, SignalView } from './view.ts';

export const sayView = (view: SignalView, say: Pick<CardWords, 'sentence' | 'stored'>): SignalView => {
  const stored = (text: string | undefined): string | undefined => text && say.stored(text);
  const trace = <T extends TraceEntry>(entries: readonly T[]): readonly T[] =>
    entries.map((entry) => ({ ...entry, reason: say.stored(entry.reason) }));
  const attempt = (one: AttemptView): AttemptView => ({
    ...one,
    ...defined({ problem: stored(one.problem), tierBecause: stored(one.tierBecause) }),
    trace: trace(one.trace),
  });
  const { decision, attempts, effects, stateReason, changes } = view;
  return {
    ...view,
    ...defined({
      stateReason: stored(stateReason),
      attempts: attempts?.map(attempt),
      changes: changes?.map(say.stored),
    }),
    decision: decision && {
      ...decision,
      reason: say.stored(decision.reason),
      attempts: decision.attempts.map(attempt),
      actions: decision.actions.map((one) => ({
        ...one,
        sentence: say.sentence(one.action),
        trace: trace(one.trace),
      })),
    },
    effects: effects.map((one) => ({ ...one, ...defined({ reason: stored(one.reason) }), trace: trace(one.trace) })),
  };
};
