/**
 * The updates a bot has not confirmed yet, and the two ways to get them. Polling: a poll with an
 * offset confirms what is older, everything else comes again; a second waiting poll ends the first
 * with 409. Webhook: one queue for each chat (and for each tapping person), in order, at most
 * `maxConnections` requests at once; what is not answered 2xx is tried again at once, then after 2,
 * 4, 8 … units, while other chats go on.
 */
import type { Update } from 'grammy/types';
import { type Params, readBody } from './bot-api-request.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly secretToken: string;
  readonly maxConnections: number;
}

/** Result of a poll: updates, or the text of a 409. */
export type PollAnswer = { readonly updates: readonly Update[] } | { readonly conflict: string };

interface Pending {
  readonly update: Update;
  readonly queue: string;
  /** Came before under the same id: handed out once more whatever the offset says. */
  isRepeat: boolean;
  failures: number;
  wakeAt: number;
  isSending: boolean;
}

interface Waiting {
  readonly limit: number;
  readonly answer: (answer: PollAnswer) => void;
}

/** Kinds that come only when asked for. */
const ASKED_ONLY = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);
const BACKOFF_UNITS_MAX = 60;

const kindOf = (update: Update): string => Object.keys(update).find((key) => key !== 'update_id') ?? '';
const queueOf = (update: Update): string => {
  if (update.callback_query !== undefined) return `tap:${update.callback_query.from.id}`;
  const message = update.message ?? update.edited_message ?? update.channel_post ?? update.my_chat_member;
  return `chat:${message?.chat.id ?? 0}`;
};

export interface UpdateQueueOptions {
  /** Length of one second of Telegram's back-off. */
  readonly backoffUnitMs: number;
  /** Performs a method that a webhook gave as its answer. */
  readonly perform: (method: string, params: Params) => void;
}

/** The state of one bot's updates; changed only by the functions of this file. */
export interface UpdateQueue {
  readonly options: UpdateQueueOptions;
  pending: readonly Pending[];
  waiting: Waiting | undefined;
  webhook: WebhookSettings | undefined;
  /** Kinds of updates that are kept; empty for Telegram's default. */
  allowed: readonly string[];
  /** Ends the requests to the present webhook. */
  abort: AbortController;
  timer: NodeJS.Timeout | undefined;
  lastError: { readonly date: number; readonly message: string } | undefined;
}

export const buildUpdateQueue = (options: UpdateQueueOptions): UpdateQueue => ({
  options,
  pending: [],
  waiting: undefined,
  webhook: undefined,
  allowed: [],
  abort: new AbortController(),
  timer: undefined,
  lastError: undefined,
});

const take = (queue: UpdateQueue, limit: number): readonly Update[] => {
  const taken = queue.pending.slice(0, limit);
  for (const pending of taken) pending.isRepeat = false;
  return taken.map(({ update }) => update);
};

const confirm = (queue: UpdateQueue, offset: number): void => {
  queue.pending =
    offset < 0
      ? queue.pending.slice(offset)
      : queue.pending.filter(({ update, isRepeat }) => isRepeat || update.update_id >= offset);
};

export const addUpdate = (queue: UpdateQueue, update: Update, isRepeat = false): void => {
  const kind = kindOf(update);
  const isWanted = queue.allowed.length === 0 ? !ASKED_ONLY.has(kind) : queue.allowed.includes(kind);
  if (!isWanted) return;
  const added = { update, queue: queueOf(update), isRepeat, failures: 0, wakeAt: 0, isSending: false };
  queue.pending = [...queue.pending, added];
  if (queue.waiting !== undefined) queue.waiting.answer({ updates: take(queue, queue.waiting.limit) });
  push(queue);
};

export const allowUpdates = (queue: UpdateQueue, kinds: unknown): void => {
  if (Array.isArray(kinds)) queue.allowed = kinds.filter((kind) => typeof kind === 'string');
};

export interface Poll {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  /** Ends the poll when its client goes away. */
  readonly signal: AbortSignal;
}

