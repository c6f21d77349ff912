/**
 * What finding something in memory costs: 10,000 objects, by words and by vectors of 1,536 numbers,
 * in a warm process; and what is found.
 */
import { buildRetrievalIndex, search } from '../../lib/core/memory/search/search.ts';
import { buildSegments, modelIdOf, parseSegment } from '../../lib/core/memory/search/vector-segment.ts';
import { EMBEDDING_NAME } from '../core/memory/search/corpus-embedding.ts';
import { evaluate } from '../core/memory/search/evaluate.ts';
import { NOTES, QUESTIONS } from '../core/memory/search/evaluation-corpus.ts';
import type { Measure } from './measure.ts';

const OBJECTS = 10_000;
const DIMENSIONS = 1_536;
const P50_MS_MAX = 50;
const WORDS_MS_MAX = 5;
const BUILD_MS_MAX = 300;
const MODEL = modelIdOf('bench');
const NOW = Date.UTC(2026, 0, 1);

const idOf = (n: number): string => n.toString(16).padStart(32, '0');

/** Different for every n, and cheap: only the time matters here. */
const vectorOf = (n: number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(n * 1.3 + at * (1 + (n % 7))));

const medianOf = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

export const measureSearch: Measure = async (context) => {
  context.progress('search');
  const group = 'search over 10,000 objects, warm';
  const objects = Array.from({ length: OBJECTS }, (_, n) => {
    const note = NOTES[n % NOTES.length];
    const content = `${note?.content ?? ''} Entry ${n}, seen ${NOTES[(n * 31) % NOTES.length]?.content ?? ''}`;
    const place = { group: `day ${Math.floor(n / 20)}`, order: n };
    return { id: idOf(n), version: 1, title: `Note ${n}`, content, tags: [], updatedAt: NOW - n, at: NOW - n, place };
  });
  const buildStartedAt = performance.now();
  const index = buildRetrievalIndex(objects);
  const buildMs = performance.now() - buildStartedAt;
  const entries = Array.from({ length: OBJECTS }, (_, n) => ({ id: idOf(n), version: 1, vector: vectorOf(n) }));
  const segments = buildSegments(entries, MODEL).map(parseSegment);
  const timesOf = (hasVector: boolean): readonly number[] =>
    QUESTIONS.map(({ text }, n) => {
      const question = hasVector ? { text, vector: { values: vectorOf(n), model: MODEL } } : { text };
      const startedAt = performance.now();
      search(index, question, { segments, now: NOW, limit: 10 });
      return performance.now() - startedAt;
    });
  timesOf(true);
  const found = evaluate();
  const note = `${NOTES.length} notes, ${QUESTIONS.length} questions; vectors: ${EMBEDDING_NAME}`;
  return [
    {
      group,
      name: 'p50, words and vectors',
      value: medianOf(timesOf(true)),
      unit: 'ms',
      goal: { is: '≤', value: P50_MS_MAX },
    },
    {
      group,
      name: 'p50, words alone',
      value: medianOf(timesOf(false)),
      unit: 'ms',
      goal: { is: '≤', value: WORDS_MS_MAX },
    },
    { group, name: 'index built', value: buildMs, unit: 'ms', goal: { is: '≤', value: BUILD_MS_MAX } },
    ...Object.entries(found).flatMap(([name, { recallAt5, mrr }], n) => [
      { group: 'what is found', name: `recall@5, ${name}`, value: recallAt5, unit: '', ...(n === 0 ? { note } : {}) },
      { group: 'what is found', name: `MRR, ${name}`, value: mrr, unit: '' },
    ]),
  ];
};
