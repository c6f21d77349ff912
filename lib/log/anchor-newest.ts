/**
 * Anchors the newest checkpoint, if it is not anchored yet: after every run, so that one whose anchoring failed, or whose writer
 * died before, is caught up with. Never anchors a log that has less than what is anchored already: that is a restored copy,
 * and whoever starts it is told (`restore.ts`).
 */
import type { Table } from '../store/table.ts';
import type { Anchors } from './anchor.ts';
import { loadCheckpoint, loadLogHead } from './read-log.ts';

interface AnchorDeps {
  readonly table: Pick<Table, 'load' | 'query'>;
  readonly space: string;
  readonly anchors: Pick<Anchors, 'newest' | 'save'>;
  readonly now: number;
}

export const anchorNewest = async (deps: AnchorDeps): Promise<void> => {
  const { table, space, anchors, now } = deps;
  const head = await loadLogHead(table, space);
  if (head === undefined || head.checkpointSize === 0) return;
  const before = await anchors.newest();
  const [size, commit] = [head.checkpointSize, head.lastCommit];
  if (before !== undefined && before.size >= size) return;
  const note = await loadCheckpoint(table, space, size);
  if (note === undefined) return;
  await anchors.save({ v: 1, size, commit, at: now, note });
};
