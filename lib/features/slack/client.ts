/**
 * A client of Slack's Web API. A call never throws and never retries: it says which of four things
 * happened, because only that decides whether a message may be sent again (I7). Arguments go as a
 * form, which each method takes, and lists in it as JSON. https://docs.slack.dev/apis/web-api
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { readFetchFailure } from '../../core/http/fetch-failure.ts';

/** Longest call, answer included. */
const SLACK_TIMEOUT_MS = 15 * SECOND_MS;
/** Bytes read of one answer: a message with all its blocks fits many times. */
const SLACK_ANSWER_BYTES_MAX = 1024 * KIB;
/** Slack asks for this long if it does not say how long. */
const RATE_LIMIT_MS = 30 * SECOND_MS;

export interface SlackClientConfig {
  readonly token: string;
  /** Such as `https://slack.com/api`. */
  readonly apiRoot: string;
}

export type SlackBody = Readonly<Record<string, unknown>>;

export interface SlackClient extends SlackClientConfig {
  /** Never rejects. */
  readonly call: (method: string, body: SlackBody, timeoutMs?: number) => Promise<SlackOutcome>;
}

/**
 * The outcome of one call. Only `refused` and `unreached` say for certain that nothing was done.
 * `error` is Slack's own word, such as `channel_not_found`.
 */
export type SlackOutcome =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly error: string; readonly retryAfterMs?: number }
  | { readonly kind: 'unreached' | 'unknown'; readonly reason: string };

/** Slack says of each that some of it may have been done. */
const IN_DOUBT: readonly string[] = ['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout'];

const TOKEN_ERRORS: readonly string[] = [
  ...['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'],
];
export const isTokenRefused = (outcome: SlackOutcome): boolean =>
  outcome.kind === 'refused' && TOKEN_ERRORS.includes(outcome.error);

const Answer = z.union([
  z.looseObject({ ok: z.literal(true) }),
  z.looseObject({ ok: z.literal(false), error: z.string().check(z.regex(/^[a-z0-9_]{1,80}$/)) }),
]);

const parseAnswer = ({ status, headers }: Response, text: string): SlackOutcome => {
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return { kind: 'refused', error: 'ratelimited', retryAfterMs: seconds > 0 ? seconds * SECOND_MS : RATE_LIMIT_MS };
  }
  const { data } = Answer.safeParse(readJson(text));
  if (data === undefined) return { kind: 'unknown', reason: `the answer is not one of Slack (HTTP ${status})` };
  if (data.ok) return { kind: 'done', result: data };
  if (IN_DOUBT.includes(data.error)) return { kind: 'unknown', reason: `Slack had an internal error (${data.error})` };
  return { kind: 'refused', error: data.error };
};

/** Sorts a failure of fetch, or of reading its body, by whether anything can have been sent. */
export const failureOf = (error: unknown): SlackOutcome => {
  const { wasSent, code, name } = readFetchFailure(error);
  const shown = code === undefined ? '' : ` (${code})`;
  if (!wasSent) return { kind: 'unreached', reason: `Slack could not be reached${shown}` };
  return name === 'TimeoutError'
    ? { kind: 'unknown', reason: 'Slack did not answer in time' }
    : { kind: 'unknown', reason: `the connection ended before Slack answered${shown}` };
};

/** @returns undefined if it has more bytes */
export const readBounded = async (
  response: Response,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
};

const formOf = (body: SlackBody): URLSearchParams => {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    Object.fromEntries(
      given.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
    ),
  );
};

export const buildSlackClient = (config: SlackClientConfig): SlackClient => ({
  ...config,
  call: async (method, body, timeoutMs = SLACK_TIMEOUT_MS) => {
    try {
      const response = await fetch(`${config.apiRoot.replace(/\/+$/, '')}/${method}`, {
        method: 'POST',
        // A kept connection may have died while a function was frozen, and would look like "sent".
        headers: { authorization: `Bearer ${config.token}`, connection: 'close' },
        body: formOf(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const bytes = await readBounded(response, SLACK_ANSWER_BYTES_MAX);
      if (bytes === undefined) return { kind: 'unknown', reason: 'the answer is too large' };
      return parseAnswer(response, Buffer.from(bytes).toString('utf8'));
    } catch (error) {
      return failureOf(error);
    }
  },
});
