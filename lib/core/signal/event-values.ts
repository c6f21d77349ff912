import type { JsonObject } from '../base/json.ts';
import type { Signal } from './signal.ts';

/** An event as expressions and templates see it; undefined of other signals. */
export const eventValues = (payload: Signal['payload']): JsonObject | undefined => {
  if (payload.sensor !== 'webhook') return undefined;
  const { source, event, body, text } = payload;
  return { source, event, body, text: text.map((piece) => piece.text).join('\n') };
};
