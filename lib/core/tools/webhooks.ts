/**
 * The outgoing webhooks as they are configured: names and addresses in the one form in which they
 * are compared, and what a caller has to give. The fields in an address are filled in before
 * judgement, so the gates and the card have the address that is called. Pure.
 */
import { PRESETS } from '../../features/presets.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { normaliseName } from '../signal/action.ts';
import type { Method, WebhookForm, WebhookTarget } from '../store/setting-forms.ts';

/** The tool that calls a webhook configured by name. */
export const CALL_WEBHOOK = 'call-webhook';

/** How a webhook is called, as far as a caller has to know. */
export interface WebhookCall
  extends Pick<WebhookForm, 'says' | 'body' | 'send' | 'content' | 'hides' | 'recipient' | 'amount' | 'currency'> {
  readonly url: string;
  readonly method: Method;
  /** Names of the fields that its address holds. */
  readonly parts: readonly string[];
}

/**
 * An address as the URL standard writes it. A text that is no URL stays, and the gate blocks it.
 */
export const canonicalUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** Gives each configured webhook its canonical name, and maps its value. */
export const canonicalWebhooks = <T, U>(
  configured: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(configured).map(([name, value]) => [normaliseName(name), map(value)]));

/** With what its preset says where it says nothing itself. */
export const withPreset = <T extends WebhookForm>(webhook: T) => {
  const preset = PRESETS[webhook.preset ?? ''];
  const url = webhook.url ?? preset?.url ?? '';
  const read = webhook.reads === true ? ({ method: 'GET' } as const) : {};
  return { ...preset, ...webhook, ...read, url: partsOf(url).length === 0 ? canonicalUrl(url) : url };
};

/** Whether the receiver drops a repeat of a call. */
export const knowsRepeats = ({ secret, idempotency, hmac, reads }: WebhookTarget): boolean =>
  (secret ?? idempotency ?? hmac?.id ?? reads) !== undefined;

export interface Webhooks {
  readonly webhookUrls: Readonly<Record<string, string>>;
  readonly webhookCalls: Readonly<Record<string, WebhookCall>>;
}

export const readWebhooks = (configured: Readonly<Record<string, string | WebhookForm>>): Webhooks => {
  const webhooks = canonicalWebhooks(configured, (one) => withPreset(typeof one === 'string' ? { url: one } : one));
  return {
    webhookUrls: canonicalWebhooks(webhooks, ({ url }) => url),
    webhookCalls: canonicalWebhooks(webhooks, (one) => ({
      ...one,
      method: one.method ?? 'POST',
      parts: partsOf(one.url),
    })),
  };
};

const WRITING: readonly Method[] = ['POST', 'PUT', 'PATCH'];

const hasTextField = ({ properties, additionalProperties }: JsonObject): boolean => {
  if (!isObject(properties)) return additionalProperties !== false;
  const type = ownField(properties.text, 'type');
  return Object.hasOwn(properties, 'text') && (type === undefined || type === 'string');
};

/** Whether a body with a text alone is a whole call, and the text is sent. */
export const takesText = ({ body = {}, send, method, parts }: WebhookCall): boolean => {
  const needed = [...parts, ...[body.required ?? []].flat()];
  if (!WRITING.includes(method) || needed.some((field) => field !== 'text')) return false;
  const isSent = send === undefined || parts.includes('text') || /\{\{text(?:\|\w+)?\}\}/.test(JSON.stringify(send));
  return isSent && hasTextField(body);
};

/** The arguments of `call-webhook` that say a text. */
export const textBody = (text: string): { text: string } => ({ text });

/** Of one whose fields are not known, any are taken. */
export const findTextTakers = ({ webhookUrls, webhookCalls = {} }: Partial<Webhooks>): ReadonlyMap<string, boolean> =>
  new Map(
    Object.keys(webhookUrls ?? {}).map((name) => {
      const call = Object.hasOwn(webhookCalls, name) ? webhookCalls[name] : undefined;
      return [name, call === undefined || takesText(call)];
    }),
  );

const PART = /\{(\w{1,64})\}/g;

export const partsOf = (url: string): readonly string[] => [...url.matchAll(PART)].map(([, name = '']) => name);

/** A field as a part of an address; empty for a step up the path, and for what is no word. */
export const partText = (value: unknown): string =>
  (typeof value === 'string' && !/^\.{1,2}$/.test(value)) || typeof value === 'number'
    ? encodeURIComponent(String(value).toWellFormed())
    : '';

export const ownField = (body: unknown, name: string): unknown =>
  isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;

/** The address that a call with this body goes to. */
export const addressOf = (url: string, body: unknown): string =>
  partsOf(url).length === 0
    ? url
    : canonicalUrl(url.replace(PART, (_, name: string) => partText(ownField(body, name))));
