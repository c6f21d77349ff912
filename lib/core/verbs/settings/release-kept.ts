/**
 * Sends what was kept back for a chat that is muted no more, and lets the next tick send its
 * digests. If lost, the sweep sends what was kept back, and the digests come after the hours.
 */
import { perceiveMessage } from '../../ledger/accept.ts';
import { isDigestItem, isUnchanged, parseDigest } from '../../ledger/digests.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { chatOfSession } from '../../signal/channels.ts';
import { isDigestId, isKeptBackId } from '../../signal/ids.ts';
import { loadUnfinished, readRecords } from '../../stages/upkeep/sweep.ts';
import { indexPartitions } from '../../store/keys.ts';
import { updateIf } from '../../store/update-if.ts';

export const releaseKept = async (
  {
    table,
    publishPerceive,
    signal: { space, id },
    now,
  }: Pick<CodeContext, 'table' | 'publishPerceive' | 'signal' | 'now'>,
  chat: string,
): Promise<void> => {
  const { records } = readRecords(await loadUnfinished(table, indexPartitions.unfinishedSignals(space)));
  for (const { signal } of records)
    if ((isKeptBackId(signal.id) || isDigestId(signal.id)) && chatOfSession(signal.session) === chat)
      await publishPerceive(perceiveMessage(signal), `release:${id}`);
  const due = await loadUnfinished(table, indexPartitions.jobs(space));
  for (const item of due.filter(isDigestItem)) {
    const digest = parseDigest(item);
    const key = { pk: String(item.pk), sk: String(item.sk) };
    if (digest.place.to === chat) await updateIf(table, key, { set: { unfinishedAt: now } }, isUnchanged(digest));
  }
};
