/**
 * Where the evidence log stood when a prompt was made: size and root of its newest checkpoint, from the head that was read with
 * the turn. Says nothing where leaves came since that checkpoint (its root is then not in the head), or where the head cannot
 * be read: no conversation ends because of the log. Pure; total.
 */

import { StoredItemError } from '../base/errors.ts';
import { rootOf } from '../evidence/merkle.ts';
import type { MemoryPosition } from '../signal/decision.ts';
import type { Item } from '../store/table.ts';
import { LogHead, parseLogItem, rangeOf } from './stored.ts';

/** @param item the log's head, as it is stored */
export const positionOfLog = (item: Item | undefined): Pick<MemoryPosition, 'treeSize' | 'rootHash'> => {
  if (item === undefined) return {};
  try {
    const head = parseLogItem(item, LogHead);
    if (head.size === 0 || head.size !== head.checkpointSize) return {};
    return { treeSize: head.size, rootHash: Buffer.from(rootOf(rangeOf(head))).toString('base64') };
  } catch (error) {
    if (error instanceof StoredItemError) return {};
    throw error;
  }
};
