/**
 * Everything outside the product that takes requests: a model, Telegram, a webhook and a witness,
 * by the host of the URL. Answers depend on the requests so far and on `random` alone. The
 * network's own faults are the world's: here a server either answers, or answers with a failure of
 * its own.
 */
import type { Random, Received, ShownMessage, WireAnswer, WireRequest } from '../types.ts';
import { BOT_ID, CHATS, CONFIG, HOOK, HOOK_SECRET, MOVED, PAIRED_CHAT } from './config.ts';
import { buildHook } from './hook.ts';
import { buildModel } from './model.ts';
import { buildTelegram, type TelegramSide } from './telegram.ts';
import { buildWitness } from './witness.ts';

export interface OutsideOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: Random;
  /**
   * Whether a server may answer with a failure of its own now. How often it then does is drawn once
   * for each server and run: often never.
   */
  readonly mayFail: () => boolean;
}

export interface Outside {
  /**
   * Takes a request that arrived: does what it asks, records it in `received`, and gives the answer
   * and the milliseconds the server takes. `record` is the entry in `received`, for a world that
   * loses the answer. @throws Error for a host that nobody here has
   */
  readonly take: (request: WireRequest) => {
    readonly answer: WireAnswer;
    readonly takesMs: number;
    readonly record: Received;
  };
  /** @throws Error for a host that nobody here has */
  readonly serverOf: (url: string) => Received['server'];
  readonly received: Received[];
  /** Called when a message or card appears in a Telegram chat, or is changed there. */
  readonly onMessage: (listener: (message: ShownMessage) => void) => void;
  readonly telegram: TelegramSide;
}

/** What a server did with one request. */
export type Taken = Pick<Received, 'answer' | 'isPerformed' | 'shown' | 'about' | 'costMicros' | 'worstMicros'>;

/** A server: `fails` says whether this request gets a failure of the server's own. */
export interface Server {
  readonly name: Received['server'];
  readonly take: (request: WireRequest, fails: boolean) => Taken;
  /** The least and the most time that an answer takes, milliseconds. */
  readonly takesMs: readonly [number, number];
}

/** Fixed: no draw of the other servers moves. */
const WITNESS_FAILURE_RATE = 0.3;
const FAILURE_RATES = [0, 0, 0, 0.03, 0.15, 0.5] as const;

export const buildOutside = ({ now, random, mayFail }: OutsideOptions): Outside => {
  const received: Received[] = [];
  const listeners: ((message: ShownMessage) => void)[] = [];
  const telegram = buildTelegram({
    now,
    random,
    token: CONFIG.secrets.TELEGRAM_BOT_TOKEN ?? '',
    botId: BOT_ID,
    mayFail,
    chats: [...CHATS, PAIRED_CHAT],
    moved: MOVED,
  });
  const servers = new Map<string, { readonly server: Server; readonly failureRate: number }>();
  for (const [host, server] of [
    ['model.test', buildModel(random)],
    ['telegram.test', telegram.server],
    [new URL(HOOK.url).hostname, buildHook({ now, random, secret: HOOK_SECRET })],
  ] as const)
    servers.set(host, { server, failureRate: random.pick(FAILURE_RATES) });
  servers.set('witness.test', { server: buildWitness(now, random), failureRate: WITNESS_FAILURE_RATE });
  const record = (server: Received['server'], request: WireRequest, taken: Taken): Received => {
    const one = { server, at: now(), request, ...taken, isAnswerLost: false };
    received.push(one);
    if (taken.shown !== undefined) for (const listener of listeners) listener(taken.shown);
    return one;
  };
  const find = (url: string) => {
    const found = servers.get(new URL(url).hostname);
    if (found === undefined) throw new Error(`there is no server for ${url}`);
    return found;
  };
  return {
    received,
    serverOf: (url) => find(url).server.name,
    onMessage: (listener) => void listeners.push(listener),
    telegram: {
      ...telegram.side,
      performAnswer: (answer) => {
        const performed = telegram.performAnswer(answer);
        if (performed !== undefined) record('telegram', performed.request, performed.taken);
      },
    },
    take: (request) => {
      const { server, failureRate } = find(request.url);
      const taken = server.take(request, mayFail() && random.chance(failureRate));
      const [least, most] = server.takesMs;
      const takesMs = least + random.below(most - least);
      return { answer: taken.answer, takesMs, record: record(server.name, request, taken) };
    },
  };
};
