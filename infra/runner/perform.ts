/**
 * Performs one permitted call in the sandbox. A command of which the judge says that it only reads
 * finds every folder read-only.
 */
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ProtocolError } from '../../lib/core/base/errors.ts';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import type { RunnerOutcome } from '../../lib/features/runner/result.ts';
import type { Allowed, Limits } from './allow-file.ts';
import { collectOutput } from './collect-output.ts';
import { ask, type FileCall, replacePiece, writeWhole } from './file-tools.ts';
import { type Changes, findChanges } from './find-changes.ts';
import { masksOf, readTree, type Tree } from './folder-tree.ts';
import { findGitPrograms } from './git-programs.ts';
import type { JudgedOrder } from './judge-order.ts';
import { type Ran, runContained, type Stop } from './run-contained.ts';
import type { Confinement, Sandbox } from './sandbox.ts';

export type Permitted = Extract<JudgedOrder, { readonly kind: 'permitted' }>;

export interface OrderPlace {
  readonly sandbox: Sandbox;
  readonly allowed: Allowed;
  /** A new file for the whole output. */
  readonly outputFile: string;
  readonly keepVersion: (name: string, bytes: Uint8Array) => void;
  /** Folders as they were seen last. */
  readonly trees: Map<string, Tree>;
  /** The files of the skill that the order names. */
  readonly skillFiles: Confinement['own'];
}

export interface Performed extends Ran, Changes {
  /** Absent for what ran to its end, or was ended by a bound. */
  readonly state?: RunnerOutcome;
}

export interface Performing {
  readonly stop: Stop;
  readonly performed: Promise<Performed>;
}

const NO_CHANGES: Changes = { changed: [], more: 0 };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** @throws ProtocolError if one holds too much */
export const readTrees = (roots: readonly string[], trees: Map<string, Tree>): readonly Tree[] =>
  roots.map((root) => {
    const tree = readTree(root, trees.get(root) ?? new Map());
    trees.set(root, tree);
    return tree;
  });

/** The folders of the system's programs, in the sandbox too. */
const PROGRAM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'];
const isThere = (program: string): boolean => PROGRAM_FOLDERS.some((folder) => existsSync(`${folder}/${program}`));

const searchArgv = (pattern: string, path: string): readonly string[] =>
  isThere('rg')
    ? [
        'rg',
        '--no-config',
        '--no-messages',
        '--line-number',
        '--no-heading',
        '--max-columns=400',
        '-e',
        pattern,
        '--',
        path,
      ]
    : ['grep', '-rnIEs', '--exclude-dir=.git', '--exclude-dir=node_modules', '-e', pattern, '--', path];

const shellArgv = (cmd: string): readonly string[] =>
  isThere('bash') ? ['bash', '--noprofile', '--norc', '-c', cmd] : ['sh', '-c', cmd];

/** The time limit of a call; the cloud is told of it. */
export const timeMsOf = ({ args }: Permitted, { limits }: Allowed): number =>
  typeof args.seconds === 'number' ? Math.min(args.seconds * SECOND_MS, limits.timeMs) : limits.timeMs;

const runCommand = (
  permitted: Permitted,
  place: OrderPlace,
  argv: readonly string[],
  folder: string,
  own: Confinement['own'] = [],
): Performing => {
  const { sandbox, allowed, trees } = place;
  const roots = [...allowed.read, ...allowed.write];
  const before = readTrees(roots, trees);
  const masks = masksOf(before, roots);
  const write = permitted.isReading ? [] : allowed.write;
  const read = permitted.isReading ? roots : allowed.read;
  const limits: Limits = { ...allowed.limits, timeMs: timeMsOf(permitted, allowed) };
  const confinement = {
    home: allowed.home,
    read,
    write,
    masks,
    hasNetwork: allowed.hasNetwork && !permitted.isReading,
    folder,
    own,
    ...(permitted.isReading && { environment: findGitPrograms(before).switchedOff }),
  };
  // The clock of the files, which `now` need not be.
  const startedAt = Date.now();
  const running = runContained(sandbox, { argv, confinement, limits }, place.outputFile);
  const finish = async (): Promise<Performed> => {
    const ran = await running.ran;
    if (write.length === 0) return { ...ran, ...NO_CHANGES };
    try {
      const changes = await findChanges(before.slice(allowed.read.length), readTrees(write, trees), startedAt);
      return { ...ran, ...changes };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { ...ran, ...NO_CHANGES, problem: `it ran, but its changes are unknown: ${error.message}` };
    }
  };
  return { stop: running.stop, performed: finish() };
};

