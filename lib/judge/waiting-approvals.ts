/**
 * The approvals that wait for a person, oldest first, without those that are over. One that cannot
 * be read can be decided nowhere, and hides no other.
 */
import { type Approval, parseApproval, stageOf } from '../approvals/approval.ts';
import { PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { sendsMessages } from '../signal/channels.ts';
import type { Signal } from '../signal/signal.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import type { Table } from '../store/table.ts';
import { loadPolicyHash } from './policy/policy-setting.ts';

export const loadWaiting = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<readonly Approval[]> => {
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
  const policyHash = await loadPolicyHash(table, space);
  return items
    .flatMap((item) => readOrSkip(item, (known) => parseApproval('that waits', known)) ?? [])
    .filter((approval) => stageOf(approval, now, policyHash) === 'PLAN')
    .sort((left, right) => left.createdAt - right.createdAt);
};

/** In a chat those whose whole card it shows, elsewhere those of this conversation. */
export const loadWaitingHere = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  { reply, session, space }: Signal,
  now: number,
): Promise<readonly Approval[]> => {
  const isHere = ({ cardChat, ...asked }: Approval): boolean =>
    sendsMessages(reply.target) ? cardChat === reply.to : asked.session === session;
  return (await loadWaiting(table, space, now)).filter(isHere);
};
