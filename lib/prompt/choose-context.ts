/**
 * Chooses the objects of memory a prompt looks at: active projects, the focus, and those that the
 * person's own words bring up. A note from outside is hidden unless these words ask for it or the
 * person looks at it, so that it does not taint an honest turn (I13). The owner's notes are
 * searched apart, so outside notes cannot push them out. Private objects and other sessions' are
 * never chosen. Pure.
 */
import type { LiveObject } from '../memory/object.ts';
import { childrenOf } from '../memory/outline.ts';
import { sessionOf } from '../memory/recall.ts';
import { type LexicalIndex, shareOfQuestion } from '../memory/search/lexical-index.ts';
import { type RetrievalHit, type RetrievalQuestion, search } from '../memory/search/search.ts';
import type { VectorSegment } from '../memory/search/vector-segment.ts';
import { CONTEXT_TITLE_CHARS_MAX, type MemoryContext } from './foveal.ts';
import type { ContextNode } from './foveal-select.ts';
import type { MemorySight } from './memory-sight.ts';

/** Similarity from which an object counts as asked for. */
export const CONTEXT_SEMANTIC_THRESHOLD = 0.75;
/** Objects that the words of a message bring up. */
const CONTEXT_OBJECTS_MAX = 20;
/** Own notes that share words with the message, and the least share of its words. */
const CONTEXT_RETRIEVED_MAX = 5;
const CONTEXT_SHARE_MIN = 0.25;
/** Few, because each of them taints the turn. */
export const CONTEXT_OUTSIDE_MAX = 3;
/** Shared words a note from outside needs: one is too easily shared by chance. */
const CONTEXT_OUTSIDE_WORDS_MIN = 2;

export interface ContextQuestion extends RetrievalQuestion {
  readonly segments: readonly VectorSegment[];
  readonly session: string;
  /** CONTEXT_SEMANTIC_THRESHOLD if absent. */
  readonly threshold?: number | undefined;
  /** The object the person looks at. */
  readonly focus?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

const IDS = /\b[0-9a-f]{32}\b/g;

type IsShown = (id: string) => boolean;

/** Objects that the question names by their ids. */
const namedIn = ({ text }: ContextQuestion, isShown: IsShown): ReadonlySet<string> =>
  new Set((text.match(IDS) ?? []).filter(isShown));

/** How close the question is to each object: by meaning or by words, whichever is more. */
const closeTo = (sight: MemorySight, question: ContextQuestion, named: ReadonlySet<string>, isShown: IsShown) => {
  const { threshold = CONTEXT_SEMANTIC_THRESHOLD } = question;
  const close = new Map<string, number>([...named].map((id) => [id, 1]));
  const text = question.text.replace(IDS, ' ').trim();
  if (text === '' || sight.visible.size === 0) return close;
  const look = (of: 'own' | 'outside', limit: number): void => {
    const index = sight.index(of);
    for (const [rank, hit] of search(index, { ...question, text }, { ...question, limit, isShown }).entries()) {
      const share = shareOf(index.words, text, index.positions.get(hit.id));
      const isNear = of === 'own' && rank < CONTEXT_RETRIEVED_MAX && share >= CONTEXT_SHARE_MIN;
      if (isNear || isAskedFor(hit, share, threshold))
        close.set(hit.id, Math.max(close.get(hit.id) ?? 0, hit.why.similarity ?? 0, share));
    }
  };
  look('own', CONTEXT_OBJECTS_MAX);
  look('outside', CONTEXT_OUTSIDE_MAX);
  return close;
};

const shareOf = (words: LexicalIndex, text: string, position: number | undefined): number =>
  position === undefined ? 0 : shareOfQuestion(words, text, position);

/** Close enough that even a note from outside was meant. */
const isAskedFor = ({ why }: RetrievalHit, share: number, threshold: number): boolean =>
  (why.similarity ?? 0) >= threshold || (share >= threshold && why.words.length >= CONTEXT_OUTSIDE_WORDS_MIN);

/** A note without a title shows its first line as one. */
const textOf = ({ attributes, content }: LiveObject): Pick<ContextNode, 'title' | 'content'> => {
  if (attributes.title !== undefined && attributes.title !== '') return { title: attributes.title, content };
  const [first = '', ...rest] = content.trim().split('\n');
  return { title: first, content: first.length > CONTEXT_TITLE_CHARS_MAX ? content : rest.join('\n') };
};

export const chooseContext = (sight: MemorySight, question: ContextQuestion): MemoryContext => {
  const { visible } = sight;
  const isHere = (object: LiveObject): boolean => object.scope !== 'session' || sessionOf(object) === question.session;
  const isShown = (id: string): boolean => {
    const object = visible.get(id);
    return object !== undefined && isHere(object);
  };
  const named = namedIn(question, isShown);
  const similarities = closeTo(sight, question, named, isShown);
  const focus = question.focus !== undefined && isShown(question.focus) ? question.focus : undefined;
  const nodes = new Map<string, ContextNode>();
  const visit = (first: LiveObject | undefined, isUnderFocus: boolean, isDeep: boolean): void => {
    const waiting = first === undefined ? [] : [first];
    for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
      const { id, scope, origin, version, parentId, updatedAt, attributes } = object;
      const known = nodes.get(id);
      if (!isHere(object) || (known !== undefined && (known.isHidden !== true || !isUnderFocus))) continue;
      const children = childrenOf(sight.objects, object).flatMap((child) => visible.get(child.id) ?? []);
      const isOutside = origin === 'outside' && !isUnderFocus && !named.has(id);
      const isHidden = isOutside && !similarities.has(id);
      const { tags, todo } = attributes;
      const place = { id, parentId, children: children.map((child) => child.id) };
      nodes.set(id, {
        ...place,
        ...textOf(object),
        tags,
        todo,
        scope,
        origin,
        version,
        updatedAt,
        isOutside,
        isHidden,
      });
      if (isDeep) waiting.push(...children);
    }
  };
  if (focus !== undefined) visit(visible.get(focus), true, true);
  for (const project of sight.projects) visit(project, false, true);
  for (const id of similarities.keys()) visit(visible.get(id), false, false);
  return { nodes: [...nodes.values()], focus, similarities, threshold: 0, privacyTags: [] };
};
