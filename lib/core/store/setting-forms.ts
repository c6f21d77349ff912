/**
 * Forms of a setting's text: each schema takes the text of one environment variable and gives its
 * value, or says in one phrase what the text must be. No message holds the text itself (I11).
 */
import * as z from 'zod/mini';
import { PRESETS } from '../../features/presets.ts';
import { JsonObject, readJson } from '../base/json.ts';
import { CONSENSUS_PROVIDERS_MAX } from '../base/limits.ts';
import { parseUsd } from '../base/money.ts';

const matching = (fits: (text: string) => boolean, error: string) => z.string().check(z.refine(fits, { error }));
const pattern = (form: RegExp, error: string) => matching((text) => form.test(text), error);

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]', '::1'];
export const isLoopback = (url: URL): boolean => LOOPBACK_HOSTS.includes(url.hostname);

export const Text = z.string();
/** Of a provider: it travels as an HTTP header, which takes no other characters. */
export const ApiKey = pattern(/^[\x21-\x7e]+$/, 'must be the key itself: letters, digits and signs, no spaces');
export const SpaceName = pattern(/^[a-z0-9-]{1,32}$/, 'must be 1-32 lower-case letters, digits or "-"');
export const Digits = pattern(/^\d+$/, 'must be digits only');
export const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
export const HttpsUrl = z.url({ protocol: /^https$/, error: 'must be an https address' });
export const Email = z.email({ error: 'must be an e-mail address' });

/** An https address, or a plain http address of this machine. */
export const SafeUrl = matching((text) => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}, 'must be an https address (plain http only on this machine)');

export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

const isWithin = (text: string, min: number, max: number): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
export const integer = (min: number, max: number) =>
  z.pipe(
    matching((text) => isWithin(text, min, max), `must be a whole number from ${min} to ${max}`),
    z.transform(Number),
  );

