/**
 * The class of one program as it would run, and the files it would read and change. Pure.
 */
import type { CommandClass } from '../signal/facts.ts';
import { type Place, resolvePaths, showPaths } from './class-paths.ts';
import {
  BY_PATTERN,
  CHANGE_LAST,
  DECLARERS,
  OUTPUT,
  REPLACES,
  RULES,
  type Rule,
  readsOperands,
  STEERS,
  usualRule,
  VALUED,
} from './class-tables.ts';
import { isOption, nameOf, type Run } from './run.ts';

export interface Finding {
  readonly class: CommandClass;
  /** Fixed words; empty for what only reads. */
  readonly because: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Lines for a card, with paths. */
  readonly lost: readonly string[];
}

export const NOTHING: Finding = { class: 'reads', because: '', reads: [], writes: [], lost: [] };
export const unseen = (because: string): Finding => ({ ...NOTHING, class: 'unseen', because });

/** Folders of programs that come with the system. Another program may have any name. */
const SYSTEM_PROGRAM = /^(?:\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/)?[^/]+$/;

/** Words that are neither options nor their values, and values of options that are paths. */
const filesOf = (
  run: Run,
  name: string,
): { readonly operands: readonly string[]; readonly mentioned: readonly string[] } => {
  const valued = VALUED.get(name);
  const operands: string[] = [];
  const mentioned: string[] = [];
  let isOver = false;
  run.words.slice(1).forEach((word, index, words) => {
    const before = words[index - 1] ?? '';
    if (word === '--' && !isOver) isOver = true;
    else if (isOver || !isOption(word)) {
      const isValue = !isOver && (valued?.has(before) === true || (isOption(before) && /^\d+$/.test(word)));
      if (!isValue) operands.push(word);
    } else
      mentioned.push(
        /^--?[\w-]*=(.+)$/s.exec(word)?.[1] ?? /^-[a-zA-Z]+?((?:\/|~\/|\.\.\/).*)$/s.exec(word)?.[1] ?? '',
      );
  });
  return { operands, mentioned: mentioned.filter(isFar) };
};

/** A word that surely leads out of its folder: whatever the program, it is no mere name. */
const isFar = (word: string): boolean => /^(?:\/|~)|(?:^|\/)\.\.(?:\/|$)/.test(word) && !/^\/\/|:\/\//.test(word);

const outputsOf = (run: Run, name: string): readonly string[] => {
  const option = OUTPUT.get(name);
  if (option === undefined) return [];
  return run.words.slice(1).flatMap((word, index, words) => {
    const attached = option.exec(word)?.[1];
    return attached === undefined ? [] : [attached === '' ? (words[index + 1] ?? '') : attached];
  });
};

const hasPatternOption = (run: Run): boolean =>
  run.words.some((word, index) => index > 0 && /^(?:-[a-zA-Z]*[ef]|--(?:reg|exp|fi))/.test(word));

const readsOf = (run: Run, name: string): readonly string[] => {
  const { operands, mentioned } = filesOf(run, name);
  if (!readsOperands(name)) return [...operands.filter(isFar), ...mentioned];
  return [...(BY_PATTERN.has(name) && !hasPatternOption(run) ? operands.slice(1) : operands), ...mentioned];
};

const SED_ADDRESS = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)(?:,(?:\+?\d+|\$|~\d+|\/(?:[^/\\\n]|\\.)*\/I?))?!?\s*/y;
const SED_COMMAND =
  /(?:[pdDnNgGhHxlPz=]|[qQ]\d*|s([^\w\s\\;{}])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiIM\d]*|y\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/|[aic]\\?[^\n]*|[bt]?:?\s*\w*)\s*(?=[;}\n]|$)/y;

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

const sed = (run: Run): Rule | undefined => {
  const words = run.words.slice(1);
  const given = words.flatMap((word, index) => {
    if (/^(?:-[a-zA-Z]*e|--expression)$/.test(word)) return [words[index + 1] ?? ''];
    return /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(word)?.[1] ?? [];
  });
  const scripts = given.length > 0 ? given : words.filter((word) => !isOption(word)).slice(0, 1);
  const isKnown = words.every(
    (word) =>
      !isOption(word) ||
      /^(?:-[nErsuzi]*e?.*|--(?:quiet|silent|expression|regexp-extended|in-place|null-data|posix|debug|sandbox).*)$/.test(
        word,
      ),
  );
  const hasFile = words.some((word) => /^(?:-[nErsuz]*f|--fi)/.test(word));
  if (!isKnown || hasFile || !scripts.every(isPlainSed))
    return [/^/, 'unseen', 'its script may write files or run programs'];
  const isInPlace = words.some((word) => /^(?:-[nErsuz]*i|--in-place)/.test(word));
  return isInPlace ? [/^/, 'changes', 'it changes files in place'] : undefined;
};

