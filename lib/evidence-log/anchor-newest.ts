/**
 * Anchors the newest checkpoint, if it is not anchored yet: after every run, so that one whose anchoring failed, or whose writer
 * died before, is caught up with. Never anchors a log that has less than what is anchored already: that is a restored copy,
 * and whoever starts it is told (`restore.ts`).
 */
import type { Table } from '../aws/table.ts';
import type { Anchors } from './anchor.ts';
import { FORGOTTEN_PREFIX, logKeys } from './keys.ts';
import { loadCheckpoint, loadLogHead } from './read-log.ts';
import { parseLogItem, StoredForgotten } from './stored.ts';

export interface AnchorDeps {
  readonly table: Pick<Table, 'load' | 'query'>;
  readonly space: string;
  readonly anchors: Anchors;
  readonly now: number;
}

/** Objects forgotten by commits after one, up to another. */
const loadForgotten = async ({ table, space }: AnchorDeps, after: number, upTo: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await table.query({ pk: logKeys.partition(space), skPrefix: FORGOTTEN_PREFIX, cursor });
    for (const item of page.items) {
      const { commit, fixed } = parseLogItem(item, StoredForgotten);
      if (commit > after && commit <= upTo) ids.push(fixed.object);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids;
};

export const anchorNewest = async (deps: AnchorDeps): Promise<void> => {
  const { table, space, anchors, now } = deps;
  const head = await loadLogHead(table, space);
  if (head === undefined || head.checkpointSize === 0) return;
  const before = await anchors.newest();
  const [size, commit] = [head.checkpointSize, head.lastCommit];
  if (before !== undefined && before.size >= size) return;
  const note = await loadCheckpoint(table, space, size);
  if (note === undefined) return;
  const forgotten = commit > (before?.commit ?? 0) ? await loadForgotten(deps, before?.commit ?? 0, commit) : [];
  await anchors.save({ v: 1, size, commit, at: now, note, forgotten: [...forgotten] });
};
