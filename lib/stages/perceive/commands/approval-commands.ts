/**
 * `/approvals` lists what waits. `/approve <id>` and `/deny <id>`: a tap on a card, in words. They
 * take the way of the tap, so the card's chat, the approver, the rules and a stop are checked as
 * there (I5).
 */
import { findTypedIn, parseApproval, shortIdOf } from '../../../approvals/approval.ts';
import { defined } from '../../../base/defined.ts';
import { PENDING_APPROVALS_MAX } from '../../../base/limits.ts';
import { approvalNotices } from '../../../judge/approval-notices.ts';
import { indexPartitions } from '../../../store/keys.ts';
import { loadIndexed } from '../../../store/load-named.ts';
import type { IndexQuery } from '../../../store/table.ts';
import { answerApproval } from '../answer-approval.ts';
import { type Command, type PayloadOf, say } from '../code-context.ts';

/**
 * Names tools and no arguments: this answer is stored, and would hold words that somebody forgets
 * later.
 */
export const listWaiting: Command = async ({ table, signal, now }) => {
  const partition = indexPartitions.pendingApprovals(signal.space);
  const query: IndexQuery = { index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX };
  const found = (await loadIndexed(table, query)).items.map((item) => parseApproval('that waits', item));
  const waiting = found.filter((one) => one.state === 'pending' && one.expiresAtMs > now);
  const lines = waiting.map(({ id, action: { tool = 'a text' }, session }) => {
    const short = shortIdOf(id);
    return `${short}: ${tool}, of ${session} – /approve ${short}, /deny ${short}; its card says all of it`;
  });
  return say(approvalNotices.waiting(lines));
};

export const decideApproval: Command = async (context, rest, name) => {
  const { table, signal } = context;
  const approvalId = await findTypedIn(table, indexPartitions.approvalFeed(signal.space), rest);
  if (approvalId === undefined) return say(approvalNotices.noSuchApproval(name));
  // No card is changed by its number: only "allow similar…" needs one.
  const card = signal.reply.target === 'telegram' ? { chat: signal.reply.to, message: 0 } : undefined;
  const decision = name === 'approve' ? name : 'deny';
  const payload: PayloadOf<'approval-decision'> = {
    sensor: 'approval-decision',
    approvalId,
    decision,
    ...defined({ card }),
  };
  return say(await answerApproval({ ...context, signal: { ...signal, payload } }, payload));
};
