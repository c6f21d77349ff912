/**
 * The embedded DynamoDB: the dynoxide program on a file of the data folder and a random loopback port. It lives on when we
 * die uncleanly, and two of them would open one file without complaint: so its process id is kept, and one left by a crash is
 * ended before the next starts (only if it is really dynoxide on our file). One that dies under us is started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../lib/errors.ts';
import { LOCAL_DATABASE_READY_MS, LOCAL_DATABASE_TRIES_MAX, LOCAL_STOP_GRACE_MS } from '../../lib/limits.ts';
import { replaceFile } from './data-folder.ts';
import { callDynamo } from './dynamo-call.ts';
import { findProcess } from './process-table.ts';

export interface Database {
  readonly endpoint: string;
  /** Undefined for a database that is not ours to run. */
  readonly pid: () => number | undefined;
  readonly stop: () => Promise<void>;
}

const PID_FILE = 'dynoxide.pid';
const DATA_FILE = 'table.db';
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

/** Ends a database server that a crashed stack left on this folder. Gives its process id, if there was one. */
export const endLeftover = async (folder: string): Promise<number | undefined> => {
  const path = join(folder, PID_FILE);
  const pid = ((): number => {
    try {
      return Number(readFileSync(path, 'utf8'));
    } catch {
      return Number.NaN;
    }
  })();
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  const command = findProcess(pid)?.command ?? '';
  rmSync(path, { force: true });
  if (!command.includes('dynoxide') || !command.includes(join(folder, DATA_FILE))) return undefined;
  await endProcess(pid);
  return pid;
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

  const launch = async (port: number): Promise<boolean> => {
    const args = ['serve', '--host', LOOPBACK, '--port', `${port}`, '--db-path', join(folder, DATA_FILE)];
    // Its own output goes nowhere: a pipe to us would break when we die and it does not.
    const next = spawn(program, args, { stdio: 'ignore', env: {} });
    const isStarted = await new Promise<boolean>((resolve) => {
      next.once('spawn', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isStarted) throw missingProgram();
    child = next;
    replaceFile(join(folder, PID_FILE), `${next.pid}`);
    return isAnswering(`http://${LOOPBACK}:${port}`, next);
  };

  const guard = (port: number): void => {
    child?.once('exit', (code, by) => {
      if (isStopping) return;
      log(`the embedded database ended (${by ?? code}); starting it again`);
      launch(port).then(
        () => guard(port),
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
          if (child?.pid !== undefined && child.exitCode === null) await endProcess(child.pid);
          rmSync(join(folder, PID_FILE), { force: true });
        },
      };
    }
    if (child?.pid !== undefined) await endProcess(child.pid);
    if (attempt === LOCAL_DATABASE_TRIES_MAX) throw new Error('the embedded database does not answer');
  }
};
