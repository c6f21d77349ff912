/** Divides the time of a turn, by the stored times of a signal and all it caused. Pure. */
import { sensorWords } from '../../../../wings/signals/sensor-words.ts';
import type { SignalView } from '../../../../wings/signals/view.ts';

export interface Span {
  readonly label: string;
  /** `work` of a model or an actuator, `queue` between stages, and `person`: waiting for a yes. */
  readonly kind: 'work' | 'queue' | 'person';
  /** Epoch milliseconds, both. */
  readonly from: number;
  readonly to: number;
}

/** Before it was claimed, and from then until it was settled. */
const spansOfEffects = ({ decision, effects }: SignalView): readonly Span[] =>
  effects.flatMap(({ n, actuator, claimedAt, settledAt }): readonly Span[] => {
    if (decision === null || claimedAt === undefined) return [];
    const asks = decision.actions.find((action) => action.n === n)?.trace.some(({ verdict }) => verdict === 'ask');
    const name = `effect ${n} (${actuator})`;
    const before = asks === true ? ({ label: `${name}: a person's yes`, kind: 'person' } as const) : undefined;
    return [
      { ...(before ?? { label: `${name}: queue`, kind: 'queue' }), from: decision.at, to: claimedAt },
      ...(settledAt === undefined ? [] : [{ label: name, kind: 'work', from: claimedAt, to: settledAt } as const]),
    ];
  });

/** Of one signal, in the order of its stages. */
const spansOf = (view: SignalView): readonly Span[] => {
  const attempts = view.decision?.attempts ?? view.attempts ?? [];
  const end = view.decision?.at ?? attempts.at(-1)?.at ?? view.receivedAt;
  const asked = attempts.map(
    ({ n, at, provider, model }, index): Span => ({
      label: `attempt ${n} (${provider} ${model}) and its gates`,
      kind: 'work',
      from: at,
      to: attempts[index + 1]?.at ?? end,
    }),
  );
  const label = attempts.length === 0 ? 'queues and code' : 'queues and Perceive';
  const begun: Span = { label, kind: 'queue', from: view.receivedAt, to: attempts[0]?.at ?? end };
  return [begun, ...asked, ...spansOfEffects(view)];
};

/** @param views a signal, and after it what it caused */
export const buildWaterfall = (views: readonly SignalView[]): readonly Span[] =>
  views.flatMap((view, index) => {
    const prefix = index === 0 ? '' : `${sensorWords(view.sensor)}: `;
    return spansOf(view).map((span) => ({ ...span, label: prefix + span.label }));
  });
