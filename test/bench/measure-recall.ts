/**
 * What memory finds of long talks, and what a prompt shows of them by itself, without a model: of
 * `--suite <folder>` with files in LoCoMo's form, or of our own ten talks. The goals are those for
 * LoCoMo, which is not stored here.
 */
import { join } from 'node:path';
import { readSuite } from '../core/memory/recall/dialogue-suite.ts';
import { evaluateRecall, type Found } from '../core/memory/recall/evaluate-recall.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const OWN = join(import.meta.dirname, '../core/memory/recall/talks');

export const measureRecall: Measure = async ({ progress, suite = OWN }) => {
  progress('recall');
  const found = evaluateRecall(readSuite(suite));
  const group = `recall over ${found.questions} questions of ${suite === OWN ? 'our ten talks' : suite}`;
  const row = (name: string, value: number, least: number): Row => ({
    ...{ group, name, value, unit: '%' },
    goal: { is: '≥', value: Math.floor(least * 10) / 10 },
  });
  const rows = (name: string, { at5, at10 }: Found, least: Found): readonly Row[] => [
    row(`any evidence in the first 5, ${name}`, at5, least.at5),
    row(`any evidence in the first 10, ${name}`, at10, least.at10),
  ];
  return [
    ...rows('lines as notes', found.lines, { at5: 68, at10: 77 }),
    ...rows('lines, and a weak embedding', found.withVectors, found.lines),
    ...rows('sessions as notes', found.sessions, { at5: 86, at10: 92 }),
    row('evidence in the prompt by itself', found.prompt.share, 65),
    { group, name: 'tokens of it', value: found.prompt.tokens, unit: '', goal: { is: '≤', value: 372 } },
  ];
};