const awk = (run: Run): Rule | undefined => {
  const words = run.words.slice(1);
  const options = words.filter((word, index) => isOption(word) && !/^-[Fv]$/.test(words[index - 1] ?? ''));
  const code = words.find((word, index) => !isOption(word) && !/^-[Fv]$/.test(words[index - 1] ?? '')) ?? '';
  // Without patterns and comments a quote always begins a text.
  const bare = /[/#]/.test(code) ? code : code.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const isPlain =
    !/system|getline|@|ARGV|[^|]\|(?!\|)|print[^;}\n]*>/.test(bare) &&
    options.every((word) => /^(?:-[Fv].*|--)$/.test(word));
  return isPlain ? undefined : [/^/, 'unseen', 'its script may write files or run programs'];
};

/** Text of the words after the name. A word with blanks is no option. */
const textOf = (run: Run): string =>
  run.words
    .slice(1)
    .map((word) => ` ${/^[^-].*\s/s.test(word) ? '\ue003' : word}`)
    .join('');

const ASKS_ABOUT_ITSELF = /^ (?:--version|--help)$/;

const ruleOf = (run: Run, name: string): Rule => {
  const usual = usualRule(name);
  const text = textOf(run);
  if (ASKS_ABOUT_ITSELF.test(text) && usual[2] !== 'its program is not known here') return [/^/, 'reads'];
  if (/^g?sed$/.test(name)) return sed(run) ?? usual;
  if (/^[gmn]?awk$/.test(name)) return awk(run) ?? usual;
  return RULES.get(name)?.find(([use]) => use.test(text)) ?? usual;
};

/** Names of variables that it sets, beside those of its assignments. */
const steers = (run: Run, name: string): boolean =>
  DECLARERS.has(name) &&
  run.words.slice(1).some((word) => {
    if (isOption(word)) return false;
    const variable = /^[^=+]*/.exec(word)?.[0] ?? '';
    if (name === 'env' && !word.includes('=')) return false;
    return !/^\w+$/.test(variable) || STEERS.test(variable) || /\$\(|`/.test(word);
  });

const lostOf = (
  name: string,
  run: Run,
  { operands, outputs }: { operands: readonly string[]; outputs: readonly string[] },
  place: Place,
): readonly string[] => {
  const isDeep = run.words.some((word) => /^-[a-zA-Z]*[rR]|^--rec/.test(word));
  switch (name) {
    case 'rm':
    case 'grm':
    case 'unlink':
    case 'rimraf':
    case 'trash':
    case 'shred':
      return showPaths(operands, place).map(
        (path) => `deletes ${path}${isDeep || name === 'rimraf' ? ' and all below it' : ''}`,
      );
    default:
      return showPaths(
        outputs.length > 0 ? outputs : CHANGE_LAST.has(name) || name === 'mv' ? operands.slice(-1) : operands,
        place,
      ).map((path) => (REPLACES.has(name) ? `replaces ${path} if it is there` : `changes ${path}`));
  }
};

/** @param place where it runs */
export const classifyRun = (run: Run, place: Place): Finding => {
  const name = nameOf(run);
  if (!SYSTEM_PROGRAM.test(run.words[0] ?? '')) return unseen('it runs a program of its own folder');
  if (steers(run, name)) return unseen('it sets what other programs run by');
  const [, found, because = ''] = ruleOf(run, name);
  if (found === 'reads') return { ...NOTHING, reads: resolvePaths(readsOf(run, name), place) };
  const { operands, mentioned } = filesOf(run, name);
  const files = BY_PATTERN.has(name) && !hasPatternOption(run) ? operands.slice(1) : operands;
  const outputs = outputsOf(run, name);
  if (found === 'leaves' || found === 'unseen')
    return { ...NOTHING, class: found, because, reads: resolvePaths([...operands.filter(isFar), ...mentioned], place) };
  if (name === 'git' || files.length + outputs.length === 0) {
    const here = resolvePaths([...(name === 'git' ? [...files.filter(isFar), ...outputs] : []), '.'], place);
    return {
      class: found,
      because,
      reads: here,
      writes: here,
      lost: found === 'destroys' ? here.map((path) => `${because.replace(/^it /, '')}: ${path}`) : [],
    };
  }
  const written = outputs.length > 0 ? outputs : CHANGE_LAST.has(name) ? files.slice(-1) : files;
  const isLost = found === 'destroys' || REPLACES.has(name);
  return {
    class: found,
    because,
    reads: resolvePaths([...files, ...mentioned], place),
    writes: resolvePaths(written, place),
    lost: isLost ? lostOf(name, run, { operands: files, outputs }, place) : [],
  };
};
