import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSuite, readSuite } from './dialogue-suite.ts';
import { evaluateRecall } from './evaluate-recall.ts';

describe('memory', () => {
  it('finds and shows the lines that answer 200 questions about ten talks, English and German', () => {
    const found = evaluateRecall(readSuite(join(import.meta.dirname, 'talks')));
    expect(found.questions).toBe(200);
    expect(found.lines.at5).toBeGreaterThanOrEqual(88);
    expect(found.lines.at10).toBeGreaterThanOrEqual(90);
    expect(found.withVectors.at5).toBeGreaterThanOrEqual(found.lines.at5);
    expect(found.withVectors.at10).toBeGreaterThanOrEqual(found.lines.at10);
    expect(found.prompt.share).toBeGreaterThanOrEqual(82);
    expect(found.prompt.tokens).toBeLessThanOrEqual(110);
  });
});

describe('parseSuite', () => {
  it('takes LoCoMo’s form, with several ids in one text, and refuses a session without a day', () => {
    const line = { speaker: 'Ann', dia_id: 'D1:1', text: 'Hello' };
    const talk = (day: string) => ({
      conversation: { speaker_a: 'Ann', session_1_date_time: day, session_1: [line] },
      qa: [
        { question: 'Who says hello?', evidence: ['D1:1; D9:4'], category: 1 },
        { question: 'Who says nothing?', evidence: [] },
      ],
    });
    expect(parseSuite([talk('1:56 pm on 8 May, 2023')])).toStrictEqual([
      {
        sessions: [{ at: Date.UTC(2023, 4, 8), lines: [{ id: 'D1:1', text: 'Ann: Hello' }] }],
        questions: [{ text: 'Who says hello?', evidence: ['D1:1'] }],
      },
    ]);
    expect(() => parseSuite([talk('some day')])).toThrow('session_1 has no day');
  });
});
