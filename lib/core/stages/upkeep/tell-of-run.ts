/** The heartbeat's own texts about a job, to its first chat or home. A repeat sends nothing. */

import type { Notice } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import type { TickDeps } from '../../operations/hooks.ts';
import { homeRoute } from '../../signal/channels.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';

export type TellDeps = Pick<TickDeps, 'table' | 'publishPerceive' | 'loadGateSet' | 'space' | 'homeChat' | 'now'>;

/** @param signalId of the occurrence; each notice travels as its child */
export const tellOfRun = async (deps: TellDeps, signalId: string, list: readonly Notice[]): Promise<void> => {
  const { table, space, now, homeChat } = deps;
  const item = list.length === 0 ? undefined : await loadItem(table, signalKeys.record(space, signalId));
  if (item === undefined) return;
  const { signal } = parseRecord(signalId, item);
  const route = (signal.reply.target === 'system' ? homeRoute(homeChat) : undefined) ?? signal.reply;
  const context = { gateSet: await deps.loadGateSet(), now };
  for (const notice of list) {
    // `job-missed` is told as the child `missed`.
    const suffix = notice.template.slice(notice.template.indexOf('-') + 1);
    const { signal: told } = await saveNotice(table, context, signal, suffix, { ...notice, route });
    await deps.publishPerceive(perceiveMessage(told), 'notice');
  }
};
