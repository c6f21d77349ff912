/**
 * A turn that meets a cap before the model is asked ends visibly: a decision that says which cap, what is left and when it
 * begins anew. In a conversation the owner is told each time, another person once a day; work
 * nobody wrote for (webhooks, jobs) says so once a cap and day and is then quiet. The home chat
 * hears of each cap once a day, wherever it was met.
 */

import { type Notice, notices } from '../../judge/notices.ts';
import { buildNoticeDecision, type NoticeContext } from '../../judge/notify.ts';
import { noteRefused, type QuotaAccount } from '../../ledger/quota.ts';
import { describeCap, describeReset } from '../../money/describe-spending.ts';
import type { CapCheck } from '../../money/plan-reservation.ts';
import { claimNotice } from '../../money/reserve.ts';
import type { Decision } from '../../signal/decision.ts';
import type { Sensor, Signal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';

const CONVERSATIONS: readonly Sensor[] = ['chat-message', 'user-input'];

const noticesFor = (
  signal: Pick<Signal, 'id' | 'reply'>,
  notice: Notice,
  homeChat: string,
  isFirst: boolean,
  isConversation: boolean,
): readonly Notice[] => {
  const isAtHome = signal.reply.target === 'telegram' && signal.reply.to === homeChat;
  const home: readonly Notice[] =
    isFirst && homeChat !== '' && !isAtHome ? [{ ...notice, route: { target: 'telegram', to: homeChat } }] : [];
  // Quiet is not nothing: the record has the text, and nobody is disturbed by it.
  const quiet: Notice = { ...notice, route: { target: 'system', to: '' } };
  return [isConversation || isFirst ? notice : quiet, ...home];
};

export const refuseOverBudget = async (
  deps: { readonly table: Pick<Table, 'update'>; readonly homeChat: string },
  context: NoticeContext,
  signal: Signal,
  rootSensor: Sensor,
  over: CapCheck,
  quotas: readonly QuotaAccount[],
): Promise<Decision> => {
  const [asker] = quotas;
  const capName = asker === undefined ? over.cap : `${over.cap}_others`;
  const isFirst = await claimNotice(deps.table, signal.space, context.now, capName, signal.id);
  const refused = { id: signal.id, what: 'spending' };
  const isTold = asker === undefined || (await noteRefused(deps.table, signal.space, asker, refused, context.now));
  const words = describeCap(over);
  const notice = notices.overBudget(words, describeReset(over.cap, context.now), signal.id);
  const said = noticesFor(signal, notice, deps.homeChat, isFirst, isTold && CONVERSATIONS.includes(rootSensor));
  return buildNoticeDecision(context, signal, 'refuse', `over the budget: ${words}`, said);
};
