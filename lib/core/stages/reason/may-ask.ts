/** Whether a turn may ask a model at all. The words of a refusal are loaded only if it may not. */
import { isEveryKeyRefused } from '../../llm/provider-health.ts';
import type { Sensor, Signal } from '../../signal/signal.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-deps.ts';

/** Whether nobody waits for an answer: webhooks, jobs, what follows from these, and failures. */
export const isBackground = (signal: Pick<Signal, 'payload'>, rootSensor: Sensor): boolean =>
  signal.payload.sensor === 'loop-error' || rootSensor !== 'chat-message';

/** While every provider refuses its key, only people may have the providers asked. */
export const mayAsk = (
  { budget, now }: Pick<ReasonDeps, 'budget' | 'now'>,
  { record: { signal }, root, stop, session, steps, spending }: LoadedTurn,
): boolean => {
  if (stop.isOn || session.head?.stoppedBecause !== undefined) return false;
  if (signal.payload.sensor === 'session-summary' && steps.length === 0) return false;
  return !isBackground(signal, root.payload.sensor) || !isEveryKeyRefused(budget.providers, spending.item, now());
};
