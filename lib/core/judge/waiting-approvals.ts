/** The approvals that wait for a person, oldest first, without those that are over. */
import { type Approval, parseApproval, stageOf } from '../approvals/approval.ts';
import { PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { chatOf, sendsMessages } from '../signal/channels.ts';
import type { Signal } from '../signal/signal.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';
import { loadPolicyHash } from './policy-setting.ts';

const loadWith = async <T extends Approval | undefined>(
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
  read: (item: Item) => T,
) => {
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
  const policyHash = await loadPolicyHash(table, space);
  const found = items.map(read).filter((approval) => approval !== undefined);
  const approvals = found
    .filter((approval) => stageOf(approval, now, policyHash) === 'PLAN')
    .sort((left, right) => left.createdAt - right.createdAt);
  return { approvals, unread: items.length - found.length };
};

const parseWaiting = (item: Item): Approval => parseApproval('that waits', item);

/**
 * For whoever decides: a yes may be meant for a card that this release cannot read.
 * @throws StoredItemError for such a one
 */
export const loadWaiting = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<readonly Approval[]> => (await loadWith(table, space, now, parseWaiting)).approvals;

/** For whoever looks: one that this release cannot read hides no other. It is counted. */
export const lookAtWaiting = (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<{ readonly approvals: readonly Approval[]; readonly unread: number }> =>
  loadWith(table, space, now, (item) => readOrSkip(item, parseWaiting));

/** In a chat those whose whole card it shows, elsewhere those of this conversation. */
export const loadWaitingHere = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  { reply, session, space }: Signal,
  now: number,
): Promise<readonly Approval[]> => {
  const isHere = ({ cardChat, ...asked }: Approval): boolean =>
    sendsMessages(reply.target) ? cardChat === chatOf(reply) : asked.session === session;
  return (await loadWaiting(table, space, now)).filter(isHere);
};
