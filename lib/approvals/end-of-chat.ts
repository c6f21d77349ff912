/**
 * Ends the open approvals of a Telegram chat that is removed: those whose card it shows, and those
 * asked for in its conversation. The next sweep tells everybody else about it. A repeat ends what
 * is still open.
 */

import { PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { chatSession } from '../signal/channels.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { parseApproval, settleApproval } from './approval.ts';

export const endApprovalsOf = async (
  table: Pick<Table, 'load' | 'queryIndex' | 'update'>,
  space: string,
  chat: string,
  by: string,
  now: number,
): Promise<void> => {
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
  for (const item of items) {
    const approval = parseApproval('of the chat', item);
    if (approval.cardChat !== chat && approval.session !== chatSession(chat)) continue;
    await settleApproval(table, approval, { state: 'expired', by, endedBecause: 'policy' }, now);
  }
};
