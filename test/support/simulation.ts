/**
 * The three stages in one process over a real table, wired as their handlers wire them, with queues
 * that do on demand what SQS may do any day: deliver twice, deliver late, lose the consumer. A
 * crash is an exception thrown right after the k-th operation on table, queue or outside world;
 * what was done stays done, as in a killed process. Same seeds, same run.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { wireAct } from '../../functions/act/wire.ts';
import { wireHeartbeat } from '../../functions/heartbeat/wire.ts';
import { wirePerceive } from '../../functions/perceive/wire.ts';
import { wireReason } from '../../functions/reason/wire.ts';
import { ACT_TIMEOUT_MS } from '../../infra/functions.ts';
import { changedWaits } from '../../lib/core/base/changed-waits.ts';
import { defined } from '../../lib/core/base/defined.ts';
import { RetryLaterError, WaitingError } from '../../lib/core/base/errors.ts';
import { RECEIVE_COUNT_MAX } from '../../lib/core/base/limits.ts';
import type { Sender } from '../../lib/core/channels/channel.ts';
import type { GateSet } from '../../lib/core/gates/engine/verify.ts';
import { acceptSignal } from '../../lib/core/ledger/accept.ts';
import type { MessageNumber } from '../../lib/core/ledger/record.ts';
import type { RawToolCall } from '../../lib/core/llm/chat.ts';
import type { ActWays } from '../../lib/core/operations/act-feature.ts';
import type { Feature } from '../../lib/core/operations/feature.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Action } from '../../lib/core/signal/action.ts';
import type { Actuator, ActuatorResult } from '../../lib/core/signal/actuator.ts';
import { ChannelId, sendsMessages } from '../../lib/core/signal/channels.ts';
import type { StageMessage } from '../../lib/core/signal/messages.ts';
import type { Payload, Signal } from '../../lib/core/signal/signal.ts';
import { type ReasonDeps, readReasonEnv } from '../../lib/core/stages/reason/reason-deps.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import type { Log } from '../../lib/core/store/log.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import type { Table } from '../../lib/core/store/table.ts';

export class Crash extends Error {
  override readonly name = 'Crash';
}

export interface Answer {
  readonly content?: string;
  readonly toolCalls?: readonly RawToolCall[];
  /** As the provider counted; without it the call counts at its worst case. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Each step may be the last. */
export type Step = <T>(operation: () => Promise<T>) => Promise<T>;

export interface SimulationOptions {
  readonly table: Table;
  readonly space: string;
  readonly answer: (prompt: Prompt) => Answer | Promise<Answer>;
  /** Settings and secrets over the usual ones: by default a model that costs nothing. */
  readonly variables?: Variables;
  readonly gateSet?: GateSet;
  readonly features?: readonly Feature[];
  readonly webhookUrls?: Readonly<Record<string, string>>;
  /** A public address unless given. */
  readonly resolveAddresses?: () => Promise<readonly string[]>;
  /** Given the action; what the outside world does. */
  readonly outside?: (action: Action) => ActuatorResult | Promise<ActuatorResult>;
  readonly startAt?: number;
  /** Reads the files of messages; none can be read without it. */
  readonly files?: (step: Step) => Pick<Sender, 'fetchFile'> & { readonly ways: Partial<ActWays> };
  /** Asks somebody else than `answer`: a cascade of real providers, or one that dies. */
  readonly ask?: ReasonDeps['ask'];
  /** An error fails the test unless given. */
  readonly log?: Log;
  /** Shows drafts of what `ask` lets hear. No crash happens within: there it ends a draft. */
  readonly sendDraft?: Sender['sendDraft'];
  /** Error of the next function's clock, milliseconds. */
  readonly clockErrorMs?: () => number;
  /**
   * How much time passes before a clock is looked at, milliseconds: without it none passes within a
   * delivery.
   */
  readonly elapseMs?: () => number;
}

