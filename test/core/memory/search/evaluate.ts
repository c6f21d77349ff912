/**
 * Measures retrieval on the corpus beside it: recall@5 and mean reciprocal rank for search by
 * words, by vectors, and both. `node test/core/memory/search/evaluate.ts` prints them, and says
 * what the vectors are.
 */
import { buildRetrievalIndex, type RetrievalQuestion, search } from '../../../../lib/core/memory/search/search.ts';
import { buildSegments, modelIdOf, parseSegment } from '../../../../lib/core/memory/search/vector-segment.ts';
import { EMBEDDING_NAME, learnEmbedding } from './corpus-embedding.ts';
import { BACKGROUND, NOTES, QUESTIONS } from './evaluation-corpus.ts';

export interface Score {
  /** Share of questions whose note is among the first five. */
  readonly recallAt5: number;
  /** Mean of 1 / rank of that note, 0 beyond the first 20. */
  readonly mrr: number;
}

const NOW = Date.UTC(2026, 0, 1);
const MODEL = modelIdOf('random indexing');

export const evaluate = (): Readonly<Record<'words' | 'vectors' | 'both', Score>> => {
  const index = buildRetrievalIndex(
    NOTES.map((note) => ({ ...note, version: 1, scope: 'memex' as const, updatedAt: NOW, at: NOW })),
  );
  const embed = learnEmbedding([...NOTES.map(({ content }) => content), ...BACKGROUND]);
  const segments = buildSegments(
    NOTES.map(({ id, content }) => ({ id, version: 1, vector: embed(content) })),
    MODEL,
  ).map(parseSegment);
  const scoreOf = (ask: (text: string) => RetrievalQuestion): Score => {
    const ranks = QUESTIONS.map(({ text, answer }) => {
      const hits = search(index, ask(text), { segments, now: NOW, limit: 20 });
      return hits.findIndex(({ id }) => id === answer) + 1;
    });
    return {
      recallAt5: ranks.filter((rank) => rank > 0 && rank <= 5).length / ranks.length,
      mrr: ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length,
    };
  };
  const vectorOf = (text: string) => ({ values: embed(text), model: MODEL });
  return {
    words: scoreOf((text) => ({ text })),
    vectors: scoreOf((text) => ({ text: '', vector: vectorOf(text) })),
    both: scoreOf((text) => ({ text, vector: vectorOf(text) })),
  };
};

if (import.meta.main) {
  console.log(`${NOTES.length} notes, ${QUESTIONS.length} questions; vectors: ${EMBEDDING_NAME}`);
  for (const [name, { recallAt5, mrr }] of Object.entries(evaluate()))
    console.log(`${name.padEnd(8)} recall@5 ${recallAt5.toFixed(2)}   MRR ${mrr.toFixed(3)}`);
}
