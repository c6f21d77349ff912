/**
 * A program that a shell would start. Unknown values are marked, so that a rule sees the gap. Pure.
 */

/** Stands for an unknown value. */
export const UNKNOWN = '\ue000';
/** Follows an unknown value that may become several words: `$x` without quotes. */
export const SPLIT = '\ue004';
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
  /** Words that begin with a pattern, so that a name in their place may begin with a dash. */
  readonly globs?: ReadonlySet<string>;
  /** It is no program but a loop or group, which may print. */
  readonly isGroup?: true;
  /** The runs before it in its pipeline, first to last. */
  readonly upstream: readonly Run[];
  /** It is a link of a chain of `&&`: whatever comes after it runs only if it succeeded. */
  readonly isSure?: true;
}

/** The program a word names: without directory, case and `.exe`. */
export const programOf = (word: string | undefined): string =>
  (word ?? '')
    .slice((word ?? '').lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');

export const nameOf = (run: Run): string => programOf(run.words[0]);

export const isOption = (word: string): boolean => word.length > 1 && word.startsWith('-');

/** Words that are neither the name nor options. */
export const operandsOf = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--');
  const before = (end < 0 ? words.slice(1) : words.slice(1, end)).filter((word) => !isOption(word));
  return end < 0 ? before : [...before, ...words.slice(end + 1)];
};

const PRINTS_NUMBER = /^(?:nproc|wc -[clmw]|date \+%s|stat -c ?%[XYZsb] [^-\s]\S*|id -u)$/;

/** The text a run prints, without a final newline; undefined if unknown. */
export const outputOf = ({ words, redirects }: Run): string | undefined => {
  const text = words.join(' ').trim();
  if (PRINTS_NUMBER.test(text)) return '1';
  if (text === 'pwd') return '.';
  const isEmpty = /^(?:(?::|true)(?: .*)?|cat \/dev\/null|echo -n|printf)$/s.test(text);
  return isEmpty || (text === 'cat' && redirects.some(({ target }) => target === '/dev/null')) ? '' : undefined;
};
