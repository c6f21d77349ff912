/**
 * Plays a set of talks against memory as the product keeps it: the lines of each talk as notes, and
 * its sessions as notes. Counts the questions of which a note with a line of evidence is found, and
 * of which a prompt shows one by itself.
 */
import { estimateTokens } from '../../../../lib/core/base/estimate-tokens.ts';
import { DAY_MS } from '../../../../lib/core/base/limits.ts';
import { buildIndexKeeper } from '../../../../lib/core/memory/index-keeper.ts';
import { buildObject, type LiveObject, memoryIdOf } from '../../../../lib/core/memory/object.ts';
import { type RetrievalView, search } from '../../../../lib/core/memory/search/search.ts';
import { buildSegments, modelIdOf, parseSegment } from '../../../../lib/core/memory/search/vector-segment.ts';
import { CONTEXT_TOKENS_MAX } from '../../../../lib/core/prompt/build-prompt.ts';
import { chooseContext } from '../../../../lib/core/prompt/choose-context.ts';
import { renderContext } from '../../../../lib/core/prompt/foveal.ts';
import { buildVisibleMemoryCache } from '../../../../lib/core/prompt/visible-memory.ts';
import { NONCE } from '../notes.ts';
import { learnEmbedding } from '../search/corpus-embedding.ts';
import type { Talk } from './dialogue-suite.ts';

/** Percent of the questions. */
export interface Found {
  readonly at5: number;
  readonly at10: number;
}

export interface Recall {
  readonly questions: number;
  readonly lines: Found;
  readonly sessions: Found;
  /** Lines, by words and by vectors that were learned from the lines alone. */
  readonly withVectors: Found;
  readonly prompt: { readonly share: number; readonly tokens: number };
}

interface Note {
  readonly object: LiveObject;
  /** Ids of its lines. */
  readonly lines: readonly string[];
}

const MODEL = modelIdOf('learned from the lines');

const noteOf = (name: string, content: string, lines: readonly string[], now: number): Note => ({
  object: buildObject({
    ...{ id: memoryIdOf(name), type: 'note', scope: 'memex', attributes: { tags: [] }, content, origin: 'owner' },
    ...{ effectId: name, signalId: name, now, nonce: NONCE },
  }),
  lines,
});

const lineNotes = ({ sessions }: Talk): readonly Note[] =>
  sessions.flatMap(({ at, lines }) => lines.map(({ id, text }, n) => noteOf(id, text, [id], at + n)));

const sessionNotes = ({ sessions }: Talk): readonly Note[] =>
  sessions.map(({ at, lines }, n) => {
    const text = lines.map((line) => line.text).join('\n');
    return noteOf(
      `session ${n}`,
      text,
      lines.map(({ id }) => id),
      at,
    );
  });

const objectsOf = (notes: readonly Note[]) => new Map(notes.map(({ object }) => [object.id, object]));

/** The day after the last line. */
const nowOf = ({ sessions }: Talk): number => Math.max(...sessions.map(({ at }) => at)) + DAY_MS;

/** For each question, the ids of the first ten notes. */
const findNotes = (talk: Talk, notes: readonly Note[], hasVectors: boolean): readonly (readonly string[])[] => {
  const index = buildIndexKeeper(() => true)(objectsOf(notes));
  const embed = hasVectors ? learnEmbedding(notes.map(({ object }) => object.content)) : undefined;
  const entries = notes.flatMap(({ object: { id, version, content } }) =>
    embed === undefined ? [] : [{ id, version, vector: embed(content) }],
  );
  const segments = buildSegments(entries, MODEL).map(parseSegment);
  const view: RetrievalView = { segments, now: nowOf(talk), limit: 10 };
  return talk.questions.map(({ text }) => {
    const vector = embed === undefined ? undefined : { values: embed(text), model: MODEL };
    return search(index, { text, vector }, view).map(({ id }) => id);
  });
};

const percentOf = (answers: readonly boolean[]): number =>
  (100 * answers.filter((isRight) => isRight).length) / answers.length;

const evaluateNotes = (talks: readonly Talk[], notesOf: (talk: Talk) => readonly Note[], hasVectors = false): Found => {
  const ranks = talks.flatMap((talk) => {
    const notes = notesOf(talk);
    const linesOf = new Map(notes.map(({ object, lines }) => [object.id, lines]));
    const found = findNotes(talk, notes, hasVectors);
    return talk.questions.map(({ evidence }, n) =>
      (found[n] ?? []).findIndex((id) => linesOf.get(id)?.some((line) => evidence.includes(line))),
    );
  });
  return {
    at5: percentOf(ranks.map((rank) => rank >= 0 && rank < 5)),
    at10: percentOf(ranks.map((rank) => rank >= 0)),
  };
};

const evaluatePrompt = (talks: readonly Talk[]): Recall['prompt'] => {
  const shown = talks.flatMap((talk) => {
    const view = { number: 1, hash: '0'.repeat(64), isPartial: false, objects: objectsOf(lineNotes(talk)) };
    const visibleMemory = buildVisibleMemoryCache([])(view);
    return talk.questions.map(({ text, evidence }) => {
      const question = { text, segments: [], session: 'here', now: nowOf(talk) };
      const { seen, text: context } = renderContext({
        ...chooseContext(visibleMemory, question),
        tokensMax: CONTEXT_TOKENS_MAX,
      });
      const wanted = new Set(evidence.map((id) => memoryIdOf(id)));
      return { isThere: seen.some(({ id }) => wanted.has(id)), tokens: estimateTokens(context) };
    });
  });
  const tokens = shown.reduce((sum, one) => sum + one.tokens, 0) / shown.length;
  return { share: percentOf(shown.map(({ isThere }) => isThere)), tokens };
};

export const evaluateRecall = (talks: readonly Talk[]): Recall => ({
  questions: talks.reduce((sum, { questions }) => sum + questions.length, 0),
  lines: evaluateNotes(talks, lineNotes),
  sessions: evaluateNotes(talks, sessionNotes),
  withVectors: evaluateNotes(talks, lineNotes, true),
  prompt: evaluatePrompt(talks),
});