const finishFile = async (
  { answer }: FileCall,
  place: OrderPlace,
  cut: (text: string) => string,
): Promise<Performed> => {
  const { text = '', problem, changed } = await answer;
  const collected = await collectOutput([Buffer.from(cut(text))], place.outputFile, place.allowed.limits.outputBytes);
  const changes = changed === undefined ? NO_CHANGES : { changed: [changed], more: 0 };
  return { ...collected, ...changes, ...(problem === undefined ? {} : { problem }) };
};

const wholeText = (text: string): string => text;

const someLines =
  ({ from, lines }: JsonObject) =>
  (text: string): string => {
    if (typeof from !== 'number' && typeof lines !== 'number') return text;
    const first = typeof from === 'number' ? from - 1 : 0;
    return text
      .split('\n')
      .slice(first, typeof lines === 'number' ? first + lines : undefined)
      .join('\n');
  };

const callFile = (permitted: Permitted, place: OrderPlace): FileCall => {
  const { sandbox, allowed, keepVersion } = place;
  const { tool, args } = permitted;
  const path = textOf(args.path);
  const keep = (bytes: Uint8Array): void => keepVersion(basename(path), bytes);
  const target = { path, was: typeof args.was === 'string' ? args.was : undefined };
  if (tool === 'write-file') return writeWhole(sandbox, allowed, target, textOf(args.content), keep);
  if (tool !== 'edit-file') return ask(sandbox, allowed, tool === 'list-files' ? 'list' : 'read', path);
  return replacePiece(sandbox, allowed, target, { find: textOf(args.find), replace: textOf(args.replace) }, keep);
};

/** Copies of the scripts as they were judged, which lie over the files in the sandbox. */
const copyScripts = ({ scripts }: Permitted, { outputFile }: OrderPlace): Confinement['own'] =>
  scripts.map(({ path, bytes, mode }, n) => {
    const from = `${outputFile}.script-${n}`;
    writeFileSync(from, bytes, { mode: 0o600, flag: 'wx' });
    chmodSync(from, mode & 0o555);
    return { from, to: path };
  });

/** @throws ProtocolError if the folders cannot be searched for secrets: then nothing ran */
export const perform = (permitted: Permitted, place: OrderPlace): Performing => {
  const { tool, args } = permitted;
  if (tool === 'shell') {
    if (place.skillFiles.length > 0 && place.sandbox.name !== 'bubblewrap')
      throw new ProtocolError('files of skills are laid out on Linux only');
    const copies = copyScripts(permitted, place);
    const own = [...copies, ...place.skillFiles];
    const { stop, performed } = runCommand(permitted, place, shellArgv(textOf(args.cmd)), textOf(args.folder), own);
    const remove = (): void => copies.forEach(({ from }) => void rmSync(from, { force: true }));
    return { stop, performed: performed.finally(remove) };
  }
  if (tool === 'search-files') {
    const argv = searchArgv(textOf(args.pattern), textOf(args.path));
    return runCommand(permitted, place, argv, '/tmp');
  }
  const call = callFile(permitted, place);
  return { stop: call.stop, performed: finishFile(call, place, tool === 'read-file' ? someLines(args) : wholeText) };
};
