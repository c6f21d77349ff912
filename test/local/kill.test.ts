/**
 * `kill -9` of the whole local stack at random moments, with people writing all the while: every message gets exactly one
 * reply, or is listed as unknown; none is lost, none doubled; a webhook in flight is repeated only under its own id.
 * One long scenario, looked at from several sides. TEST_SEED repeats a run (the moments are drawn from it; what is under
 * way at that moment is the machine's).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { findDatabases } from '../../infra/local/database.ts';
import type { SignalView } from '../../lib/console/signal-view.ts';
import { type BotApiServer, startBotApiServer } from '../support/bot-api-server.ts';
import { call, type ModelServer, say, startModelServer, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { SEED } from '../support/seed.ts';
import { APPROVER_TOKEN, BOT_ID, BOT_TOKEN, CONSOLE_TOKEN, until } from '../support/stack.ts';

const MESSAGES = 50;
const KILLS = 6;
const CHATS = [31, 32, 33, 34, 35];
const DEPLOYER = 36;
/** A start waits for no claim of a killed process: nothing takes a minute and a half. */
const SETTLE_MS = 30_000;

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

/** Everything of one run that the tests look at. */
interface Run {
  readonly updates: { readonly id: string; readonly chat: number; readonly text: string }[];
  readonly webhookIds: string[];
  /** At each kill: database servers it left, those running after the next start, and whether none of them is the same. */
  readonly leftovers: { readonly left: number; readonly running: number; readonly isEnded: boolean }[];
  views: ReadonlyMap<string, SignalView>;
  deployId: string;
  deploy: SignalView | undefined;
}

const run: Run = { updates: [], webhookIds: [], leftovers: [], views: new Map(), deployId: '', deploy: undefined };
const folder = mkdtempSync(join(tmpdir(), 'passepartout-kill-'));
let telegram: BotApiServer;
let model: ModelServer;
let target: Server;
let child: ChildProcess | undefined;
let url = '';
let killOnWebhook: (() => void) | undefined;

