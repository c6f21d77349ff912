/**
 * A small world without faults, in which stories are played against the real ingress code and the
 * three stages over a real table. It shows that servers, clients and real prompts fit together.
 */

import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { answerControl } from '../../lib/core/edge/console/control.ts';
import { buildConsole } from '../../lib/core/edge/console/routes.ts';
import type { HttpResponse } from '../../lib/core/http/function-url.ts';
import { importCedar } from '../../lib/core/judge/code/cedar-engine.ts';
import { buildChatBody, parseCompletion } from '../../lib/core/llm/chat-completions.ts';
import { buildCascade } from '../../lib/core/llm/providers.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import type { Action } from '../../lib/core/signal/action.ts';
import type { ActuatorResult } from '../../lib/core/signal/actuator.ts';
import type { StageMessage } from '../../lib/core/signal/messages.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { FEATURES } from '../../lib/features/features.ts';
import { answerTelegram } from '../../lib/features/telegram/receive.ts';
import { answerWebhook } from '../../lib/features/webhooks/edge/webhook-http.ts';
import { DEFAULT_CAPS } from '../support/default-caps.ts';
import { buildSimulation } from '../support/simulation.ts';
import { BOT_ID, CHATS, CONFIG, HOME_CHAT, HOOK_SECRET } from './outside/config.ts';
import { buildOutside, type Outside } from './outside/outside.ts';
import { signWebhook } from './outside/webhook-signature.ts';
import type { Random, Sent, Step, WireRequest } from './types.ts';
import { startClients } from './world/clients.ts';
import type { Door } from './world/sending.ts';

const START = 1_790_000_000_000;

export interface Played {
  readonly space: string;
  readonly outside: Outside;
  readonly sent: readonly Sent[];
  readonly elapsedMs: number;
}

const secretMap = new Map(Object.entries(CONFIG.secrets));
const [provider] = buildCascade(CONFIG.environment, new Map());

const eventOf = ({ method, url, headers, body }: WireRequest): object => {
  const { pathname, search } = new URL(url);
  return { rawPath: pathname, rawQueryString: search.slice(1), headers, body, requestContext: { http: { method } } };
};

/** What Act's actuators would send. */
const sendAction = (outside: Outside, action: Action, effectId: string, now: number): ActuatorResult => {
  if (action.target === 'webhook') {
    const body = JSON.stringify(action.args?.body);
    const atS = Math.floor(now / 1000);
    const headers = {
      'webhook-id': effectId,
      'webhook-timestamp': String(atS),
      'webhook-signature': signWebhook(HOOK_SECRET, effectId, atS, body),
    };
    const { answer } = outside.take({ method: 'POST', url: action.url ?? '', headers, body });
    return { state: 'done', output: JSON.stringify({ status: answer.status }), origin: 'outside' };
  }
  const buttons = [
    { text: 'Approve', callback_data: `a:${action.card}` },
    { text: 'Deny', callback_data: `d:${action.card}` },
  ];
  const params = {
    chat_id: action.to,
    text: action.text,
    ...(action.edits === undefined ? {} : { message_id: action.edits.message }),
    ...(action.card === undefined ? {} : { reply_markup: { inline_keyboard: [buttons] } }),
  };
  const method = action.edits === undefined ? 'sendMessage' : 'editMessageText';
  const url = `https://telegram.test/bot${CONFIG.secrets.TELEGRAM_BOT_TOKEN}/${method}`;
  const { answer } = outside.take({ method: 'POST', url, headers: {}, body: JSON.stringify(params) });
  const { result } = JSON.parse(answer.body);
  return { state: 'done', output: JSON.stringify({ messageIds: [result.message_id] }), origin: 'agent' };
};

/** Runs what is due in the order of time, and each request's work before the next. */
export const buildSchedule = () => {
  const entries: { readonly at: number; readonly n: number; readonly run: () => void }[] = [];
  let now = START;
  let count = 0;
  let underWay = 0;
  return {
    now: () => now,
    after: (ms: number, run: () => void): void => {
      count += 1;
      entries.push({ at: now + ms, n: count, run });
      entries.sort((a, b) => a.at - b.at || a.n - b.n);
    },
    hold: async <T>(work: Promise<T>): Promise<T> => {
      underWay += 1;
      return work.finally(() => {
        underWay -= 1;
      });
    },
    runAll: async (): Promise<void> => {
      for (;;) {
        await turnOfTheLoop();
        if (underWay > 0) continue;
        const next = entries.shift();
        if (next === undefined) return;
        now = Math.max(now, next.at);
        next.run();
      }
    },
  };
};

