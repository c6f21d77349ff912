/**
 * Starts a sandbox's program as a process group, and ends the group with `kill`. Complaints of the
 * sandbox itself are kept apart from the command's output.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { Duplex, type Readable } from 'node:stream';
import * as z from 'zod/mini';
import { defined } from '../../lib/core/base/defined.ts';
import { KIB } from '../../lib/core/base/limits.ts';
import type { Contained, End } from './sandbox.ts';

/** Words of the sandbox about its own failure. */
const COMPLAINT_CHARS_MAX = 2 * KIB;

/** Of Unix's 0 (normal) to 19. */
const JOB_PRIORITY = 10;

export interface ContainOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** It writes one JSON object a line to file descriptor 3: its process, then the exit code. */
  readonly hasStatus: boolean;
  /** The bytes that it reads from file descriptor 4, to its end. */
  readonly input?: Uint8Array | undefined;
}

const Status = z.object({ 'child-pid': z.optional(z.int()), 'exit-code': z.optional(z.int()) });

const collect = (stream: Readable, charsMax: number): (() => string) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < charsMax) text += part;
  });
  return () => text.slice(0, charsMax);
};

interface ContainerReport {
  readonly pid?: number;
  readonly code?: number;
}

const readStatus = (text: string): ContainerReport => {
  const whole = text.split('\n').filter((line) => line.trim().endsWith('}'));
  const said = whole.map((line) => Status.parse(JSON.parse(line)));
  const pid = said.find((one) => one['child-pid'] !== undefined)?.['child-pid'];
  return defined({ pid, code: said.find((one) => one['exit-code'] !== undefined)?.['exit-code'] });
};

/** Of a process that went away already, there is nothing to end. */
const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {}
};

/** Jobs come after the owner's own work, and after the runner that watches them. */
const putBehind = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, JOB_PRIORITY);
  } catch {}
};

const streamOf = (child: ChildProcess, fd: number): Readable => {
  const stream = child.stdio[fd];
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error(`no pipe ${fd}`);
  return stream;
};

const give = (child: ChildProcess, fd: number, input: Uint8Array): void => {
  const stream = child.stdio[fd];
  if (stream instanceof Duplex)
    stream
      .on('error', () => {})
      .resume()
      .end(input);
};

/** The pid of the sandbox's first process, when it is told; undefined if it never is. */
const firstPid = (status: Readable, told: () => ContainerReport): Promise<number | undefined> =>
  new Promise((resolve) => {
    const look = (): void => {
      const { pid } = told();
      if (pid !== undefined) resolve(pid);
    };
    status.on('data', look).once('close', () => resolve(told().pid));
  });

export const contain = ({ program, args, env, hasStatus, input }: ContainOptions): Contained => {
  const pipes = Array.from({ length: input === undefined ? 4 : 5 }, () => 'pipe' as const);
  const child = spawn(program, args, { env, detached: true, stdio: pipes, cwd: '/' });
  if (input !== undefined) give(child, 4, input);
  putBehind(child.pid);
  const output = streamOf(child, 1);
  const complaint = collect(streamOf(child, 2), COMPLAINT_CHARS_MAX);
  const status = streamOf(child, 3);
  const said = collect(status, COMPLAINT_CHARS_MAX);
  const told = (): ContainerReport => readStatus(said());
  const stdin = child.stdin;
  if (stdin === null) throw new Error('no pipe 0');
  // A command that ends early closes its input.
  stdin.on('error', () => {});
  let isKilled = false;
  let isOver = false;
  const insidePid = firstPid(status, told);
  const ended = new Promise<End>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'unstarted', problem: error.message }));
    child.once('close', (code) => {
      isOver = true;
      const exitCode = hasStatus ? told().code : (code ?? undefined);
      if (isKilled) resolve({ kind: 'killed' });
      else if (exitCode !== undefined) resolve({ kind: 'exit', code: exitCode });
      else resolve({ kind: 'unstarted', problem: complaint().trim() || 'the sandbox ended early' });
    });
  });
  // The number of a process that ended may be another's by now.
  const kill = (): void => {
    if (isOver) return;
    isKilled = true;
    killGroup(child.pid);
  };
  return { stdin, output, complaint, insidePid: hasStatus ? insidePid : Promise.resolve(child.pid), ended, kill };
};
