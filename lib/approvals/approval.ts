/**
 * An approval: a person's one-time yes to one exact action (I5). 128 random bits as id; bound to the canonical hash of
 * the action, the policy version and the space; expiring by `now` at spend; spent exactly once, in the transaction that
 * claims the action.
 */
import * as z from 'zod/mini';
import { Action } from '../signal/action.ts';
import { Origin, ReplyRoute } from '../signal/signal.ts';

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
  /** The same, each with its gate; absent on records of earlier releases. */
  asks: z.optional(z.array(z.object({ gate: z.string(), reason: z.string() }))),
  /** Who started the turn it came up in, as the ingress authenticated them. */
  requester: z.optional(z.string()),
  /** Worst origin of what the action was made from. */
  origin: z.optional(Origin),
  /** Where the outside text came from, in the words of the card; only where the origin is `outside`. */
  taintSource: z.optional(z.string()),
  /** Micro-dollars: what it costs, and what of the day is left before it. Absent on records of earlier releases. */
  costs: z.optional(z.object({ usd: z.int(), leftUsd: z.int() })),
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'spent']),
  createdAt: z.int(),
  expiresAtMs: z.int(),
  /** Telegram chat the whole card is shown in: a tap from elsewhere, or on a card that shows less, decides nothing. */
  cardChat: z.optional(z.string()),
  /** Chat the card was sent to, where that is not the one the turn is answered in. */
  cardRoute: z.optional(ReplyRoute),
  /** When its card last showed the bounds for allowing similar ones, epoch milliseconds. */
  similarAt: z.optional(z.int()),
  /** Signal that decided it. */
  decidedBy: z.optional(z.string()),
  /** Person who decided it. */
  decider: z.optional(z.string()),
  /** Why it expired, where it was not for its time. */
  endedBecause: z.optional(z.enum(['policy', 'refused'])),
  decidedAt: z.optional(z.int()),
  spentAt: z.optional(z.int()),
  /** When a yes ended unspent, because its action was refused for good. */
  endedAt: z.optional(z.int()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type Approval = z.infer<typeof Approval>;
