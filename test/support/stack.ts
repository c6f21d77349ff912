/**
 * The whole local stack for a flow test, between a Bot API server and a model server of the test's
 * own: the real template, bundles, queues and table, on a fresh data folder. Updates come by the
 * real poller (or straight to the webhook, with its secret); `stop` ends all of it and removes the
 * folder. Servers handed in are the caller's to close, as is a folder.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startTelegramPoller, type TelegramPoller } from '../../infra/features/telegram/poller.ts';
import { type LocalStack, type StackOptions, startStack } from '../../infra/local/stack.ts';
import { changedWaits } from '../../lib/core/base/changed-waits.ts';
import { buildTable, type Item, type Table } from '../../lib/core/store/table.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { type BotApiServer, startBotApiServer } from './bot-api-server.ts';
import { type ModelServer, type Script, say, startModelServer, type Transcribe } from './model-server.ts';
import { leftBehind, placesHere } from './places-here.ts';
import { scanTable } from './scan.ts';

export const BOT_ID = '4242';
export const BOT_TOKEN = `${BOT_ID}:AAtestTESTtestTESTtestTESTtestTEST`;
export const TELEGRAM_SECRET = 'telegram-secret-of-the-tests';
export const APPROVER_TOKEN = 'approver-token-of-the-tests';
/** Of a script that reads, and speaks in the owner's words. */
export const SCRIPT_TOKEN = 'script-token-of-the-tests';
export const API_TOKENS = JSON.stringify({ tests: { token: SCRIPT_TOKEN, scopes: ['read', 'speak-as-owner'] } });
export const LOG_SIGNING_KEY = 'signing-key-of-the-tests';

export interface TestStackOptions {
  /** The model's answer; "ok" unless set. */
  readonly script?: Script;
  /** What is heard in recordings; "what was said" unless set. */
  readonly transcribe?: Transcribe;
  /** Chats that are served without pairing. */
  readonly allowedChats?: readonly number[];
  /** Users who may approve, beside the owner of each private chat. */
  readonly approvers?: readonly number[];
  /** Settings and secrets over the usual ones. */
  readonly environment?: StackOptions['environment'];
  /** Clocks that the test is about; undefined for the product's own. */
  readonly waits?: typeof changedWaits;
  /** False leaves updates to a webhook, or to `postUpdate`. */
  readonly isPolling?: boolean;
  readonly dataDir?: string;
  readonly telegram?: BotApiServer;
  readonly model?: ModelServer;
  readonly overrides?: StackOptions['overrides'];
  /** Another database than the stack's own, and what stands in front of its queues. */
  readonly servers?: Pick<StackOptions, 'dynamodbEndpoint' | 'throughQueues'>;
  /** Functions run as bundles in threads, as under `npm start`, in place of this process. */
  readonly isBundled?: boolean;
  /** Other functions than the repository's. */
  readonly functionsRoot?: string;
  /** An hour unless set, so that a test ticks (`tick`) when it wants to. */
  readonly heartbeatIntervalSeconds?: number;
}

export interface ApiAnswer<T = unknown> {
  readonly status: number;
  readonly body: T;
}

export interface TestStack {
  readonly stack: LocalStack;
  readonly telegram: BotApiServer;
  readonly model: ModelServer;
  readonly poller: TelegramPoller | undefined;
  readonly table: Table;
  readonly dataDir: string;
  /**
   * Posts an update to the webhook as Telegram would; other headers in place of the secret's where
   * given.
   */
  readonly postUpdate: (update: unknown, headers?: Readonly<Record<string, string>>) => Promise<ApiAnswer>;
  /** Asks the console's API, with the approver's token unless told otherwise. */
  readonly api: <T = unknown>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    token?: string,
  ) => Promise<ApiAnswer<T>>;
  /** GET /api/signals/<id> */
  readonly signal: (id: string) => Promise<SignalView>;
  /** Waits until a signal and all it caused have ended, or wait for a person. */
  readonly settled: (id: string) => Promise<SignalView>;
  /** Everything in the table. */
  readonly scan: () => Promise<readonly Item[]>;
  /** One heartbeat, as the schedule would fire it. */
  readonly tick: () => Promise<unknown>;
  /** Log lines of the functions so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** Id of the signal an update becomes. */
export const signalIdOf = (update: { readonly update_id: number }): string => `tg-${BOT_ID}-${update.update_id}`;

/**
 * Clocks of the functions, which share this process: no slow machine adds "typing" to a chat, a
 * changed setting holds from the next message on, and a provider that failed is asked again at
 * once.
 */
const WAITS: typeof changedWaits = { workLookMs: 2 ** 31 - 1, settingsLookMs: 0, providerRetryMs: 0 };

/** Within the time of a test: it ends a wait for something that never comes. */
const WAIT_MS = 200_000;
/**
 * Ticks are fired by hand: a schedule fires at every multiple of its interval, and a run of the
 * tests may pass the full hour.
 */
export const NO_HEARTBEAT_S = 20 * 24 * 3_600;

/**
 * The first value of `look` that is not undefined or false. @throws after minutes (a busy machine
 * is slow), saying what did not happen
 */
