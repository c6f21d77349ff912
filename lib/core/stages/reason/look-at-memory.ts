/**
 * Reads memory for a prompt. Only the owner's own words bring memory into it, in a chat that is
 * named for memory: a webhook does not, nor another member of a group, nor a job unless it says so.
 * If memory cannot be read, the turn goes on without it. Writes nothing (I2). Loaded with the first
 * turn of a space that remembers anything.
 */

import { StoredItemError } from '../../base/errors.ts';
import { MEMORY_QUERY_CHARS_MAX } from '../../base/limits.ts';
import { positionOfLog } from '../../log/stored.ts';
import { parseHead } from '../../memory/commit.ts';
import { parseObject } from '../../memory/object.ts';
import { buildLoadView, buildReader } from '../../memory/read.ts';
import { isSummaryOf, summaryRootId } from '../../memory/summary.ts';
import { chooseContext } from '../../prompt/choose-context.ts';
import type { AskVector } from '../../prompt/embeddings/ask-vector.ts';
import { buildLoadSegments, parseVectorState, vectorKeys } from '../../prompt/embeddings/vector-store.ts';
import type { MemoryContext } from '../../prompt/foveal.ts';
import type { SessionSummary } from '../../prompt/prompt-input.ts';
import { buildVisibleMemoryCache } from '../../prompt/visible-memory.ts';
import type { MemoryPosition } from '../../signal/decision.ts';
import { memoryWordsIn } from '../../signal/task-tools.ts';
import type { Item, ReadTable } from '../../store/table.ts';
import { isMarkedPrivate } from '../../text/privacy.ts';
import { ownersText } from './choose-model.ts';
import { type LoadedTurn, mayReadMemory } from './load-turn.ts';

export interface LookedAt {
  readonly context: MemoryContext;
  readonly position: MemoryPosition;
}

type Turn = Pick<LoadedTurn, 'record' | 'root' | 'session' | 'memory' | 'logHead' | 'asker'>;

export type LookAtMemory = (turn: Turn, now: number) => Promise<LookedAt | undefined>;

/** @param vector asks for the vector of the question; without it memory is searched by words */
export type LookWithVector = (turn: Turn, now: number, vector?: AskVector) => Promise<LookedAt | undefined>;

/** The owner's words that began the turn; empty if it was not the owner, or a job without notes. */
const ownWords = ({ root }: Pick<LoadedTurn, 'root'>): string => {
  const text = ownersText(root.payload);
  const words = root.payload.sensor === 'job-due' ? memoryWordsIn(text) : text;
  return words.slice(0, MEMORY_QUERY_CHARS_MAX).toWellFormed();
};

/** Keep it for as long as the process lives: it holds memory's view. @throws UnavailableError */
export const buildLookAtMemory = (parts: {
  readonly table: ReadTable;
  readonly space: string;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags: readonly string[];
  /** Similarity from which a note counts as asked for; CONTEXT_SEMANTIC_THRESHOLD by default. */
  readonly threshold?: number;
  readonly log: (line: string) => void;
}): LookWithVector => {
  const loadView = buildLoadView(buildReader(parts.table, parts.space));
  const visibleMemoryOf = buildVisibleMemoryCache(parts.privacyTags);
  const loadSegments = buildLoadSegments(parts.table, parts.space);

  /** Vectors of memory and of the question, if both are of one model. */
  const loadVectors = async (text: string, turn: Turn, now: number, asked: AskVector | undefined) => {
    if (asked === undefined) return { segments: [] };
    const [item] = await parts.table.load([vectorKeys.state(parts.space)]);
    const state = parseVectorState(item);
    if (state?.model !== asked.model || state.segments.length === 0) return { segments: [] };
    const at = { signalId: turn.record.signal.id, now };
    const [stored, vector] = await Promise.all([loadSegments(state), asked.ask(text, at)]);
    return vector === undefined ? { segments: [] } : { segments: stored.map(({ segment }) => segment), vector };
  };

  return async (turn, now, asked) => {
    const text = ownWords(turn);
    if (turn.memory.head === undefined || text === '' || !mayReadMemory(turn)) return undefined;
    try {
      const visibleMemory = visibleMemoryOf(await loadView(parseHead(turn.memory.head)));
      const { session } = turn.record.signal;
      const vectors = await loadVectors(text, turn, now, asked);
      const question = { text, session, focus: turn.session.head?.focus, now, threshold: parts.threshold, ...vectors };
      const position = { commit: visibleMemory.number, ...positionOfLog(turn.logHead) };
      return { context: chooseContext(visibleMemory, question), position };
    } catch (error) {
      if (!(error instanceof StoredItemError)) throw error;
      parts.log(error.message);
      return undefined;
    }
  };
};

/** A conversation's summary, if it is its own and not private. Its parent no editor can change. */
export const readSummary = (
  item: Item | undefined,
  headItem: Item | undefined,
  { space, session }: { readonly space: string; readonly session: string },
  privacyTags: readonly string[],
): SessionSummary | undefined => {
  if (item === undefined) return undefined;
  try {
    const object = parseObject(item);
    // A summary that is still being written is not shown.
    if (!isSummaryOf(object, session) || object.commit > parseHead(headItem).number) return undefined;
    const { id, version, origin, content, parentId } = object;
    const isInPlace = parentId === undefined || parentId === summaryRootId(space);
    return isInPlace && !isMarkedPrivate(object, privacyTags) ? { id, version, origin, text: content } : undefined;
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    return undefined;
  }
};
