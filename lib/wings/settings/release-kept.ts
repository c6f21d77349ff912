/** Sends what was kept back for a chat that is muted no more. If lost, the sweep does. */
import { perceiveMessage } from '../../ledger/accept.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { chatOfSession } from '../../signal/channels.ts';
import { isKeptBackId } from '../../signal/ids.ts';
import { loadUnfinished, readRecords } from '../../stages/upkeep/sweep.ts';
import { indexPartitions } from '../../store/keys.ts';

export const releaseKept = async (
  { table, publishPerceive, signal: { space, id } }: Pick<CodeContext, 'table' | 'publishPerceive' | 'signal'>,
  chat: string,
): Promise<void> => {
  const { records } = readRecords(await loadUnfinished(table, indexPartitions.unfinishedSignals(space)));
  for (const { signal } of records)
    if (isKeptBackId(signal.id) && chatOfSession(signal.session) === chat)
      await publishPerceive(perceiveMessage(signal), `release:${id}`);
};
