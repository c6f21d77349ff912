/**
 * Counts what plain turns ask of DynamoDB and SQS, from the console and from Telegram: a stack with
 * a counting proxy in front of its database, driven one turn after another, with the history of a
 * long conversation behind it (the dearest plain turn). Also one idle tick of the heartbeat, with
 * both runs of the log's writer that it causes.
 */
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackOptions } from '../../infra/local/stack.ts';
import { HISTORY_TURNS_MAX, MINUTE_MS } from '../../lib/core/base/limits.ts';
import { HISTORY_TURNS_KEPT } from '../../lib/core/ledger/session.ts';
import { LOG_AGAIN_MS } from '../../lib/core/stages/upkeep/writer.ts';
import { startBotApiServer } from '../support/bot-api-server.ts';
import { startDynamo } from '../support/dynamo.ts';
import { type StackChild, startModel, startStackChild } from './children.ts';
import { type DynamoCounter, type DynamoCounts, type SeenRequest, startDynamoCounter } from './count-dynamo.ts';
import { driveTurns } from './drive.ts';
import type { MeasureContext } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S, SKELETON } from './measure-turns.ts';
import { threadTimes } from './processes.ts';

/** Per turn, or of one tick. */
export interface TurnCounts {
  readonly dynamo: Readonly<Record<string, number>>;
  readonly dynamoRequests: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly writtenBytes: number;
  readonly sqs: Readonly<Record<string, number>>;
  /** Sends, deletes, and the receives that brought a message. */
  readonly sqsRequests: number;
  readonly logBytes: number;
  /** Processor milliseconds by function, on this machine. */
  readonly processorMs: Readonly<Record<string, number>>;
}

export interface Counted {
  readonly console: TurnCounts;
  readonly telegram: TurnCounts;
  readonly skeleton: TurnCounts;
  /** Of a run of its writer, a turn: many in one minute, and one alone in its own. */
  readonly log: { readonly many: TurnCounts; readonly alone: TurnCounts };
  /** The heartbeat and the log's writer with nothing to do, of one minute. */
  readonly tick: TurnCounts;
  /** A turn of a new conversation, on a day that has had so many. */
  readonly crowded: readonly { readonly conversations: number; readonly counts: TurnCounts }[];
  /** Requests of the last console turn, in order. */
  readonly lastTurn: readonly SeenRequest[];
}

/**
 * With the history of a long conversation behind them, and its summary: from just after the first
 * to just before the second.
 */
const WARM_UP_TURNS = HISTORY_TURNS_MAX + 2;
const TURNS = HISTORY_TURNS_MAX - HISTORY_TURNS_KEPT - 1;
const SETTLE_MS = 300;
/** After the second run of a tick's message. */
const TICK_QUIET_MS = 2_000;
const BOT_TOKEN = '4711:token-of-the-benchmark';
const OWNER = 7;
/** Of a local stack. */
const SPACE = 'default';
const WEBHOOK_SECRET = 'webhook-secret-of-the-benchmark';

interface World {
  readonly stack: StackChild;
  readonly counter: DynamoCounter;
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

const difference = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  turns: number,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, (count - (before[name] ?? 0)) / turns] as const)
      .filter(([, count]) => count !== 0),
  );

interface Reading {
  readonly dynamo: DynamoCounts;
  readonly sqs: Readonly<Record<string, number>>;
  readonly logBytes: number;
  readonly times: Readonly<Record<string, number>>;
}

const takeReading = async ({ stack, counter }: World): Promise<Reading> => {
  // The last delete of a turn comes after the write that ends it.
  await sleep(SETTLE_MS);
  const sqs = await stack.queueCounts();
  const times = Object.fromEntries(threadTimes(stack.pid));
  return { dynamo: counter.counts(), sqs, logBytes: statSync(stack.logFile).size, times };
};

const compare = (before: Reading, after: Reading, turns: number): TurnCounts => {
  const dynamo = difference(before.dynamo.requests, after.dynamo.requests, turns);
  const sqs = difference(before.sqs, after.sqs, turns);
  const { EmptyReceive: _idle = 0, ReceiveMessage: received = 0, ...others } = sqs;
  return {
    dynamo,
    dynamoRequests: sum(dynamo),
    writeUnits: (after.dynamo.writeUnits - before.dynamo.writeUnits) / turns,
    readUnits: (after.dynamo.readUnits - before.dynamo.readUnits) / turns,
    writtenBytes: (after.dynamo.writtenBytes - before.dynamo.writtenBytes) / turns,
    sqs,
    sqsRequests: sum(others) + received - (sqs.EmptyReceive ?? 0),
    logBytes: (after.logBytes - before.logBytes) / turns,
    processorMs: difference(before.times, after.times, turns),
  };
};

const count = async (world: World, turns: number, work: () => Promise<void>): Promise<TurnCounts> => {
  const before = await takeReading(world);
  await work();
  return compare(before, await takeReading(world), turns);
};

const withWorld = async <T>(
  context: MeasureContext,
  options: Partial<StackOptions>,
  use: (world: World) => Promise<T>,
): Promise<T> => {
  await using dynamo = await startDynamo();
  const counter = await startDynamoCounter(dynamo.endpoint);
  try {
    const stack = await startStackChild({
      dataDir: mkdtempSync(join(context.scratch, 'count-')),
      cacheDir: context.cacheDir,
      heartbeatIntervalSeconds: NO_HEARTBEAT_S,
      dynamodbEndpoint: counter.endpoint,
      ...options,
    });
    try {
      // Watching the turns goes past the proxy: it is not part of them.
      return await use({ stack: { ...stack, dynamodb: { ...stack.dynamodb, endpoint: dynamo.endpoint } }, counter });
    } finally {
      await stack.close();
    }
  } finally {
    await counter.close();
  }
};

