/**
 * The texts that a command runs: its scripts, and what a launcher's file says under a name
 * (`npm test`). Of each file that this turn has read, hash and text are filled into the call: the
 * machine runs these bytes or nothing. Files that say what runs and were not read, or in which
 * nobody finds it, are listed as `unread`: no grant covers such a call.
 */
import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import type { JsonObject } from '../../../core/base/json.ts';
import type { FormContext } from '../../../core/tools/tool.ts';
import type { ShownScript } from '../command-problem.ts';
import type { Runner } from '../runners.ts';
import { isInSkill } from '../skill-folder.ts';
import type { ReadFile } from './files.ts';
import { loadShellReader } from './runner-args.ts';
import { SCRIPT_BEGINS_CHARS, SCRIPTS_MAX, shownScripts, UNREAD_MAX } from './shell.ts';

type LoadReadFile = NonNullable<FormContext['loadReadFile']>;

/** Texts in texts that are looked through: `npm test`, its script, and a few below. */
const TEXTS_MAX = 8;

const isShellScript = (path: string, text: string): boolean =>
  /\.(?:ba|z|k)?sh$/.test(path) || /^#!\S*(?:\/|env )(?:ba|da|z|k)?sh\b/.test(text);

const isWhole = ({ sha256, text }: ReadFile): boolean => hash('sha256', text) === sha256;

interface FoundScripts {
  readonly shown: Map<string, ShownScript>;
  readonly unread: Set<string>;
}

/** Adds lines of a file to what its card shows. */
const show = ({ shown }: FoundScripts, path: string, { sha256 }: ReadFile, text: string): void => {
  const before = shown.get(path)?.begins;
  const begins = (before === undefined ? text : `${before}\n${text}`).slice(0, SCRIPT_BEGINS_CHARS).toWellFormed();
  shown.set(path, { path, sha256, begins });
};

const findTexts = async (
  command: { readonly cmd: string; readonly folder: string },
  { name, allow: { home } }: Runner,
  loadReadFile: LoadReadFile,
): Promise<FoundScripts> => {
  const { classifyCommand, readLaunched } = await loadShellReader();
  const found: FoundScripts = { shown: new Map(), unread: new Set() };
  const load = async (path: string): Promise<ReadFile | undefined> => {
    const isFull = !found.shown.has(path) && found.shown.size === SCRIPTS_MAX;
    const read = path === '' || isFull ? undefined : await loadReadFile(name, path);
    return typeof read === 'object' ? read : undefined;
  };
  const texts = new Map([[JSON.stringify(command), command]]);
  const goOn = (cmd: string, folder: string): void => {
    if (texts.size < TEXTS_MAX) texts.set(JSON.stringify({ cmd, folder }), { cmd, folder });
    else found.unread.add('further files');
  };
  // A map that grows while it is read is read to its end.
  for (const { cmd, folder } of texts.values()) {
    const { scripts, launches } = classifyCommand(cmd, { folder, home });
    for (const path of scripts.filter((one) => !found.shown.has(one))) {
      const read = await load(path);
      if (read === undefined) found.unread.add(path);
      else show(found, path, read, read.text);
      if (read !== undefined && isWhole(read) && isShellScript(path, read.text)) goOn(read.text, folder);
    }
    for (const launch of launches) {
      const read = await load(launch.file);
      const { lines, commands } = readLaunched(launch, read !== undefined && isWhole(read) ? read.text : '');
      if (read !== undefined) show(found, launch.file, read, lines.join('\n'));
      if (lines.length === 0) found.unread.add(launch.file === '' ? launch.name : launch.file);
      for (const one of commands) goOn(one, dirname(launch.file));
    }
  }
  return found;
};

/**
 * @param args with the folder in its one spelling
 * @param loadReadFile absent for a step of a runbook, which reads nothing and whose card says so
 */
export const withTexts = async (
  args: JsonObject,
  runner: Runner,
  loadReadFile: FormContext['loadReadFile'],
): Promise<JsonObject> => {
  const { scripts: given, unread: _unread, ...rest } = args;
  const command = { cmd: String(args.cmd), folder: String(args.folder) };
  const { shown, unread } = await findTexts(command, runner, loadReadFile ?? (async () => undefined));
  const scripts = loadReadFile === undefined ? shownScripts({ scripts: given ?? [] }) : [...shown.values()];
  const missing = [...unread].filter((path) => !scripts.some((one) => one.path === path && one.begins !== ''));
  return {
    ...rest,
    ...(scripts.length > 0 && { scripts: scripts.map((one) => ({ ...one })) }),
    ...(missing.length > 0 && { unread: missing.slice(0, UNREAD_MAX) }),
  };
};

/**
 * @returns what to do before the command can be asked about; empty if each file was read, or could
 * not be
 */
export const unreadProblem = async (args: JsonObject, runner: Runner, loadReadFile: LoadReadFile): Promise<string> => {
  const { classifyCommand } = await loadShellReader();
  const { launches } = classifyCommand(String(args.cmd), { folder: String(args.folder), home: runner.allow.home });
  for (const { file } of launches)
    if (file !== '' && !isInSkill(file) && (await loadReadFile(runner.name, file)) === undefined)
      return `${file} says what it runs and was not read yet: call read-file with this path and nothing else, then propose this command again`;
  return '';
};
