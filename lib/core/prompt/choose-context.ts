/**
 * Chooses the objects of memory a prompt looks at: active projects, the focus, and those that the
 * person's own words bring up. A note from outside is hidden unless these words ask for it or the
 * person looks at it, so that it does not taint an honest turn (I13). The owner's notes are
 * searched apart, so outside notes cannot push them out. Private objects and those of another scope
 * are never chosen. Pure.
 */
import type { LiveObject } from '../memory/object.ts';
import { childrenOf } from '../memory/outline.ts';
import { buildInScope } from '../memory/scope.ts';
import { shareOfQuestion } from '../memory/search/lexical-index.ts';
import { type RetrievalHit, type RetrievalQuestion, search } from '../memory/search/search.ts';
import type { VectorSegment } from '../memory/search/vector-segment.ts';
import { CONTEXT_TITLE_CHARS_MAX, type MemoryContext } from './foveal.ts';
import type { ContextNode } from './foveal-select.ts';
import type { VisibleMemory } from './visible-memory.ts';

/** Similarity from which an object counts as asked for. */
export const CONTEXT_SEMANTIC_THRESHOLD = 0.75;
/** Objects that the words of a message bring up. */
const CONTEXT_OBJECTS_MAX = 20;
/** Own notes that share words with the message. */
const CONTEXT_RETRIEVED_MAX = 6;
/** Share of the message's words that one of them holds, if the message is about memory at all. */
const CONTEXT_SHARE_MIN = 0.25;
/** Least share of the best one's score. */
const CONTEXT_SCORE_MIN = 0.67;
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
  readonly now: number;
}

const IDS = /\b[0-9a-f]{32}\b/g;

interface ContextChoice {
  readonly visibleMemory: VisibleMemory;
  readonly question: ContextQuestion;
  readonly isShown: (id: string) => boolean;
  /** Objects that the question names by their ids. */
  readonly named: ReadonlySet<string>;
  /** How close the question is to each object, by meaning or words, whichever is more. */
  readonly similarities: Map<string, number>;
  readonly nodes: Map<string, ContextNode>;
}

interface CloseHit extends RetrievalHit {
  /** Of the question's words. */
  readonly share: number;
}

/** Close enough that even a note from outside was meant. */
const isAskedFor = ({ why, share }: CloseHit, threshold: number): boolean =>
  (why.similarity ?? 0) >= threshold || (share >= threshold && why.words.length >= CONTEXT_OUTSIDE_WORDS_MIN);

/** Own notes: few by words, and all that are close by meaning. */
const ownHits = (hits: readonly CloseHit[], threshold: number): readonly CloseHit[] => {
  const nearest = hits.slice(0, CONTEXT_RETRIEVED_MAX);
  const isMeant = nearest.some(({ share }) => share >= CONTEXT_SHARE_MIN);
  const scoreMin = CONTEXT_SCORE_MIN * (hits[0]?.score ?? 0);
  const byWords = isMeant ? nearest.filter(({ score }) => score >= scoreMin) : [];
  return hits.filter((hit) => byWords.includes(hit) || (hit.why.similarity ?? 0) >= threshold);
};

/** Adds the objects that the question brings up. */
const addSimilar = (
  { visibleMemory, question, isShown, similarities }: ContextChoice,
  of: 'own' | 'outside',
  limit: number,
): void => {
  const { threshold = CONTEXT_SEMANTIC_THRESHOLD } = question;
  const text = question.text.replace(IDS, ' ').trim();
  if (text === '' || visibleMemory.visible.size === 0) return;
  const index = visibleMemory.index(of);
  const hits = search(index, { ...question, text }, { ...question, limit, isShown }).map((hit): CloseHit => {
    const position = index.positions.get(hit.id);
    return { ...hit, share: position === undefined ? 0 : shareOfQuestion(index.words, text, position) };
  });
  const shown = of === 'own' ? ownHits(hits, threshold) : hits.filter((hit) => isAskedFor(hit, threshold));
  for (const { id, why, share } of shown)
    similarities.set(id, Math.max(similarities.get(id) ?? 0, why.similarity ?? 0, share));
};

/** A note without a title shows its first line as one, and what of it is too long below. */
const titleAndContent = ({ attributes, content }: LiveObject): Pick<ContextNode, 'title' | 'content'> => {
  if (attributes.title !== undefined && attributes.title !== '') return { title: attributes.title, content };
  const [first = '', ...rest] = content.trim().split('\n');
  if (first.length <= CONTEXT_TITLE_CHARS_MAX) return { title: first, content: rest.join('\n') };
  const end = first.lastIndexOf(' ', CONTEXT_TITLE_CHARS_MAX);
  return end <= 0
    ? { title: first, content }
    : { title: first.slice(0, end), content: [first.slice(end), ...rest].join('\n') };
};

const buildNode = (
  { named, similarities }: ContextChoice,
  object: LiveObject,
  children: readonly LiveObject[],
  isUnderFocus: boolean,
): ContextNode => {
  const { id, scope, origin, version, parentId, updatedAt, attributes } = object;
  const { tags, todo } = attributes;
  const isOutside = origin === 'outside' && !isUnderFocus && !named.has(id);
  const isHidden = isOutside && !similarities.has(id);
  const place = { id, parentId, children: children.map((child) => child.id) };
  return { ...place, ...titleAndContent(object), tags, todo, scope, origin, version, updatedAt, isOutside, isHidden };
};

/** Adds an object and, if `isDeep`, all below it. An object under the focus is not hidden. */
const addNodes = (choice: ContextChoice, id: string, { isUnderFocus = false, isDeep = false }): void => {
  const { visibleMemory, isShown, nodes } = choice;
  const waiting = [visibleMemory.visible.get(id)];
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    const known = nodes.get(object.id);
    const isDone = known !== undefined && (known.isHidden !== true || !isUnderFocus);
    if (isDone || !isShown(object.id)) continue;
    const children = childrenOf(visibleMemory.objects, object).flatMap(
      (child) => visibleMemory.visible.get(child.id) ?? [],
    );
    nodes.set(object.id, buildNode(choice, object, children, isUnderFocus));
    if (isDeep) waiting.push(...children);
  }
};

export const chooseContext = (visibleMemory: VisibleMemory, question: ContextQuestion): MemoryContext => {
  const inScope = buildInScope(visibleMemory.objects, question);
  const isShown = (id: string): boolean => {
    const object = visibleMemory.visible.get(id);
    return object !== undefined && inScope(object);
  };
  const named = new Set((question.text.match(IDS) ?? []).filter(isShown));
  const similarities = new Map([...named].map((id) => [id, 1]));
  const choice = { visibleMemory, question, isShown, named, similarities, nodes: new Map<string, ContextNode>() };
  addSimilar(choice, 'own', CONTEXT_OBJECTS_MAX);
  addSimilar(choice, 'outside', CONTEXT_OUTSIDE_MAX);
  const focus = question.focus !== undefined && isShown(question.focus) ? question.focus : undefined;
  if (focus !== undefined) addNodes(choice, focus, { isUnderFocus: true, isDeep: true });
  for (const { id } of visibleMemory.projects) addNodes(choice, id, { isDeep: true });
  for (const id of similarities.keys()) addNodes(choice, id, {});
  return { nodes: [...choice.nodes.values()], focus, similarities, threshold: 0, privacyTags: [] };
};
