/**
 * Finds what no command may do, whatever its class: reading credentials, sending data out, running
 * downloads. The command is parsed and taken out of its wrappers, scripts in it are read in turn.
 * Gives fixed sentences, never a part of the command. A command that cannot be read, or whose
 * program nobody can know, is a danger too (I3). Pure.
 */

import { KIB } from '../base/limits.ts';
import { codeOfRun, judgeCode } from './code.ts';
import { downloadedFiles, leakDanger, RUNS_DOWNLOAD, readsCredentials, startedFile } from './leaks.ts';
import { isDecoder, isOption, nameOf, operandsOf, outputOf, programOf, type Run, UNKNOWN } from './program-run.ts';
import { readScript } from './read.ts';
import { unwrap } from './unwrap.ts';

/** A longer command is a file that nobody reviews. */
export const SHELL_COMMAND_CHARS_MAX = 16 * KIB;
/** Runs judged in all, those of inner scripts included. */
export const SHELL_STEPS_MAX = 1_024;
/** Scripts inside scripts (`sh -c "sh -c …"`): honest commands need two. */
export const SHELL_DEPTH_MAX = 6;

/** Raise this with every change of what is found. The fact names it. */
export const SHELL_RULES_VERSION = 11;

const UNREADABLE = 'it cannot be read as a shell command';
const UNKNOWN_PROGRAM = 'the program it would start cannot be known beforehand';

const hasUnknownProgram = (run: Run): boolean => {
  const name = nameOf(run);
  if (name.includes(UNKNOWN)) return true;
  return /[*?]/.test(name) || (name.includes('[') && name !== '[');
};

/** A harmless helper may name the program: `eval "$(ssh-agent -s)"`. */
const isHelped = (run: Run): boolean =>
  run.substituted.length > 0 &&
  !run.substituted.some((one) => isDecoder(one) || downloadedFiles(one).length > 0 || hasUnknownProgram(one));

const folderAfter = (run: Run, folder: string): string => {
  const name = nameOf(run);
  if (name !== 'cd' && name !== 'pushd') return folder;
  const to = operandsOf(run.words)[0] ?? '~';
  if (to.includes(UNKNOWN) || to === '-') return '';
  return folder === '' || /^[/~]/.test(to) ? to : `${folder}/${to}`;
};

/** The run with its relative paths as they are after a `cd`: `cd /etc; cat shadow`. */
const asSeenFrom = (run: Run, folder: string): Run => {
  if (folder === '') return run;
  const place = (word: string): string => {
    const key = /^[io]f=/.exec(word)?.[0] ?? '';
    const value = word.slice(key.length);
    return isOption(word) || /^[/~$]|:\/\//.test(value) || value.includes(UNKNOWN) ? word : `${key}${folder}/${value}`;
  };
  return { ...run, words: [...run.words.slice(0, 1), ...run.words.slice(1).map(place)] };
};

const dangersOf = (run: Run, folder: string): readonly (string | undefined)[] => {
  const there = asSeenFrom(run, folder);
  const isReading = there !== run && readsCredentials(there);
  return [leakDanger(run), isReading ? 'it reads credentials' : undefined];
};

interface Search {
  readonly dangers: Set<string>;
  readonly downloaded: Set<string>;
  /** Files that the command writes with a known text. */
  readonly written: Map<string, string>;
  /** Where the last `cd` led; empty if unknown. */
  folder: string;
  steps: number;
}

const remember = (run: Run, search: Search): void => {
  const target = run.redirects.find(({ operator }) => operator.startsWith('>'))?.target;
  if (target === undefined) return;
  const text = outputOf(run);
  if (text === undefined) return;
  const file = programOf(target);
  search.written.set(file, `${search.written.get(file) ?? ''}\n${text}`);
};

const judgeRun = (outer: Run, search: Search, depth: number, isEvaluated: boolean): void => {
  const { runs, scripts } = unwrap(outer);
  for (const run of runs) {
    search.steps += 1;
    if (search.steps > SHELL_STEPS_MAX) return;
    if (hasUnknownProgram(run) && !isEvaluated) search.dangers.add(UNKNOWN_PROGRAM);
    for (const danger of dangersOf(run, search.folder)) if (danger !== undefined) search.dangers.add(danger);
    search.folder = folderAfter(run, search.folder);
    const started = startedFile(run);
    if (search.downloaded.has(started)) search.dangers.add(RUNS_DOWNLOAD);
    const script = search.written.get(started);
    if (script !== undefined) searchScript(script, search, depth + 1, { isTolerant: true, isEvaluated: false });
    remember(run, search);
    for (const file of downloadedFiles(run)) search.downloaded.add(file);
    const code = codeOfRun(run);
    if (code !== undefined) {
      const finding = judgeCode(code);
      if (finding.danger !== undefined) search.dangers.add(finding.danger);
      for (const text of finding.scripts)
        searchScript(text, search, depth + 1, { isTolerant: true, isEvaluated: true });
    }
  }
  for (const { text, run } of scripts)
    searchScript(text, search, depth + 1, { isTolerant: false, isEvaluated: isHelped(run) });
};

interface Manner {
  /** The text may be no script at all, so it may be unreadable. */
  readonly isTolerant: boolean;
  /** Unknown programs in it are expected. */
  readonly isEvaluated: boolean;
}

const searchScript = (text: string, search: Search, depth: number, manner: Manner): void => {
  search.steps += 1;
  if (depth > SHELL_DEPTH_MAX) {
    if (!manner.isTolerant) search.dangers.add(UNREADABLE);
    return;
  }
  const { runs, isReadable } = readScript(text);
  if (!isReadable && !manner.isTolerant) search.dangers.add(UNREADABLE);
  for (const run of runs) judgeRun(run, search, depth, manner.isEvaluated);
};

/** The dangers of a command, sorted, each once; empty for a harmless one. Never throws. */
export const findShellDangers = (command: string): string[] => {
  if (command.length > SHELL_COMMAND_CHARS_MAX) return [UNREADABLE];
  const search: Search = { dangers: new Set(), downloaded: new Set(), written: new Map(), folder: '', steps: 0 };
  try {
    searchScript(command, search, 0, { isTolerant: false, isEvaluated: false });
  } catch {
    // Nested deeper than the parser or the stack bears.
    search.dangers.add(UNREADABLE);
  }
  if (search.steps > SHELL_STEPS_MAX) search.dangers.add(UNREADABLE);
  return [...search.dangers].sort();
};
