/**
 * The outgoing webhooks as they are configured: names and addresses in the one form in which they
 * are compared, and what a caller has to give. The fields in an address are filled in before
 * judgement, so the gates and the card have the address that is called. Pure.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { normaliseName } from '../signal/action.ts';
import type { WebhookForm, WebhookTarget } from '../store/setting-forms.ts';
import { type Method, WEBHOOK_PRESETS } from '../store/webhook-presets.ts';

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
  const preset = WEBHOOK_PRESETS[webhook.preset ?? ''];
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
const takesText = ({ body = {}, send, method, parts }: WebhookCall): boolean => {
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

/** How a webhook takes news: whole, or as a text; undefined if its fields are of another kind. */
export const newsFormOf = (call: WebhookCall | undefined): 'whole' | 'text' | undefined => {
  if (call === undefined) return undefined;
  const { body, send, method, parts } = call;
  if (method === 'GET' || parts.length > 0) return undefined;
  if (body === undefined && send === undefined) return 'whole';
  return takesText(call) ? 'text' : undefined;
};

const PART = /\{(\w{1,64})\}/g;

const partsOf = (url: string): readonly string[] => [...url.matchAll(PART)].map(([, name = '']) => name);

/** A field as a part of an address; empty for a step up the path, and for what is no word. */
export const partText = (value: unknown): string =>
  (typeof value === 'string' && !/^\.{1,2}$/.test(value)) || typeof value === 'number'
    ? encodeURIComponent(String(value).toWellFormed())
    : '';

const ownField = (body: unknown, name: string): unknown =>
  isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;

/** The address that a call with this body goes to. */
export const addressOf = (url: string, body: unknown): string =>
  partsOf(url).length === 0
    ? url
    : canonicalUrl(url.replace(PART, (_, name: string) => partText(ownField(body, name))));

/** The fields that the address does not hold. */
export const fieldsBeside = (url: string, body: Readonly<Record<string, Json>>): JsonObject => {
  const parts = partsOf(url);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !parts.includes(name)));
};

/** Characters about all webhooks in a prompt: some twenty with two fields each. */
const WEBHOOKS_CHARS_MAX = 2_400;

const fieldWords = ([name, schema]: readonly [string, unknown], required: unknown): string => {
  const about = ownField(schema, 'description') ?? ownField(schema, 'enum');
  const mark = Array.isArray(required) && required.includes(name) ? '' : '?';
  return `${name}${mark}${about === undefined ? '' : ` (${Array.isArray(about) ? about.join(' | ') : String(about)})`}`;
};

const webhookWords = (name: string, { says, body, parts }: WebhookCall): string => {
  const properties = ownField(body, 'properties');
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const bare = parts.filter((part) => !fields.some(([field]) => field === part));
  const words = [...bare, ...fields.map((field) => fieldWords(field, body?.required))].join(', ');
  return `\n- ${name}${says === undefined ? '' : `: ${says}`}${words === '' ? '' : ` Body: ${words}.`}`;
};

/** The webhooks that there are, as a model is told of them. */
export const describeWebhooks = (webhookCalls: Webhooks['webhookCalls']): string => {
  const lines = Object.entries(webhookCalls).map(([name, call]) => webhookWords(name, call));
  let left = WEBHOOKS_CHARS_MAX;
  const shown = lines.filter((line) => {
    left -= line.length;
    return left >= 0;
  });
  const more = lines.length - shown.length;
  return `${shown.join('')}${more > 0 ? `\n- ${more} more` : ''}`;
};
