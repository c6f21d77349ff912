/**
 * Functions that a program offers with its words. They lie in the turn's first signal as one
 * untrusted piece of text, which the console alone makes (`offer.ts`), each under the name of a
 * tool that only this turn knows. Pure.
 */
import * as z from 'zod/mini';
import { JsonObject, readJson } from '../../core/base/json.ts';
import type { Payload } from '../../core/signal/signal.ts';

/** Label of the piece that holds the offer. */
export const FUNCTIONS_LABEL = 'functions';

export const OfferedFunctions = z.array(
  z.object({
    /** As a tool: `caller-…`, as none of ours begins. */
    name: z.string(),
    /** The program's own name for it. */
    own: z.string(),
    description: z.string(),
    parameters: JsonObject,
  }),
);
export type OfferedFunction = z.infer<typeof OfferedFunctions>[number];

/** Undefined if nothing is offered. */
export const offeredIn = (payload: Payload): readonly OfferedFunction[] | undefined => {
  const pieces = payload.sensor === 'chat-message' ? payload.text : [];
  const offer = pieces.find(({ label }) => label === FUNCTIONS_LABEL);
  return OfferedFunctions.safeParse(readJson(offer?.text ?? '')).data;
};
