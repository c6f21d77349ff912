/**
 * What a shell would start, as far as it can be known without starting it: words after quotes, variables, braces and simple
 * substitutions are resolved. What cannot be known is marked, so that a rule sees the gap instead of a wrong value.
 */

/** Stands for a value nobody knows beforehand. */
export const UNKNOWN = '\ue000';
/** Stands for the name of a process substitution, `<(…)`. */
export const PROCESS_FILE = '\ue002';

export interface Redirected {
  readonly operator: string;
  readonly target: string;
}

export interface Run {
  /** Name and arguments; empty for redirections without a command. */
  readonly words: readonly string[];
  readonly redirects: readonly Redirected[];
  /** Its standard input where a here-document or here-string gives it. */
  readonly input?: string;
  /** What stands before it in its pipeline, first to last. */
  readonly upstream: readonly Run[];
  /** Runs whose output became part of its words. */
  readonly substituted: readonly Run[];
}

/** The program a word names: without directory, case and compatibility characters. */
export const programOf = (word: string | undefined): string =>
  (word ?? '')
    .slice((word ?? '').lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');

export const nameOf = (run: Run): string => programOf(run.words[0]);

export const isOption = (word: string): boolean => word.length > 1 && word.startsWith('-');

/** Whether a one-letter flag is given, alone or in a cluster (`-xdf`). */
export const hasFlag = (words: readonly string[], letter: string): boolean =>
  words.some((word) => /^-[a-z]+$/i.test(word) && word.includes(letter));

/** Words that are neither the name nor options. */
export const operandsOf = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--');
  const before = (end < 0 ? words.slice(1) : words.slice(1, end)).filter((word) => !isOption(word));
  return end < 0 ? before : [...before, ...words.slice(end + 1)];
};
