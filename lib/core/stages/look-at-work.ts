/** One look at a turn that takes long: shows "typing", and says once that it is at work. */
import { notices } from '../judge/notices.ts';
import { saveNotice } from '../judge/notify.ts';
import { loadKillSwitch } from '../ledger/kill-switch.ts';
import { actMessage, noteChildren } from '../ledger/ledger.ts';
import type { SignalRecord } from '../ledger/record.ts';
import { sendsMessages } from '../signal/channels.ts';
import { childId } from '../signal/ids.ts';
import type { AtWorkDeps, Watch } from './at-work.ts';

/** Telegram shows "typing" for five seconds: every second look refreshes it. */
const LOOKS_PER_TYPING = 2;

export const lookAtWork = async (watch: Watch): Promise<void> => {
  const { deps, signal } = watch;
  watch.looks += 1;
  if (watch.isHushed) return;
  watch.root ??= await watch.loadRoot();
  const { root } = watch;
  if (root === undefined || root.signal.payload.sensor !== 'chat-message') return;
  const waitsSince = watch.resumedAt ?? root.signal.receivedAt;
  const isTyping = watch.looks % LOOKS_PER_TYPING === 0 && sendsMessages(signal.reply.target);
  const isTelling = watch.isToBeTold && deps.now() >= waitsSince + deps.afterMs;
  if (!isTyping && !isTelling) return;
  if ((await loadKillSwitch(deps.table, signal.space))?.isStopped === true || watch.isHushed) return;
  watch.isToBeTold &&= !isTelling;
  if (isTelling) await tellAtWork(deps, root);
  if (isTyping) await deps.type(signal);
};

const NOTICE = 'at-work';

const tellAtWork = async (deps: AtWorkDeps, { signal, children }: SignalRecord): Promise<void> => {
  if (children?.has(childId(signal.id, NOTICE)) === true) return;
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const saved = await saveNotice(deps.table, context, signal, NOTICE, notices.atWork());
  await deps.send(actMessage(saved.signal, saved.decision));
  await noteChildren(deps.table, signal, [saved.signal.id]);
};
