/**
 * `/approvals` lists what waits. `/approve <id>` and `/deny <id>`: a tap on a card, in words. They
 * take the way of the tap, so the card's chat, the approver, the rules and a stop are checked as
 * there (I5). Without an id they say what waits in this chat.
 */

import { type Approval, findTypedIn, shortIdOf } from '../../../approvals/approval.ts';
import { defined } from '../../../base/defined.ts';
import { approvalNotices } from '../../../judge/approval-notices.ts';
import { loadWaiting } from '../../../judge/waiting-approvals.ts';
import { type CodeContext, type Command, type PayloadOf, say } from '../../../operations/code-context.ts';
import { ago } from '../../../runner/describe-runner.ts';
import { sendsMessages } from '../../../signal/channels.ts';
import { isRunnerTool } from '../../../signal/runner-tools.ts';
import { indexPartitions } from '../../../store/keys.ts';
import { answerApproval } from '../answer-approval.ts';

/** The action without words: its tool, the webhook, chat or machine, and whether it destroys. */
const nameAction = ({ action: { tool, to, args = {} }, reasons }: Approval): string => {
  const machine = typeof args.runner === 'string' && isRunnerTool(tool) ? ` on ${args.runner}` : '';
  const name = `${(tool ?? 'a text to').replaceAll('-', ' ')}${to === undefined ? '' : ` ${to}`}${machine}`;
  return reasons.some((reason) => /\bdestroys\b/.test(reason)) ? `${name} (destroys)` : name;
};

/**
 * Names no words of an action: this answer is stored, and would hold words that somebody forgets
 * later.
 */
export const listWaiting: Command = async ({ table, signal, now }) => {
  const { reply, space } = signal;
  const lines = (await loadWaiting(table, space, now)).map((approval) => {
    const { id, session, cardChat, createdAt } = approval;
    const short = shortIdOf(id);
    const isElsewhere = sendsMessages(reply.target) && cardChat !== reply.to;
    const how = isElsewhere
      ? `decide it in the chat that has its card, or: npx passepartout approve ${short}`
      : `/approve ${short}, /deny ${short}`;
    return `${short}: ${nameAction(approval)}, asked ${ago(now - createdAt)} in ${session} – ${how}`;
  });
  return say(approvalNotices.waiting(lines));
};

/** In a chat those whose whole card it shows, elsewhere those of this conversation. */
const waitingHere = async ({ table, signal, now }: CodeContext): Promise<readonly Approval[]> => {
  const { reply, session, space } = signal;
  const isHere = ({ cardChat, ...asked }: Approval): boolean =>
    sendsMessages(reply.target) ? cardChat === reply.to : asked.session === session;
  return (await loadWaiting(table, space, now)).filter(isHere);
};

export const decideApproval: Command = async (context, rest, name) => {
  const { table, signal } = context;
  if (rest.trim() === '') return say(approvalNotices.waitingHere(name, await waitingHere(context)));
  const approvalId = await findTypedIn(table, indexPartitions.approvalFeed(signal.space), rest);
  if (approvalId === undefined) return say(approvalNotices.noSuchApproval(name));
  // No card is changed by its number: only "allow similar…" needs one.
  const card = sendsMessages(signal.reply.target) ? { chat: signal.reply.to, message: 0 } : undefined;
  const decision = name === 'approve' ? name : 'deny';
  const payload: PayloadOf<'approval-decision'> = {
    sensor: 'approval-decision',
    approvalId,
    decision,
    ...defined({ card }),
  };
  return say(await answerApproval({ ...context, signal: { ...signal, payload } }, payload));
};
