/**
 * The three stages in one process over a real table, with queues that do on demand what SQS may do
 * any day: deliver twice, deliver late, lose the consumer. A crash is an exception thrown right
 * after the k-th operation on table, queue or outside world; what was done stays done, as in a
 * killed process. Same seeds, same run.
 */

import { ACT_TIMEOUT_MS } from '../../infra/functions.ts';
import { buildLeaveOut, hideSecrets } from '../../lib/actuators/leave-out.ts';
import { buildRunnerActuator } from '../../lib/actuators/runner.ts';
import { buildToolActuator } from '../../lib/actuators/tool.ts';
import { buildToolRecords } from '../../lib/actuators/tool-records.ts';
import { defined } from '../../lib/base/defined.ts';
import { RetryLaterError, WaitingError } from '../../lib/base/errors.ts';
import { RECEIVE_COUNT_MAX } from '../../lib/base/limits.ts';
import type { Sender } from '../../lib/channels/channel.ts';
import { showDraft } from '../../lib/channels/show-draft.ts';
import { GATE_SET } from '../../lib/gates/engine/gate-set.ts';
import type { GateSet } from '../../lib/gates/engine/verify.ts';
import { buildJobPowers } from '../../lib/jobs/job-powers.ts';
import { buildLoadPolicy, importCedar } from '../../lib/judge/policy/space-policy.ts';
import { buildLearning } from '../../lib/learning/learning-powers.ts';
import { acceptSignal } from '../../lib/ledger/accept.ts';
import type { MessageNumber } from '../../lib/ledger/record.ts';
import type { RawToolCall } from '../../lib/llm/chat.ts';
import { buildMemory } from '../../lib/memory/memory.ts';
import type { Wing } from '../../lib/operations/wing.ts';
import type { Prompt } from '../../lib/prompt/build-prompt.ts';
import { buildRunbookPowers } from '../../lib/runbooks/run-powers.ts';
import { refuseWaiting } from '../../lib/runner/refuse-waiting.ts';
import { buildRunnerPowers } from '../../lib/runner/runner-powers.ts';
import { buildSigner } from '../../lib/runner/sign.ts';
import type { Action } from '../../lib/signal/action.ts';
import type { Actuator, ActuatorResult } from '../../lib/signal/actuator.ts';
import type { StageMessage } from '../../lib/signal/messages.ts';
import type { Payload, Signal } from '../../lib/signal/signal.ts';
import { buildAddedSkills } from '../../lib/skills/added-skills.ts';
import { buildFindListeners } from '../../lib/skills/find-listeners.ts';
import { buildRunbookSource } from '../../lib/skills/find-runbook.ts';
import { buildGateSets } from '../../lib/skills/gate-sets.ts';
import { act } from '../../lib/stages/act/act.ts';
import { perceive } from '../../lib/stages/perceive/perceive.ts';
import { buildLookAtMemory } from '../../lib/stages/reason/look-at-memory.ts';
import { reason } from '../../lib/stages/reason/reason.ts';
import type { ReasonDeps } from '../../lib/stages/reason/reason-deps.ts';
import type { Budget } from '../../lib/stages/spending.ts';
import { sweep } from '../../lib/stages/upkeep/sweep.ts';
import { sweepDue } from '../../lib/stages/upkeep/sweep-due.ts';
import type { Table } from '../../lib/store/table.ts';
import type { AttachmentPower } from '../../lib/tools/read-attachment.ts';
import { forgetLate } from '../../lib/wings/forgetting/forget-late.ts';
import { ENDING_HOOKS } from '../../lib/wings/hooks/ending.ts';
import { HEARTBEAT_HOOKS } from '../../lib/wings/hooks/heartbeat.ts';
import { PERCEIVE_HOOKS } from '../../lib/wings/hooks/perceive.ts';
import { WINGS } from '../../lib/wings/wings.ts';
import { DEFAULT_CAPS } from './default-caps.ts';

const loadPolicy = buildLoadPolicy(importCedar);

/** Signs jobs for machines. */
const ACT_SIGNER = buildSigner(Buffer.alloc(32, 9));

export class Crash extends Error {
  override readonly name = 'Crash';
}

import { sendersShowing } from './senders-showing.ts';

