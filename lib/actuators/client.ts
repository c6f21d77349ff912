/**
 * A Bot API client of one function: `call`. It never throws and never retries; it says which of four things happened
 * (see `TelegramOutcome`), because whether a message may be sent again hangs on that alone (I7). The token is part of
 * every address, so no error text of the platform is passed on, and what the other side says is redacted (I11).
 *
 * Every call makes its own connection. A kept one may have died while a function was frozen, and the write into it
 * would look like "sent, no answer", which for a message to a person is the most expensive outcome there is.
 */
import { KIB } from '../base/limits.ts';
import { classifyFetchFailure, parseTelegramAnswer, type TelegramOutcome } from './outcome.ts';

/** Bytes read of one Bot API answer: a batch of the largest possible updates fits. */
const TELEGRAM_ANSWER_BYTES_MAX = 4 * 1024 * KIB;

export interface TelegramCallOptions {
  /** Ends the call early; the outcome is then `unknown`. */
  readonly signal?: AbortSignal;
  /** In place of the client's own time-out. */
  readonly timeoutMs?: number;
}

export interface TelegramClient {
  /** @param method Bot API method, as documented: `sendMessage`. @param body its parameters. Never rejects. */
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
  /** Whole call, answer included. */
  readonly timeoutMs: number;
  readonly fetch?: typeof fetch;
}

/** The body as text, or undefined when there is more of it than anyone may send. */
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

/** Takes a token, and its secret half alone, out of any text. */
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
      const timeout = AbortSignal.timeout(options.timeoutMs ?? config.timeoutMs);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
      try {
        const response = await send(`${root}/bot${config.token}/${method}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify(body),
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
