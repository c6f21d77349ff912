/**
 * A person wants a text sent again that may not have arrived. Each such notice allows it once, to
 * whoever asked or an approver, in the chat the text was for. Sends nothing itself.
 */

import { type Notice, notices } from '../../judge/notices.ts';
import { parseDecision, parseEffect, parseRecord } from '../../ledger/ledger.ts';
import { mayReopen, reopenEffect } from '../../ledger/reopen-effect.ts';
import type { CodeContext, PayloadOf } from '../../operations/code-context.ts';
import { sendsMessages } from '../../signal/channels.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import { wasWritten } from '../../store/update-if.ts';

export const answerSendAgain = async (
  { table, publishPerceive, signal: { space, sender }, now }: CodeContext,
  { signalId: id, n, tries, chat, message }: PayloadOf<'send-again'>,
): Promise<Notice> => {
  const [root = id] = id.split('/');
  const items = await loadNamed(table, {
    record: signalKeys.record(space, id),
    decision: signalKeys.decision(space, id),
    effect: signalKeys.effect(space, id, n),
    root: signalKeys.record(space, root),
  });
  if (!items.record || !items.decision || !items.effect || !items.root) return notices.sentAgain();
  const record = parseRecord(id, items.record);
  const effect = parseEffect(id, items.effect);
  const action = parseDecision(id, items.decision).actions[n]?.action;
  const isAsker = parseRecord(root, items.root).signal.sender.id === sender.id;
  if (action?.to !== chat || !sendsMessages(action.target) || !(sender.isApprover || isAsker))
    return notices.mayNotSendAgain();
  const isOpen = (effect.state === 'unknown' || effect.state === 'failed') && effect.resolution === undefined;
  if (!isOpen || effect.tries !== tries || !mayReopen(record)) return notices.sentAgain();
  if (!(await wasWritten(reopenEffect({ table, publish: publishPerceive, now }, record, effect))))
    return notices.sentAgain();
  return notices.sendingAgain(message);
};
