/** What a parser says of a piece of code: the one form all languages share. */
import type { CodeProblem } from '../../signal/facts.ts';
import type { CodeForm } from './proposed-code.ts';

/** A line of the code, from 1, and what is wrong there; undefined where it parses. */
export type Finding = Pick<CodeProblem, 'line' | 'problem'> | undefined;
export type FindProblem = (text: string, form: CodeForm) => Finding;
