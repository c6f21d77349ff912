/**
 * A program that a shell would start, and the text it would print, as far as both are known without
 * running it. Quotes, variables, braces and simple substitutions are resolved; unknown values are
 * marked, so that a rule sees the gap. Pure.
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
  /** Its standard input, if a here-document or here-string gives it. */
  readonly input?: string;
  /** Words that begin with a pattern, so that a name in their place may begin with a dash. */
  readonly globs?: ReadonlySet<string>;
  /** It is no program but a loop or group, which may print. */
  readonly isGroup?: true;
  /** The runs before it in its pipeline, first to last. */
  readonly upstream: readonly Run[];
  /** Runs whose output became part of its words. */
  readonly substituted: readonly Run[];
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

/** Escapes of `echo -e` and `printf`. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '\u001b', '\\': '\\' };

const unescapeText = (text: string): string =>
  text.replace(/\\(?:x([0-9a-f]{1,2})|0?([0-7]{1,3})|u([0-9a-f]{1,4})|(.))/gi, (_, hex, octal, unicode, other) => {
    const digits = hex ?? unicode;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return ESCAPES[other] ?? other;
  });

const printed = (words: readonly string[]): string => {
  const [format = '', ...values] = words.slice(words[1] === '--' ? 2 : 1);
  let next = 0;
  const text = unescapeText(format).replace(/%[-0-9.]*([a-z%])/gi, (_, kind) =>
    kind === '%' ? '%' : (values[next++] ?? ''),
  );
  return next === 0 ? text : `${text}${values.slice(next).join(' ')}`;
};

const PRINTS_NUMBER = /^(?:nproc|wc -[clmw]|date \+%s|stat -c ?%[XYZsb] [^-\s]\S*|id -u)$/;

const inputOf = (run: Run): string | undefined => {
  if (run.redirects.some(({ operator, target }) => operator === '<' && target === '/dev/null')) return '';
  if (run.input !== undefined) return run.input;
  const last = run.upstream.at(-1);
  return last === undefined ? undefined : outputOf(last);
};

/**
 * The text a run prints, without a final newline; undefined if unknown. So a command hidden in
 * `$(echo rm)` is judged as what it is.
 */
export const outputOf = (run: Run): string | undefined => {
  const { words } = run;
  if (PRINTS_NUMBER.test(words.join(' '))) return '1';
  switch (nameOf(run)) {
    case ':':
    case 'true':
      return '';
    case 'cat':
      if (words.length === 2 && words[1] === '/dev/null') return '';
      return operandsOf(words).length === 0 ? inputOf(run) : undefined;
    case 'tee':
      return inputOf(run);
    case 'echo': {
      const rest = words.slice(1);
      const start = rest.findIndex((word) => !/^-[neE]+$/.test(word));
      const text = start < 0 ? '' : rest.slice(start).join(' ');
      return rest.some((word) => /^-[nE]*e/.test(word)) ? unescapeText(text) : text;
    }
    case 'printf':
      return printed(words);
    case 'ls': {
      // The names are unknown, but their directory is known.
      const place = operandsOf(words)[0];
      return place === undefined || /[*?]/.test(place) ? place : `${place.replace(/\/+$/, '')}/*`;
    }
    case 'which':
    case 'type':
      return operandsOf(words).at(-1);
    case 'command':
      return words.some((word) => isOption(word) && /v/i.test(word)) ? operandsOf(words).at(-1) : undefined;
    case 'yes':
    case 'pwd':
      return nameOf(run) === 'pwd' ? '.' : (words[1] ?? 'y');
    default:
      return undefined;
  }
};