type Doors = Readonly<Record<Door, (event: object) => Promise<HttpResponse>>>;

const buildDoors = (
  table: Table,
  space: string,
  now: () => number,
  publish: (message: StageMessage) => void,
): Doors => {
  let ids = 0;
  const common = { table, space, publish: async (message: StageMessage) => publish(message), log: () => undefined };
  const control = {
    ...common,
    now,
    newId: () => {
      ids += 1;
      return ids.toString(16).padStart(32, '0');
    },
    tokens: async () => ({ approverToken: CONFIG.secrets.APPROVER_TOKEN, scripts: [] }),
    noteScript: () => undefined,
    report: (error: unknown) => {
      throw error;
    },
  };
  const memory = buildMemory(table, space);
  const answerConsole = buildConsole({
    features: FEATURES,
    ...control,
    loadMemory: async () => memory,
    wakeLog: async () => undefined,
    settings: { assistant: 'Test', providerNames: [], channelStates: { telegram: 'webhook' }, caps: DEFAULT_CAPS },
    startedAt: START,
    importCedar,
  });
  const rights = { TELEGRAM_ALLOWED_CHATS: CHATS, TELEGRAM_APPROVERS: [] };
  const telegram = { ...common, config: { botId: BOT_ID, space, rights } };
  return {
    telegram: (event) =>
      answerTelegram({ ...telegram, now: now(), secret: CONFIG.secrets.TELEGRAM_WEBHOOK_SECRET }, event),
    webhook: (event) =>
      answerWebhook(
        {
          ...common,
          now,
          loadSettings: async () => ({ homeChat: HOME_CHAT }),
          readSecrets: async () => secretMap,
          noteUnproven: async () => undefined,
          countUnproven: () => undefined,
          fetchText: async () => '',
        },
        event,
      ),
    console: answerConsole,
    control: (event) => answerControl(control, event),
  };
};

/** Plays one story to its end. Each accepted signal is worked off before the next request. */
export const play = async (table: Table, space: string, story: readonly Step[], random: Random): Promise<Played> => {
  const schedule = buildSchedule();
  const { now } = schedule;
  const outside = buildOutside({ now, random, mayFail: () => false });
  if (provider === undefined) throw new Error('the settings name no provider');
  let effects = 0;
  const simulation = buildSimulation({
    table,
    space,
    answer: () => ({}),
    startAt: START,
    variables: { ...CONFIG.environment, ...CONFIG.secrets, SPACE: space },
    ask: async (prompt) => {
      const body = JSON.stringify(buildChatBody(provider, prompt));
      const { answer } = outside.take({
        method: 'POST',
        url: `${provider.baseUrl}/chat/completions`,
        headers: {},
        body,
      });
      const parsed = parseCompletion(JSON.parse(answer.body), provider.model);
      return {
        ...parsed,
        provider: provider.name,
        model: provider.model,
        answer: parsed,
        index: 0,
        billed: [],
        failures: [],
      };
    },
    outside: (action) => {
      effects += 1;
      return sendAction(outside, action, `effect-${effects}`, now());
    },
  });
  const doors = buildDoors(table, space, now, (message) => void simulation.queue.push(message));
  const work = async (door: Door, request: WireRequest) => {
    simulation.advance(Math.max(0, now() - simulation.now()));
    const { statusCode: status, headers, body } = await doors[door](eventOf(request));
    await simulation.drain();
    return { status, headers, body };
  };
  let line: Promise<unknown> = Promise.resolve();
  const send = (door: Door, request: WireRequest) => {
    const answer = line.then(() => work(door, request));
    line = answer;
    return schedule.hold(answer);
  };
  const { sent } = startClients({ ...schedule, story, outside, random, send, config: CONFIG });
  await schedule.runAll();
  return { space, outside, sent, elapsedMs: now() - START };
};
