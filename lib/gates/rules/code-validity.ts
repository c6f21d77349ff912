/**
 * A file that a program reads is written whole and readable, or not at all: a broken configuration is found when it is too
 * late. Takes `facts.codeProblem`: what parsers of JSON, YAML, JavaScript, TypeScript and Cedar said about the code the action
 * would hand on (`lib/judge/code`), so that replay needs no parser, and another version of one changes no old decision.
 * - stops: files and declared code that do not parse, aliases that multiply into a bomb, nesting nobody can judge
 * - lets through: what parses; other languages, documents with examples in them, templates, files that may hold comments
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

export const checkCodeValidity = (_action: Action, { codeProblem }: Facts): Verdict => {
  if (codeProblem === undefined) return PASS;
  const { language, line, problem } = codeProblem;
  return { verdict: 'block', reason: `the ${language} would be broken: ${problem} (line ${line})` };
};
