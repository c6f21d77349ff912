import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { NOTES, QUESTIONS } from './evaluation-corpus.ts';

describe('the evaluation', () => {
  it('asks 100 different questions about at least 500 notes, each answered by one of them', () => {
    const ids = new Set(NOTES.map(({ id }) => id));
    expect(NOTES.length).toBeGreaterThanOrEqual(500);
    expect(ids.size).toBe(NOTES.length);
    expect(new Set(QUESTIONS.map(({ text }) => text)).size).toBe(100);
    expect(QUESTIONS.filter(({ answer }) => !ids.has(answer))).toStrictEqual([]);
  });

  it('finds more with words and vectors together than with either alone', () => {
    const { words, vectors, both } = evaluate();
    expect(both.recallAt5).toBeGreaterThan(Math.max(words.recallAt5, vectors.recallAt5));
    expect(both.mrr).toBeGreaterThan(Math.max(words.mrr, vectors.mrr));
    expect(both.recallAt5).toBeGreaterThanOrEqual(0.55);
  });
});
