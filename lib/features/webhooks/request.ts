/** The request of a webhook's call, with fields placed as the owner's settings say. Pure. */
import { createHash, createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { JsonObject } from '../../core/base/json.ts';
import type { WebhookTarget } from '../../core/store/setting-forms.ts';
import { addressOf, withPreset } from '../../core/tools/webhooks.ts';
import { CONTENT_TYPES, webhookBody } from './body.ts';
import { WEBHOOK_PRESETS } from './presets.ts';

/** The id by which receivers know repeats: the same for every try of one effect. */
export const webhookIdOf = (effectId: string): string =>
  `msg_${createHash('sha256').update(`passepartout/webhook-id\n${effectId}`).digest('hex').slice(0, 32)}`;

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

/** The headers of Standard Webhooks. While a secret is rotated, the receiver has one of two. */
const signedHeaders = (signers: readonly Webhook[], body: string, id: string, now: number) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now / 1000)),
  'webhook-signature': signers.map((signer) => signer.sign(id, new Date(now), body)).join(' '),
});

const hmacHeaders = (form: NonNullable<WebhookTarget['hmac']>, body: string, id: string, now: number) => {
  const { secret, header, prefix = '', algorithm = 'sha256', encoding = 'hex', signed = '{body}' } = form;
  const time = String(Math.floor(now / 1000));
  const values: Readonly<Record<string, string>> = { body, time, id };
  const text = signed.replace(/\{(body|time|id)\}/g, (_, name: string) => values[name] ?? '');
  return {
    [header]: `${prefix}${createHmac(algorithm, secret).update(text).digest(encoding)}`,
    ...(form.time === undefined ? {} : { [form.time]: time }),
    ...(form.id === undefined ? {} : { [form.id]: id }),
  };
};

export interface WebhookRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @param id of the call, the same for each try @returns undefined if the secret cannot sign */
export const buildWebhookRequest = (
  target: WebhookTarget,
  given: JsonObject,
  id: string,
  now: number,
): WebhookRequest | undefined => {
  const { url, method = 'POST', content = 'json', ...rest } = withPreset(target);
  const sent = webhookBody({ ...rest, url, method, content }, given);
  const body = sent ?? '';
  const secrets = [target.secret ?? []].flat();
  const signers = secrets.flatMap((secret) => openSecret(secret) ?? []);
  if (signers.length < secrets.length) return undefined;
  const headers = new Headers({
    'user-agent': 'passepartout',
    ...(sent === undefined ? {} : { 'content-type': CONTENT_TYPES[content] }),
    ...WEBHOOK_PRESETS[target.preset ?? '']?.headers,
    ...rest.headers,
  });
  const own = {
    ...authorization(target),
    ...(target.idempotency === undefined ? {} : { [target.idempotency]: id }),
    ...(signers.length === 0 ? {} : signedHeaders(signers, body, id, now)),
    ...(target.hmac === undefined ? {} : hmacHeaders(target.hmac, body, id, now)),
  };
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return {
    url: addressOf(url, given),
    method,
    headers: Object.fromEntries(headers),
    ...(sent === undefined ? {} : { body: sent }),
  };
};
