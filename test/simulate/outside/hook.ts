/**
 * An idempotent receiver of Standard Webhooks: it checks signature and timestamp, does each
 * `webhook-id` once, and answers a repeat like the first time. A failure of its own may come before
 * or after the deed.
 */
import type { Random, WireAnswer, WireRequest } from '../types.ts';
import type { Server, Taken } from './outside.ts';
import { signWebhook } from './webhook-signature.ts';

/** Older or newer timestamps are replays, as the standard advises. */
const TOLERANCE_S = 300;

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

const HTML: WireAnswer = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };

/** Answers of a receiver in trouble; `mayFollow`: it may have done the work before. */
const FAILURES: readonly [FailureRow, ...FailureRow[]] = [
  { mayFollow: true, answer: json(500, { error: 'broken' }) },
  { mayFollow: true, answer: HTML },
  { mayFollow: true, answer: json(503, { error: 'busy' }) },
  { mayFollow: false, answer: json(503, { error: 'closed' }, { 'retry-after': '20' }) },
  { mayFollow: false, answer: json(429, { error: 'slow down' }, { 'retry-after': '7' }) },
  { mayFollow: false, answer: json(408, { error: 'too slow' }) },
  { mayFollow: false, answer: json(403, { error: 'blocked' }) },
];
interface FailureRow {
  readonly mayFollow: boolean;
  readonly answer: WireAnswer;
}

export interface HookOptions {
  readonly now: () => number;
  readonly random: Random;
  readonly secret: string;
}

/** Why the request is not genuine; undefined if it is. */
const findForgery = ({ headers, body }: WireRequest, { now, secret }: HookOptions): string | undefined => {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  const atS = Number(timestamp);
  if (id === '' || !Number.isInteger(atS)) return 'a header of Standard Webhooks is missing';
  if (Math.abs(now() / 1000 - atS) > TOLERANCE_S) return 'the timestamp is too old or too new';
  return signatures.split(' ').includes(signWebhook(secret, id, atS, body)) ? undefined : 'the signature is wrong';
};

export const buildHook = (options: HookOptions): Server => {
  const known = new Set<string>();
  const perform = (request: WireRequest): Taken => {
    const id = request.headers['webhook-id'] ?? '';
    const isPerformed = !known.has(id);
    known.add(id);
    return { answer: json(200, { ok: true }), isPerformed };
  };
  return {
    name: 'webhook',
    takesMs: [5, 400],
    take: (request, fails) => {
      const forgery = findForgery(request, options);
      if (forgery !== undefined) return { answer: json(401, { error: forgery }), isPerformed: false };
      if (!fails) return perform(request);
      const { mayFollow, answer } = options.random.pick(FAILURES);
      const isPerformed = mayFollow && options.random.chance(0.5) && perform(request).isPerformed;
      return { answer, isPerformed };
    },
  };
};
