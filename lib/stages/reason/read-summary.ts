/**
 * The summary of a conversation as a prompt may show it: of this conversation, in force, not marked private. What it hangs under is
 * the one root of summaries, which no editor can change: so nothing above it hides it. Memory that cannot be read ends no
 * conversation. Pure. Loaded with the first turn that has a summary: it brings memory's objects.
 */

import { StoredItemError } from '../../base/errors.ts';
import { parseHead } from '../../memory/commit.ts';
import { parseObject } from '../../memory/object.ts';
import { isSummaryOf, summaryRootId } from '../../memory/summary.ts';
import type { SessionSummary } from '../../prompt/prompt-input.ts';
import type { Item } from '../../store/table.ts';
import { isMarkedPrivate } from '../../text/privacy.ts';

/** @param item what `loadTurn` read; @param headItem memory's head, read with it */
export const readSummary = (
  item: Item | undefined,
  headItem: Item | undefined,
  { space, session }: { readonly space: string; readonly session: string },
  privacyTags: readonly string[],
): SessionSummary | undefined => {
  if (item === undefined) return undefined;
  try {
    const object = parseObject(item);
    // What is still being written is shown once it is there.
    if (!isSummaryOf(object, session) || object.commit > parseHead(headItem).number) return undefined;
    const { id, version, origin, content, parentId } = object;
    const isInPlace = parentId === undefined || parentId === summaryRootId(space);
    return isInPlace && !isMarkedPrivate(object, privacyTags) ? { id, version, origin, text: content } : undefined;
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    return undefined;
  }
};
