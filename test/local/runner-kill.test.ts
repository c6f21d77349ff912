/**
 * `kill -9` of the runner, of the whole stack and of its database alone, at random moments, while
 * jobs go to the owner's machine: no command runs twice, and each job ends done, failed, refused,
 * expired or truly unknown. TEST_SEED repeats a run. `npm run soak` runs 200 jobs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { pairRunner } from '../../infra/runner/commands.ts';
import { findSandbox } from '../../infra/runner/sandbox.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { processTree } from '../bench/processes.ts';
import { runCli } from '../cli/cli-world.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { freePort } from '../support/listening.ts';
import { call, type ModelServer, say, startModelServer, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { TAKES_ALL, TAKES_MORE } from '../support/sample.ts';
import { SEED } from '../support/seed.ts';
import { APPROVER_TOKEN, until } from '../support/stack.ts';

const JOBS = TAKES_ALL ? 200 : TAKES_MORE ? 12 : 8;
const KILLS = JOBS / 4;
/** A runner that died with a job it had just taken is given up after its time and a minute. */
const SETTLE_MS = 100_000 + 1_000 * JOBS;
const TIME_S = 5;

const sandbox = await findSandbox();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'passepartout-runner-kill-')));
const work = join(folder, 'work');
const runnerEnv = { ...CHILD_ENV, HOME: folder, PASSEPARTOUT_RUNNER_DIR: join(folder, 'runners') };

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
const buildRandom = (from: number) => {
  let state = from >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

interface Program {
  readonly process: ChildProcess;
  readonly output: string[];
}

const startProgram = (path: string, cwd: string, env: Record<string, string>): Program => {
  const started = spawn(process.execPath, [join(ROOT, path)], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  return { process: started, output };
};

let model: ModelServer;
let stack: Program | undefined;
let runner: Program | undefined;
let environment: Record<string, string> = {};
let url = '';
const kills: string[] = [];
const ids: string[] = [];
const views = new Map<string, SignalView>();

const startStack = async (): Promise<void> => {
  const started = startProgram('infra/local/start.ts', folder, environment);
  stack = started;
  await until(
    'the stack starts',
    () => {
      if (started.process.exitCode !== null) throw new Error(`the stack ended: ${started.output.join('')}`);
      return /console {3}http/.test(started.output.join(''));
    },
    180_000,
  );
};

const startRunner = (): void => {
  runner = startProgram('test/features/runner/run-child.ts', folder, runnerEnv);
};

/** A process may end by itself meanwhile. */
const killAll = (pids: readonly number[]): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

const killTree = async ({ process: killed }: Program): Promise<void> => {
  if (killed.pid === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
  const gone = once(killed, 'exit');
  killAll(processTree(killed.pid));
  await gone;
};

/** The stack's own processes beside itself: its database. */
const killDatabase = ({ process: { pid = 0 } }: Program): void => {
  killAll(processTree(pid).filter((one) => one !== pid));
};

const kill = async (random: () => number): Promise<void> => {
  const what = (['runner', 'stack', 'database'] as const)[Math.floor(random() * 3)] ?? 'runner';
  kills.push(what);
  if (what === 'database' && stack !== undefined) killDatabase(stack);
  if (what === 'runner' && runner !== undefined) {
    await killTree(runner);
    startRunner();
  }
  if (what === 'stack' && stack !== undefined) {
    await killTree(stack);
    await startStack();
  }
};

const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} of ${path}`);
  return (await response.json()) as T;
};

/** Asks again while what was killed comes back. */
const insist = <T>(ask: () => Promise<T>): Promise<T> => until('an answer', () => ask().catch(() => undefined), 60_000);

const approveAll = async (): Promise<void> => {
  const { approvals } = await api<{ approvals: readonly { id: string }[] }>('GET', '/api/approvals');
  // One that was decided meanwhile keeps no other waiting.
  for (const { id } of approvals)
    await api('POST', `/api/approvals/${id}`, { decision: 'approve' }).catch(() => undefined);
};

const post = async (n: number): Promise<void> => {
  const body = { text: `run ${n}`, session: `job-${n}`, idempotencyKey: `run-${SEED}-${n}` };
  ids.push((await insist(() => api<{ id: string }>('POST', '/api/messages', body))).id);
};

const OVER = ['done', 'failed', 'refused', 'unknown'];
const stateOf = (id: string): string =>
  views.get(id)?.effects.find(({ actuator }) => actuator === 'runner')?.state ?? 'none';

const lookAtAll = async (): Promise<boolean> => {
  await approveAll().catch(() => undefined);
  for (const id of ids.filter((one) => !OVER.includes(stateOf(one))))
    views.set(id, await insist(() => api<SignalView>('GET', `/api/signals/${id}`)));
  return ids.every((id) => OVER.includes(stateOf(id)));
};

const pair = async (): Promise<void> => {
  const { out, err } = await runCli(['runners', 'pair', 'home'], folder, { env: { APPROVER_TOKEN } });
  const code = out.trim().split(' ').at(-1) ?? err;
  const made = await pairRunner({ env: runnerEnv, now: Date.now, report: () => undefined }, url, code);
  const allow = `folders: { read: [], write: ['${work}'] }\ntime: ${TIME_S}s\n`;
  writeFileSync(join(runnerEnv.PASSEPARTOUT_RUNNER_DIR, made.name, 'runner.yaml'), allow);
};

beforeAll(async () => {
  if (sandbox.kind === 'none') return;
  console.log(`TEST_SEED=${SEED}`);
  const random = buildRandom(SEED);
  mkdirSync(work);
  model = await startModelServer((request) => {
    if (toolResultsOf(request).length > 0) return say('it ran');
    const n = userTextOf(request).replace(/\D/g, '');
    const explanation = 'the owner asked for exactly this';
    return call('shell', { cmd: `sleep 0.1; echo ${n} >> counted`, folder: work, runner: 'home', explanation });
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  environment = {
    ...CHILD_ENV,
    DATA_DIR: folder,
    PORT: `${port}`,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'key-of-the-model-server',
    OPENAI_MODEL: 'scripted',
    APPROVER_TOKEN,
    MAINTENANCE: 'off',
    HEARTBEAT_INTERVAL_SECONDS: '2',
  };
  await startStack();
  await pair();
  startRunner();
  await until('the runner is there', async () => {
    const { out } = await runCli(['runners', 'list'], folder, { env: { APPROVER_TOKEN } });
    return out.includes('ready');
  });
  const moments = new Set<number>();
  while (moments.size < KILLS) moments.add(1 + Math.floor(random() * (JOBS - 2)));
  for (let n = 1; n <= JOBS; n += 1) {
    await post(n);
    await approveAll().catch(() => undefined);
    await sleep(random() * 300);
    if (moments.has(n)) await kill(random);
  }
  await until(`every job ends (TEST_SEED=${SEED})`, lookAtAll, SETTLE_MS).catch((error: unknown) => {
    const open = ids.filter((id) => !OVER.includes(stateOf(id)));
    throw new Error(`${String(error)}: ${JSON.stringify(open.map((id) => views.get(id))).slice(0, 3_000)}`);
  });
}, 1_800_000);

afterAll(async () => {
  for (const program of [runner, stack]) if (program !== undefined) await killTree(program);
  await model?.close();
  rmSync(folder, { recursive: true, force: true });
});

const timesOf = (n: number): number => {
  const counted = join(work, 'counted');
  const lines = existsSync(counted) ? readFileSync(counted, 'utf8').split('\n') : [];
  return lines.filter((line) => line === String(n)).length;
};

describe('kill -9 of runner, stack and database', () => {
  it('runs no command twice, and ends each job as it was', ({ skip }) => {
    if (sandbox.kind === 'none') return skip(sandbox.problem);
    const jobs = ids.map((id, index) => ({ state: stateOf(id), times: timesOf(index + 1) }));
    const counts = Object.fromEntries(OVER.map((state) => [state, jobs.filter((job) => job.state === state).length]));
    console.log(`TEST_SEED=${SEED}: ${JSON.stringify(counts)} of ${jobs.length}, killed ${kills.join(' ')}`);
    expect(jobs).toHaveLength(JOBS);
    expect(jobs.filter(({ times }) => times > 1)).toStrictEqual([]);
    expect(jobs.filter(({ state, times }) => state === 'done' && times !== 1)).toStrictEqual([]);
    expect(jobs.filter(({ state, times }) => state === 'refused' && times > 0)).toStrictEqual([]);
    expect(counts.done).toBeGreaterThan(JOBS / 2);
  });
});
