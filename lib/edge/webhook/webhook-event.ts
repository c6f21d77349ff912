/**
 * A signed webhook request → a signal, or the status it is refused with. Pure. Everything in the
 * body is `outside` (I13): the signature proves who sent it, not who wrote it. A repeat of the same
 * `webhook-id` from the same source is the same signal.
 */

import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { ProtocolError } from '../../base/errors.ts';
import { JsonObject } from '../../base/json.ts';
import { BODY_BYTES_MAX, KIB, MINUTE_MS } from '../../base/limits.ts';
import { homeRoute, MAIN_CONSOLE } from '../../signal/channels.ts';
import { webhookSignalId } from '../../signal/ids.ts';
import type { ReplyRoute, Signal } from '../../signal/signal.ts';

/** Longest message id, and most signatures (several while keys rotate): a larger one is a probe. */
const WEBHOOK_ID_CHARS_MAX = 256;
const WEBHOOK_SIGNATURES_MAX = 16;
/** Older or newer timestamps are replays (the tolerance of Standard Webhooks). */
export const WEBHOOK_TOLERANCE_MS = 5 * MINUTE_MS;

/** Header names in lower case, as function URLs give them. */
type Headers = Readonly<Record<string, string | undefined>>;

type Verification =
  | { readonly isGenuine: true; readonly webhookId: string }
  | { readonly isGenuine: false; readonly problem: string };

/**
 * Used for an unknown source, so that its check takes as long; its signatures are never accepted.
 */
const NO_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
/** Printable ASCII without spaces. */
const WEBHOOK_ID = /^[\x21-\x7e]+$/;
const TIMESTAMP = /^\d{1,11}$/;

const notGenuine = (problem: string): Verification => ({ isGenuine: false, problem });

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
};

const expectedSignature = (secret: string, id: string, atMs: number, body: string): string | undefined => {
  try {
    return new Webhook(secret).sign(id, new Date(atMs), body);
  } catch {
    // The secret is no base64. The library's error may quote it.
    return undefined;
  }
};

/**
 * Verifies as Standard Webhooks says. An unknown source takes the same work and gets the same
 * answer as a wrong signature, so that names cannot be guessed.
 * @param secret undefined for an unknown source. @param body exactly the text that was sent
 */
const verifyWebhook = (secret: string | undefined, headers: Headers, body: string, now: number): Verification => {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  if (id.length > WEBHOOK_ID_CHARS_MAX || !WEBHOOK_ID.test(id)) return notGenuine('webhook-id is missing or malformed');
  if (!TIMESTAMP.test(timestamp)) return notGenuine('webhook-timestamp is missing or malformed');
  const atMs = Number(timestamp) * 1000;
  if (Math.abs(now - atMs) > WEBHOOK_TOLERANCE_MS) return notGenuine('webhook-timestamp is too old or too new');
  if (headers['webhook-signature'] === undefined) return notGenuine('webhook-signature is missing');
  if (signatures.length > WEBHOOK_SIGNATURES_MAX) return notGenuine('webhook-signature holds too many signatures');
  const expected = expectedSignature(secret ?? NO_SECRET, id, atMs, body);
  // All are compared, even after one fits: the time does not tell which.
  const fitting = signatures.filter((signature) => isEqual(signature, expected ?? ''));
  if (secret === undefined || expected === undefined || fitting.length === 0)
    return notGenuine('the signature is not one of a known source');
  return { isGenuine: true, webhookId: id };
};

/** DynamoDB takes 32 levels; the record around the body uses some of them. */
const WEBHOOK_BODY_DEPTH_MAX = 24;
/** A small value takes more bytes in the table than its text, and an item has 400 KB. */
const WEBHOOK_BODY_VALUES_MAX = 50_000;

/** DynamoDB takes no smaller number. */
const NUMBER_MIN = 1e-128;

const isStorable = (value: number): boolean =>
  value === 0 || (Math.abs(value) <= Number.MAX_SAFE_INTEGER && Math.abs(value) >= NUMBER_MIN);

/** Reviver: a number the table cannot hold exactly becomes its text, instead of being rounded. */
const keepExact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !isStorable(value) ? (context?.source ?? String(value)) : value;

