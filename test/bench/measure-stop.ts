/**
 * How long a stop, and a yes to an approval, take to be answered while another process keeps asking
 * for 50 streams of a turn and for 400 health answers without a token; a stop is in force when it
 * is answered. Beside them the same with no load. The load runs on the same processors.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call, say, startModelServer, userTextOf } from '../support/model-server.ts';
import { type StackChild, startStackChild } from './children.ts';
import { APPROVER_TOKEN, quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S } from './measure-turns.ts';
import type { Row } from './report.ts';

const STREAMS = 50;
const HEALTHS = 400;
const STOPS = 40;
const APPROVALS = 15;
const PAUSE_MS = 50;
const STOP_MS_MAX = 500;

const post = async <T>(stack: StackChild, path: string, body: object = {}): Promise<T> => {
  const answer = await fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 202) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};

const measureStops = async (stack: StackChild): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let n = 0; n < STOPS; n += 1) {
    times.push(await timed(() => post(stack, '/api/stop')));
    await post(stack, '/api/resume');
    await sleep(PAUSE_MS);
  }
  return times;
};

const listApprovals = async (stack: StackChild): Promise<readonly string[]> => {
  const headers = { authorization: `Bearer ${APPROVER_TOKEN}` };
  const answer = await fetch(`${stack.url}/api/approvals`, { headers });
  return ((await answer.json()) as { approvals: { id: string }[] }).approvals.map(({ id }) => id);
};

const askForApprovals = async (stack: StackChild): Promise<readonly string[]> => {
  for (let n = 0; n < APPROVALS; n += 1) await post(stack, '/api/messages', { text: `run ${n}`, session: `run-${n}` });
  for (;;) {
    const ids = await listApprovals(stack);
    if (ids.length === APPROVALS) return ids;
    await sleep(PAUSE_MS);
  }
};

const startLoad = async (stack: StackChild, id: string): Promise<ChildProcess> => {
  const file = fileURLToPath(new URL('load-process.ts', import.meta.url));
  const child = fork(file, [stack.url, APPROVER_TOKEN, id, `${STREAMS}`, `${HEALTHS}`]);
  await once(child, 'message');
  return child;
};

const rowsOf = (what: string, times: readonly number[], note?: string): readonly Row[] =>
  ([50, 100] as const).map((percent) => ({
    group: 'stop and approve under load',
    name: `${what}, ${percent === 50 ? 'p50' : 'worst'} of ${times.length}`,
    value: quantile(times, percent / 100),
    unit: 'ms',
    ...(note === undefined ? {} : { goal: { is: '≤', value: STOP_MS_MAX } as const, note }),
  }));

export const measureStop: Measure = async ({ scratch, cacheDir, progress }) => {
  const thinking = Promise.withResolvers<void>();
  const model = await startModelServer(async (request) => {
    const text = userTextOf(request);
    if (text === 'think') await thinking.promise;
    if (!text.startsWith('run ')) return say('ok');
    return call('run-code', { language: 'javascript', code: text.slice(4), explanation: 'because the owner asked' });
  });
  const stack = await startStackChild({
    dataDir: mkdtempSync(join(scratch, 'stop-')),
    cacheDir,
    heartbeatIntervalSeconds: NO_HEARTBEAT_S,
    environment: modelSettings(model.baseUrl),
  });
  try {
    progress('stop: no load');
    const alone = await measureStops(stack);
    const { id } = await post<{ id: string }>(stack, '/api/messages', { text: 'think', session: 'streamed' });
    const ids = await askForApprovals(stack);
    progress(`stop: ${STREAMS} streams, ${HEALTHS} health loops`);
    const load = await startLoad(stack, id);
    try {
      const yes: number[] = [];
      for (const one of ids) yes.push(await timed(() => post(stack, `/api/approvals/${one}`, { decision: 'approve' })));
      const stops = await measureStops(stack);
      load.send('counts');
      const [counts] = (await once(load, 'message')) as [Record<string, number>];
      const note = Object.entries(counts)
        .map(([name, count]) => `${name}: ${count}`)
        .join(', ');
      return [
        ...rowsOf('stop, no load', alone),
        ...rowsOf(`stop, ${STREAMS} streams and ${HEALTHS} health loops`, stops, note),
        ...rowsOf('approve, the same', yes, 'accepted, as a stop is'),
      ];
    } finally {
      load.disconnect();
    }
  } finally {
    thinking.resolve();
    await stack.close();
    await model.close();
  }
};
