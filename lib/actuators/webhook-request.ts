/**
 * The request of a webhook's call: the owner's settings say how the fields become address, headers
 * and body. Pure.
 */
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { canonicalJson } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { WebhookTarget } from '../store/setting-forms.ts';
import { WEBHOOK_PRESETS } from '../store/webhook-presets.ts';
import { addressOf, fieldsBeside, withPreset } from '../tools/webhooks.ts';

/** The id by which receivers know repeats: the same for every try of one effect. */
export const webhookIdOf = (effectId: string): string =>
  `msg_${createHash('sha256').update(`passepartout/webhook-id\n${effectId}`).digest('hex').slice(0, 32)}`;

const FIELD = /\{\{(\w{1,64})\}\}/g;
const ONE_FIELD = /^\{\{(\w{1,64})\}\}$/;

const wordsOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : canonicalJson(value);

/** A text that is one field becomes its value; a field that was not given is left out. */
const fill = (value: Json, fields: ReadonlyMap<string, Json>): Json | undefined => {
  if (typeof value === 'string') {
    const one = ONE_FIELD.exec(value)?.[1];
    return one === undefined ? value.replace(FIELD, (_, name: string) => wordsOf(fields.get(name))) : fields.get(one);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.flatMap((one) => fill(one, fields) ?? []);
  return fillObject(value as JsonObject, fields);
};

const fillObject = (value: JsonObject, fields: ReadonlyMap<string, Json>): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const filled = fill(one, fields);
      return filled === undefined ? [] : [[name, filled] as const];
    }),
  );

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', text: 'text/plain' };

const writeBody = (content: keyof typeof CONTENT_TYPES, sent: Json): string => {
  if (content === 'json') return canonicalJson(sent);
  if (content === 'text' || sent === null || typeof sent !== 'object') return wordsOf(sent);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) form.append(name, wordsOf(value));
  return form.toString();
};

const authorization = ({ bearer, basic }: WebhookTarget): Readonly<Record<string, string>> => {
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` };
  return basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
};

const openSecret = (secret: string): Webhook | undefined => {
  const key = secret.replace(/^whsec_/u, '');
  try {
    // The library insists on padding, which many people leave out.
    return new Webhook(key.padEnd(Math.ceil(key.length / 4) * 4, '='));
  } catch {
    return undefined;
  }
};

/** The headers of Standard Webhooks. */
const signedHeaders = (signer: Webhook, body: string, id: string, now: number) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now / 1000)),
  'webhook-signature': signer.sign(id, new Date(now), body),
});

export interface WebhookRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * @param id of the call; the same for each of its tries
 * @param now epoch milliseconds
 * @returns undefined if the configured secret cannot sign
 */
export const buildWebhookRequest = (
  target: WebhookTarget,
  given: JsonObject,
  id: string,
  now: number,
): WebhookRequest | undefined => {
  const { url, method = 'POST', send, content = 'json', fixed, ...rest } = withPreset(target);
  const fields = fieldsBeside(url, given);
  const filled = send === undefined ? fields : (fill(send, new Map(Object.entries(given))) ?? '');
  const sent = fixed === undefined || typeof filled !== 'object' ? filled : { ...filled, ...fixed };
  const hasBody = method !== 'GET' && (method !== 'DELETE' || Object.keys(fields).length > 0);
  const body = hasBody ? writeBody(content, sent) : '';
  const signer = target.secret === undefined ? undefined : openSecret(target.secret);
  if (target.secret !== undefined && signer === undefined) return undefined;
  const headers = new Headers({
    'user-agent': 'passepartout',
    ...(hasBody ? { 'content-type': CONTENT_TYPES[content] } : {}),
    ...WEBHOOK_PRESETS[target.preset ?? '']?.headers,
    ...rest.headers,
  });
  const own = {
    ...authorization(target),
    ...(target.idempotency === undefined ? {} : { [target.idempotency]: id }),
    ...(signer === undefined ? {} : signedHeaders(signer, body, id, now)),
  };
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return { url: addressOf(url, given), method, headers: Object.fromEntries(headers), ...(hasBody ? { body } : {}) };
};
