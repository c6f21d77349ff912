/**
 * What was forgotten since a copy of the database was made is forgotten again before anything is served from it: the anchors beside
 * the database name the objects. Looks only where the newest anchor is ahead of the table; repeating it changes nothing.
 */
import { embeddedDynamoClient } from '../../lib/aws/clients.ts';
import { buildTable } from '../../lib/aws/table.ts';
import { buildFileAnchors, readAnchorFile } from '../../lib/evidence-log/anchor.ts';
import { loadLogHead } from '../../lib/evidence-log/read-log.ts';
import { RESTORE_ACTOR } from '../../lib/evidence-log/restore.ts';
import { buildMemory } from '../../lib/memory/memory.ts';

export interface ReapplyInput {
  readonly endpoint: string;
  readonly region: string;
  readonly tableName: string;
  readonly space: string;
  readonly anchorFolder: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** @returns ids of the objects that were forgotten anew. */
export const reapplyForgotten = async (input: ReapplyInput): Promise<readonly string[]> => {
  const { endpoint, region, tableName, space, anchorFolder, now } = input;
  const newest = await buildFileAnchors(anchorFolder, space).newest();
  if (newest === undefined) return [];
  const client = embeddedDynamoClient(endpoint, region);
  try {
    const table = buildTable(client, tableName);
    const head = await loadLogHead(table, space);
    if ((head?.checkpointSize ?? 0) >= newest.size) return [];
    const lost = (await readAnchorFile(anchorFolder, space)).filter(({ commit }) => commit > (head?.lastCommit ?? 0));
    const memory = buildMemory(table, space);
    const again: string[] = [];
    for (const id of new Set(lost.flatMap(({ forgotten }) => forgotten))) {
      const stored = await memory.load(id);
      if (stored === undefined || stored.state === 'forgotten') continue;
      await memory.forget({ id, signalId: `restore-${now}`, effectId: `restore-${id}`, actor: RESTORE_ACTOR, now });
      again.push(id);
    }
    return again;
  } finally {
    client.destroy();
  }
};