export interface Answer {
  readonly content?: string;
  readonly toolCalls?: readonly RawToolCall[];
  /** As the provider counted; without it the call counts at its worst case. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export interface SimulationOptions {
  readonly table: Table;
  readonly space: string;
  readonly answer: (prompt: Prompt) => Answer | Promise<Answer>;
  readonly gateSet?: GateSet;
  readonly wings?: readonly Wing[];
  /** `ask`, the model, unless set. */
  readonly eventsWithoutJob?: 'ask' | 'record';
  readonly webhookUrls?: Readonly<Record<string, string>>;
  /** A public address unless given. */
  readonly resolveAddresses?: () => Promise<readonly string[]>;
  /** Given the action; what the outside world does. */
  readonly outside?: (action: Action) => ActuatorResult;
  readonly startAt?: number;
  /** A local stack that alone uses its table. */
  readonly stackRun?: string;
  /** Caps and prices; by default no model costs anything. */
  readonly budget?: Partial<Budget>;
  /** Values only Act holds. */
  readonly actSecrets?: ReadonlyMap<string, string>;
  /** Address of the console's page, as Act knows it. */
  readonly page?: string;
  /** Reads the files of messages; none can be read without it. Each step may be the last. */
  readonly attachments?: (step: <T>(operation: () => Promise<T>) => Promise<T>) => AttachmentPower;
  readonly transcription?: ReasonDeps['transcription'];
  /** Asks somebody else than `answer`: a cascade of real providers, or one that dies. */
  readonly ask?: ReasonDeps['ask'];
  /** Providers asked about what is of high impact. */
  readonly consensusProviders?: number;
  readonly onDaySpent?: () => void;
  /**
   * Streams what `ask` lets hear, and shows drafts so; nothing is streamed without it. No crash
   * happens within: there it ends a draft.
   */
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

export const buildSimulation = (options: SimulationOptions) => {
  let now = options.startAt ?? 1_790_000_000_000;
  let operations = 0;
  let crashAt = Number.POSITIVE_INFINITY;
  let ids = 0;
  let modelCalls = 0;
  const queue: StageMessage[] = [];
  const published = new Map<string, number>();
  const sent: Sent[] = [];
  const crashes: number[] = [];

  const step = async <T>(operation: () => Promise<T>): Promise<T> => {
    operations += 1;
    const isHere = operations === crashAt;
    const result = await operation();
    if (isHere) throw new Crash(`after operation ${operations}`);
    return result;
  };

  const table: Table = {
    load: (...args) => step(() => options.table.load(...args)),
    query: (...args) => step(() => options.table.query(...args)),
    queryIndex: (...args) => step(() => options.table.queryIndex(...args)),
    put: (...args) => step(() => options.table.put(...args)),
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
        const result = options.outside?.(action) ?? { state: 'done', output: '', origin: 'agent' };
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

  const gateSets = buildGateSets(table, options.space, options.gateSet ?? GATE_SET);
  const budget: Budget = {
    caps: DEFAULT_CAPS,
    providers: [{ name: 'test', baseUrl: 'http://127.0.0.1/v1', model: 'test' }],
    webhookCosts: new Map(),
    homeChat: '',
    ...options.budget,
  };
  let clockErrorMs = 0;
  const clock = () => {
    now += options.elapseMs?.() ?? 0;
    return now + clockErrorMs;
  };
  const memory = buildMemory(table, options.space);
  const skills = buildAddedSkills(table, options.space);
  const learning = buildLearning({ table, space: options.space, skills, privacyTags: [], loadCedar: importCedar });
  const findListeners = buildFindListeners(table, options.space, clock);
  const stages = {
    perceive: perceive({
      wings: options.wings ?? WINGS,
      hooks: PERCEIVE_HOOKS,
      table,
      publishPerceive: publish,
      publishReason: publish,
      publishAct: publish,
      loadGateSet: gateSets.load,
      findListeners,
      assistant: 'Test',
      providerNames: budget.providers.map(({ name, model }) => `${name}:${model}`),
      webhookUrls: options.webhookUrls ?? {},
      isLoopbackAllowed: false,
      resolveAddresses: options.resolveAddresses ?? (async () => ['93.184.215.14']),
      zone: 'UTC',
      loadMemory: async () => memory,
      eventsWithoutJob: options.eventsWithoutJob ?? 'ask',
      privacyTags: [],
      caps: budget.caps,
      now: clock,
    }),
    reason: reason({
      table,
      publishAct: publish,
      publishReason: publish,
      gateSets,
      ask: (prompt, ...rest) =>
        step(async () => {
          modelCalls += 1;
          if (options.ask !== undefined) return options.ask(prompt, ...rest);
          const answer = await options.answer(prompt);
          return {
            provider: 'test',
            model: 'test',
            answer: { content: answer.content, toolCalls: answer.toolCalls ?? [], model: 'test' },
            ...(answer.usage ?? {}),
            index: 0,
            billed: [],
            failures: [],
          };
        }),
      ...(options.consensusProviders === undefined ? {} : { consensusProviders: options.consensusProviders }),
      ...(options.onDaySpent === undefined ? {} : { onDaySpent: options.onDaySpent }),
      ...(options.sendDraft === undefined
        ? {}
        : { drafts: { table: options.table, publish: async (message) => void queue.push(message), now: clock } }),
      identity: { assistant: 'Test', user: 'owner', zone: 'UTC', version: '0' },
      providerNames: ['test'],
      promptTokensMax: 6_000,
      windowTokens: 30_000,
      ...defined({ transcription: options.transcription }),
      secrets: new Map(),
      webhookUrls: options.webhookUrls ?? {},
      isLoopbackAllowed: false,
      resolveAddresses: options.resolveAddresses ?? (async () => ['93.184.215.14']),
      loadPolicy,
      lookAtMemory: buildLookAtMemory({
        table,
        space: options.space,
        privacyTags: [],
        log: (line) => {
          throw new Error(line);
        },
      }),
      budget,
      now: clock,
    }),
    act: act({
      table,
      hooks: ENDING_HOOKS,
      publishPerceive: publish,
      gateSets,
      actuators: new Map([
        [
          'tool',
          hideSecrets(
            buildToolActuator({
              memory,
              records: buildToolRecords(table, options.space, memory),
              powers: {
                ...defined({ attachments: options.attachments?.(step) }),
                jobs: buildJobPowers(table, options.space, publish),
                skills,
                learning,
                runners: buildRunnerPowers(
                  table,
                  options.space,
                  async () => ACT_SIGNER.publicKey,
                  (...given) => refuseWaiting(table, publish, options.space, ...given),
                ),
                runbooks: buildRunbookPowers(table, options.space, publish, buildRunbookSource(table, options.space)),
              },
              zone: 'UTC',
              newNonce: newId,
            }),
            buildLeaveOut(options.actSecrets ?? new Map()),
          ),
        ],
        [
          'runner',
          buildRunnerActuator({
            table,
            space: options.space,
            loadSigner: async () => ACT_SIGNER,
            // The machine of a test reads the table itself.
            sendOrder: async () => undefined,
            keepOutput: buildToolRecords(table, options.space, memory).keepOutput,
            newNonce: newId,
          }),
        ],
        ['telegram', outside('once')],
        ['webhook', outside('idempotent')],
      ]),
      silent: new Set(['console', 'telegram', 'system']),
      secrets: options.actSecrets ?? new Map(),
      webhookUrls: options.webhookUrls ?? {},
      isLoopbackAllowed: false,
      resolveAddresses: options.resolveAddresses ?? (async () => ['93.184.215.14']),
      loadPolicy,
      budget,
      describeOffer: learning.describe,
      forgetLate: (...args) => {
        const records = buildToolRecords(table, options.space, memory);
        return forgetLate({ memory, records, newId, now: clock }, ...args);
      },
      newId,
      remainingMs: () => ACT_TIMEOUT_MS,
      stackRun: options.stackRun,
      ...defined({ page: options.page }),
      now: clock,
    }),
  };

  const deliver = (message: StageMessage): Promise<void> => {
    clockErrorMs = options.clockErrorMs?.() ?? 0;
    switch (message.stage) {
      case 'perceive':
        return stages.perceive(message);
      case 'reason':
        return stages.reason(message, () => 60_000);
      case 'act':
        return stages.act(message);
      case 'draft':
        return showDraft({
          ...options,
          secrets: new Map(),
          senders: sendersShowing(options.sendDraft),
          isInForce: gateSets.isInForce,
        })(message);
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
      await deliver(message);
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
    /** The powers of the skill `learning`. */
    learning,
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
    sweep: (isRecovering = false) =>
      sweep(
        {
          table,
          publishPerceive: publish,
          loadGateSet: gateSets.load,
          findListeners,
          hooks: HEARTBEAT_HOOKS,
          space: options.space,
          now: clock(),
        },
        isRecovering,
      ),
    /** One tick of the heartbeat as far as jobs go. @returns the runs it started */
    tickJobs: () =>
      sweepDue({
        table,
        hooks: HEARTBEAT_HOOKS,
        publishPerceive: publish,
        publishManyPerceive: async (list) => {
          for (const { message, step } of list) await publish(message, step);
        },
        sendOrderOf: async () => undefined,
        loadGateSet: gateSets.load,
        space: options.space,
        homeChat: '7',
        now: clock(),
      }),
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
