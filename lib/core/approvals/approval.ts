/**
 * An approval: a person's one-time yes to one exact action (I5). Its id is 128 random bits. It is
 * bound to the action's hash, the rules' version and the space, and spent once, in the transaction
 * that claims the action. A person decides it, or time ends it, once. Only an approver decides, and
 * a tap counts only in the chat the card was sent to.
 */
import * as z from 'zod/mini';
import { ConditionError } from '../base/errors.ts';
import { Action } from '../signal/action.ts';
import { rootOf } from '../signal/ids.ts';
import { Origin, ReplyRoute, type Signal } from '../signal/signal.ts';
import { type Condition, equals } from '../store/condition.ts';
import { approvalKey } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';

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
  /** The arguments in plain words, as its tool says them; shown in their place. */
  lines: z.optional(z.array(z.string())),
  /** Those of them that a person must see before the rest. */
  notable: z.optional(z.array(z.string())),
  policyVersion: z.string(),
  /** Of the owner's policy, a part of that version; absent on records of earlier releases. */
  policyHash: z.optional(z.string()),
  /** Why the gates asked, one sentence each. */
  reasons: z.array(z.string()),
  /** The reasons with their gates; absent on records of earlier releases. */
  asks: z.optional(
    z.array(
      z.object({
        gate: z.string(),
        reason: z.string(),
        /** It only says that the action changes who may do what. */
        changesRights: z.optional(z.boolean()),
      }),
    ),
  ),
  /** Data or files are lost by it. */
  destroys: z.optional(z.boolean()),
  /** The person who began the turn, as the ingress authenticated them. */
  requester: z.optional(z.string()),
  /** The field of the target that names its receiver, if its owner declared one. */
  recipient: z.optional(z.string()),
  /** Worst origin of all that the action was made from. */
  origin: z.optional(Origin),
  /** Source of the outside text, in the words of the card; only if the origin is `outside`. */
  taintSource: z.optional(z.string()),
  /** Its price, and the rest of the day's budget. Absent on records of earlier releases. */
  costs: z.optional(z.object({ usd: z.int(), leftUsd: z.int() })),
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'spent']),
  createdAt: z.int(),
  expiresAtMs: z.int(),
  /** Telegram chat that shows the whole card. A tap from elsewhere decides nothing. */
  cardChat: z.optional(z.string()),
  /** Chat the card was sent to, if it is not the one the turn is answered in. */
  cardRoute: z.optional(ReplyRoute),
  /** When its card last offered to allow similar actions, epoch milliseconds. */
  similarAt: z.optional(z.int()),
  /** Signal that decided it. */
  decidedBy: z.optional(z.string()),
  /** Person who decided it. */
  decider: z.optional(z.string()),
  /** Why it expired, if not because its time was over. */
  endedBecause: z.optional(z.enum(['policy', 'refused'])),
  decidedAt: z.optional(z.int()),
  spentAt: z.optional(z.int()),
  /** When a yes ended unspent, because the action was refused for good. */
  endedAt: z.optional(z.int()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type Approval = z.infer<typeof Approval>;

/** Characters of a typed id. They are random: unlike a number they never mean another action. */
const SHORT_ID_CHARS = 6;
export const shortIdOf = (id: string): string => id.slice(0, SHORT_ID_CHARS);

/** Newest approvals or signals, among which a typed id must be the only one that begins so. */
const TYPED_ID_AMONG = 100;

/** The id that a person typed the start of. A signal and all that it caused count as one. */
const findTypedId = (ids: readonly string[], typed: string): string | undefined => {
  const start = typed.trim().toLowerCase();
  const found = start.length < SHORT_ID_CHARS ? [] : ids.filter((id) => id.toLowerCase().startsWith(start));
  const [only, ...others] = new Set(start.includes('/') ? found : found.map(rootOf));
  return others.length === 0 ? only : undefined;
};

/** The same among the newest of a feed. */
export const findTypedIn = async (
  table: Pick<Table, 'queryIndex'>,
  partition: string,
  typed: string,
): Promise<string | undefined> => {
  const { items } = await table.queryIndex({ index: 'feed', partition, limit: TYPED_ID_AMONG, isDescending: true });
  // Keys are `signal#<space>#<id>` and `approval#<space>#<id>`.
  return findTypedId(
    items.map(({ pk }) => String(pk).split('#').slice(2).join('#')),
    typed,
  );
};

/** The text that a person reads about a waiting action, on every channel. */
export interface CardLines {
  readonly sentence: string;
  readonly unusual: readonly string[];
  /** All else, down to the exact bytes. */
  readonly rest: readonly string[];
}

/** An approval as the list of all approvals shows it: a view, which nobody can edit (I14). */
export const STAGES = ['PLAN', 'APPROVED', 'DENIED', 'EXPIRED'] as const;
export type FlightStage = (typeof STAGES)[number];

/** One past its time or of another policy counts as expired before any sweep has marked it. */
export const stageOf = (
  approval: Pick<Approval, 'state' | 'expiresAtMs' | 'policyHash' | 'endedBecause'>,
  now: number,
  policyHash: string,
): FlightStage => {
  switch (approval.state) {
    case 'pending':
      return now < approval.expiresAtMs && (approval.policyHash ?? policyHash) === policyHash ? 'PLAN' : 'EXPIRED';
    case 'approved':
    case 'spent':
      return 'APPROVED';
    case 'denied':
      return 'DENIED';
    case 'expired':
      return approval.endedBecause === 'refused' ? 'APPROVED' : 'EXPIRED';
    default:
      return approval.state satisfies never;
  }
};

export const parseApproval = (id: string, item: Item): Approval => parseStored(item, Approval, `approval ${id}`);

export type ApprovalRuling =
  /** The wrong person, or the wrong chat. */
  | { readonly kind: 'may-not'; readonly because: 'person' | 'chat' }
  | { readonly kind: 'stale'; readonly state: Approval['state'] | 'unknown' }
  /** The rules have changed since it was asked: it expires, or has expired by this signal. */
  | { readonly kind: 'outdated' }
  /** The space is stopped: nothing is approved until an approver resumes it. */
  | { readonly kind: 'stopped' }
  /** Decided, now or by an earlier delivery of this signal. */
  | { readonly kind: 'decided'; readonly state: 'approved' | 'denied' };

export interface RulingFacts {
  readonly now: number;
  /** Version of the rules now in force. */
  readonly policyVersion: string;
  readonly isStopped: boolean;
  /** The group that the chat of the tap was before it became a supergroup. */
  readonly movedFrom?: string | undefined;
}

/** Says what a decision signal means for an approval as it stands. Pure. */
export const ruleOnApproval = (
  approval: Approval | undefined,
  signal: Signal,
  { now, policyVersion, isStopped, movedFrom }: RulingFacts,
): ApprovalRuling => {
  const { payload } = signal;
  if (approval === undefined || payload.sensor !== 'approval-decision' || approval.space !== signal.space)
    return { kind: 'stale', state: 'unknown' };
  if (!signal.sender.isApprover) return { kind: 'may-not', because: 'person' };
  const { card } = payload;
  const isMoved = approval.cardChat !== undefined && approval.cardChat === movedFrom;
  if (card !== undefined && approval.cardChat !== card.chat && !isMoved) return { kind: 'may-not', because: 'chat' };
  const wanted = payload.decision === 'deny' ? 'denied' : 'approved';
  if (approval.state === wanted && approval.decidedBy === signal.id) return { kind: 'decided', state: wanted };
  if (approval.endedBecause === 'policy' && approval.decidedBy === signal.id) return { kind: 'outdated' };
  if (approval.state !== 'pending') return { kind: 'stale', state: approval.state };
  if (now >= approval.expiresAtMs) return { kind: 'stale', state: 'expired' };
  if (approval.policyVersion !== policyVersion) return { kind: 'outdated' };
  if (wanted === 'approved' && isStopped) return { kind: 'stopped' };
  return { kind: 'decided', state: wanted };
};

const IS_PENDING: Condition = { name: 'approval is pending', holds: equals('state', 'pending') };

/** How a pending approval ends. */
export type Settlement =
  | { readonly state: 'approved' | 'denied'; readonly by: string; readonly decider: string }
  | { readonly state: 'expired'; readonly by: string; readonly endedBecause?: 'policy' };

/** Writes the outcome, once. @returns the approval as it stands, by this outcome or another. */
export const settleApproval = async (
  table: Pick<Table, 'update'>,
  approval: Approval,
  { by, ...outcome }: Settlement,
  now: number,
): Promise<Approval> => {
  try {
    const item = await table.update(
      approvalKey(approval.space, approval.id),
      {
        set: { ...outcome, decidedBy: by, decidedAt: now },
        // A denial's own signal is delivered until it is done; only the sweep comes back for an
        // expired one.
        remove: outcome.state === 'denied' ? ['unfinishedSpace', 'unfinishedAt'] : [],
      },
      IS_PENDING,
    );
    return parseApproval(approval.id, item);
  } catch (error) {
    if (!(error instanceof ConditionError) || typeof error.current !== 'object' || error.current === null) throw error;
    return parseApproval(approval.id, { ...error.current });
  }
};

/** Notes when a card offered to allow similar actions. @returns false once it is decided */
export const noteSimilar = (table: Pick<Table, 'update'>, { space, id }: Approval, at: number): Promise<boolean> =>
  updateIf(table, approvalKey(space, id), { set: { similarAt: at } }, IS_PENDING);

/** Ends a yes whose action was refused for good, so that no plan shows it as still to come. */
export const endUnspent = async (table: Pick<Table, 'update'>, { space, id }: Approval, now: number): Promise<void> => {
  const isApproved = { name: 'approval is approved and not spent', holds: equals('state', 'approved') };
  const set = { state: 'expired', endedBecause: 'refused', endedAt: now };
  await updateIf(table, approvalKey(space, id), { set, remove: ['unfinishedSpace', 'unfinishedAt'] }, isApproved);
};