const countConsole = async (world: World): Promise<TurnCounts> => {
  const drive = (turns: number) => driveTurns({ stack: world.stack, sessions: 1, turns, name: 'count' });
  await drive(WARM_UP_TURNS);
  return count(world, TURNS, async () => {
    await drive(TURNS);
  });
};

/** Numbers of conversations in one day; so many of them talk at once. */
const CROWDS = [100, 1_500] as const;
const CROWD_AT_ONCE = 50;

const countCrowded = async (world: World): Promise<Counted['crowded']> => {
  const rows: Counted['crowded'][number][] = [];
  let made = 0;
  const drive = (sessions: number): Promise<unknown> =>
    driveTurns({ stack: world.stack, sessions, turns: sessions, name: `crowd-${made}` });
  for (const conversations of CROWDS) {
    for (; made < conversations; made += CROWD_AT_ONCE) await drive(CROWD_AT_ONCE);
    const counts = await count(world, TURNS, async () => {
      for (const end = made + TURNS; made < end; made += 1) await drive(1);
    });
    rows.push({ conversations, counts });
  }
  return rows;
};

const countTelegram = async (world: World, bot: Awaited<ReturnType<typeof startBotApiServer>>): Promise<TurnCounts> => {
  const person = { id: OWNER, is_bot: false, first_name: 'Ada' };
  const converse = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      const sentBefore = bot.sent(OWNER).filter(({ from }) => from?.is_bot === true).length;
      const update = bot.sendText(
        { id: OWNER, type: 'private', first_name: 'Ada' },
        person,
        'Did the backup run last night?',
      );
      const answer = await fetch(`${world.stack.url}/telegram`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': WEBHOOK_SECRET },
        body: JSON.stringify(update),
      });
      if (answer.status !== 200) throw new Error(`an update was answered ${answer.status}`);
      const until = Date.now() + 10_000;
      while (bot.sent(OWNER).filter(({ from }) => from?.is_bot === true).length === sentBefore) {
        if (Date.now() > until) throw new Error('no reply came to the Bot API server');
        await sleep(10);
      }
      // The reply is out before the turn has ended; a message that came now would wait in the
      // mailbox.
      await sleep(100);
    }
  };
  await converse(WARM_UP_TURNS);
  return count(world, TURNS, () => converse(TURNS));
};

/** One run of the log's writer, as a tick's message makes it, and nothing of the tick itself. */
const countLog = (world: World, turns: number): Promise<TurnCounts> =>
  count(world, turns, async () => {
    const body = { stage: 'log', v: 1, space: SPACE, round: 0 };
    const attributes = { ApproximateReceiveCount: '1', MessageGroupId: SPACE };
    const message = { messageId: 'bench', receiptHandle: 'bench', body: JSON.stringify(body), attributes };
    await world.stack.invoke('log', { Records: [message] });
  });

/** @param tell called with each count as soon as there is one */
export const countTurns = async (
  context: MeasureContext,
  tell: (counted: Partial<Counted>) => Promise<void> | void = () => undefined,
): Promise<Counted> => {
  const model = await startModel();
  const bot = await startBotApiServer({ token: BOT_TOKEN });
  try {
    const environment = {
      ...modelSettings(model.baseUrl),
      TELEGRAM_BOT_TOKEN: BOT_TOKEN,
      TELEGRAM_BOT_ID: '4711',
      TELEGRAM_API_ROOT: bot.root,
      TELEGRAM_WEBHOOK_SECRET: WEBHOOK_SECRET,
      TELEGRAM_ALLOWED_CHATS: `${OWNER}`,
      LOG_SIGNING_KEY: 'signing-key-of-the-benchmark',
      RUNNER_SIGNING_KEY: 'runner-key-of-the-benchmark',
    };
    const real = await withWorld(context, { environment }, async (world) => {
      context.progress('requests: console');
      const fromConsole = await countConsole(world);
      await tell({ console: fromConsole });
      const lastTurn = world.counter.seen.slice(-Math.round(fromConsole.dynamoRequests));
      context.progress('requests: Telegram');
      const telegram = await countTelegram(world, bot);
      await tell({ telegram });
      context.progress('requests: evidence log');
      const many = await countLog(world, 2 * (WARM_UP_TURNS + TURNS));
      context.progress('requests: a turn alone in its minute');
      await driveTurns({ stack: world.stack, sessions: 1, turns: 1, name: 'alone' });
      const log = { many, alone: await countLog(world, 1) };
      await tell({ log });
      context.progress('requests: an idle minute');
      const passMinutes = async (...minutes: readonly number[]): Promise<void> => {
        for (const minute of minutes)
          await world.stack.invoke('heartbeat', { scheduledAt: new Date(minute * MINUTE_MS).toISOString() });
        await sleep(LOG_AGAIN_MS + TICK_QUIET_MS);
      };
      // The first ones plan the built-in jobs, and their log covers what the turns left.
      await passMinutes(0, 1);
      await passMinutes(2);
      const tick = await count(world, 1, () => passMinutes(3));
      await tell({ tick });
      context.progress('requests: many conversations in a day');
      const crowded = await countCrowded(world);
      return { console: fromConsole, telegram, log, tick, crowded, lastTurn };
    });
    context.progress('requests: skeleton');
    const skeleton = await withWorld(context, { environment, functionsRoot: SKELETON }, countConsole);
    await tell({ console: real.console, crowded: real.crowded, skeleton });
    return { ...real, skeleton };
  } finally {
    await bot.close();
    await model.close();
  }
};
