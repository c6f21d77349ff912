/**
 * A client of Telegram's Bot API. A call never throws and never retries: it says which of four
 * things happened, because only that decides whether a message may be sent again (I7). The token is
 * part of every address, so no error text of the platform is passed on, and answers are redacted
 * (I11). Every call makes its own connection: a kept one may have died while a function was frozen,
 * and would look like "sent, no answer".
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { readFetchFailure } from '../../core/http/fetch-failure.ts';

/** Longest call, answer included. */
const TELEGRAM_TIMEOUT_MS = 15 * SECOND_MS;
/** Bytes read of one answer: a batch of the largest possible updates fits. */
const TELEGRAM_ANSWER_BYTES_MAX = 4 * 1024 * KIB;

export interface TelegramCallOptions {
  /** Ends the call early, with the outcome `unknown`. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Sent as a part of a form, beside the parameters. */
  readonly file?: {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly content: string | Uint8Array<ArrayBuffer>;
  };
}

/** Structured parameters are JSON in a form too. */
const buildForm = (
  body: Readonly<Record<string, unknown>>,
  { field, name, type, content }: NonNullable<TelegramCallOptions['file']>,
): FormData => {
  const form = new FormData();
  for (const [key, value] of Object.entries(body))
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  form.append(field, new Blob([content], { type }), name);
  return form;
};

export interface TelegramClient {
  /** @param method as the Bot API documents it. Never rejects. */
  readonly call: (
    method: string,
    body: Readonly<Record<string, unknown>>,
    options?: TelegramCallOptions,
  ) => Promise<TelegramOutcome>;
}

