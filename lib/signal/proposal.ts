/** A proposal: what one model answer asks for, after parsing and before any gate. Text and n calls make n + 1 actions. */
import * as z from 'zod/mini';
import { JsonObject } from '../base/json.ts';

export const ProposedCall = z.strictObject({
  /** The provider's own call id, given back with the result. */
  callId: z.string(),
  /** As the model wrote it, normalised. */
  tool: z.string(),
  args: JsonObject,
  explanation: z.string(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

export const Proposal = z.strictObject({
  text: z.optional(z.string()),
  calls: z.array(ProposedCall),
});
export type Proposal = z.infer<typeof Proposal>;
