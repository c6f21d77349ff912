/**
 * A person wants a text once more that may not have arrived. It is sent again once for each such
 * notice, if the tap comes from whoever asked or from an approver, in the chat the text was for.
 * Gives what to say; nothing is sent here.
 */

import { ConditionError } from '../../base/errors.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { parseDecision, parseEffect, parseRecord } from '../../ledger/ledger.ts';
import { mayReopen, type ReopenDeps, reopenEffect } from '../../ledger/reopen-effect.ts';
import type { Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { ReflexDeps } from './reflex.ts';

export const answerSendAgain = async (
  deps: Pick<ReflexDeps, 'table' | 'now'> & Pick<ReopenDeps, 'publish'>,
  { space, sender, payload }: Signal,
): Promise<Notice> => {
  if (payload.sensor !== 'send-again') return notices.sentAgain();
  const { signalId: id, n, tries, chat, message } = payload;
  const [root = id] = id.split('/');
  const items = await loadNamed(deps.table, {
    record: signalKeys.record(space, id),
    decision: signalKeys.decision(space, id),
    effect: signalKeys.effect(space, id, n),
    root: signalKeys.record(space, root),
  });
  if (
    items.record === undefined ||
    items.decision === undefined ||
    items.effect === undefined ||
    items.root === undefined
  )
    return notices.sentAgain();
  const [record, effect] = [parseRecord(id, items.record), parseEffect(id, items.effect)];
  const action = parseDecision(id, items.decision).actions[n]?.action;
  const isAsker = parseRecord(root, items.root).signal.sender.id === sender.id;
  if (action?.target !== 'telegram' || action.to !== chat || !(sender.isApprover || isAsker))
    return notices.mayNotSendAgain();
  const isOpen = (effect.state === 'unknown' || effect.state === 'failed') && effect.resolution === undefined;
  if (!isOpen || effect.tries !== tries || !mayReopen(record)) return notices.sentAgain();
  try {
    await reopenEffect(deps, record, effect);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return notices.sentAgain();
  }
  return notices.sendingAgain(message);
};
