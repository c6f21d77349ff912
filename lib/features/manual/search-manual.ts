/**
 * Finds the passages of the manual that fit a question, by words alone: BM25 over titles, words
 * that people ask in, and texts. A word that the manual has not stands for those it has nearly so:
 * parts of a compound, longer words, and those a letter away. Pure.
 */
import { distance } from '../../core/base/distance.ts';
import { buildLexicalIndex, type LexicalIndex, scoreByWords } from '../../core/memory/search/lexical-index.ts';
import { fold, termsOf } from '../../core/memory/search/terms.ts';
import type { Passage } from './manual.ts';
import { FILLERS, SYNONYMS } from './synonyms.ts';

/** Pages and verbs of an answer, and further passages of documents. */
export const MANUAL_PASSAGES_MAX = 5;
const DOCUMENT_PASSAGES_MAX = 2;
/** Pages are written to be found; weight of one beside a verb. */
const PAGE_WEIGHT = 1.6;
/** Letters of a word, and of a part of it, from which a likeness says something. */
const LIKE_CHARS_MIN = 6;
const PART_CHARS_MIN = 5;
/** Words that one word of a question may stand for. */
const LIKE_WORDS_MAX = 4;
/** Words of a question that may stand for others: each is compared with all that are known. */
const ASKED_WORDS_MAX = 64;

/** The most that one line of synonyms adds to a score. */
const SYNONYM_SCORE = 3;

const WORD = /\p{L}+/gu;

interface Part {
  readonly passages: readonly Passage[];
  readonly words: LexicalIndex;
}

/** Two indexes, so that documents do not change the order of pages. */
export interface ManualIndex {
  /** Pages and verbs. */
  readonly shown: Part;
  readonly documents: Part;
  /** Words of pages and verbs, folded, that may stand for others. */
  readonly known: ReadonlySet<string>;
}

const wordsIn = (text: string): readonly string[] => fold(text).match(WORD) ?? [];

const FILLER_WORDS: ReadonlySet<string> = new Set(wordsIn(FILLERS));

const buildPart = (passages: readonly Passage[]): Part => ({
  passages,
  words: buildLexicalIndex(
    passages.map(({ title, german, words, text }, n) => ({
      id: `${n}`,
      title: `${title} ${german?.title ?? ''}`,
      tags: [words],
      content: `${text} ${german?.text ?? ''}`,
    })),
  ),
});

export const buildManualIndex = (passages: readonly Passage[]): ManualIndex => {
  const shown = passages.filter(({ kind }) => kind !== 'document');
  const all = shown.map(({ title, german, words }) => `${title} ${german?.title ?? ''} ${words}`);
  return {
    shown: buildPart(shown),
    documents: buildPart(passages.filter(({ kind }) => kind === 'document')),
    known: new Set(wordsIn(all.join(' ')).filter(({ length }) => length >= PART_CHARS_MIN)),
  };
};

const isLike = (word: string, other: string): boolean =>
  [word.startsWith(other), word.endsWith(other), other.startsWith(word), other.endsWith(word)].includes(true) ||
  (Math.abs(word.length - other.length) < 2 && distance(word, other) === 1);

/** The words that a word which no passage has stands for. */
const likeWords = ({ shown, known }: ManualIndex, word: string): readonly string[] => {
  const isKnown = termsOf(word).some((term) => shown.words.postings.has(term));
  if (isKnown || word.length < LIKE_CHARS_MIN) return [];
  return [...known].filter((other) => isLike(word, other)).slice(0, LIKE_WORDS_MAX);
};

const LINES_OF_TERM: ReadonlyMap<string, readonly string[]> = (() => {
  const lines = new Map<string, string[]>();
  for (const line of SYNONYMS) for (const term of termsOf(line)) lines.set(term, [...(lines.get(term) ?? []), line]);
  return lines;
})();

/** Words that mean nearly what these mean. */
const synonymsOf = (words: string): readonly string[] => [
  ...new Set(termsOf(words).flatMap((term) => LINES_OF_TERM.get(term) ?? [])),
];

/** A page that shows a verb stands for it. */
const pageOf = ({ passages }: Part, { kind, title }: Passage): Passage | undefined =>
  kind === 'verb' ? passages.find((one) => one.kind === 'page' && one.text.includes(`${title} –`)) : undefined;

/** The page with this title: a model that knows the titles asks so. */
const titledSo = ({ passages }: Part, question: string): readonly Passage[] => {
  const asked = fold(question.trim());
  return passages.filter(
    ({ kind, title, german }) => kind === 'page' && [title, german?.title ?? ''].some((one) => fold(one) === asked),
  );
};

/** The passages that fit, best first. */
const rank = ({ passages, words }: Part, asked: string): readonly Passage[] => {
  const scores = scoreByWords(words, asked).slice();
  for (const line of synonymsOf(asked)) {
    const more = scoreByWords(words, line);
    const best = Math.max(...more, 1);
    for (const [n, score] of more.entries()) scores[n] = (scores[n] ?? 0) + (SYNONYM_SCORE * score) / best;
  }
  return passages
    .map((passage, n) => ({ passage, score: (scores[n] ?? 0) * (passage.kind === 'page' ? PAGE_WEIGHT : 1) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ passage }) => passage);
};

/** The best pages and verbs, then the best of documents. */
export const searchManual = (index: ManualIndex, question: string): readonly Passage[] => {
  const telling = wordsIn(question)
    .filter((word) => !FILLER_WORDS.has(word))
    .slice(0, ASKED_WORDS_MAX);
  const asked = [...telling, ...telling.flatMap((word) => likeWords(index, word))].join(' ');
  const { shown, documents } = index;
  const found = rank(shown, asked).map((one) => pageOf(shown, one) ?? one);
  const first = [...new Set([...titledSo(shown, question), ...found])].slice(0, MANUAL_PASSAGES_MAX);
  return [...first, ...rank(documents, asked).slice(0, DOCUMENT_PASSAGES_MAX)];
};
