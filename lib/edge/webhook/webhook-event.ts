/**
 * Turns a signed webhook request into a signal, or says with which status it is refused. Everything in the body is
 * `outside` (I13), however genuine the signature: it proves who sent it, not who wrote it. A repeat of the same
 * `webhook-id` from the same source becomes the same signal. Pure: clock, secrets and space come in as values.
 */
import { ProtocolError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { BODY_BYTES_MAX, KIB } from '../../base/limits.ts';
import { webhookSignalId } from '../../signal/ids.ts';
import type { ReplyRoute, Signal } from '../../signal/signal.ts';
import { type Headers, verifyWebhook } from './verify-webhook.ts';
import { parseWebhookBody } from './webhook-body.ts';

/** An incoming webhook's body as the model sees it: a prompt has no room for more, and the item holds the body besides. */
export const WEBHOOK_TEXT_CHARS_MAX = 16 * KIB;
/** What the sender calls the event; kept on the signal. */
const WEBHOOK_EVENT_CHARS_MAX = 128;

export interface WebhookRequest {
  /** As it stands in the path. */
  readonly source: string;
  readonly headers: Headers;
  /** Exactly the text that was sent. */
  readonly body: string;
  /** Configured sources: name → `whsec_…`. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly space: string;
  /** Telegram chat that hears of what nobody asked for. */
  readonly homeChat?: string | undefined;
  /** Who hears of it where there is no home chat (`DEFAULT_ACTUATOR`); the console's main session unless set. */
  readonly defaultActuator?: 'console' | 'system' | undefined;
}

export type ParsedWebhook =
  | { readonly kind: 'signal'; readonly signal: Signal }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 404 | 413; readonly error: string };

/** What a source may be called: it becomes part of session and signal ids, whole (ids keep 30 characters of it). */
export const WEBHOOK_SOURCE = /^[A-Za-z0-9_.-]{1,30}$/;

const refuse = (status: 400 | 401 | 404 | 413, error: string): ParsedWebhook => ({ kind: 'refused', status, error });

export const parseWebhookRequest = (request: WebhookRequest): ParsedWebhook => {
  const { source, headers, body, secrets, now } = request;
  if (!WEBHOOK_SOURCE.test(source)) return refuse(404, 'there is nothing at this path');
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) return refuse(413, `body is larger than ${BODY_BYTES_MAX} bytes`);
  const verification = verifyWebhook(secrets.get(source), headers, body, now);
  if (!verification.isGenuine) return refuse(401, verification.problem);
  try {
    return { kind: 'signal', signal: buildWebhookSignal(request, verification.webhookId, parseWebhookBody(body)) };
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(400, error.problem);
    throw error;
  }
};

const unaskedRoute = ({ homeChat, defaultActuator }: WebhookRequest): ReplyRoute => {
  if (homeChat !== undefined && homeChat !== '') return { target: 'telegram', to: homeChat };
  return defaultActuator === 'system' ? { target: 'system', to: '' } : { target: 'console', to: 'main' };
};

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
    reply: unaskedRoute(request),
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