export interface TelegramClientConfig {
  readonly token: string;
  /** Such as `https://api.telegram.org`, without a path after it. */
  readonly apiRoot: string;
  /** Longest call, answer included. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** @returns the body as text; undefined if it is too large */
const readBounded = async (response: Response): Promise<string | undefined> => {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > TELEGRAM_ANSWER_BYTES_MAX) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** Takes the token, and its secret half alone, out of any text. */
const buildRedact = (token: string): ((text: string) => string) => {
  const secrets = [token, encodeURIComponent(token), token.slice(token.indexOf(':') + 1)].filter((part) => part !== '');
  return (text) => secrets.reduce((result, secret) => result.replaceAll(secret, '<token>'), text);
};

export const buildTelegramClient = (config: TelegramClientConfig): TelegramClient => {
  const send = config.fetch ?? fetch;
  const redact = buildRedact(config.token);
  const root = config.apiRoot.replace(/\/+$/, '');
  return {
    call: async (method, body, options = {}) => {
      const timeout = AbortSignal.timeout(options.timeoutMs ?? config.timeoutMs ?? TELEGRAM_TIMEOUT_MS);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
      try {
        const response = await send(`${root}/bot${config.token}/${method}`, {
          method: 'POST',
          ...(options.file === undefined
            ? { headers: { 'content-type': 'application/json', connection: 'close' }, body: JSON.stringify(body) }
            : { headers: { connection: 'close' }, body: buildForm(body, options.file) }),
          redirect: 'error',
          signal,
        });
        const text = await readBounded(response);
        if (text === undefined) return { kind: 'unknown', reason: 'the answer is too large' };
        return parseTelegramAnswer(response.status, text, redact);
      } catch (error) {
        return classifyFetchFailure(error);
      }
    },
  };
};

/**
 * The outcome of one call. Only after `refused` and `unreached` is it certain that nothing
 * happened.
 * - `done`: Telegram did it; `result` as it came.
 * - `refused`: Telegram said no (4xx with its own body). `description` has no token in it.
 * - `unreached`: no connection was made, so nothing was sent.
 * - `unknown`: sent, and no usable answer: time-out, closed connection, 5xx, or not a Bot API
 *   answer.
 */
export type TelegramOutcome =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs?: number;
      /** The group became a supergroup, which has this id. */
      readonly movedTo?: string;
    }
  | { readonly kind: 'unreached'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A path with a token that is no token is not found. */
export const isTokenRefused = (outcome: TelegramOutcome): boolean =>
  outcome.kind === 'refused' && (outcome.code === 401 || outcome.code === 404);

/** Sorts a failure of fetch, or of reading its body, by whether anything can have been sent. */
export const classifyFetchFailure = (error: unknown): TelegramOutcome => {
  const { wasSent, code, name } = readFetchFailure(error);
  const shown = code === undefined ? '' : ` (${code})`;
  if (!wasSent) return { kind: 'unreached', reason: `Telegram could not be reached${shown}` };
  if (name === 'TimeoutError') return { kind: 'unknown', reason: 'Telegram did not answer in time' };
  if (name === 'AbortError') return { kind: 'unknown', reason: 'the call was ended before Telegram answered' };
  return { kind: 'unknown', reason: `the connection ended before Telegram answered${shown}` };
};

const Answer = z.union([
  z.looseObject({ ok: z.literal(true), result: z.unknown() }),
  z.looseObject({
    ok: z.literal(false),
    error_code: z.int(),
    description: z.optional(z.string()),
    parameters: z.optional(
      z.looseObject({
        retry_after: z.optional(z.number().check(z.nonnegative())),
        migrate_to_chat_id: z.optional(z.int()),
      }),
    ),
  }),
]);

const DESCRIPTION_CHARS_MAX = 300;

/** Reads a complete HTTP answer. @param redact takes secrets out of the other side's text */
const parseTelegramAnswer = (status: number, body: string, redact: (text: string) => string): TelegramOutcome => {
  const value = readJson(body);
  if (value === undefined) return { kind: 'unknown', reason: `the answer is not JSON (HTTP ${status})` };
  const answer = Answer.safeParse(value);
  if (!answer.success) return { kind: 'unknown', reason: `the answer is not one of the Bot API (HTTP ${status})` };
  if (answer.data.ok) {
    if (status >= 200 && status < 300) return { kind: 'done', result: answer.data.result };
    return { kind: 'unknown', reason: `the answer contradicts itself (HTTP ${status})` };
  }
  const { error_code: code, parameters } = answer.data;
  if (code < 400 || code > 499) return { kind: 'unknown', reason: `Telegram had an internal error (${code})` };
  const description = redact(answer.data.description ?? '').slice(0, DESCRIPTION_CHARS_MAX);
  const { retry_after: retryAfter, migrate_to_chat_id: movedTo } = parameters ?? {};
  return {
    kind: 'refused',
    code,
    description,
    ...(retryAfter === undefined ? {} : { retryAfterMs: Math.ceil(retryAfter * SECOND_MS) }),
    ...(movedTo === undefined ? {} : { movedTo: String(movedTo) }),
  };
};

export interface WebhookRegistration {
  readonly token: string;
  readonly apiRoot: string;
  readonly url: string;
  readonly secret: string;
}

/** Kinds of updates that Telegram sends the bot, by polling or by webhook. */
export const UPDATE_KINDS: readonly string[] = [
  ...['message', 'edited_message', 'callback_query', 'my_chat_member'],
  /** Sent only if asked for. */
  'message_reaction',
];

/**
 * Registers the bot's webhook. One connection keeps accepted order equal to sent order.
 * @returns what is wrong, in words and without the token; empty if the webhook is registered
 */
export const registerWebhook = async ({ token, apiRoot, url, secret }: WebhookRegistration): Promise<string> => {
  const client = buildTelegramClient({ token, apiRoot });
  const outcome = await client.call('setWebhook', {
    url,
    secret_token: secret,
    max_connections: 1,
    allowed_updates: UPDATE_KINDS,
  });
  if (outcome.kind === 'done') return '';
  return outcome.kind === 'refused' ? outcome.description : outcome.reason;
};
