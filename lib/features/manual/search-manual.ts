/** Finds the passages of the manual that fit a question, by words alone. Pure. */
import { buildLexicalIndex, type LexicalIndex, scoreByWords } from '../../core/memory/search/lexical-index.ts';
import { fold } from '../../core/memory/search/terms.ts';
import type { Passage } from './manual.ts';

/** Passages of an answer. */
export const MANUAL_PASSAGES_MAX = 5;
/** Of these at least so many are cut from documents, if as many fit. */
const DOCUMENT_PASSAGES = 1;

export interface ManualIndex {
  readonly passages: readonly Passage[];
  readonly words: LexicalIndex;
}

export const buildManualIndex = (passages: readonly Passage[]): ManualIndex => ({
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

/** Best first, at most MANUAL_PASSAGES_MAX. */
export const searchManual = ({ passages, words }: ManualIndex, question: string): readonly Passage[] => {
  const scores = scoreByWords(words, fold(question));
  const found = passages
    .map((passage, n) => ({ passage, score: scores[n] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ passage }) => passage);
  const documents = found.filter(({ kind }) => kind === 'document');
  const others = found.filter(({ kind }) => kind !== 'document');
  const first = others.slice(0, MANUAL_PASSAGES_MAX - Math.min(DOCUMENT_PASSAGES, documents.length));
  return [...first, ...documents.slice(0, MANUAL_PASSAGES_MAX - first.length)];
};