export interface Sent {
  readonly target: string;
  readonly to: string;
  readonly text: string;
  /** Present if the gates named the only links that may open. */
  readonly links?: readonly string[];
  readonly effectId: string;
}

const MINUTE = 60_000;

/** Where nobody answers: messages are taken out of the simulation's own queue. */
const QUEUE = 'http://127.0.0.1:9/000000000000/queue.fifo';
const STAGES = ['', 'PERCEIVE_', 'REASON_', 'ACT_', 'LOG_'];
const QUEUES = [...STAGES.map((name) => `${name}QUEUE_URL`), 'DLQ_URL', 'RUNNER_QUEUE_URLS'];

type Configured = Readonly<Record<'name' | 'baseUrl' | 'model', string> & Record<string, unknown>>;
/** The settings of configured providers, which are asked in this order. */
export const providersOf = (...list: readonly Configured[]): Variables => ({
  PROVIDERS: JSON.stringify(Object.fromEntries(list.map(({ name, ...one }) => [name, one]))),
  PROVIDER_NAMES: list.map(({ name, model }) => `${name}:${model}`).join(','),
});

/** As expensive as any: $0.02 a thousand tokens of prompt, $0.05 of answer. */
export const DEAR = { name: 'dear', baseUrl: 'https://api.example.com/v1', model: 'unlisted' };
/** OpenAI with its own models and prices. */
export const OPENAI: Variables = {
  PROVIDERS: '',
  PROVIDER_NAMES: 'openai:gpt-6-luna',
  OPENAI_API_KEY: 'sk-key-of-the-simulation',
};

/** As the template gives it to the functions. */
const environmentOf = ({ space, webhookUrls = {}, variables }: SimulationOptions): Variables => ({
  SPACE: space,
  TABLE_NAME: 'table',
  ...Object.fromEntries(QUEUES.map((name) => [name, QUEUE])),
  MEMEX_ASSISTANT: 'Test',
  MEMEX_USER: 'owner',
  ...providersOf({ name: 'test', baseUrl: 'http://127.0.0.1/v1', model: 'test' }),
  EVENTS_WITHOUT_JOB: 'ask',
  AT_WORK_SECONDS: '0',
  RUNNER_SIGNING_KEY: 'runner-key-of-the-simulation',
  WEBHOOK_URLS: JSON.stringify(webhookUrls),
  WEBHOOK_TARGETS: JSON.stringify(
    Object.fromEntries(
      Object.entries(webhookUrls).map(([name, url]) => [name, { url, idempotency: 'Idempotency-Key' }]),
    ),
  ),
  ...variables,
});

const failOnError: Log = (level, event, fields) => {
  if (level === 'error') throw new Error(`${event} ${JSON.stringify(fields)}`);
};

