/**
 * `notes sync <folder>`: keeps a folder of Org or Markdown notes in step with memory, once or as
 * long as it runs. `notes keep` answers a question about a note that both changed.
 */
import { randomBytes } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { isLoopback } from '../../../lib/core/store/setting-forms.ts';
import type { StackAccess } from '../../cli/client.ts';
import type { Command, CommandContext } from '../../cli/command.ts';
import { findDataFolder, readVariables } from '../../cli/stack.ts';
import { CliError, causeOf, countOf, EXIT, type ExitCode, printable } from '../../cli/terminal.ts';
import type { Side } from './sync/merge.ts';
import { type OpenQuestion, type SyncInput, type SyncResult, syncRound } from './sync/round.ts';
import { loadCommit, openSyncStore, tellQuestions } from './sync/stack-store.ts';
import { loadState, takeLock } from './sync/state.ts';

/** Rounds of one run, while somebody writes on the other side. */
const SYNC_ROUNDS_MAX = 4;
/** Another round may hold the folder, such as that of `--watch`. */
const LOCK_WAIT_MS = 60 * SECOND_MS;
const LOCK_LOOK_MS = 250;
/** A program saves a file in several steps. */
const QUIET_MS = 400;
const QUIET_WAITS_MAX = 20;
/** Looks at memory: at a stack of this machine, and at one that is paid by request. */
const POLL_HERE_S = 3;
const POLL_AWAY_S = 30;
const POLL_S_MAX = 3_600;
/** Every so many looks the folder is read too: a watcher of files may miss something. */
const POLLS_BETWEEN_READS = 20;
const FAILURE_WAIT_MS_MAX = 60 * SECOND_MS;

const quoteWord = (word: string): string => (/^[\w./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const DOUBTS: Readonly<Record<OpenQuestion['kind'], string>> = {
  differs: 'changed in the file and in memory: both are kept',
  'gone-from-memory': 'left memory, and the file has newer words',
  'gone-from-file': 'left the file, and memory has newer words',
  forgotten: 'was forgotten, and the file still has it',
};

const report = ({ terminal, args }: CommandContext, result: SyncResult): void => {
  for (const { file, line, problem } of result.problems)
    terminal.remark(`${printable(file)}:${line}: ${printable(problem)}`);
  for (const file of result.toMemory) terminal.line(`to memory:  ${printable(file)}`);
  for (const file of result.toFile) terminal.line(`to the file:  ${printable(file)}`);
  const folder = quoteWord(printable(args[1] ?? ''));
  for (const { code, kind, file, title, copy } of result.questions) {
    terminal.line(`${printable(file)}: "${printable(title)}" ${terminal.say(DOUBTS[kind])}`);
    if (copy !== undefined) terminal.line(`  memory's version is in ${printable(copy)}`);
    terminal.line(`  npx passepartout notes keep ${folder} ${code} file`);
    terminal.line(`  npx passepartout notes keep ${folder} ${code} memory`);
  }
};

const summary = ({ fileCount, noteCount, questions }: SyncResult): string =>
  `In step: ${countOf(fileCount, 'file')} with ${countOf(noteCount, 'note')}, ${countOf(questions.length, 'open question')}.`;

/** @throws CliError (exit 2) */
const openFolder = async ({ args, folder }: CommandContext): Promise<string> => {
  const path = resolve(folder, args[1] ?? '');
  const root = await realpath(path).catch(() => undefined);
  if (root !== undefined && (await stat(root)).isDirectory()) return root;
  throw new CliError(EXIT.usage, `${printable(path)} is no folder that can be read`);
};

/** @throws CliError (exit 1) if another round does not end */
const withLock = async <T>(context: CommandContext, root: string, work: () => Promise<T>): Promise<T> => {
  for (let waitedMs = 0; ; waitedMs += LOCK_LOOK_MS) {
    const release = await takeLock(root, context.now());
    if (release !== undefined)
      try {
        return await work();
      } finally {
        await release();
      }
    if (waitedMs >= LOCK_WAIT_MS)
      throw new CliError(
        EXIT.failed,
        'another run keeps this folder in step, and does not end',
        'end it; if there is none, remove .passepartout-sync.lock in the folder',
      );
    await context.sleep(LOCK_LOOK_MS);
  }
};

/** Rounds until nothing changes meanwhile. */
const syncOnce = (context: CommandContext, root: string, access: StackAccess, answers: ReadonlyMap<string, Side>) =>
  withLock(context, root, async (): Promise<SyncResult> => {
    const input: SyncInput = {
      ...{ root, answers, now: context.now },
      store: openSyncStore(context, access),
      excluded: [findDataFolder(readVariables(context.env, context.folder), context.folder)],
      isTrusted: context.flag('trust'),
      isAll: context.flag('all'),
      mayLoseMany: context.flag('gone'),
      newId: () => randomBytes(16).toString('hex'),
    };
    const results: SyncResult[] = [];
    for (let n = 0; n < SYNC_ROUNDS_MAX; n += 1) {
      const result = await syncRound(input);
      results.push(result);
      await tellQuestions(access, result.questions);
      if (!result.isDue) break;
    }
    const last = results.at(-1) ?? (await syncRound(input));
    return {
      ...last,
      toMemory: [...new Set(results.flatMap(({ toMemory }) => toMemory))],
      toFile: [...new Set(results.flatMap(({ toFile }) => toFile))],
    };
  });

const exitOf = ({ problems, questions, isDue }: SyncResult): ExitCode =>
  problems.length > 0 || questions.length > 0 || isDue ? EXIT.failed : EXIT.ok;

const pollMs = (context: CommandContext, { url }: StackAccess): number => {
  const given = context.text('every');
  const seconds = given === undefined ? (isLoopback(new URL(url)) ? POLL_HERE_S : POLL_AWAY_S) : Number(given);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= POLL_S_MAX) return seconds * SECOND_MS;
  throw new CliError(EXIT.usage, `--every takes seconds, from 1 to ${POLL_S_MAX}`);
};

/** Resolves after a while, or at once if `wake` is called. */
class Alarm {
  #wake: () => void = () => undefined;
  isRung = false;
  readonly ring = (): void => {
    this.isRung = true;
    this.#wake();
  };
  async wait(ms: number): Promise<void> {
    if (this.isRung) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}

/** Own files begin with a dot, as do those that editors write beside a file. */
const isHidden = (name: string): boolean => name.split(/[/\\]/).some((part) => part.startsWith('.'));

const watchFolder = (root: string, files: Alarm, remark: (text: string) => void): FSWatcher | undefined => {
  try {
    const watcher = watch(root, { recursive: true }, (_, name) => {
      if (name === null || !isHidden(name)) files.ring();
    });
    watcher.on('error', () => remark('the system watches this folder no more: it is read from time to time'));
    return watcher;
  } catch {
    remark('the system does not watch this folder: it is read from time to time');
    return undefined;
  }
};

/** Goes on until Ctrl-C. A stack that does not answer is asked again, ever less often. */
const keepWatching = async (context: CommandContext, root: string, access: StackAccess): Promise<ExitCode> => {
  const { terminal } = context;
  const everyMs = pollMs(context, access);
  const alarm = new Alarm();
  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    alarm.ring();
  };
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end);
  const watcher = watchFolder(root, alarm, terminal.remark);
  let [commit, rounds, polls, failures, told] = [-1, 0, 0, 0, ''];
  const look = async (): Promise<void> => {
    const isFile = alarm.isRung || polls % POLLS_BETWEEN_READS === 0;
    polls += 1;
    for (let n = 0; alarm.isRung && n < QUIET_WAITS_MAX && !isEnding; n += 1) {
      alarm.isRung = false;
      await alarm.wait(QUIET_MS);
    }
    if (isEnding || (!isFile && (await loadCommit(access)) === commit)) return;
    const result = await syncOnce(context, root, access, new Map());
    const { questions } = result;
    report(context, { ...result, questions: questions.filter(({ isNew }) => isNew) });
    if (result.toMemory.length > 0 || result.toFile.length > 0 || rounds === 0) terminal.line(summary(result));
    // Its own trees moved memory on.
    commit = result.toMemory.length > 0 ? -1 : result.commit;
    rounds += 1;
    failures = 0;
    told = '';
  };
  try {
    while (!isEnding) {
      await look().catch((error: unknown) => {
        failures += 1;
        const said = causeOf(error);
        if (said !== told) terminal.remark(said);
        told = said;
      });
      if (!isEnding) await alarm.wait(Math.min(everyMs * 2 ** failures, Math.max(everyMs, FAILURE_WAIT_MS_MAX)));
    }
    terminal.line('ended; the folder stays as it is');
    return EXIT.ok;
  } finally {
    watcher?.close();
    process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', end);
  }
};