export const until = async <T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  waitMs = WAIT_MS,
): Promise<T> => {
  const begin = Date.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waited = Date.now() - begin;
    if (waited > waitMs) throw new Error(`within ${waitMs / 1000} s it did not happen: ${what}`);
    // Looking takes the processor from what it waits for.
    await sleep(Math.min(15 + waited / 4, 250));
  }
};

const answerOf = async <T>(response: Response): Promise<ApiAnswer<T>> => {
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
};

const environmentOf = (options: TestStackOptions, telegram: BotApiServer, model: ModelServer) => ({
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_API_KEY: 'key-of-the-model-server',
  OPENAI_MODEL: 'scripted',
  APPROVER_TOKEN,
  API_TOKENS,
  LOG_SIGNING_KEY,
  RUNNER_SIGNING_KEY: 'runner-key-of-the-tests',
  TELEGRAM_BOT_TOKEN: BOT_TOKEN,
  TELEGRAM_BOT_ID: BOT_ID,
  TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET,
  TELEGRAM_API_ROOT: telegram.root,
  TELEGRAM_STATE: options.isPolling === false ? 'webhook' : 'polling',
  TELEGRAM_ALLOWED_CHATS: (options.allowedChats ?? []).join(','),
  TELEGRAM_APPROVERS: (options.approvers ?? []).join(','),
  // A test that looks at built-in maintenance switches it on.
  MAINTENANCE: 'off',
  // On a busy machine any turn may take so long; one more text would be in its chat.
  AT_WORK_SECONDS: '0',
  ...options.environment,
});

const buildPoster =
  (stack: LocalStack): TestStack['postUpdate'] =>
  async (update, headers = { 'x-telegram-bot-api-secret-token': TELEGRAM_SECRET }) =>
    answerOf(
      await fetch(`${stack.url}/telegram`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(update),
      }),
    );

/** Hands updates to the stack as the connection of `npm start` does. */
const startPolling = (telegram: BotApiServer, post: TestStack['postUpdate']): TelegramPoller =>
  startTelegramPoller({
    token: BOT_TOKEN,
    apiRoot: telegram.root,
    deliver: async (update) => {
      const { status, body } = await post(update);
      return { ok: status === 200 || status === 400 || status === 413, answer: status === 200 ? body : undefined };
    },
    log: () => undefined,
    backoffMs: [20, 50, 100],
  });

const buildApi =
  (stack: LocalStack): TestStack['api'] =>
  async (method, path, body, token = APPROVER_TOKEN) =>
    answerOf(
      await fetch(`${stack.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );

/** Starts it all. Nothing is left behind when the start fails. */
export const startTestStack = async (options: TestStackOptions = {}): Promise<TestStack> => {
  Object.assign(changedWaits, WAITS, options.waits);
  const cleanups: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    const left = leftBehind.splice(0);
    if (left.length > 0) throw new Error(`a function answered, and had not waited for ${left.join('; ')}`);
  };
  try {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'passepartout-flow-'));
    if (options.dataDir === undefined) cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const telegram = options.telegram ?? (await startBotApiServer({ token: BOT_TOKEN }));
    if (options.telegram === undefined) cleanups.push(telegram.close);
    const model = options.model ?? (await startModelServer(options.script ?? (() => say('ok')), options.transcribe));
    if (options.model === undefined) cleanups.push(model.close);
    const stack = await startStack({
      dataDir,
      ...(options.functionsRoot === undefined ? {} : { functionsRoot: options.functionsRoot, cacheDir: dataDir }),
      environment: environmentOf(options, telegram, model),
      heartbeatIntervalSeconds: options.heartbeatIntervalSeconds ?? NO_HEARTBEAT_S,
      overrides: {
        ...(options.isBundled === true ? {} : { places: placesHere(options.functionsRoot) }),
        ...options.overrides,
      },
      ...options.servers,
    });
    cleanups.push(stack.stop);
    globalThis.stacksStarted = (globalThis.stacksStarted ?? 0) + 1;
    const client = new DynamoDBClient({
      endpoint: stack.endpoints.dynamodb,
      region: 'us-east-1',
      credentials: stack.credentials,
    });
    cleanups.push(() => client.destroy());
    const postUpdate = buildPoster(stack);
    const poller = options.isPolling === false ? undefined : startPolling(telegram, postUpdate);
    if (poller !== undefined) cleanups.push(poller.stop);
    const api = buildApi(stack);
    const signal: TestStack['signal'] = async (id) => (await api<SignalView>('GET', `/api/signals/${id}`)).body;
    return {
      stack,
      telegram,
      model,
      poller,
      table: buildTable(client, stack.tableName),
      dataDir,
      postUpdate,
      api,
      signal,
      settled: (id) =>
        until(`${id} settles`, async () => {
          const { status, body } = await api<SignalView>('GET', `/api/signals/${id}`);
          return status === 200 && (body.isTurnClosed || body.turn === 'waiting') && body;
        }),
      scan: () => scanTable({ client, tableName: stack.tableName }),
      tick: () => stack.invoke('heartbeat', { scheduledAt: Date.now() }),
      log: () => readFileSync(stack.logFile, 'utf8'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
