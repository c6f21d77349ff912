/**
 * Calls a configured webhook, at exactly the URL and addresses the gates judged. With a secret
 * (Standard Webhooks 1.0) or a header for it every try carries the same id, by which the receiver
 * drops repeats. Without one a repeat could be seen twice, so a call whose outcome is not known
 * ends as `unknown`. Any 2xx is done, even if its body breaks off; 408, 429, 5xx, 403 with
 * `Retry-After` and lost connections are tried again. It fails only by an answer that proves that
 * nothing was done (README). No reason names a URL or secret.
 */

import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import { KIB, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import { readFetchFailure } from '../../core/http/fetch-failure.ts';
import { buildOutgoingFetch } from '../../core/http/outgoing.ts';
import { type Action, normaliseName } from '../../core/signal/action.ts';
import type { Actuator, ActuatorResult } from '../../core/signal/actuator.ts';
import type { WebhookTarget } from '../../core/store/setting-forms.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { addressOf, knowsRepeats } from '../../core/tools/webhooks.ts';
import { fetchToken, forgetToken } from './oauth-token.ts';
import { buildWebhookRequest, webhookIdOf } from './request.ts';
import { callWebhook } from './tools.ts';

/** Bytes kept of the answer, for the effect's record, unless the settings say otherwise. */
export const WEBHOOK_RESPONSE_BYTES_MAX = 4 * KIB;

export interface WebhookActuatorDeps {
  /** Configured webhooks by name. */
  readonly targets: ReadonlyMap<string, WebhookTarget>;
  /** Address of a webhook that an added skill brings, as it stands now. */
  readonly findBrought?: (name: string) => Promise<string | undefined>;
  readonly timeoutMs: number;
  readonly isLoopbackAllowed?: boolean;
}

const failed = (reason: string): ActuatorResult => ({ state: 'failed', reason });

export const buildWebhookActuator = ({
  targets,
  findBrought,
  timeoutMs,
  isLoopbackAllowed = false,
}: WebhookActuatorDeps): Actuator => ({
  kind: 'idempotent',
  deliver: async (action, context) => {
    const name = action.to ?? '';
    const brought = targets.has(name) ? undefined : await findBrought?.(name);
    const target = brought === undefined ? targets.get(name) : { url: brought };
    const problem = findMismatch(action, target);
    if (problem !== undefined || target === undefined)
      return failed(problem ?? 'no webhook of this name is configured');
    if (context.addresses.length === 0) return { state: 'retry', reason: 'the host of the webhook was not resolved' };
    const { effectId, now } = context;
    const signal = AbortSignal.timeout(timeoutMs);
    const { oauth } = target;
    const token = oauth && (await fetchToken(oauth, isLoopbackAllowed, now, signal));
    if (typeof token === 'object') return token;
    const proven = { ...target, ...defined({ bearer: token }) };
    const request = buildWebhookRequest(proven, bodyOf(action), webhookIdOf(effectId), now);
    if (request === undefined) return failed('the secret configured for this webhook is not usable');
    const { url, ...init } = request;
    const isOnce = !knowsRepeats(target);
    try {
      const response = await sendWebhook(url, context.addresses, { ...init, signal }, target.answerBytes);
      const answer = await readAnswer(response);
      if (oauth !== undefined && token !== undefined && response.status === 401) {
        forgetToken(oauth);
        return failed('the webhook refuses the token that its token service gave (status 401)');
      }
      const body = token === undefined ? answer.body : answer.body.replaceAll(token, '***');
      return settle(classifyAnswer(response, { ...answer, body }, now, target.success), isOnce);
    } catch (error) {
      const late = { state: 'retry', reason: 'the webhook did not answer in time', isInDoubt: true } as const;
      return settle(signal.aborted ? late : classifyConnectionError(error), isOnce);
    }
  },
});

const bodyOf = ({ args = {} }: Action): JsonObject => JsonObject.safeParse(args.body).data ?? {};

/** A repeat that the receiver would see as a second call is not sent. */
const settle = (result: ActuatorResult, isOnce: boolean): ActuatorResult =>
  isOnce && result.state === 'retry' && result.isInDoubt === true
    ? { state: 'unknown', reason: result.reason }
    : result;

const sendWebhook = (
  url: string,
  addresses: readonly string[],
  request: RequestInit,
  bytesMax = WEBHOOK_RESPONSE_BYTES_MAX,
) => {
  const bounds = { peer: 'the webhook', bytesMax, addresses, areRedirectsGiven: true };
  return buildOutgoingFetch(bounds)(url, request);
};

interface AnswerBody {
  readonly body: string;
  /** The body was too long, too slow or broke off. */
  readonly isCut: boolean;
}

/** Never throws, because a webhook that sent a status has taken the call. */
const readAnswer = async (response: Response): Promise<AnswerBody> => {
  const pieces: Uint8Array[] = [];
  let isCut = false;
  try {
    for await (const piece of response.body ?? []) pieces.push(piece);
  } catch {
    isCut = true;
  }
  return { body: Buffer.concat(pieces).toString('utf8'), isCut };
};

/** @returns why the action does not fit this target as it is configured now */
const findMismatch = (action: Action, target: WebhookTarget | undefined): string | undefined => {
  const args = action.args ?? {};
  if (action.target !== 'webhook' || action.tool !== callWebhook.name) return 'the action is no call of a webhook';
  const problems = argumentProblems(callWebhook, args);
  if (problems.length > 0) return `the arguments do not fit the tool: ${problems.join('; ')}`;
  if (target === undefined) return 'no webhook of this name is configured';
  if (typeof args.webhook !== 'string' || normaliseName(args.webhook) !== action.to)
    return 'the action names two different webhooks';
  const url = addressOf(target.url ?? '', args.body);
  if (action.url !== url) return 'the address is not the one that is configured';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return 'the configured address is not a web address';
  return undefined;
};

/** Redirects that often follow a POST which was carried out (RFC 9110: Found, See Other). */
const AFTER_THE_WORK: ReadonlySet<number> = new Set([302, 303]);

/** Pure. @param now epoch milliseconds, for dates in `Retry-After`. */
const classifyAnswer = (
  { status, headers }: Response,
  { body, isCut }: AnswerBody,
  now: number,
  success: WebhookTarget['success'],
): ActuatorResult => {
  if (success?.includes(status) ?? (status >= 200 && status < 300))
    return {
      state: 'done',
      output: JSON.stringify({ status, body, ...(isCut ? { isCut } : {}) }),
      origin: 'outside',
    };
  const wait = headers.get('retry-after') ?? undefined;
  // GitHub answers so over its secondary limits.
  const isLimited = status === 403 && wait !== undefined;
  if (status === 408 || status === 429 || isLimited || status >= 500) {
    const afterMs = parseRetryAfter(wait, now);
    // A gateway or a failing server may have carried it out before it answered 5xx.
    const isInDoubt = status >= 500;
    const reason = `the webhook cannot take it now (status ${status})`;
    return { state: 'retry', reason, isInDoubt, ...defined({ afterMs }) };
  }
  if (status >= 400) return failed(`the webhook refused it (status ${status})`);
  if (status < 300 || AFTER_THE_WORK.has(status))
    return { state: 'unknown', reason: `the webhook may have done it: it answered with the status ${status}` };
  return failed(`the webhook answered with a redirect (${status}), which is not followed`);
};

/** Pure. Names codes only: messages of sockets and TLS name hosts and certificates. */
export const classifyConnectionError = (error: unknown): ActuatorResult => {
  if (error instanceof ProtocolError) return failed(error.problem);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const detail = /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : '';
  const isInDoubt = readFetchFailure(error).wasSent;
  return { state: 'retry', reason: `the connection to the webhook failed${detail}`, isInDoubt };
};

/**
 * Longest `Retry-After` that is obeyed: a longer one is cut to this, so that the effect still ends.
 */
export const WEBHOOK_RETRY_AFTER_MS_MAX = 15 * MINUTE_MS;

const SECONDS = /^\d{1,9}$/;
/** The one date form senders may use: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const waitMs = (header: string, now: number): number => {
  if (SECONDS.test(header)) return Number(header) * SECOND_MS;
  return HTTP_DATE.test(header) ? Date.parse(header) - now : Number.NaN;
};

/** @returns the milliseconds that a `Retry-After` header (RFC 9110) asks for, if it makes sense */
const parseRetryAfter = (header: string | undefined, now: number): number | undefined => {
  const ms = waitMs(header?.trim() ?? '', now);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), WEBHOOK_RETRY_AFTER_MS_MAX);
};
