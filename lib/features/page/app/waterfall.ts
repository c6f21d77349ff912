/** Divides the time of a turn, by the stored times of a signal and all it caused. Pure. */

import { sensorWordsIn } from '../../../core/wings/signals/shown-words.ts';
import type { SignalView } from '../../../core/wings/signals/view.ts';
import { type Language, phraseIn } from './texts.ts';

export interface Span {
  readonly label: string;
  /** `work` of a model or an actuator, `queue` between stages, and `person`: waiting for a yes. */
  readonly kind: 'work' | 'queue' | 'person';
  /** Epoch milliseconds, both. */
  readonly from: number;
  readonly to: number;
}

/** Before it was claimed, and from then until it was settled. */
const spansOfEffects = ({ decision, effects }: SignalView, language: Language): readonly Span[] =>
  effects.flatMap(({ n, actuator, claimedAt, settledAt }): readonly Span[] => {
    if (decision === null || claimedAt === undefined) return [];
    const asks = decision.actions.find((action) => action.n === n)?.trace.some(({ verdict }) => verdict === 'ask');
    const name = phraseIn(language, 'effectOf')(n, actuator);
    const [wait, kind] = asks === true ? (['personsYes', 'person'] as const) : (['itsQueue', 'queue'] as const);
    return [
      { label: `${name}: ${phraseIn(language, wait)}`, kind, from: decision.at, to: claimedAt },
      ...(settledAt === undefined ? [] : [{ label: name, kind: 'work', from: claimedAt, to: settledAt } as const]),
    ];
  });

/** Of one signal, in the order of its stages. */
const spansOf = (view: SignalView, language: Language): readonly Span[] => {
  const attempts = view.decision?.attempts ?? view.attempts ?? [];
  const end = view.decision?.at ?? attempts.at(-1)?.at ?? view.receivedAt;
  const asked = attempts.map(
    ({ n, at, provider, model }, index): Span => ({
      label: phraseIn(language, 'attemptAndGates')(n, `${provider} ${model}`),
      kind: 'work',
      from: at,
      to: attempts[index + 1]?.at ?? end,
    }),
  );
  const label = phraseIn(language, attempts.length === 0 ? 'queuesAndCode' : 'queuesAndPerceive');
  const begun: Span = { label, kind: 'queue', from: view.receivedAt, to: attempts[0]?.at ?? end };
  return [begun, ...asked, ...spansOfEffects(view, language)];
};

/** @param views a signal, and after it what it caused */
export const buildWaterfall = (views: readonly SignalView[], language: Language): readonly Span[] =>
  views.flatMap((view, index) => {
    const prefix = index === 0 ? '' : `${sensorWordsIn(language, view.sensor)}: `;
    return spansOf(view, language).map((span) => ({ ...span, label: prefix + span.label }));
  });
