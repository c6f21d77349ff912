/**
 * The summary of a conversation as a prompt may show it: of this conversation, in force, not marked private. Not shown where it
 * hangs under anything but the one root of summaries: what such a place may hide is not read here. Memory that cannot be
 * read ends no conversation. Pure.
 */
import type { Key } from '../aws/keys.ts';
import type { Item } from '../aws/table.ts';
import type { SessionSummary } from '../context/summary-section.ts';
import { StoredItemError } from '../errors.ts';
import { parseHead } from '../memory/commit.ts';
import { memoryKeys } from '../memory/keys.ts';
import { parseObject } from '../memory/stored.ts';
import { isSummaryOf, summaryRootId } from '../memory/summary.ts';
import { isMarkedPrivate } from '../tools/private-notes.ts';

/** What a turn reads of its conversation's summary, where there is one: the object, and what it hangs under. */
export const summaryKeys = (space: string, id: string | undefined): readonly Key[] =>
  id === undefined ? [] : [memoryKeys.object(space, id), memoryKeys.object(space, summaryRootId(space))];

/** @param items what was read for `summaryKeys`; @param headItem memory's head, read with them */
export const readSummary = (
  [item, rootItem]: readonly (Item | undefined)[],
  headItem: Item | undefined,
  session: string,
  privacyTags: readonly string[],
): SessionSummary | undefined => {
  if (item === undefined) return undefined;
  try {
    const object = parseObject(item);
    // What is still being written is shown once it is there.
    if (!isSummaryOf(object, session) || object.commit > parseHead(headItem).number) return undefined;
    const root = rootItem === undefined ? undefined : parseObject(rootItem);
    const isUnderRoot = root?.state === 'live' && root.id === object.parentId && root.parentId === undefined;
    if (object.parentId !== undefined && !(isUnderRoot && !isMarkedPrivate(root, privacyTags))) return undefined;
    if (isMarkedPrivate(object, privacyTags)) return undefined;
    const { id, version, origin, content } = object;
    return { id, version, origin, text: content };
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    return undefined;
  }
};
