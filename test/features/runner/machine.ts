/**
 * A machine for tests: a home with secrets, a folder that may be changed, one that may be read, and
 * the real sandbox of this system. Without bubblewrap each test says so and counts as skipped.
 */
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import type { Allowed, Limits } from '../../../infra/runner/allow-file.ts';
import { masksOf, readTree } from '../../../infra/runner/folder-tree.ts';
import { type Running, runContained } from '../../../infra/runner/run-contained.ts';
import { findSandbox, type Sandbox } from '../../../infra/runner/sandbox.ts';

const found = await findSandbox();

/** A test that needs the sandbox. */
export const inSandbox = (name: string, run: (sandbox: Sandbox) => Promise<void>): void => {
  it(name, async (context) => {
    if (found.kind === 'none') return context.skip(found.problem);
    await run(found.sandbox);
  });
};

const MIB = 1024 * 1024;
export const LIMITS: Limits = {
  // A slow machine ends no test of another bound.
  timeMs: 600_000,
  memoryBytes: 256 * MIB,
  processes: 24,
  fileBytes: 8 * MIB,
  outputBytes: 4 * MIB,
};

export interface TestMachine {
  /** Holds all of it, outside the sandbox. */
  readonly root: string;
  readonly home: string;
  /** May be changed. */
  readonly work: string;
  /** May be read. */
  readonly notes: string;
  readonly allowed: Allowed;
}

const roots: string[] = [];
afterAll(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

export const KEY_TEXT = 'PRIVATE-KEY-OF-THE-OWNER';
export const ENV_TEXT = 'TOKEN-IN-DOTENV';

/** Not in /tmp: the sandbox has its own. */
/** The kernel's clock for files runs behind by a tick: files made within it count as changed. */
const waitForTick = (file: string): void => {
  while (Date.now() - lstatSync(file).ctimeMs < 20) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
};

export const makeMachine = (): TestMachine => {
  const root = realpathSync(mkdtempSync('/var/tmp/runner-'));
  roots.push(root);
  const home = join(root, 'home');
  const [work, notes] = [join(home, 'site'), join(home, 'notes')];
  for (const folder of [work, notes, join(home, '.ssh'), join(home, 'other'), join(work, 'deep')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.ssh', 'id_rsa'), KEY_TEXT);
  writeFileSync(join(home, 'other', 'diary.txt'), KEY_TEXT);
  writeFileSync(join(work, 'deep', '.env'), ENV_TEXT);
  writeFileSync(join(work, 'a.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(notes, 'n.txt'), 'a note\n');
  waitForTick(join(notes, 'n.txt'));
  const allowed: Allowed = {
    hash: '0'.repeat(64),
    home,
    read: [notes],
    write: [work],
    servers: [],
    programs: [],
    hasNetwork: false,
    limits: LIMITS,
  };
  return { root, home, work, notes, allowed };
};

let outputs = 0;
/** A new file for an output. */
export const outputFile = ({ root }: TestMachine): string => {
  outputs += 1;
  return join(root, `output-${outputs}`);
};

/** Starts a shell command with all masks, in the folder that may be changed. */
export const startCommand = (
  sandbox: Sandbox,
  machine: TestMachine,
  cmd: string,
  limits: Partial<Limits> = {},
): Running => {
  const { home, read, write } = machine.allowed;
  const folders = [...read, ...write];
  const masks = masksOf(
    folders.map((root) => readTree(root, new Map())),
    folders,
  );
  const confinement = { home, read, write, masks, hasNetwork: false, folder: machine.work, own: [] };
  const command = { argv: ['bash', '-c', cmd], confinement, limits: { ...LIMITS, ...limits } };
  return runContained(sandbox, command, outputFile(machine));
};
