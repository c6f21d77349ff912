/**
 * The embedded DynamoDB: the dynoxide program on a file of the data folder and a random loopback port. It lives on when we
 * die uncleanly, and two of them would open one file without complaint: so one left by a crash is found by its
 * command line (dynoxide on our file) and ended before the next starts. One that dies under us is started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../lib/errors.ts';
import { LOCAL_DATABASE_READY_MS, LOCAL_DATABASE_TRIES_MAX, LOCAL_STOP_GRACE_MS } from '../../lib/limits.ts';
import { callDynamo } from './dynamo-call.ts';
import { findProcess, findProcesses } from './process-table.ts';

export interface Database {
  readonly endpoint: string;
  /** Undefined for a database that is not ours to run. */
  readonly pid: () => number | undefined;
  readonly stop: () => Promise<void>;
}

export const DATA_FILE = 'table.db';
const LOOPBACK = '127.0.0.1';

/** The program from the package for this platform, or from PATH. */
const findProgram = (): string => {
  const require = createRequire(import.meta.url);
  const platform = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${platform}/dynoxide`);
  } catch {
    return 'dynoxide';
  }
};

const missingProgram = (): ConfigError =>
  new ConfigError([
    `no embedded database for ${process.platform}-${process.arch}: install "dynoxide" on PATH, ` +
      'or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible server',
  ]);

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

const waitForExit = async (pid: number, timeoutMs: number): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 10) {
    if (findProcess(pid) === undefined) return true;
    await sleep(10);
  }
  return findProcess(pid) === undefined;
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
};

const endProcess = async (pid: number): Promise<void> => {
  signal(pid, 'SIGTERM');
  if (await waitForExit(pid, LOCAL_STOP_GRACE_MS)) return;
  signal(pid, 'SIGKILL');
  await waitForExit(pid, LOCAL_STOP_GRACE_MS);
};

const argumentsOf = (folder: string): readonly string[] => ['--db-path', join(folder, DATA_FILE)];

/** Database servers that run on this folder, whoever started them. */
export const findDatabases = (folder: string): readonly number[] =>
  findProcesses((command) => command.includes('dynoxide') && command.endsWith(argumentsOf(folder).join(' ')));

/**
 * Ends the database server that a crashed stack left on this folder; call it only with the folder's lock held. Found by what it
 * runs on, not by a file with its number: a stack may die before it could write one.
 */
export const endLeftover = async (folder: string): Promise<number | undefined> => {
  const found = findDatabases(folder);
  await Promise.all(found.map(endProcess));
  return found[0];
};

const isAnswering = async (endpoint: string, child: ChildProcess): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < LOCAL_DATABASE_READY_MS && child.exitCode === null; waitedMs += 5) {
    try {
      await callDynamo(endpoint, 'ListTables', {});
      return child.exitCode === null;
    } catch {
      await sleep(5);
    }
  }
  return false;
};

/**
 * Starts the database on this folder.
 * @throws ConfigError where there is no program for this platform
 */
export const startDatabase = async (folder: string, log: (line: string) => void): Promise<Database> => {
  const program = findProgram();
  let child: ChildProcess | undefined;
  let isStopping = false;
  let starting: Promise<void> = Promise.resolve();

  const launch = async (port: number): Promise<boolean> => {
    const args = ['serve', '--host', LOOPBACK, '--port', `${port}`, ...argumentsOf(folder)];
    // Its own output goes nowhere: a pipe to us would break when we die and it does not. A process group of its own: Ctrl-C in
    // a terminal reaches the whole group, and the database has to outlast the runs that still write.
    const next = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH ?? '' }, detached: true });
    const isStarted = await new Promise<boolean>((resolve) => {
      next.once('spawn', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isStarted) throw missingProgram();
    child = next;
    return isAnswering(`http://${LOOPBACK}:${port}`, next);
  };

  const guard = (port: number): void => {
    child?.once('exit', (code, by) => {
      if (isStopping) return;
      log(`the embedded database ended (${by ?? code}); starting it again`);
      starting = launch(port).then(
        (isBack) => (isBack ? guard(port) : log('the embedded database does not answer any more')),
        (error: unknown) => log(`the embedded database does not start: ${String(error)}`),
      );
    });
  };

  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    if (await launch(port)) {
      guard(port);
      return {
        endpoint: `http://${LOOPBACK}:${port}`,
        pid: () => child?.pid,
        stop: async () => {
          isStopping = true;
          await starting;
          if (child?.pid !== undefined && child.exitCode === null) await endProcess(child.pid);
        },
      };
    }
    if (child?.pid !== undefined) await endProcess(child.pid);
    if (attempt === LOCAL_DATABASE_TRIES_MAX) throw new Error('the embedded database does not answer');
  }
};
