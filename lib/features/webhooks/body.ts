/**
 * Builds the body of a webhook's call: the very bytes, also for the card that asks about it. Pure.
 */
import { canonicalJson } from '../../core/base/canonical.ts';
import type { Json, JsonObject } from '../../core/base/json.ts';
import type { Method, WebhookTarget } from '../../core/store/setting-forms.ts';
import { partsOf } from '../../core/tools/webhooks.ts';

const FIELD = /\{\{(\w{1,64})(?:\|(xml|json|url|plain))?\}\}/g;
const ONE_FIELD = /^\{\{(\w{1,64})\}\}$/;

const wordsOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : canonicalJson(value);

/** The ways to write a field into a text: no value ends what the owner wrote around it. */
const ESCAPES: Readonly<Record<string, (words: string) => string>> = {
  // XML has no other control characters.
  xml: (words) => words.replace(/(?![\t\n\r])\p{Cc}/gu, '').replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`),
  json: (words) => JSON.stringify(words).slice(1, -1),
  url: (words) => encodeURIComponent(words),
};

const escapeWords = (words: string, form = 'plain'): string => ESCAPES[form]?.(words.toWellFormed()) ?? words;

/** A text that is one field becomes its value; a field that was not given is left out. */
const fill = (value: Json, fields: ReadonlyMap<string, Json>): Json | undefined => {
  if (typeof value === 'string') {
    const one = ONE_FIELD.exec(value)?.[1];
    return one === undefined
      ? value.replace(FIELD, (_, name: string, form?: string) => escapeWords(wordsOf(fields.get(name)), form))
      : fields.get(one);
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

export const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
};

const writeBody = (content: keyof typeof CONTENT_TYPES, sent: Json): string => {
  if (content === 'json') return canonicalJson(sent);
  if (content === 'text' || sent === null || typeof sent !== 'object') return wordsOf(sent);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) form.append(name, wordsOf(value));
  return form.toString();
};

/** The fields that the address does not hold. */
const fieldsBeside = (url: string, body: Readonly<Record<string, Json>>): JsonObject => {
  const parts = partsOf(url);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !parts.includes(name)));
};

interface Sending extends Pick<WebhookTarget, 'send' | 'content' | 'fixed'> {
  readonly url: string;
  readonly method: Method;
}

/** @returns undefined if nothing but the address is sent */
export const webhookBody = (sending: Sending, given: JsonObject): string | undefined => {
  const { url, method, send, content = 'json', fixed } = sending;
  const fields = fieldsBeside(url, given);
  if (method === 'GET' || (method === 'DELETE' && Object.keys(fields).length === 0)) return undefined;
  const filled = send === undefined ? fields : (fill(send, new Map(Object.entries(given))) ?? '');
  const sent = fixed === undefined || typeof filled !== 'object' ? filled : { ...filled, ...fixed };
  return writeBody(content, sent);
};
