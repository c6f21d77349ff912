/** Faults of files that a person wrote, in words for their author. Pure. */
import { makeVisible } from './make-visible.ts';

export interface FileProblem {
  readonly file: string;
  readonly line?: number | undefined;
  readonly problem: string;
}

export const inLineOrder = (problems: readonly FileProblem[]): readonly FileProblem[] =>
  problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));

export const problemWords = ({ file, line, problem }: FileProblem): string =>
  `${file}${line === undefined ? '' : ` line ${line}`}: ${problem}`;

/** Tabs and carriage returns are seen by nobody and hide nothing. */
const hiddenIn = (text: string): string | undefined => {
  const plain = text.replace(/[\t\r]/g, ' ');
  const shown = makeVisible(plain, true);
  return shown === plain ? undefined : /\\u\{[0-9a-f]+\}/.exec(diffFrom(plain, shown))?.[0];
};

/** The rest of `shown` from where it begins to differ. */
const diffFrom = (plain: string, shown: string): string => {
  let at = 0;
  while (at < plain.length && plain[at] === shown[at]) at += 1;
  return shown.slice(at);
};

/** Each line that holds a character which no reader sees. */
export const hiddenProblems = (file: string, text: string): readonly FileProblem[] =>
  text.split('\n').flatMap((line, index) => {
    const found = hiddenIn(line);
    return found === undefined
      ? []
      : [{ file, line: index + 1, problem: `it holds a character that nobody sees: ${found}` }];
  });
