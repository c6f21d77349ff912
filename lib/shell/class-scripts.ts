/**
 * What a script of sed or awk on the command line does beside printing: the files it writes, if it
 * names them, or more. A script that is not wholly known counts as one that does more. Pure.
 */
import type { Rule } from './class-tables.ts';
import { mayBeOption, valuesOf } from './class-words.ts';
import { isOption, nameOf, type Run, SPLIT, UNKNOWN } from './program-run.ts';

const MAY_DO_MORE: Rule = [
  /^/,
  'unseen',
  'its script, or a word that may be an option, may run programs: write -- before names',
];
const WRITES: Rule = [/^/, 'changes', 'it writes to a file that its script names'];
const IN_PLACE: Rule = [/^/, 'changes', 'it changes files in place'];
const PRINTED = /^\/dev\/(?:stdout|stderr|null)$/;

/** A list of characters in a pattern, which holds no end of the pattern: programs differ there. */
const listWithout = (end: string): string =>
  String.raw`\[\^?(?:\]|(?!\]))(?:(?!${end})[^\]\\\n[]|\\.|\[:\w+:\]|\[(?![:.=]))*\]`;
const SLASHED = String.raw`\/(?:[^/\\\n[]|\\.|${listWithout('/')})*\/`;

const SED_ADDRESS = new RegExp(
  String.raw`(?:\d+(?:~\d+)?|\$|${SLASHED}I?)(?:,(?:\+?\d+|\$|~\d+|${SLASHED}I?))?!?\s*`,
  'y',
);
const SED_COMMAND = new RegExp(
  [
    String.raw`(?:[pdDnNgGhHxlPzF=]|[qQ]\d*|[bt]\s*\w*|:\s*\w+|y${SLASHED.slice(0, -2)}\/(?:[^/\\\n]|\\.)*\/)`,
    String.raw`\s*(?=[;}\n]|$)|[aic]\\?[^\n]*|[wW]\s*([^\n]+)|s([^\w\s\\;{}])`,
    String.raw`(?:(?!\2)[^\\\n[]|\\.|${listWithout(String.raw`\2`)})*\2(?:(?!\2)[^\\\n]|\\.)*\2[gpiIM\d]*`,
    String.raw`(?:w\s*([^\n]+)|\s*(?=[;}\n]|$))`,
  ].join(''),
  'y',
);

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Files that a script writes; undefined if it may do more. */
type Writes = readonly string[] | undefined;

const writesOfSed = (script: string): Writes => {
  const writes: string[] = [];
  for (let at = 0; at < script.length; ) {
    if (/[\s;{}]/.test(script[at] ?? '')) {
      at += 1;
      continue;
    }
    at += matchAt(SED_ADDRESS, script, at)?.[0].length ?? 0;
    if (script[at] === '{') continue;
    const found = matchAt(SED_COMMAND, script, at);
    if (found === null || found[0] === '') return undefined;
    const file = found[1] ?? found[3];
    if (file !== undefined && !PRINTED.test(file)) writes.push(file);
    at += found[0].length;
  }
  return writes;
};

const IS_IN_PLACE = /^(?:-[nErsuz]*i|--i)/;

const sedScripts = (words: readonly string[]): readonly string[] => {
  const given = words.flatMap((word, index) => {
    if (/^(?:-[a-zA-Z]*e|--e[a-z]*)$/.test(word)) return [words[index + 1] ?? ''];
    return /^(?:-[nErsuz]*e|--e[a-z]*=)(.+)$/s.exec(word)?.[1] ?? [];
  });
  return given.length > 0 ? given : words.filter((word) => !isOption(word)).slice(0, 1);
};

const SED_OPTION =
  /^--?$|^-[nErsuz]*(?:e.*|i[^/]*)?$|^--(?:q|si|e|r|i|n|po|d|sa|se|u|z)[a-z-]*(?:=[^/]*)?$|^--e[a-z]*=/s;

/** Whether an operand of sed may turn out to be an option: it takes options everywhere. */
const mayHaveOptions = (run: Run, scripts: readonly string[]): boolean => {
  const values = valuesOf(run);
  const end = run.words.indexOf('--');
  // Names of files that are changed in place are the usual use of a pattern.
  const judged = isInPlace(run) ? { ...run, globs: new Set<string>() } : run;
  return run.words.some(
    (word, index) =>
      index > 0 &&
      (end < 0 || index < end) &&
      !values.has(index) &&
      !scripts.includes(word) &&
      mayBeOption(word, judged),
  );
};

