/**
 * A client of signal-cli's daemon: JSON-RPC over HTTP (`signal-cli daemon --http`). A call never
 * throws and never retries: it says which of four things happened, because only that decides
 * whether a message may be sent again (I7).
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { readFetchFailure } from '../../core/http/fetch-failure.ts';
import { buildOutgoingFetch } from '../../core/http/outgoing.ts';

/** It encrypts for each device of each person of a group, and asks Signal's servers. */
const CALL_TIMEOUT_MS = 30 * SECOND_MS;
/** Bytes of an answer that carries no file. */
const ANSWER_BYTES_MAX = 256 * KIB;

/** Codes of signal-cli's `SignalJsonRpcCommandHandler`, and of JSON-RPC 2.0. */
const USER_ERROR = -1;
const UNTRUSTED_KEY = -4;
const RATE_LIMIT = -5;
const NOT_RUN: readonly number[] = [-32_700, -32_600, -32_601, -32_602];

export type SignalOutcome =
  | { readonly kind: 'done'; readonly result: unknown }
  /** Nothing happened. */
  | { readonly kind: 'refused'; readonly description: string; readonly retryAfterMs?: number }
  | { readonly kind: 'unreached'; readonly reason: string }
  /** Sent, and no usable answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

const Answer = z.union([
  z.looseObject({
    error: z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) }),
  }),
  z.looseObject({ result: z.unknown() }),
]);
/** The results of a sending, one for each person. */
const Results = z.looseObject({
  response: z.looseObject({ results: z.array(z.looseObject({ retryAfterSeconds: z.nullish(z.number()) })) }),
});
/** Wait for a rate limit that names no time. */
const RATE_LIMIT_WAIT_MS = 60 * SECOND_MS;

const readAnswer = (text: string): SignalOutcome => {
  const { data } = Answer.safeParse(readJson(text));
  if (data === undefined) return { kind: 'unknown', reason: 'the answer is not one of signal-cli' };
  if (!('error' in data)) return { kind: 'done', result: data.result };
  const { code, data: more } = data.error as { code: number; data?: unknown };
  if (code === RATE_LIMIT) {
    const waits = Results.safeParse(more).data?.response.results.map(({ retryAfterSeconds: s }) => s ?? 0) ?? [];
    const ms = Math.max(0, ...waits) * SECOND_MS || RATE_LIMIT_WAIT_MS;
    return { kind: 'refused', description: 'Signal asks to wait', retryAfterMs: ms };
  }
  if (code === UNTRUSTED_KEY)
    return { kind: 'refused', description: 'the safety number has changed: signal-cli trust says whether it is right' };
  if (code === USER_ERROR || NOT_RUN.includes(code))
    return { kind: 'refused', description: `signal-cli refuses it (${code})` };
  return { kind: 'unknown', reason: `signal-cli had an error (${code})` };
};

export type SignalClient = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  options?: { readonly timeoutMs?: number; readonly bytesMax?: number },
) => Promise<SignalOutcome>;

/** @param url of the daemon, such as `http://127.0.0.1:8080` */
export const buildSignalClient =
  (url: string): SignalClient =>
  async (method, params, { timeoutMs = CALL_TIMEOUT_MS, bytesMax = ANSWER_BYTES_MAX } = {}) => {
    try {
      const send = buildOutgoingFetch({ peer: 'signal-cli', bytesMax });
      const response = await send(new URL('/api/v1/rpc', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return readAnswer(await response.text());
    } catch (error) {
      const { wasSent, name } = readFetchFailure(error);
      if (!wasSent) return { kind: 'unreached', reason: 'signal-cli could not be reached' };
      return {
        kind: 'unknown',
        reason: name === 'TimeoutError' ? 'signal-cli did not answer in time' : 'signal-cli gave no answer',
      };
    }
  };