/** `a, b` gives `['a', 'b']`; an empty text gives `[]`. */
export const CommaList = z.pipe(
  z.string(),
  z.transform((text: string): readonly string[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
);

export const ChatIds = z.pipe(
  pattern(/^\s*(-?\d+\s*(,\s*-?\d+\s*)*)?$/, 'must be numeric ids, separated by commas'),
  CommaList,
);

/** `1` and `true` are true. */
export const Flag = z.pipe(
  z.enum(['0', '1', 'true', 'false'], { error: 'must be 0 or 1' }),
  z.transform((text): boolean => text === '1' || text === 'true'),
);

export const Token = z
  .string()
  .check(
    z.regex(/^[\x21-\x7e]+$/, { error: 'must have no spaces' }),
    z.minLength(16, { error: 'needs 16 characters or more' }),
  );

export const Dollars = matching(
  (text) => parseUsd(text) !== undefined,
  'must be US dollars such as 5 or 0.25; 0 allows nothing that costs',
);
export const TokenCount = pattern(/^\s*\d{1,12}\s*$/, 'must be a whole number of tokens; 0 allows none');
export const PriceList = matching(
  (text) =>
    text.split(',').every((part) => {
      const [name = '', amount = '', ...more] = part.split('=');
      const isPrice = name.trim() !== '' && parseUsd(amount) !== undefined && more.length === 0;
      return isPrice || part.trim() === '';
    }),
  'must be name=dollars, as in deploy=0.25,sms=0.01',
);

export const Threshold = z.pipe(
  matching(
    (text) => /^[01](\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= 1,
    'must be a number above 0 and up to 1, such as 0.75',
  ),
  z.transform(Number),
);

export const ProviderCount = z.pipe(
  matching(
    (text) => text === '0' || isWithin(text, 2, CONSENSUS_PROVIDERS_MAX),
    `must be 0, or 2 to ${CONSENSUS_PROVIDERS_MAX} providers`,
  ),
  z.transform(Number),
);

const HeaderValue = z.string().check(z.regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/));
/** Headers that the connection itself needs, or that a signature has. */
const HeaderName = z
  .string()
  .check(z.regex(/^(?!host$|connection$|content-|transfer-|proxy-|webhook-)[a-z0-9-]{1,64}$/i));

/** Characters of the sentence about a webhook: each turn's prompt has it. */
const SAYS_CHARS_MAX = 200;

/** Fields in the address come after its host: nothing a model says chooses who is called. */
const Address = z.string().check(z.regex(/^[^/?#{]*:\/\/[^/?#{]+(?:[/?#]|$)/));

const Path = z.optional(z.string());

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;
export type Method = (typeof METHODS)[number];

/** How a webhook is called. Nothing in it is secret but, with some services, the address. */
export const WebhookForm = z.object({
  url: z.optional(Address),
  /** A name of `PRESETS`: what is left out here is as there. */
  preset: z.optional(z.string().check(z.refine((name) => Object.hasOwn(PRESETS, name)))),
  says: z.optional(z.string().check(z.maxLength(SAYS_CHARS_MAX))),
  method: z.optional(z.enum(METHODS)),
  /** JSON Schema of the fields that a caller gives. */
  body: z.optional(JsonObject),
  /** The body in place of the fields: `{{name}}` is one of them. */
  send: z.optional(z.union([z.string(), JsonObject])),
  content: z.optional(z.enum(['json', 'form', 'text'])),
  /** Members that each call sends and no card shows. */
  hides: z.optional(z.array(z.string())),
  /** It is called with GET and changes nothing, so a repeat does no harm. */
  reads: z.optional(z.literal(true)),
  /** Paths to the fields that a policy counts by (`declared-facts.ts`). */
  recipient: Path,
  amount: Path,
  currency: Path,
});
export type WebhookForm = z.infer<typeof WebhookForm>;

const hasAddress = ({ url, preset = '' }: WebhookForm): boolean =>
  url !== undefined || PRESETS[preset]?.url !== undefined;

/**
 * In a text with marks, such as `<m>{{text}}</m>`, each field says how it is written there: a value
 * could end what stands around it.
 */
const hasEscapes = ({ send, preset = '', content = PRESETS[preset]?.content }: WebhookForm): boolean => {
  if (typeof send !== 'string' || content === undefined || content === 'json') return true;
  const rest = send.replace(/\{\{\w{1,64}\|(?:xml|json|url|plain)\}\}/g, '');
  return !/\{\{/.test(rest) || !/[<>[\]{}"'&=%]/.test(rest.replace(/\{\{\w{1,64}\}\}/g, ''));
};
const ESCAPES_PROBLEM = {
  error: 'must say in "send" how each field is written into this text: {{text|xml}}, |json, |url or |plain',
};

/** An entry of `WEBHOOK_URLS`: an address alone, or a form. */
export const WebhookEntry = z.union([
  Address,
  WebhookForm.check(z.refine(hasAddress), z.refine(hasEscapes, ESCAPES_PROBLEM)),
]);

const Given = z.string().check(z.minLength(1));

/** A webhook that the agent may call, and how the receiver knows that a call is ours. */
export const WebhookTarget = z
  .extend(WebhookForm, {
    /** Signs each call as Standard Webhooks, with each of them while one is rotated. */
    secret: z.optional(z.union([Given, z.array(Given).check(z.minLength(1), z.maxLength(2))])),
    /** Sent as `Authorization: Bearer …`. */
    bearer: z.optional(HeaderValue),
    /** `user:password`, sent as `Authorization: Basic …`. */
    basic: z.optional(z.string().check(z.regex(/^[^:]+:/))),
    headers: z.optional(z.record(HeaderName, HeaderValue)),
    /** Signs each call by HMAC: of `signed`, which has {body}, and {time} and {id} if it must. */
    hmac: z.optional(
      z.object({
        secret: Given,
        header: HeaderName,
        prefix: z.optional(z.string()),
        algorithm: z.optional(z.enum(['sha256', 'sha1', 'sha512'])),
        encoding: z.optional(z.enum(['hex', 'base64'])),
        signed: z.optional(z.string()),
        /** Headers that get the time in seconds, and the id of the call. */
        time: z.optional(HeaderName),
        id: z.optional(HeaderName),
      }),
    ),
    /** OAuth 2 client credentials: each call carries a token of this service. */
    oauth: z.optional(z.object({ url: SafeUrl, id: Given, secret: Given, scope: z.optional(z.string()) })),
    /** Members that each call sends, such as a key. */
    fixed: z.optional(JsonObject),
    /** Header that carries the id of the call: the receiver knows repeats by it. */
    idempotency: z.optional(HeaderName),
    /** Kept of the answer; 4 KiB if left out. */
    answerBytes: z.optional(z.int().check(z.minimum(0), z.maximum(16_384))),
    /** Statuses that say it is done; each from 200 to 299 if left out. */
    success: z.optional(z.array(z.int().check(z.minimum(200), z.maximum(499)))),
  })
  .check(
    z.refine(hasAddress),
    z.refine(hasEscapes, ESCAPES_PROBLEM),
    z.refine(({ preset, secret }) => preset !== 'standard' || secret !== undefined),
  );
export type WebhookTarget = z.infer<typeof WebhookTarget>;

/** Characters of the line that an event of one kind is shown as. */
const EVENT_FORM_CHARS_MAX = 1_000;

/** Lines of the owner's for events: source → event → template over the body. */
export const EventForms = z.record(
  z.string(),
  z.record(z.string(), z.string().check(z.minLength(1), z.maxLength(EVENT_FORM_CHARS_MAX))),
);

/** @param form how the JSON must look, for the message */
export const json = <T>(schema: z.ZodMiniType<T>, form: string) =>
  z.pipe(
    z.string(),
    z.transform((text: string, context): T => {
      const parsed = z.safeParse(schema, readJson(text));
      if (parsed.success) return parsed.data;
      const path = (parsed.error.issues[0]?.path ?? []).join('.');
      const where = path === '' ? '' : `; look at ${path}`;
      context.issues.push({ code: 'custom', message: `must be JSON: ${form}${where}`, input: '' });
      return z.NEVER;
    }),
  );
