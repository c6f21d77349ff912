/**
 * An approval: a person's one-time yes to one exact action (I5). 128 random bits as id; bound to the canonical hash of
 * the action, the policy version and the space; expiring by `now` at spend; spent exactly once, in the transaction that
 * claims the action.
 */
import * as z from 'zod/mini';
import { Action } from '../signal/action.ts';

export const Approval = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  space: z.string(),
  session: z.string(),
  signalId: z.string(),
  /** Index of the action in the signal's decision. */
  n: z.int(),
  action: Action,
  actionHash: z.string(),
  policyVersion: z.string(),
  /** What the gates asked, one sentence each. */
  reasons: z.array(z.string()),
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'spent']),
  createdAt: z.int(),
  expiresAtMs: z.int(),
  /** Telegram chat the card is shown in: a tap from elsewhere decides nothing. */
  cardChat: z.optional(z.string()),
  decidedBy: z.optional(z.string()),
  decidedAt: z.optional(z.int()),
  spentAt: z.optional(z.int()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type Approval = z.infer<typeof Approval>;