/** Why the value cannot be stored; undefined if it can. @param levels of nesting still allowed */
const findProblem = (value: unknown, levels: number): string | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'holds text that is not valid Unicode';
  if (value === null || typeof value !== 'object') return undefined;
  if (levels === 0) return 'is nested too deeply';
  for (const [key, child] of Object.entries(value)) {
    if (key === '' || key === 'toJSON' || key === '__proto__' || !key.isWellFormed())
      return 'has a member with a name that cannot be stored';
    const problem = findProblem(child, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const parseText = (text: string, reviver?: typeof keepExact): unknown => {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw new ProtocolError('body is not valid JSON');
  }
};

/**
 * A JSON object that can be stored and hashed exactly. @throws ProtocolError that never quotes the
 * body
 */
const parseBody = (text: string): JsonObject => {
  // The depth is checked first: the reviver is recursive, and a deep body would exhaust the stack.
  const problem = findProblem(parseText(text), WEBHOOK_BODY_DEPTH_MAX);
  if (problem !== undefined) throw new ProtocolError(`body ${problem}`);
  let values = 0;
  const value = parseText(text, (key, member, context) => {
    values += 1;
    return keepExact(key, member, context);
  });
  if (values > WEBHOOK_BODY_VALUES_MAX) throw new ProtocolError('body holds too many values');
  const body = JsonObject.safeParse(value);
  if (!body.success) throw new ProtocolError('body is not a JSON object');
  return body.data;
};

/** Characters of the body that a prompt shows; the stored item holds all of it. */
export const WEBHOOK_TEXT_CHARS_MAX = 16 * KIB;
/** The sender's name for the event. */
const WEBHOOK_EVENT_CHARS_MAX = 128;

export interface WebhookRequest {
  /** The name in the path. */
  readonly source: string;
  readonly headers: Headers;
  /** Exactly the text that was sent. */
  readonly body: string;
  /** Configured sources: name → `whsec_…`. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly space: string;
  /** Telegram chat that gets texts about events nobody asked for. */
  readonly homeChat?: string | undefined;
  /**
   * Hears of them if there is no home chat (`DEFAULT_ACTUATOR`); the console's main session unless
   * set.
   */
  readonly defaultActuator?: ReplyRoute['target'] | undefined;
}

export type ParsedWebhook =
  | { readonly kind: 'signal'; readonly signal: Signal }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 404 | 413; readonly error: string };

/** A source's name becomes part of session and signal ids, which keep 30 characters of it. */
const WEBHOOK_SOURCE = /^[A-Za-z0-9_.-]{1,30}$/;

const refuse = (status: 400 | 401 | 404 | 413, error: string): ParsedWebhook => ({ kind: 'refused', status, error });

export const parseWebhookRequest = (request: WebhookRequest): ParsedWebhook => {
  const { source, headers, body, secrets, now } = request;
  if (!WEBHOOK_SOURCE.test(source)) return refuse(404, 'there is nothing at this path');
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) return refuse(413, `body is larger than ${BODY_BYTES_MAX} bytes`);
  const verification = verifyWebhook(secrets.get(source), headers, body, now);
  if (!verification.isGenuine) return refuse(401, verification.problem);
  try {
    return { kind: 'signal', signal: buildWebhookSignal(request, verification.webhookId, parseBody(body)) };
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(400, error.problem);
    throw error;
  }
};

const replyRoute = ({ homeChat, defaultActuator }: WebhookRequest): ReplyRoute =>
  homeRoute(homeChat) ?? (defaultActuator === 'system' ? { target: 'system', to: '' } : MAIN_CONSOLE);

const buildWebhookSignal = (request: WebhookRequest, webhookId: string, body: JsonObject): Signal => {
  const { source, now, space } = request;
  const id = webhookSignalId(source, webhookId);
  return {
    schemaVersion: 1,
    id,
    type: 'EVENT',
    source: 'webhook',
    space,
    session: `webhook:${source}`,
    root: id,
    depth: 0,
    receivedAt: now,
    sender: { id: `webhook:${source}`, isApprover: false },
    reply: replyRoute(request),
    payload: {
      sensor: 'webhook',
      source,
      event: eventOf(body),
      body,
      text: [{ text: renderBody(body), origin: 'outside', label: 'webhook body' }],
    },
  };
};

/** Standard Webhooks bodies name their event in `type`. */
const eventOf = (body: JsonObject): string => {
  const { type } = body;
  return typeof type === 'string' && type !== '' ? type.slice(0, WEBHOOK_EVENT_CHARS_MAX).toWellFormed() : 'event';
};

const CUT = ' …(cut)';

const renderBody = (body: JsonObject): string => {
  const text = JSON.stringify(body);
  return text.length <= WEBHOOK_TEXT_CHARS_MAX
    ? text
    : `${text.slice(0, WEBHOOK_TEXT_CHARS_MAX - CUT.length).toWellFormed()}${CUT}`;
};
