/**
 * Whether a script of sed or awk on the command line does more than print: writes files, or runs
 * programs. A script that is not surely plain counts as one that does. Pure.
 */
import type { Rule } from './class-tables.ts';
import { mayBeOption, valuesOf } from './class-words.ts';
import { isOption, type Run, UNKNOWN } from './run.ts';

const MAY_DO_MORE: Rule = [/^/, 'unseen', 'its script may write files or run programs'];

const SED_ADDRESS = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)(?:,(?:\+?\d+|\$|~\d+|\/(?:[^/\\\n]|\\.)*\/I?))?!?\s*/y;
const SED_COMMAND =
  /(?:[pdDnNgGhHxlPzF=]|[qQ]\d*|s([^\w\s\\;{}])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiIM\d]*|y\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/|[aic]\\?[^\n]*|[bt]\s*\w*|:\s*\w+)\s*(?=[;}\n]|$)/y;

/** Whether a script of sed does nothing but print what it read, changed. */
const isPlainSed = (script: string): boolean => {
  for (let at = 0; at < script.length; ) {
    if (/[\s;{}]/.test(script[at] ?? '')) {
      at += 1;
      continue;
    }
    SED_ADDRESS.lastIndex = at;
    if (SED_ADDRESS.test(script)) at = SED_ADDRESS.lastIndex;
    if (script[at] === '{') continue;
    SED_COMMAND.lastIndex = at;
    if (!SED_COMMAND.test(script) || SED_COMMAND.lastIndex === at) return false;
    at = SED_COMMAND.lastIndex;
  }
  return true;
};

/** Whether an operand may be an option, or a script is not wholly known. */
const isOpen = (run: Run, scripts: readonly string[], isInPlace: boolean): boolean => {
  const values = valuesOf(run);
  const end = run.words.indexOf('--');
  const mayBe = (word: string): boolean => mayBeOption(word, isInPlace ? { ...run, globs: new Set() } : run);
  const isBefore = (index: number): boolean => index > 0 && (end < 0 || index < end) && !values.has(index);
  return (
    scripts.some((script) => script.includes(UNKNOWN)) ||
    run.words.some((word, index) => isBefore(index) && !scripts.includes(word) && mayBe(word))
  );
};

/** The rule for a run of sed; undefined if it only prints. */
export const sedRule = (run: Run): Rule | undefined => {
  const words = run.words.slice(1);
  const given = words.flatMap((word, index) => {
    if (/^(?:-[a-zA-Z]*e|--expression)$/.test(word)) return [words[index + 1] ?? ''];
    return /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(word)?.[1] ?? [];
  });
  const scripts = given.length > 0 ? given : words.filter((word) => !isOption(word)).slice(0, 1);
  const isKnown = words.every(
    (word) =>
      !isOption(word) ||
      /^(?:-[nErsuz]*(?:[ei].*)?|--(?:quiet|silent|expression|regexp-extended|in-place|null-data|posix|debug|sandbox).*)$/.test(
        word,
      ),
  );
  const hasFile = words.some((word) => /^(?:-[nErsuz]*f|--fi)/.test(word));
  const isInPlace = words.some((word) => /^(?:-[nErsuz]*i|--in-place)/.test(word));
  if (!isKnown || hasFile || isOpen(run, scripts, isInPlace) || !scripts.every(isPlainSed)) return MAY_DO_MORE;
  return isInPlace ? [/^/, 'changes', 'it changes files in place'] : undefined;
};

/** The same for awk. */
export const awkRule = (run: Run): Rule | undefined => {
  const words = run.words.slice(1);
  const options = words.filter((word, index) => isOption(word) && !/^-[Fv]$/.test(words[index - 1] ?? ''));
  const code = words.find((word, index) => !isOption(word) && !/^-[Fv]$/.test(words[index - 1] ?? '')) ?? '';
  // Without patterns and comments a quote always begins a text.
  const bare = /[/#]/.test(code) ? code : code.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const isPlain =
    !code.includes(UNKNOWN) &&
    !code.endsWith('*') &&
    run.globs?.has(code) !== true &&
    !/system|getline|@|ARGV|[^|]\|(?!\|)|print[^;}\n]*>/.test(bare) &&
    options.every((word) => /^(?:-[Fv].*|--)$/.test(word));
  return isPlain ? undefined : MAY_DO_MORE;
};