const writesOfSeds = (run: Run): Writes => {
  const words = run.words.slice(1);
  const scripts = sedScripts(words);
  const isKnown = words.every((word) => !isOption(word) || SED_OPTION.test(word) || scripts.includes(word));
  if (!isKnown || mayHaveOptions(run, scripts) || scripts.some((script) => script.includes(UNKNOWN))) return undefined;
  const writes = scripts.map(writesOfSed);
  return writes.every((one) => one !== undefined) ? writes.flat() : undefined;
};

const AWK_TOKEN = /\s+|\\\n|#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|[\d.]+|\|\||>>|\+\+|--|[<>!=]=|[^"]/sy;
const AWK_PATTERN = new RegExp(SLASHED, 'y');
/** Words of awk after which a slash begins a pattern. */
const AWK_KEYWORD = /^(?:print|printf|return|in|else|do|exit|delete|case)$/;

/** Whether a slash here divides; undefined if programs differ. */
const divides = (before: string, rest: string): boolean | undefined => {
  if (/^(?:\)|\+\+|--|getline)$/.test(before)) return rest.includes('/') ? undefined : true;
  return /[\w$\]"]$/.test(before) && !AWK_KEYWORD.test(before);
};

const writesOfAwk = (code: string): Writes => {
  const writes: string[] = [];
  let [before, depth, isPrinting] = ['', 0, false];
  for (let at = 0; at < code.length; ) {
    const isDivision = code[at] === '/' ? divides(before, code.slice(at + 1)) : true;
    const token = isDivision === undefined ? undefined : matchAt(isDivision ? AWK_TOKEN : AWK_PATTERN, code, at)?.[0];
    if (token === undefined || /^(?:\||@|system|ARGV|ARGC|SYMTAB|FUNCTAB)$/.test(token)) return undefined;
    at += token.length;
    if (token === '(' || token === '[') depth += 1;
    if (token === ')' || token === ']') depth -= 1;
    if (/^[;{}]$/.test(token)) isPrinting = false;
    if (/^printf?$/.test(token)) isPrinting = true;
    // A file is named whole by a text, or nobody knows it.
    if (token === '<' && /\bgetline\b/.test(code)) return undefined;
    if (isPrinting && depth === 0 && /^>>?$/.test(token)) {
      const file = /^\s*"([^"\\\n]+)"\s*(?:[;}\n]|$)/.exec(code.slice(at))?.[1];
      if (file === undefined || /^\/inet/.test(file)) return undefined;
      if (!PRINTED.test(file)) writes.push(file);
    }
    if (/^\s|^\\\n|^#/.test(token)) before = token.includes('\n') && !token.startsWith('\\') ? '' : before;
    else before = token;
  }
  return writes;
};

const writesOfAwks = (run: Run): Writes => {
  const words = run.words.slice(1);
  const isValue = (index: number): boolean => /^-[Fv]$/.test(words[index - 1] ?? '');
  const at = words.findIndex((word, index) => !isOption(word) && !isValue(index));
  const code = words[at] ?? '';
  const isKnown = words.every((word, index) => !isOption(word) || isValue(index) || /^(?:-[Fv].*|--)$/s.test(word));
  // A name in the place of the code, and a value that may be several words, are not known.
  const isOpen =
    run.globs?.has(code) || code.endsWith('*') || words.slice(0, at + 1).some((word) => word.includes(SPLIT));
  return !isKnown || isOpen || code.includes(UNKNOWN) ? undefined : writesOfAwk(code);
};

const isSed = (run: Run): boolean => /^g?sed$/.test(nameOf(run));
/** Whether it is a program whose script is judged here. */
export const hasScript = (run: Run): boolean => isSed(run) || /^[gmn]?awk$/.test(nameOf(run));

/** The files that the script of a run names and writes. */
export const scriptWrites = (run: Run): Writes => (isSed(run) ? writesOfSeds(run) : writesOfAwks(run));

/** Whether it changes the files it is given. */
export const isInPlace = (run: Run): boolean => isSed(run) && run.words.some((word) => IS_IN_PLACE.test(word));

/** The rule for a run of sed or awk; undefined if it only prints. */
export const scriptRule = (run: Run): Rule | undefined => {
  const writes = scriptWrites(run);
  if (writes === undefined) return MAY_DO_MORE;
  if (isInPlace(run)) return IN_PLACE;
  return writes.length > 0 ? WRITES : undefined;
};