const sync = async (context: CommandContext): Promise<ExitCode> => {
  const { terminal, flag } = context;
  if (context.args.length > 2) throw new CliError(EXIT.usage, 'usage: npx passepartout notes sync <folder>');
  const root = await openFolder(context);
  const access = await context.access();
  if (flag('watch')) return keepWatching(context, root, access);
  const result = await syncOnce(context, root, access, new Map());
  if (terminal.isJson) terminal.json(result);
  else {
    report(context, result);
    terminal.line(summary(result));
    if (!flag('trust') && result.toMemory.length > 0)
      terminal.remark('these notes count as outside text; with --trust they count as your own words');
  }
  return exitOf(result);
};

const keep = async (context: CommandContext): Promise<ExitCode> => {
  const [, , code = '', side] = context.args;
  if (side !== 'file' && side !== 'memory')
    throw new CliError(EXIT.usage, 'usage: npx passepartout notes keep <folder> <code> file, or memory at the end');
  const root = await openFolder(context);
  const questions = (await loadState(root))?.questions ?? {};
  if (!Object.hasOwn(questions, code))
    throw new CliError(
      EXIT.usage,
      `no question of this folder has the code ${printable(code)}`,
      'npx passepartout notes sync <folder> lists them',
    );
  const result = await syncOnce(context, root, await context.access(), new Map([[code, side]]));
  if (context.terminal.isJson) context.terminal.json(result);
  else {
    report(context, result);
    context.terminal.line(summary(result));
  }
  return exitOf(result);
};

export const notes: Command = {
  name: 'notes',
  usage: 'sync <folder> | keep <folder> <code> <side>',
  summary: 'keep a folder of Org or Markdown notes in step with memory',
  verbs: [
    ['notes sync <folder>', 'what changed on one side goes to the other; what both changed is asked about'],
    ['notes keep <folder> <code> <side>', 'answer such a question: file or memory counts'],
  ],
  options: {
    watch: { type: 'boolean', help: 'go on until Ctrl-C, with each change of a file and of memory' },
    every: { type: 'string', value: 'seconds', help: 'with --watch: how often memory is looked at' },
    trust: { type: 'boolean', help: 'they are your own words; else they count as outside text' },
    all: { type: 'boolean', help: 'notes of memory that belong to no file get one each, below memory/' },
    gone: { type: 'boolean', help: 'many files or notes that are gone at once were meant to go' },
  },
  argCount: [2, 4],
  run: (context) => {
    const [verb] = context.args;
    if (verb === 'sync') return sync(context);
    if (verb === 'keep') return keep(context);
    throw new CliError(EXIT.usage, `notes does not take "${printable(verb ?? '')}"`, 'npx passepartout help notes');
  },
};
