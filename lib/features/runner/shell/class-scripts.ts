/**
 * Whether a script of sed or awk only prints. A command that is not wholly known counts as more.
 * Pure.
 */
import type { Rule } from './class-tables.ts';
import { mayBeOption, valuesOf } from './class-words.ts';
import { isOption, nameOf, type Run, SPLIT, UNKNOWN } from './program-run.ts';

const MAY_DO_MORE: Rule = [
  /^/,
  'unseen',
  'its script, or a word that may be an option, may run programs: write -- before names',
];
const IN_PLACE: Rule = [/^/, 'changes', 'it changes files in place'];

/** A pattern up to its end. A list of characters in it holds no end: programs differ there. */
const patternTo = (end: string): string =>
  String.raw`(?:(?!${end})[^\\\n[]|\\.|\[\^?\]?(?:(?!${end})[^\]\\\n[]|\[:\w+:\])*\])*${end}`;
const SED_ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/${patternTo('/')}I?)`;
/** One command of sed that prints, deletes, jumps or replaces, up to the next one. */
const SED_COMMAND = new RegExp(
  [
    String.raw`[\s;]*(?:${SED_ADDRESS}(?:,\+?${SED_ADDRESS})?!?\s*)?`,
    String.raw`(?:[pdDnNgGhHxP=]|[qQ]\d*|[bt:]\s*\w*|y\/[^/\\\n]*\/[^/\\\n]*\/|`,
    String.raw`s([^\w\s\\;{}[])${patternTo(String.raw`\1`)}(?:(?!\1)[^\\\n]|\\.)*\1[gpiIM\d]*)\s*(?=[;\n]|$)`,
  ].join(''),
  'gy',
);
const isPlainSed = (script: string): boolean => script.replace(SED_COMMAND, '').trim() === '';

const sedScripts = (words: readonly string[]): readonly string[] => {
  const given = words.flatMap((word, index) =>
    /^(?:-[nErsuz]*e|--expression)$/.test(word) ? [words[index + 1] ?? ''] : [],
  );
  return given.length > 0 ? given : words.filter((word) => !isOption(word)).slice(0, 1);
};

const SED_OPTION =
  /^--?$|^-[nErsuz]*(?:e|i[^/]*)?$|^--(?:quiet|silent|regexp-extended|expression|in-place(?:=[^/]*)?)$/;

/** Whether it changes the files it is given. */
export const isInPlace = (run: Run): boolean =>
  isSed(run) && run.words.some((word) => /^(?:-[nErsuz]*i|--i)/.test(word));

const printsSed = (run: Run): boolean => {
  const words = run.words.slice(1);
  const scripts = sedScripts(words);
  const values = valuesOf(run);
  const end = run.words.indexOf('--');
  // Names of files that are changed in place are the usual use of a pattern.
  const judged = isInPlace(run) ? { ...run, globs: new Set<string>() } : run;
  const isKnown = run.words.every((word, index) => {
    if (index === 0 || (end > 0 && index > end) || values.has(index) || scripts.includes(word)) return true;
    return isOption(word) ? SED_OPTION.test(word) : !mayBeOption(word, judged);
  });
  return isKnown && scripts.every((script) => !script.includes(UNKNOWN) && isPlainSed(script));
};

/** Pipes, other programs, input files and output: `>` may stand before the first block alone. */
const isPlainAwk = (code: string): boolean =>
  !/(?:^|[^|])\|(?!\|)|@|system|getline|ARG[VC]|TAB\b/.test(code.replaceAll('||', '')) && !/\{.*>/s.test(code);

const printsAwk = (run: Run): boolean => {
  const words = run.words.slice(1);
  const isValue = (index: number): boolean => /^-[Fv]$/.test(words[index - 1] ?? '');
  const at = words.findIndex((word, index) => !isOption(word) && !isValue(index));
  const code = words[at] ?? '';
  const isKnown = words.every((word, index) => !isOption(word) || isValue(index) || /^(?:-[Fv].*|--)$/s.test(word));
  // A name in the place of the code, and a value that may be several words, are not known.
  const isOpen =
    run.globs?.has(code) || code.endsWith('*') || words.slice(0, at + 1).some((word) => word.includes(SPLIT));
  return isKnown && !isOpen && !code.includes(UNKNOWN) && isPlainAwk(code);
};

const isSed = (run: Run): boolean => /^g?sed$/.test(nameOf(run));
/** Whether it is a program whose script is judged here. */
export const hasScript = (run: Run): boolean => isSed(run) || /^[gmn]?awk$/.test(nameOf(run));

/** The rule for a run of sed or awk; undefined if it only prints. */
export const scriptRule = (run: Run): Rule | undefined => {
  if (!(isSed(run) ? printsSed(run) : printsAwk(run))) return MAY_DO_MORE;
  return isInPlace(run) ? IN_PLACE : undefined;
};