const startTarget = async (): Promise<string> => {
  target = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      run.webhookIds.push(String(request.headers['webhook-id']));
      const kill = killOnWebhook;
      killOnWebhook = undefined;
      // Taken, and the sender dies before it hears so.
      if (kill !== undefined) kill();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"taken":true}');
    });
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  return `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
};

let environment: Record<string, string> = {};

const start = async (): Promise<void> => {
  const output: string[] = [];
  const starting = spawn(process.execPath, [join(ROOT, 'infra/local/start.ts')], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [starting.stdout, starting.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)));
  child = starting;
  url = await until(
    'the stack starts',
    () => {
      if (starting.exitCode !== null) throw new Error(`the stack ended: ${output.join('')}`);
      return /console {3}(http:\/\/[^/]+)/.exec(output.join(''))?.[1];
    },
    180_000,
  );
};

const killAndRestart = async (): Promise<void> => {
  const killed = child;
  if (killed === undefined) throw new Error('nothing to kill');
  killed.kill('SIGKILL');
  if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
  const left = findDatabases(folder);
  await start();
  const running = findDatabases(folder);
  run.leftovers.push({
    left: left.length,
    running: running.length,
    isEnded: left.every((pid) => !running.includes(pid)),
  });
};

const api = async <T>(method: string, path: string, body?: unknown, token = CONSOLE_TOKEN): Promise<T> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return (await response.json()) as T;
};

const isSettled = (view: SignalView): boolean =>
  view.isTurnClosed && view.effects.every(({ state }) => state !== 'claimed');

/** People write in five chats, while the stack dies and comes back. */
const write = async (random: () => number): Promise<void> => {
  const moments = new Set<number>();
  // The sixth kill is the one in the middle of the webhook.
  while (moments.size < KILLS - 1) moments.add(2 + Math.floor(random() * (MESSAGES - 4)));
  for (let n = 0; n < MESSAGES; n += 1) {
    const chat = CHATS[Math.floor(random() * CHATS.length)] ?? 31;
    const text = `message ${n}`;
    const update = telegram.sendText(chat, chat, text);
    run.updates.push({ id: `tg-${BOT_ID}-${update.update_id}`, chat, text });
    await sleep(random() * 60);
    if (!moments.has(n)) continue;
    await sleep(random() * 250);
    await killAndRestart();
  }
};

/** A webhook the owner approves; the stack is killed when it has arrived and was not yet answered. */
const deploy = async (): Promise<void> => {
  const update = telegram.sendText(DEPLOYER, DEPLOYER, 'deploy');
  run.deployId = `tg-${BOT_ID}-${update.update_id}`;
  const approval = await until('it waits for approval', async () => {
    const { approvals } = await api<{ approvals: readonly { id: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    return approvals[0];
  });
  const arrived = new Promise<void>((resolve) => {
    killOnWebhook = resolve;
  });
  await api('POST', `/api/approvals/${approval.id}`, { decision: 'approve' }, APPROVER_TOKEN);
  await arrived;
  await killAndRestart();
};

beforeAll(async () => {
  console.log(`TEST_SEED=${SEED}`);
  const random = buildRandom(SEED);
  telegram = await startBotApiServer({ token: BOT_TOKEN });
  model = await startModelServer(async (request) => {
    const text = userTextOf(request);
    if (text !== 'deploy') return { kind: 'answer', text: `re: ${text}`, delayMs: 5 + Math.random() * 60 };
    if (toolResultsOf(request).length > 0) return say('deployed');
    return call('call-webhook', {
      webhook: 'deploys',
      body: { ref: 'main' },
      explanation: 'because the owner asked for it',
    });
  });
  const hook = await startTarget();
  environment = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'key-of-the-model-server',
    OPENAI_MODEL: 'scripted',
    CONSOLE_TOKEN,
    APPROVER_TOKEN,
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
    TELEGRAM_API_ROOT: telegram.root,
    TELEGRAM_ALLOWED_CHATS: [...CHATS, DEPLOYER].join(','),
    WEBHOOK_TARGETS: JSON.stringify({
      deploys: { url: hook, secret: `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}` },
    }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    HEARTBEAT_INTERVAL_SECONDS: '5',
  };
  await start();
  await deploy();
  await write(random);
  await until(
    `everything settles (TEST_SEED=${SEED})`,
    async () => {
      const views = new Map<string, SignalView>();
      for (const { id } of run.updates) views.set(id, await api<SignalView>('GET', `/api/signals/${id}`));
      run.views = views;
      run.deploy = await api<SignalView>('GET', `/api/signals/${run.deployId}`);
      const isOver = [...views.values()].every(isSettled) && telegram.pending().length === 0;
      if (!isOver) await sleep(500);
      return isOver && run.webhookIds.length > 1 && run.deploy.state === 'acted';
    },
    SETTLE_MS,
  ).catch(async (error: unknown) => {
    const open = [...run.views].filter(([, view]) => !isSettled(view));
    throw new Error(`${String(error)}: ${JSON.stringify(open.slice(0, 3))}`);
  });
}, 600_000);

afterAll(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  for (const pid of findDatabases(folder)) process.kill(pid, 'SIGKILL');
  await Promise.all([telegram?.close(), model?.close(), target?.closeAllConnections(), target?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const repliesTo = (chat: number, text: string): number =>
  telegram.sent(chat).filter((message) => message.text === `re: ${text}`).length;
const isUnknown = (id: string): boolean => run.views.get(id)?.effects.some(({ state }) => state === 'unknown') === true;

describe('kill -9 of the local stack', () => {
  it('answers every message exactly once, or lists it as unknown', () => {
    const outcomes = run.updates.map(({ id, chat, text }) => ({
      text,
      replies: repliesTo(chat, text),
      isUnknown: isUnknown(id),
    }));
    const answered = outcomes.filter(({ replies }) => replies === 1).length;
    const unknown = outcomes.filter((outcome) => outcome.isUnknown).length;
    console.log(`TEST_SEED=${SEED}: ${answered} answered, ${unknown} unknown, of ${outcomes.length}`);
    expect(outcomes).toHaveLength(MESSAGES);
    expect(outcomes.filter(({ replies }) => replies > 1)).toStrictEqual([]);
    expect(outcomes.filter((outcome) => outcome.replies === 0 && !outcome.isUnknown)).toStrictEqual([]);
  });

  it('has every message stored, in a final state', () => {
    const states = [...run.views.values()].map(({ state }) => state);
    expect(states).toStrictEqual(run.updates.map(() => 'acted'));
  });

  it('keeps the order of each chat', () => {
    for (const chat of CHATS) {
      const sent = telegram.sent(chat).map(({ text }) => text ?? '');
      const wanted = run.updates.filter((update) => update.chat === chat).map(({ text }) => `re: ${text}`);
      expect(sent).toStrictEqual(wanted.filter((text) => sent.includes(text)));
    }
  });

  it('has the database server of each killed stack ended by the next start', () => {
    expect(run.leftovers).toStrictEqual(Array.from({ length: KILLS }, () => ({ left: 1, running: 1, isEnded: true })));
  });

  it('repeats a webhook that was in flight only under its own id', () => {
    expect(run.webhookIds).toHaveLength(2);
    expect(new Set(run.webhookIds).size).toBe(1);
    expect(run.webhookIds[0]).toMatch(/^msg_/);
    expect(run.deploy?.effects.map(({ state }) => state)).toStrictEqual(['done']);
  });
});
