/**
 * The way of one approved command on the local stack: from the approval's request to the first byte
 * of the command's output on a paired machine. The command prints the time itself, so the clock of
 * this one machine measures the whole way.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pairRunner } from '../../infra/runner/commands.ts';
import { buildPairingCode, hashOfSecret } from '../../lib/features/runner/pairing-code.ts';
import { call, type ModelServer, say, startModelServer, toolResultsOf } from '../support/model-server.ts';
import { type StackChild, startStackChild } from './children.ts';
import { APPROVER_TOKEN, quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S } from './measure-turns.ts';

const TURNS = 12;
const WARM_UP = 3;
const ADDED_MS_MAX = 400;
const POLL_MS = 10;
const WAIT_MS_MAX = 60_000;
const CHILD = fileURLToPath(new URL('../features/runner/run-child.ts', import.meta.url));
const EXPLANATION = 'The owner asks for the time of this machine.';

interface Signal {
  readonly state: string;
  readonly effects: readonly { readonly output?: string }[];
}

const ask = async <T>(stack: StackChild, path: string, body?: unknown): Promise<T> => {
  const response = await fetch(`${stack.url}${path}`, {
    headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
};

const until = async <T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (const from = performance.now(); performance.now() - from < WAIT_MS_MAX; await sleep(POLL_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`waited too long for ${what}`);
};

/** Sends a message that needs a yes, and gives it. @returns the signal's id, and when */
const approve = async (stack: StackChild, text: string): Promise<{ readonly id: string; readonly at: number }> => {
  const { id } = await ask<{ id: string }>(stack, '/api/messages', { text });
  const approval = await until('a card', async () => {
    const { approvals } = await ask<{ approvals: readonly { id: string }[] }>(stack, '/api/approvals');
    return approvals[0]?.id;
  });
  const at = Date.now();
  await ask(stack, `/api/approvals/${approval}`, { decision: 'approve' });
  return { id, at };
};

const ended = (stack: StackChild, id: string): Promise<Signal> =>
  until('the turn', async () => {
    const signal = await ask<Signal>(stack, `/api/signals/${id}`);
    return signal.state === 'acted' ? signal : undefined;
  });

/** Pairs this machine, as the command does, and starts its runner. */
const startMachine = async (stack: StackChild, folder: string): Promise<ChildProcess> => {
  const secret = randomBytes(16).toString('hex');
  const { id } = await ask<{ id: string }>(stack, '/api/messages', {
    text: `/runners pair ${JSON.stringify({ name: 'den', codeHash: hashOfSecret(secret) })}`,
  });
  const { effects } = await ended(stack, id);
  const fingerprint = /My key: ([0-9a-f]{32})/.exec(effects.map(({ output = '' }) => output).join())?.[1] ?? '';
  const env = { ...process.env, PASSEPARTOUT_RUNNER_DIR: join(folder, 'runners') };
  const context = { env, now: Date.now, report: () => {} };
  const paired = await pairRunner(context, stack.url, buildPairingCode({ secret, fingerprint }));
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(paired.folder, 'runner.yaml'), `folders: { write: [${work}] }\n`);
  const child = spawn(process.execPath, [CHILD], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await until('the runner', () => (text.includes('ready') ? true : undefined));
  return child;
};

const measureWay = async (stack: StackChild, folder: string): Promise<readonly number[]> => {
  const stamp = join(folder, 'work', 'stamp.txt');
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + TURNS; n += 1) {
    const { id, at } = await approve(stack, 'What time is it there?');
    await ended(stack, id);
    if (n >= WARM_UP) times.push(Number(readFileSync(stamp, 'utf8')) - at);
  }
  return times;
};

const startModel = (): Promise<ModelServer> =>
  startModelServer((request) => {
    if (toolResultsOf(request).length > 0) return say('That is the time.');
    return call('shell', { cmd: 'date +%s%3N | tee stamp.txt', explanation: EXPLANATION });
  });

export const measureHandover: Measure = async ({ scratch, cacheDir, progress }) => {
  progress('runner: from the yes to the first byte');
  const folder = realpathSync(mkdtempSync('/var/tmp/bench-handover-'));
  const model = await startModel();
  const options = { dataDir: mkdtempSync(join(scratch, 'handover-')), cacheDir };
  const environment = { ...modelSettings(model.baseUrl), RUNNER_SIGNING_KEY: randomBytes(32).toString('hex') };
  const settings = { heartbeatIntervalSeconds: NO_HEARTBEAT_S, environment };
  const stack = await startStackChild({ ...options, ...settings });
  let child: ChildProcess | undefined;
  try {
    child = await startMachine(stack, folder);
    const times = await measureWay(stack, folder);
    const row = { group: 'runner', unit: 'ms' } as const;
    const goal = { is: '≤', value: ADDED_MS_MAX } as const;
    return [
      { ...row, name: 'approval to first byte of output, p50', value: quantile(times, 0.5), goal },
      { ...row, name: 'the same, p90', value: quantile(times, 0.9) },
    ];
  } finally {
    if (child !== undefined && child.exitCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await stack.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