export const pollUpdates = async (queue: UpdateQueue, poll: Poll): Promise<PollAnswer> => {
  if (queue.webhook !== undefined) {
    return {
      conflict: "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    };
  }
  confirm(queue, poll.offset);
  const updates = take(queue, poll.limit);
  if (updates.length > 0 || poll.timeoutMs === 0) return { updates };
  queue.waiting?.answer({
    conflict: 'terminated by other getUpdates request; make sure that only one bot instance is running',
  });
  return await new Promise<PollAnswer>((resolve) => {
    const answer = (result: PollAnswer): void => {
      clearTimeout(timer);
      if (queue.waiting === waiting) queue.waiting = undefined;
      resolve(result);
    };
    const waiting: Waiting = { limit: poll.limit, answer };
    const timer = setTimeout(() => answer({ updates: [] }), poll.timeoutMs);
    poll.signal.addEventListener('abort', () => answer({ updates: [] }), { once: true });
    queue.waiting = waiting;
  });
};

/** Undefined goes back to polling. */
export const setWebhook = (queue: UpdateQueue, webhook: WebhookSettings | undefined, isDropping: boolean): void => {
  if (isDropping) queue.pending = [];
  queue.abort.abort();
  queue.abort = new AbortController();
  queue.webhook = webhook;
  if (webhook !== undefined) queue.waiting?.answer({ conflict: 'terminated by setWebhook request' });
  push(queue);
};

export const webhookInfo = (queue: UpdateQueue): Params => ({
  url: queue.webhook?.url ?? '',
  has_custom_certificate: false,
  pending_update_count: queue.pending.length,
  ...(queue.webhook === undefined ? {} : { max_connections: queue.webhook.maxConnections }),
  ...(queue.allowed.length === 0 ? {} : { allowed_updates: queue.allowed }),
  ...(queue.lastError === undefined
    ? {}
    : { last_error_date: queue.lastError.date, last_error_message: queue.lastError.message }),
});

export const closeUpdateQueue = (queue: UpdateQueue): void => {
  queue.webhook = undefined;
  clearTimeout(queue.timer);
  queue.abort.abort();
  queue.waiting?.answer({ updates: [] });
};

/** Sends what may be sent now, and comes back when the next one may be tried. */
const push = (queue: UpdateQueue): void => {
  clearTimeout(queue.timer);
  if (queue.webhook === undefined) return;
  const busy = new Set(queue.pending.filter(({ isSending }) => isSending).map((pending) => pending.queue));
  let free = queue.webhook.maxConnections - busy.size;
  let nextAt = Number.POSITIVE_INFINITY;
  for (const pending of queue.pending) {
    if (busy.has(pending.queue)) continue;
    busy.add(pending.queue);
    if (pending.wakeAt > Date.now()) nextAt = Math.min(nextAt, pending.wakeAt);
    else if (free > 0) {
      free -= 1;
      void send(queue, pending, queue.webhook);
    }
  }
  if (Number.isFinite(nextAt)) queue.timer = setTimeout(() => push(queue), Math.max(1, nextAt - Date.now()));
};

const send = async (queue: UpdateQueue, pending: Pending, webhook: WebhookSettings): Promise<void> => {
  const { signal } = queue.abort;
  pending.isSending = true;
  const problem = await post(queue, pending.update, webhook, signal);
  pending.isSending = false;
  if (problem === undefined) queue.pending = queue.pending.filter((other) => other !== pending);
  else if (!signal.aborted) {
    queue.lastError = { date: Math.floor(Date.now() / 1000), message: problem };
    const units = pending.failures === 0 ? 0 : Math.min(BACKOFF_UNITS_MAX, 2 ** pending.failures);
    pending.failures += 1;
    pending.wakeAt = Date.now() + units * queue.options.backoffUnitMs;
  }
  push(queue);
};

/** Undefined when the webhook took it, otherwise what is wrong. */
const post = async (
  queue: UpdateQueue,
  update: Update,
  webhook: WebhookSettings,
  signal: AbortSignal,
): Promise<string | undefined> => {
  try {
    const secret = webhook.secretToken === '' ? {} : { 'X-Telegram-Bot-Api-Secret-Token': webhook.secretToken };
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', ...secret },
      body: JSON.stringify(update),
      redirect: 'manual',
      signal,
    });
    const body = response.body === null ? '' : await readBody(response.body);
    if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`;
    performAnswer(queue, body);
    return undefined;
  } catch {
    return 'Connection failed';
  }
};

/** A webhook may answer with a method to perform; nobody learns what became of it. */
const performAnswer = (queue: UpdateQueue, body: string): void => {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return;
  }
  if (typeof answer !== 'object' || answer === null || !('method' in answer)) return;
  const { method, ...params } = answer;
  if (typeof method !== 'string' || /^(get|setwebhook|deletewebhook|close|logout)/i.test(method)) return;
  queue.options.perform(method, params);
};
