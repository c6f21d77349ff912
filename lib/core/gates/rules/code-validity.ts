/**
 * A file that a program reads is written whole and readable, or not at all. Judges
 * `facts.codeProblem`, the finding of the parsers in `lib/core/judge/code`: so replay needs no
 * parser. - stops: files and declared code that do not parse, aliases that multiply into a bomb,
 *   nesting too deep to judge
 * - lets through: other languages, documents with examples, templates, files that may hold comments
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

export const checkCodeValidity = (_action: Action, { codeProblem }: Facts): Verdict => {
  if (codeProblem === undefined) return PASS;
  const { language, line, problem } = codeProblem;
  return { verdict: 'block', reason: `the ${language} would be broken: ${problem} (line ${line})` };
};
