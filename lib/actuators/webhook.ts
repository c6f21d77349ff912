/**
 * Performs a call to a configured webhook: a JSON POST signed as Standard Webhooks says, to exactly the URL and addresses
 * the gates judged. `idempotent`: every try carries the same `webhook-id`, by which the receiver drops repeats. Done is
 * any 2xx, even if its body then breaks off; 408, 429, 5xx and lost connections are tried again; redirects and every
 * other status fail. Reasons name neither URL nor secret.
 */

import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { KIB } from '../base/limits.ts';
import { type Action, normaliseName } from '../signal/action.ts';
import type { Actuator, ActuatorContext, ActuatorResult } from '../signal/actuator.ts';
import { callWebhook } from '../tools/call-webhook.ts';
import { argumentProblems } from '../tools/catalogue.ts';
import { NoAnswerError, type PinnedResponse, sendPinned, WrongAddressError } from './pinned-request.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Response body of an outgoing webhook that is kept for the effect's record. */
export const WEBHOOK_RESPONSE_BYTES_MAX = 4 * KIB;

export interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

export interface WebhookActuatorDeps {
  /** Configured webhooks by name. */
  readonly targets: ReadonlyMap<string, WebhookTarget>;
  readonly timeoutMs: number;
}

const failed = (reason: string): ActuatorResult => ({ state: 'failed', reason });

/**
 * Signature of one delivery, as Standard Webhooks 1.0 has it: HMAC-SHA256 over `<id>.<seconds>.<body>` with the decoded key.
 * @param secret `whsec_` and base64; @param now epoch milliseconds. @throws ProtocolError for any other secret.
 */
export const signWebhook = (secret: string, id: string, now: number, body: string): string => {
  const text = secret.replace(/^whsec_/u, '');
  const key = Buffer.from(text, 'base64');
  // Node skips what is no base64: a mistyped secret would sign with a key nobody has.
  if (key.length === 0 || key.toString('base64').replace(/=+$/u, '') !== text.replace(/=+$/u, ''))
    throw new ProtocolError('the secret is not base64');
  return `v1,${createHmac('sha256', key)
    .update(`${id}.${Math.floor(now / 1000)}.${body}`)
    .digest('base64')}`;
};

/** The id receivers know repeats by: the same for every try of one effect. */
export const webhookIdOf = (effectId: string): string =>
  `msg_${createHash('sha256').update(`passepartout/webhook-id\n${effectId}`).digest('hex').slice(0, 32)}`;

export const buildWebhookActuator = ({ targets, timeoutMs }: WebhookActuatorDeps): Actuator => ({
  kind: 'idempotent',
  deliver: async (action, context) => {
    const target = targets.get(action.to ?? '');
    const problem = mismatch(action, target);
    if (problem !== undefined || target === undefined)
      return failed(problem ?? 'no webhook of this name is configured');
    if (context.addresses.length === 0) return { state: 'retry', reason: 'the host of the webhook was not resolved' };
    const body = canonicalJson(action.args?.body);
    const headers = signedHeaders(target.secret, body, context);
    if (headers === undefined) return failed('the secret configured for this webhook is not usable');
    try {
      const response = await sendPinned({
        url: target.url,
        addresses: context.addresses,
        headers,
        body,
        timeoutMs,
        responseBytesMax: WEBHOOK_RESPONSE_BYTES_MAX,
      });
      return classifyResponse(response, context.now);
    } catch (error) {
      return classifyConnectionError(error);
    }
  },
});

/** Why the action is not one for this target as it is configured now; `undefined` when it is. */
const mismatch = (action: Action, target: WebhookTarget | undefined): string | undefined => {
  const args = action.args ?? {};
  if (action.target !== 'webhook' || action.tool !== callWebhook.name) return 'the action is no call of a webhook';
  const problems = argumentProblems(callWebhook, args);
  if (problems.length > 0) return `the arguments do not fit the tool: ${problems.join('; ')}`;
  if (target === undefined) return 'no webhook of this name is configured';
  if (typeof args.webhook !== 'string' || normaliseName(args.webhook) !== action.to)
    return 'the action names two different webhooks';
  if (action.url !== target.url) return 'the address is not the one that is configured';
  if (!/^https?:\/\//.test(target.url) || !URL.canParse(target.url))
    return 'the configured address is not a web address';
  return undefined;
};

const signedHeaders = (
  secret: string,
  body: string,
  { effectId, now }: ActuatorContext,
): Readonly<Record<string, string>> | undefined => {
  const id = webhookIdOf(effectId);
  try {
    return {
      'content-type': 'application/json',
      'user-agent': 'passepartout',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': signWebhook(secret, id, now, body),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return undefined;
  }
};

/** Pure. @param now epoch milliseconds, for dates in `Retry-After`. */
export const classifyResponse = (response: PinnedResponse, now: number): ActuatorResult => {
  const { status, body, isComplete } = response;
  if (status >= 200 && status < 300)
    return {
      state: 'done',
      output: JSON.stringify({ status, body, ...(isComplete ? {} : { isCut: true }) }),
      origin: 'outside',
    };
  if (status >= 300 && status < 400)
    return failed(`the webhook answered with a redirect (${status}), which is not followed`);
  if (status === 408 || status === 429 || status >= 500) {
    const afterMs = parseRetryAfter(response.retryAfter, now);
    return {
      state: 'retry',
      reason: `the webhook cannot take it now (status ${status})`,
      ...defined({ afterMs }),
    };
  }
  return failed(`the webhook refused it (status ${status})`);
};

/** Pure. Codes only: messages of sockets and TLS name hosts and certificates. */
export const classifyConnectionError = (error: unknown): ActuatorResult => {
  if (error instanceof WrongAddressError) return failed('the address is none of those that were checked');
  if (error instanceof NoAnswerError) return { state: 'retry', reason: 'the webhook did not answer in time' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const detail = /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : '';
  return { state: 'retry', reason: `the connection to the webhook failed${detail}` };
};
