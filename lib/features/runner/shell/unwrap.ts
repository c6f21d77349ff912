/**
 * Takes a run out of its wrappers: `sudo -u x env A=b timeout 5 sh -c '…'`. Scripts found on the
 * way are to be read in turn. Pure.
 */

import { isOption, programOf, type Run, SPLIT, UNKNOWN } from './program-run.ts';

interface Wrapper {
  /** Options that take the next word. */
  readonly valued: string;
  /** Words before the command. */
  readonly operands?: number;
}

const w = (valued = '', operands = 0): Wrapper => ({ valued, operands });

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: w('-u -C --unset --chdir'),
  sudo: w('-u -g -h -p -C -r -t -D -R -T --user --group --host --prompt --chdir --chroot'),
  doas: w('-u -C'),
  nohup: w(),
  setsid: w(),
  time: w('-f -o --format --output'),
  nice: w('-n --adjustment'),
  ionice: w('-c -n -p --class --classdata'),
  timeout: w('-s -k --signal --kill-after', 1),
  gtimeout: w('-s -k', 1),
  stdbuf: w('-i -o -e'),
  command: w(),
  builtin: w(),
  exec: w('-a'),
  taskset: w('', 1),
  chrt: w('', 1),
  busybox: w(),
  toybox: w(),
  caffeinate: w('-t'),
  '!': w(),
};

const XARGS = w('-I -n -P -L -d -a -E -s --max-args --max-procs --delimiter --arg-file');

const SHELLS: ReadonlySet<string> = new Set('sh bash dash zsh ksh ash fish mksh rbash csh tcsh'.split(' '));
export const isShell = (word: string | undefined): boolean => SHELLS.has(programOf(word));

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The words after a wrapper's options, assignments and operands. */
const afterOptions = (words: readonly string[], { valued, operands = 0 }: Wrapper): readonly string[] => {
  const taking = new Set(valued.split(' '));
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      index += 1;
      break;
    }
    if (taking.has(word)) index += 1;
    else if (!isOption(word) && !ASSIGNMENT.test(word)) break;
  }
  return words.slice(index + operands);
};

/** The options that a wrapper itself is given, and words that may hold more than it takes. */
export const wrapperOptions = (words: readonly string[]): readonly string[] => {
  const name = programOf(words[0]);
  const wrapper = name === 'xargs' ? XARGS : (WRAPPERS[name] ?? w());
  const own = words.slice(1, words.length - afterOptions(words, wrapper).length);
  return own.filter((word) => isOption(word) || word.includes(SPLIT));
};

export interface Unwrapped {
  readonly runs: readonly Run[];
  /** Texts that a shell would read, each with the run it came from. */
  readonly scripts: readonly { readonly text: string; readonly run: Run }[];
}

/** Stands for a file that a list or search will name. */
export const FOUND = 'found-by-search';

/** The script of `sh -c '…'`, `bash -euo pipefail -c '…'`; undefined for every other use. */
const givenScript = (words: readonly string[]): string | undefined => {
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (/^-[euxfvn]*c$/.test(word)) return words[index + 1];
    const takesPipefail = /^-[euxfvn]*o$/.test(word) && words[index + 1] === 'pipefail';
    if (!takesPipefail && !/^-[euxfvn]+$/.test(word)) return undefined;
    index += takesPipefail ? 1 : 0;
  }
  return undefined;
};

const findCommands = (words: readonly string[]): readonly (readonly string[])[] => {
  const commands: (readonly string[])[] = [];
  const first = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = words.slice(1, first < 0 ? words.length : first);
  const isBelow = roots.length > 0 && roots.every((root) => /^\.{1,2}\//.test(root) || root === '.');
  const fill = (word: string): readonly string[] => {
    if (!word.includes('{}')) return [word];
    return isBelow ? [word.replaceAll('{}', FOUND)] : roots.map((root) => word.replaceAll('{}', root));
  };
  for (let index = 1; index < words.length; index += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[index] ?? '')) continue;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((each) => each === ';' || each === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    commands.push(command.flatMap(fill));
    index += command.length;
  }
  return commands;
};

const xargsCommand = (run: Run): readonly string[] => {
  const given = afterOptions(run.words, XARGS);
  const rest = given.length === 0 ? ['echo'] : given;
  const at = run.words.indexOf('-I');
  const attached = run.words.flatMap((word) => /^(?:-[Ii]|--replace=)(.+)$/.exec(word)?.[1] ?? [])[0];
  const isUsual = run.words.includes('-i') || run.words.includes('--replace');
  const mark = at > 0 ? run.words[at + 1] : (attached ?? (isUsual ? '{}' : undefined));
  // A name may become the script itself, or a part of it.
  const found = isShell(rest[0]) ? UNKNOWN : FOUND;
  return mark === undefined || mark === '' ? [...rest, found] : rest.map((word) => word.replaceAll(mark, found));
};

const innerWords = (run: Run): readonly (readonly string[])[] => {
  const name = programOf(run.words[0]);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper !== undefined) {
    // A look-up, not a start.
    if (name === 'command' && /^-[vV]+$/.test(run.words[1] ?? '')) return [];
    return [afterOptions(run.words, wrapper)];
  }
  switch (name) {
    case 'xargs':
      return [xargsCommand(run)];
    case 'find':
    case 'fd':
      return findCommands(run.words);
    default:
      return [];
  }
};

/** The run itself and everything it would start in turn. */
export const unwrap = (run: Run): Unwrapped => {
  const runs: Run[] = [];
  const scripts: { text: string; run: Run }[] = [];
  const queue: Run[] = [run];
  for (let next = queue.shift(); next !== undefined && runs.length < 32; next = queue.shift()) {
    const current = next;
    runs.push(current);
    const text = isShell(current.words[0]) ? givenScript(current.words) : undefined;
    if (text !== undefined) scripts.push({ text, run: current });
    for (const words of innerWords(current)) if (words.length > 0) queue.push({ ...current, words });
  }
  return { runs, scripts };
};
