/**
 * A burst of questions in a process that stands still, as on a busy machine, for longer than it
 * waits for others: each is asked once and answered, and no provider counts as away.
 */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModelRequest } from '../../../lib/core/llm/chat.ts';
import { buildOpenAiAsk } from '../../../lib/core/llm/openai-client.ts';
import { buildCascade, type Provider } from '../../../lib/core/llm/providers.ts';

/** Answers at once, in a thread of its own, and says how often. */
const SERVER = `
  const { parentPort } = require('node:worker_threads');
  let asked = 0;
  const answer = (isStream) => {
    const message = { role: 'assistant', content: 'ok' };
    const choice = isStream ? { index: 0, delta: message, finish_reason: 'stop' } : { index: 0, message, finish_reason: 'stop' };
    return JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [choice] });
  };
  const server = require('node:http').createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => { text += piece; });
    request.on('end', () => {
      asked += 1;
      const isStream = JSON.parse(text).stream === true;
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      if (!isStream) return response.end(answer(false));
      response.write('data: ' + answer(true) + '\\n\\n');
      setTimeout(() => response.end('data: [DONE]\\n\\n'), 20);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => parentPort.postMessage(asked));
`;

/** Questions at once. */
const BURST = 43;
const WAIT_MS = 100;
let worker: Worker;
let baseUrl: string;
const fromWorker = () => new Promise<number>((resolve) => worker.once('message', resolve));
beforeAll(async () => {
  worker = new Worker(SERVER, { eval: true });
  baseUrl = `http://127.0.0.1:${await fromWorker()}/v1`;
});
afterAll(() => worker.terminate());

/** Longer than any bound of the test; nothing else runs in this thread meanwhile. */
const standStill = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * WAIT_MS);
const standStillNext = () => new Promise<void>((go) => setImmediate(() => go(standStill())));
const [provider] = buildCascade({ PROVIDER_CASCADE: 'openai' }, new Map([['OPENAI_API_KEY', 'k']]));
const REQUEST: ModelRequest = { system: 'S', messages: [{ role: 'user', content: 'hello' }], tools: [], tokens: 10 };

it.each([
  ['a connection', { connectTimeoutMs: WAIT_MS }, 60_000, false],
  ['an answer', {}, WAIT_MS, false],
  ['the next piece of an answer', { streamPauseMsMax: WAIT_MS }, 60_000, true],
] as const)(
  'waits for %s, though its time is up when the process goes on',
  async (_what, bounds, timeoutMs, isStream) => {
    worker.postMessage('how many');
    const before = await fromWorker();
    const ask = buildOpenAiAsk(bounds);
    let hasHeard = false;
    const hear = (): void => {
      if (!hasHeard) void standStillNext();
      hasHeard = true;
    };
    const asked = Array.from({ length: BURST }, () =>
      ask({ ...(provider as Provider), baseUrl }, REQUEST, timeoutMs, isStream ? hear : undefined, 60_000),
    );
    // They connect, and then they wait.
    if (!isStream) for (let turn = 0; turn < 4; turn += 1) await standStillNext();
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === 'rejected')).toStrictEqual([]);
    worker.postMessage('how many');
    expect((await fromWorker()) - before).toBe(BURST);
  },
);