export const buildSimulation = (options: SimulationOptions) => {
  // Nothing happens by the machine's clock.
  changedWaits.workLookMs = 2 ** 31 - 1;
  let now = options.startAt ?? 1_790_000_000_000;
  let operations = 0;
  let crashAt = Number.POSITIVE_INFINITY;
  let ids = 0;
  let modelCalls = 0;
  const queue: StageMessage[] = [];
  const published = new Map<string, number>();
  const sent: Sent[] = [];
  const crashes: number[] = [];
  /** Nothing dies while a draft is shown. */
  const draft = new AsyncLocalStorage<true>();

  /** Operations of this delivery that have not ended. */
  let underWay = new Set<object>();

  const step: Step = async (operation) => {
    if (draft.getStore() === true) return operation();
    operations += 1;
    const isHere = operations === crashAt;
    const mine = underWay;
    const own = {};
    mine.add(own);
    const result = await operation().finally(() => mine.delete(own));
    if (isHere) throw new Crash(`after operation ${operations}`);
    return result;
  };

  const table: Table = {
    load: (...args) => step(() => options.table.load(...args)),
    query: (...args) => step(() => options.table.query(...args)),
    queryIndex: (...args) => step(() => options.table.queryIndex(...args)),
    put: (...args) => {
      const put = () => options.table.put(...args);
      return args[0].sk.startsWith('stream#') ? put() : step(put);
    },
    update: (...args) => step(() => options.table.update(...args)),
    transact: (...args) => step(() => options.table.transact(...args)),
  };

  const publish = (message: StageMessage, name: string) =>
    step(async () => {
      const deduplication = `${message.signalId}\n${message.stage}\n${name}`;
      const before = published.get(deduplication);
      if (before !== undefined && now - before < 5 * MINUTE) return;
      published.set(deduplication, now);
      queue.push(message);
    });

  const newId = () => {
    ids += 1;
    return ids.toString(16).padStart(32, '0');
  };

  const outside = (kind: Actuator['kind']): Actuator => ({
    kind,
    deliver: (action, context) =>
      step(async () => {
        const result = (await options.outside?.(action)) ?? { state: 'done', output: '', origin: 'agent' };
        const isRepeat = kind === 'idempotent' && sent.some((one) => one.effectId === context.effectId);
        if (result.state === 'done' && !isRepeat)
          sent.push({
            target: action.target,
            to: action.to ?? '',
            text: action.text ?? '',
            ...(action.links === undefined ? {} : { links: action.links }),
            effectId: context.effectId,
          });
        return result;
      }),
  });

  const ask: ReasonDeps['ask'] = (prompt, ...rest) =>
    step(async () => {
      modelCalls += 1;
      if (options.ask !== undefined) return options.ask(prompt, ...rest);
      const { content, toolCalls = [], usage } = await options.answer(prompt);
      const answer = { content, toolCalls, model: 'test' };
      return { provider: 'test', model: 'test', answer, ...usage, index: 0, billed: [], failures: [] };
    });

  let clockErrorMs = 0;
  const clock = () => {
    now += options.elapseMs?.() ?? 0;
    return now + clockErrorMs;
  };
  const source = environmentOf(options);
  const { gateSet, features, log = failOnError, resolveAddresses = async () => ['93.184.215.14'] } = options;
  const around = { table, source, now: clock, gateSet, resolveAddresses };
  const { ways, ...files } = options.files?.(step) ?? {};
  const sender: Sender = {
    actuator: outside('once'),
    sendDraft: async (...given) => options.sendDraft?.(...given),
    sendTyping: async () => undefined,
    ...files,
  };
  const senders = new Map(ChannelId.options.filter(sendsMessages).map((id) => [id, async () => sender]));
  const [perceiveEnv, actEnv] = [readEnvironment('perceive', source), readEnvironment('act', source)];
  const stages = {
    perceive: wirePerceive(perceiveEnv, {
      ...around,
      ...defined({ features }),
      publishPerceive: publish,
      publishReason: publish,
      publishAct: publish,
    }),
    reason: wireReason(readReasonEnv(source), {
      ...around,
      publishAct: publish,
      publishReason: publish,
      // A sign of life says nothing here: it wakes a process and shows that somebody types.
      publishDraft: async (message) => void (message.n === undefined || queue.push(message)),
      ask,
      log,
    }),
    act: wireAct(actEnv, {
      ...around,
      publishPerceive: publish,
      // The machine of a test reads the table itself.
      sendOrder: async () => undefined,
      newId,
      world: { senders, webhook: outside('idempotent'), ways },
    }),
  };
  const withHome: Variables = { HOME_CHAT: '7', ...source };
  const heartbeatEnv = readEnvironment('heartbeat', withHome);
  const heartbeat = wireHeartbeat(heartbeatEnv, {
    ...around,
    source: withHome,
    publishPerceive: publish,
    publishManyPerceive: async (list) => {
      for (const { message, step } of list) await publish(message, step);
    },
    sendOrderOf: async () => undefined,
    wakeLog: async () => undefined,
    forgetAgain: async () => undefined,
    log,
  });

  const deliver = (message: StageMessage): Promise<void> => {
    clockErrorMs = options.clockErrorMs?.() ?? 0;
    switch (message.stage) {
      case 'perceive':
        return stages.perceive.work(message);
      case 'reason':
        return stages.reason.work(message, () => 60_000);
      case 'act':
        return stages.act.work(message, () => ACT_TIMEOUT_MS);
      case 'draft':
        return draft.run(true, () => stages.act.work(message, () => ACT_TIMEOUT_MS));
    }
  };

  let receives = 0;

  /**
   * One delivery, as SQS would make it: a failed message stays first of its group. One that waits
   * is left to the sweep at last.
   */
  const deliverNext = async (): Promise<void> => {
    const message = queue[0];
    if (message === undefined) return;
    try {
      receives += 1;
      underWay = new Set();
      await deliver(message);
      if (underWay.size > 0) throw new Error(`${message.stage} ended, and had not waited for all that it did`);
      queue.shift();
      receives = 0;
    } catch (error) {
      if (error instanceof Crash) {
        crashes.push(operations);
        crashAt = Number.POSITIVE_INFINITY;
        now += 2 * MINUTE;
      } else if (error instanceof WaitingError && receives >= RECEIVE_COUNT_MAX) {
        queue.shift();
        receives = 0;
      } else if (error instanceof RetryLaterError) now += error.afterMs + 1;
      else throw error;
    }
  };

  return {
    table,
    queue,
    sent,
    crashes,
    now: () => now,
    operations: () => operations,
    modelCalls: () => modelCalls,
    advance: (ms: number) => {
      now += ms;
    },
    /** The process dies right after its k-th operation from now on. */
    crashAt: (k: number) => {
      crashAt = operations + k;
    },
    /** Accepts a signal as an ingress does: repeated until it was said to be stored. */
    accept: async (signal: Signal, number?: MessageNumber) => {
      for (;;) {
        try {
          return await acceptSignal({ table, publish }, signal, number);
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
          crashes.push(operations);
          crashAt = Number.POSITIVE_INFINITY;
        }
      }
    },
    deliver,
    deliverNext,
    /** Delivers until the queue is empty. */
    drain: async (deliveriesMax = 500) => {
      for (let count = 0; queue.length > 0; count += 1) {
        if (count === deliveriesMax) throw new Error('the queue does not run empty');
        await deliverNext();
      }
    },
    /**
     * All queues are lost, as with a killed local stack; a recovery takes every unfinished signal
     * up again.
     */
    loseQueues: () => {
      queue.length = 0;
      published.clear();
    },
    sweep: (isRecovering = false) => heartbeat.republish(isRecovering),
    /** One tick of the heartbeat as far as jobs go. @returns the runs it started */
    tickJobs: () => heartbeat.startDue(false),
    /** One tick as far as the week's words about fast answers go. */
    tickAnswers: () => heartbeat.tellAnswers(),
  };
};

export type Simulation = ReturnType<typeof buildSimulation>;

/** A message from the owner in a Telegram chat. */
export const ownerMessage = (
  space: string,
  id: number,
  text: string,
  chat = '7',
  receivedAt = 1_790_000_000_000,
): Signal =>
  signalWith(space, `tg-1-${id}`, { sensor: 'chat-message', text: [{ text, origin: 'owner' }] }, chat, receivedAt);

export const signalWith = (
  space: string,
  id: string,
  payload: Payload,
  chat = '7',
  receivedAt = 1_790_000_000_000,
): Signal => ({
  schemaVersion: 1,
  id,
  type: 'EVENT',
  source: 'telegram',
  space,
  session: `telegram:${chat}`,
  root: id,
  depth: 0,
  receivedAt,
  sender: { id: `telegram:${chat}`, isApprover: true },
  reply: { target: 'telegram', to: chat },
  payload,
});
