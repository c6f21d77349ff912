/** All stored of one judgement, for console, `replay` and `policy try`; no approval id (I5). */
import * as z from 'zod/mini';
import { Attempt, Decision, Effect } from '../../signal/decision.ts';
import { ReplyRoute } from '../../signal/signal.ts';

export const Evidence = z.object({
  id: z.string(),
  session: z.string(),
  reply: ReplyRoute,
  receivedAt: z.int(),
  /** Rejected attempts; the decision holds its own. */
  attempts: z.array(Attempt),
  decision: z.nullable(Decision),
  effects: z.array(Effect),
  /** Numbers of actions that are cards. Their bytes are a capability, so they are left out. */
  withheld: z.array(z.int()),
  /** Inputs were erased on the owner's request; hashes and verdicts are left. */
  isForgotten: z.boolean(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Newest first. A cursor means that there may be more. */
export const EvidencePage = z.object({ evidence: z.array(Evidence), cursor: z.optional(z.string()) });
export type EvidencePage = z.infer<typeof EvidencePage>;
