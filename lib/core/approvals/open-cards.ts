/**
 * Bounds how many approvals are open at once: for a person without rights, a conversation, a
 * source, all of these together (the rest is kept for the owner), and everybody. One item lists the
 * open ones; each new approval is added in the transaction that stores it, if the item is as read.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { PENDING_APPROVALS_MAX, QUOTAS } from '../base/limits.ts';
import { type QuotaAccount, withoutReserve } from '../ledger/quota.ts';
import { absent, equals } from '../store/condition.ts';
import { approvalKey, type Key } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table, Write } from '../store/table.ts';
import { countWords } from '../text/quoted.ts';
import { parseApproval } from './approval.ts';

const openCardsKey = (space: string): Key => ({ pk: `approval#${space}#open`, sk: 'cards' });

const OpenCard = z.object({
  id: z.string(),
  /** Accounts it counts for; none if the owner's turn asked for it. */
  for: z.array(z.string()),
});
type OpenCard = z.infer<typeof OpenCard>;
const OpenCards = z.object({ round: z.int(), cards: z.array(OpenCard) });

export type CardRoom =
  | { readonly kind: 'room'; readonly write: Write }
  /** `isOwners`: the owner's own turns asked for all that wait. */
  | { readonly kind: 'full'; readonly reason: string; readonly isOwners: boolean };

/** If this condition fails, the list has changed and is read again. */
export const CARDS_AS_READ = 'the open approvals are as read';

const nameOf = ({ kind, name }: QuotaAccount): string => `${kind} ${name}`;

/** Pure. @returns why one more is too many; undefined if it is not */
const cardProblem = (open: readonly OpenCard[], accounts: readonly QuotaAccount[]): string | undefined => {
  const full = accounts.find(
    (account) => open.filter((card) => card.for.includes(nameOf(account))).length >= QUOTAS[account.kind].cards,
  );
  if (full !== undefined) return `this ${full.kind} has ${QUOTAS[full.kind].cards} approvals open already`;
  const others = open.filter((card) => card.for.length > 0).length;
  const isOthersFull = accounts.length > 0 && others >= withoutReserve(PENDING_APPROVALS_MAX);
  if (isOthersFull || open.length >= PENDING_APPROVALS_MAX)
    return `${isOthersFull ? others : PENDING_APPROVALS_MAX} approvals are open already: decide some first`;
  return undefined;
};

const loadOpen = async (table: Pick<Table, 'load'>, space: string, now: number) => {
  const item = await loadItem(table, openCardsKey(space));
  const parsed = OpenCards.safeParse(item ?? { round: 0, cards: [] });
  if (!parsed.success) throw new StoredItemError('open approvals', 'the list cannot be read');
  const { round, cards } = parsed.data;
  const items = await table.load(
    cards.map(({ id }) => approvalKey(space, id)),
    { isConsistent: true },
  );
  const isOpen = ({ id }: OpenCard, index: number): boolean => {
    const stored = items[index];
    const approval = stored === undefined ? undefined : parseApproval(id, stored);
    return approval?.state === 'pending' && approval.expiresAtMs > now;
  };
  return { round, open: cards.filter(isOpen) };
};

/** How many wait for a person. */
export const countOpenCards = async (table: Pick<Table, 'load'>, space: string, now: number): Promise<number> =>
  (await loadOpen(table, space, now)).open.length;

/** For the answer to a change of rules. None if nothing waited. */
export const describeEndedCards = (count: number): readonly string[] =>
  count === 0 ? [] : [`New rules: that ended ${countWords(count, 'waiting card')}, to be asked for again.`];

/** @param accounts of the sender who began the turn; empty for the owner */
export const findCardRoom = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
  accounts: readonly QuotaAccount[],
  now: number,
): Promise<CardRoom> => {
  const { round, open } = await loadOpen(table, space, now);
  const reason = cardProblem(open, accounts);
  if (reason !== undefined) return { kind: 'full', reason, isOwners: open.every((card) => card.for.length === 0) };
  const card: OpenCard = { id, for: accounts.map(nameOf) };
  return {
    kind: 'room',
    write: {
      kind: 'update',
      key: openCardsKey(space),
      change: { set: { schemaVersion: 1, round: round + 1, cards: [...open, card] } },
      condition: { name: CARDS_AS_READ, holds: round === 0 ? absent('round') : equals('round', round) },
    },
  };
};
