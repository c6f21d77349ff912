/**
 * Functions that a program offers with its words. They lie in the turn's first signal as one
 * untrusted piece of text, each under the name of a tool that only this turn knows. Pure.
 */
import * as z from 'zod/mini';
import { JsonObject, readJson } from '../../core/base/json.ts';
import type { Payload } from '../../core/signal/signal.ts';

/** Label of the piece that holds the offer. */
export const FUNCTIONS_LABEL = 'functions';

export const OfferedFunction = z.object({
  /** As a tool. None of ours begins so. */
  name: z.string().check(z.regex(/^caller-[a-z0-9-]{1,57}$/)),
  /** The program's own name for it. */
  own: z.string(),
  description: z.string(),
  parameters: JsonObject,
});
export type OfferedFunction = z.infer<typeof OfferedFunction>;

export const offeredIn = (payload: Payload): readonly OfferedFunction[] => {
  const pieces = payload.sensor === 'chat-message' ? payload.text : [];
  const text = pieces.find(({ label }) => label === FUNCTIONS_LABEL)?.text ?? '';
  return z.array(OfferedFunction).safeParse(readJson(text)).data ?? [];
};
