/**
 * The words of a run as the rules of its program see them; unknown ones may be any option. Pure.
 */
import { OPTIONS, type Taking, VALUED, WORST_OPTIONS } from './class-options.ts';
import { isOption, nameOf, type Run, SPLIT, UNKNOWN } from './program-run.ts';

const tableOf = <Value>(table: ReadonlyMap<string, Value>, { words }: Run, name: string): Value | undefined =>
  table.get(`${name} ${words[1] ?? ''}`) ?? table.get(name);

/** Places of words that are values of the option before them, in a table of options. */
export const valuesOf = (run: Run): ReadonlySet<number> => {
  const valued = tableOf(VALUED, run, nameOf(run));
  const found = new Set<number>();
  for (let index = 1; index < run.words.length - 1; index += 1) {
    const word = run.words[index] ?? '';
    if (word === '--') break;
    const letter = /^-[a-z]*(\w)$/.exec(word)?.[1];
    const isFirst = letter !== undefined && ![...word.slice(1, -1)].some((one) => valued?.has(`-${one}`));
    if (!valued?.has(word) && !(isFirst && valued?.has(`-${letter}`))) continue;
    // `jq --arg name value` takes two.
    for (let left = /^--arg(?:json)?$/.test(word) ? 2 : 1; left > 0; left -= 1) {
      index += 1;
      found.add(index);
    }
  }
  return found;
};

/** The name as the table has it: whole, or the only one that begins so. */
const wholeName = (name: string, options: ReadonlyMap<string, Taking>): string | undefined => {
  if (options.has(name)) return name;
  const [whole, ...others] = [...options.keys()].filter((one) => name.startsWith('--') && one.startsWith(name));
  return others.length === 0 ? whole : undefined;
};

interface Spelled {
  readonly words: readonly string[];
  /** Of the last one; true if it is the next word of the command. */
  readonly value?: string | true;
}

/** A word of options as the words it means; undefined if one of them is not in the table. */
const spellWord = (word: string, options: ReadonlyMap<string, Taking>): Spelled | undefined => {
  const [, start = '', value] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (start !== '') {
    const name = wholeName(start, options);
    const how = options.get(name ?? '');
    if (name === undefined || how === undefined || (how === '' && value !== undefined)) return undefined;
    if (how === '?' || how === '') return { words: [value === undefined ? name : `${name}=${value}`] };
    return { words: [name], value: value ?? true };
  }
  const words: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const [letter, rest] = [`-${word[at]}`, word.slice(at + 1)];
    const how = options.get(letter);
    if (how === undefined) return undefined;
    if (how === '?') return { words: [...words, `${letter}${rest}`] };
    words.push(letter);
    if (how !== '') return { words, value: rest === '' || rest };
  }
  return { words };
};

/** The old way of tar: `tar cfC a.tar dir` gives its letters their values in order. */
const spellOldTar = (words: readonly string[], options: ReadonlyMap<string, Taking>): readonly string[] => {
  const [name = '', letters = '', ...rest] = words;
  if (name === '' || letters === '' || /^-|^\ue000/.test(letters)) return words;
  const own = [...letters].flatMap((letter) => {
    const value = /^[:=>]$/.test(options.get(`-${letter}`) ?? '') ? rest.shift() : undefined;
    return value === undefined ? [`-${letter}`] : [`-${letter}`, value];
  });
  return [name, ...own, ...rest];
};

/**
 * Each option whole, its value in the next word: `sort -ruo x` is `sort -r -u -o x`. Undefined if
 * the program's table lacks one, or a value looks like an option.
 */
export const spellOut = (run: Run): Run | undefined => {
  const name = nameOf(run);
  const options = OPTIONS.get(name);
  if (options === undefined) return run;
  const given = name === 'tar' ? spellOldTar(run.words, options) : run.words;
  const words = given.slice(0, 1);
  for (let index = 1; index < given.length; index += 1) {
    const word = given[index] ?? '';
    if (word === '--') return { ...run, words: [...words, ...given.slice(index)] };
    const spelled = isOption(word) ? spellWord(word, options) : { words: [word] };
    if (spelled === undefined) return undefined;
    words.push(...spelled.words);
    if (spelled.value === true) index += 1;
    const value = spelled.value === true ? given[index] : spelled.value;
    if (value === undefined) continue;
    if (isOption(value)) return undefined;
    words.push(value);
  }
  return { ...run, words };
};

/** A word that may turn out to begin with a dash, or to be several. */
export const mayBeOption = (word: string, { globs, words: [program = ''] }: Run): boolean =>
  word.includes(SPLIT) || (!/^(?:test|\[)$/.test(program) && (word.startsWith(UNKNOWN) || globs?.has(word) === true));

const shown = (word: string): string => ` ${word.replace(/\s/g, '\ue003')}`;

/** A long option that is the beginning of one of these is that one: `--har` is `--hard`. */
const wholeOption = (word: string, worst: ReadonlySet<string>): string => {
  const [, start = '', value = ''] = /^(--[a-z][\w-]*)(=.*)?$/s.exec(word) ?? [];
  if (start === '' || worst.has(start)) return word;
  return `${[...worst].find((one) => one.startsWith(start)) ?? start}${value}`;
};

export interface ShownWords {
  /** Each word after the name with a blank before it and none inside. */
  readonly text: string;
  /** A word that nobody can know, or a pattern, may turn out to be an option. */
  readonly mayBeOption: '' | 'pattern' | 'unknown';
}

/** The words as rules see them: a value is `_`, and an operand never begins with a dash. */
export const showWords = (run: Run): ShownWords => {
  const name = nameOf(run);
  const worst = WORST_OPTIONS.get(name) ?? new Set();
  const values = valuesOf(run);
  // After `--`, find still takes what begins with a dash for its rules.
  const end = name === 'find' ? -1 : run.words.indexOf('--');
  let mayHaveOption: ShownWords['mayBeOption'] = '';
  const text = run.words.slice(1).map((word, before) => {
    const index = before + 1;
    if (end > 0 && index > end) return shown(/^-/.test(word) ? `./${word}` : word);
    if (values.has(index) && !word.includes(SPLIT)) return ' _';
    // Only the first word of printf may be one: what follows the format is printed.
    if ((name !== 'printf' || index === 1) && mayBeOption(word, run) && mayHaveOption !== 'unknown')
      mayHaveOption = word.includes(UNKNOWN) || word.includes(SPLIT) ? 'unknown' : 'pattern';
    return shown(word === '-' ? '@' : wholeOption(word, worst));
  });
  return { text: text.join(''), mayBeOption: mayHaveOption };
};

/** Words that are neither options nor values of options. */
export const operandsIn = (run: Run): readonly string[] => {
  const values = valuesOf(run);
  const end = run.words.indexOf('--');
  return run.words.filter((word, index) => {
    if (index === 0 || index === end) return false;
    if (end > 0 && index > end) return true;
    const before = run.words[index - 1] ?? '';
    return !isOption(word) && !values.has(index) && !(isOption(before) && /^\d+$/.test(word));
  });
};
