/**
 * `/approve <id>` and `/deny <id>`: a tap on a card, in words. They take the way of the tap, so the
 * card's chat, the approver, the rules and a stop are checked as there (I5).
 */
import { findTypedId } from '../../../approvals/approval.ts';
import { defined } from '../../../base/defined.ts';
import { approvalNotices } from '../../../judge/approval-notices.ts';
import { indexPartitions } from '../../../store/keys.ts';
import { answerApproval } from '../answer-approval.ts';
import { type Command, type PayloadOf, say } from '../code-context.ts';

/** Approvals, newest first, among which a typed id must be the only one that begins so. */
const TYPED_ID_AMONG = 100;

export const decideApproval: Command = async (context, rest, name) => {
  const { table, signal } = context;
  const partition = indexPartitions.approvalFeed(signal.space);
  const { items } = await table.queryIndex({ index: 'feed', partition, limit: TYPED_ID_AMONG, isDescending: true });
  const ids = items.map(({ pk }) => String(pk).split('#').at(-1) ?? '');
  const approvalId = findTypedId(ids, rest);
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
