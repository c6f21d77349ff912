/**
 * `npm start` as a newcomer has it: no key, the demo model, a fresh folder. Seconds from the start
 * of the process to the first healthy answer, without and with what is cached; resident
 * megabytes of the process and everything it started, when ready and after 1,000 turns. The
 * processes end with the measurement.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../infra/bundling.ts';
import { SHARED_CACHE } from '../../infra/local/load-build.ts';
import { startWords } from './children.ts';
import { APPROVER_TOKEN, driveTurns, quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { residentBytes } from './processes.ts';
import type { Row } from './report.ts';

const PREBUILD = join(ROOT, 'infra/local/prebuild.ts');
const COLD_SECONDS_MAX = 2;
const CACHED_SECONDS_MAX = 1.5;
const RESIDENT_MB_MAX = 450;
const CACHED_STARTS = 3;
const TURNS = 1_000;
const SESSIONS = 50;
/**
 * A machine that is busy with something else: the turns are fewer then, and the row says how many.
 */
const TURNS_MS_MAX = 60_000;
const READY_MS_MAX = 60_000;

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly seconds: number;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address !== 'string' ? address.port : 0;
};

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/health`);
    return ((await answer.json()) as { status?: string }).status === 'healthy';
  } catch {
    return false;
  }
};

const start = async (folder: string): Promise<Started> => {
  const port = await freePort();
  const { flags, file } = startWords();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PORT: `${port}`,
    DATA_DIR: join(folder, 'data'),
    APPROVER_TOKEN,
  };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...flags, file], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  // Should the benchmark be ended in the middle, the stack is told to end as well.
  const endWithUs = (): void => void child.kill('SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.removeListener('exit', endWithUs));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || performance.now() - startedAt > READY_MS_MAX) {
      child.kill('SIGKILL');
      throw new Error(`the stack did not become healthy (exit code ${child.exitCode})`);
    }
    await sleep(10);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { child, url, seconds };
};

const stop = async ({ child }: Started): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

const megabytes = (started: Started): number => residentBytes(started.child.pid ?? 0) / 1024 / 1024;

const measureMemory = async (started: Started, progress: (line: string) => void): Promise<readonly Row[]> => {
  const group = 'npm start: memory of all processes (demo model)';
  const ready = megabytes(started);
  progress(`start: ${TURNS} turns`);
  const stack = { url: started.url };
  const { turnMs } = await driveTurns({ stack, sessions: SESSIONS, turns: TURNS, maxMs: TURNS_MS_MAX, name: 'memory' });
  const after = megabytes(started);
  return [
    { group, name: 'when ready', value: ready, unit: 'MB' },
    {
      group,
      name: `after ${turnMs.length} turns`,
      value: after,
      unit: 'MB',
      goal: { is: '≤', value: RESIDENT_MB_MAX },
    },
  ];
};

export const measureStart: Measure = async ({ scratch, progress }) => {
  const folder = mkdtempSync(join(scratch, 'start-'));
  const group = 'npm start: seconds to the first healthy answer (no key, demo model)';
  progress('start: nothing cached');
  rmSync(SHARED_CACHE, { recursive: true, force: true });
  const cold = await start(folder);
  await stop(cold);
  progress('start: as npm ci leaves it');
  rmSync(SHARED_CACHE, { recursive: true, force: true });
  execFileSync(process.execPath, [PREBUILD]);
  const first = await start(mkdtempSync(join(scratch, 'first-')));
  await stop(first);
  const cached: number[] = [];
  for (let n = 1; n < CACHED_STARTS; n += 1) {
    progress('start: cached');
    const again = await start(folder);
    cached.push(again.seconds);
    await stop(again);
  }
  const last = await start(folder);
  cached.push(last.seconds);
  try {
    return [
      { group, name: 'nothing cached', value: cold.seconds, unit: 's', goal: { is: '≤', value: COLD_SECONDS_MAX } },
      { group, name: 'the first after npm ci', value: first.seconds, unit: 's' },
      {
        group,
        name: 'template and code cached',
        value: quantile(cached, 0.5),
        unit: 's',
        goal: { is: '≤', value: CACHED_SECONDS_MAX },
      },
      ...(await measureMemory(last, progress)),
    ];
  } finally {
    await stop(last);
  }
};
