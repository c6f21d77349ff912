/**
 * How a sender proves that a request is its own. A scheme is a small file of data in `schemes/`: it
 * says where signature, time and id stand, what is signed and how the event is named. Most sign the
 * body with HMAC (RFC 2104), and `hmac` builds those.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../../core/base/json.ts';
import { MINUTE_MS } from '../../../core/base/limits.ts';
import { lookUp } from '../../../core/text/template.ts';
import type { Refusal } from '../refusal-texts.ts';

/** Names in lower case, as function URLs give them. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** One request of a sender, exactly as it came. */
export interface HookRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  /** The rest of the path after the source's name. */
  readonly pathToken: string | undefined;
  readonly bytes: Uint8Array;
}

/** An entry of `WEBHOOK_SECRETS`. All members beside `scheme` and `secrets` belong to schemes. */
export interface Source {
  readonly scheme: string;
  /** Any of them opens the source, so that a secret can be rotated. */
  readonly secrets: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** The same signed bytes are a repeat for so long; 0 never. As its scheme says unless set. */
  readonly repeatMinutes?: number;
  /** The line of each of its events, in place of the scheme's forms. */
  readonly form?: string;
}

/** The contents of a genuine request. All of it is signed, or sent by who knows the token. */
export interface Proof {
  /** The sender's id of the event. */
  readonly id?: string | undefined;
  /** When it was sent. Epoch milliseconds. */
  readonly sentAt?: number | undefined;
  /** The signed text, if other bytes than the body's may have the same signature. */
  readonly signed?: string | undefined;
}

/**
 * The root of trust. Of a request with a `token` everything counts, as its sender could write
 * anything. Of all others only that counts which the signature covers: a header beside it, such as
 * an id or the event's name, decides nothing.
 */
export type Root = 'shared secret' | 'public key of the entry' | "certificate at the sender's host" | 'token';

/** The part of a request that is known before its body is read. */
export type HookHead = Pick<HookRequest, 'headers' | 'pathToken'>;

/** The one refusal that a right secret does not mend. */
export const STALE: Refusal = ['stale'];
export const WRONG_SIGNATURE: Refusal = ['wrongSignature'];

export interface SchemeContext {
  readonly now: number;
  /** Gets a small text over https. Follows no redirect. */
  readonly fetchText: (url: string) => Promise<string>;
}

/** The answer to a sender that asks whether the address is ours, in place of an id. */
export interface Handshake {
  /** An empty one is answered with 204. */
  readonly text: string;
  readonly isJson: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Scheme {
  /** The place of the secret in the sender's settings, for a person. */
  readonly where: string;
  readonly root: Root;
  /** Tells by the head alone whether a proof may be there: it has its form, right or wrong. */
  readonly carries: (head: HookHead, source: Pick<Source, 'options'>) => boolean;
  /** The body may be a form; it is JSON otherwise. No header decides which. */
  readonly takesForm?: true;
  /** Signed bytes hold an id or time of their own: the same ones are no new event, however late. */
  readonly isUnique?: true;
  /** Members that its entry may have, each with whether it must. */
  readonly options?: Readonly<Record<string, 'needed' | 'possible'>>;
  /** The fault of a secret, as the end of a sentence. */
  readonly secretProblem?: (secret: string) => string | undefined;
  /** Only the owner hears why it is refused. */
  readonly verify: (
    request: HookRequest,
    secret: string,
    source: Source,
    context: SchemeContext,
  ) => Proof | Refusal | Promise<Proof | Refusal>;
  /** How a request is signed, if the secret can do that: for samples. */
  readonly signing?: (source: Pick<Source, 'options'>, secret: string) => HmacForm | undefined;
  /** Names the event by its body; the body's `type` or `event` unless it says so. */
  readonly nameEvent?: (body: JsonObject) => string | undefined;
  /** The header that names the event. Nobody signs it, so that the body must have its `words`. */
  readonly eventHeader?: string;
  /**
   * By the event's name, the members that its body must have, as paths: `issue !comment` has the
   * first and not the second, `state=OPEN` compares, `id=gid:*` compares the beginning, ` | ` is
   * between alternatives. An event without its words is `unnamed`.
   */
  readonly words?: Readonly<Record<string, string>>;
  /** The body's `action` follows the name of the header. */
  readonly hasAction?: true;
  /** The line of an event, by its name, the part before its first point, or '' for any. */
  readonly forms?: Readonly<Record<string, string>>;
  /** Members that its forms may name beside those of the body, or in their place. */
  readonly values?: (body: JsonObject) => JsonObject;
  /** Members of the signed body that hold the id and the time, if no header does. */
  readonly idMember?: string;
  readonly timeMember?: string;
  /** The members of the body that are signed, if not all of it is. No other one is read. */
  readonly signedMembers?: (body: JsonObject) => readonly string[];
  /** Answers a genuine request that is no event. */
  readonly answer?: (
    body: JsonObject,
    secret: string,
    context: SchemeContext,
  ) => Handshake | undefined | Promise<Handshake | undefined>;
  /** Answers a GET by which the sender asks for the address. */
  readonly answerGet?: (request: HookRequest, source: Source) => Handshake | undefined;
  /** Answers a genuine post without a body, likewise. */
  readonly answerEmpty?: (query: URLSearchParams) => Handshake | undefined;
  /** Answers a genuine OPTIONS, likewise. */
  readonly answerOptions?: (headers: Headers) => Handshake | undefined;
}

/** Older or newer times are replays (the tolerance of Standard Webhooks, Stripe and Slack). */
export const WEBHOOK_TOLERANCE_MS = 5 * MINUTE_MS;
/** Longest message id, and most signatures (several while keys rotate): a larger one is a probe. */
const WEBHOOK_ID_CHARS_MAX = 256;
const WEBHOOK_SIGNATURES_MAX = 16;
/** Printable ASCII without spaces. */
const WEBHOOK_ID = /^[\x21-\x7e]+$/;
/** Seconds, milliseconds, or a date and time of ISO 8601. */
const SECONDS = /^\d{1,11}$/;
const MILLISECONDS = /^\d{12,14}$/;
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)$/;

export const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
};

/** Epoch milliseconds. */
export const parseTime = (text: string): number | undefined => {
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (MILLISECONDS.test(text)) return Number(text);
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

export const isStale = (sentAt: number, now: number): boolean => Math.abs(now - sentAt) > WEBHOOK_TOLERANCE_MS;

export const isId = (text: string): boolean => text.length <= WEBHOOK_ID_CHARS_MAX && WEBHOOK_ID.test(text);

/** Joins the texts that are there, such as `issues` and `opened`. */
export const named = (...parts: readonly unknown[]): string | undefined =>
  parts.filter((part) => typeof part === 'string' && part !== '').join('.') || undefined;

/** The name of an event whose body does not say that it is the one that a header names. */
export const UNNAMED = 'unnamed';

/** Members of every event of a forge. A body is `bare` if it has no other. */
const ENVELOPE = ['action', 'repository', 'organization', 'enterprise', 'installation', 'sender', 'changes'];

const holds = (body: JsonObject, word: string): boolean => {
  if (word === 'bare') return Object.keys(body).every((name) => ENVELOPE.includes(name));
  const [path = '', text] = word.split('=');
  const value = lookUp(body, path);
  if (text === undefined) return value !== undefined && value !== null;
  return text.endsWith('*') ? String(value).startsWith(text.slice(0, -1)) : String(value) === text;
};

/** Whether a body has the words of an event's name; see `Scheme.words`. */
export const fits = (words: string, body: JsonObject): boolean =>
  words
    .split(' | ')
    .some((one) =>
      one.split(' ').every((word) => (word.startsWith('!') ? !holds(body, word.slice(1)) : holds(body, word))),
    );

export interface HmacForm {
  /** Header of the signature. */
  readonly signature: string;
  /** Stands before each signature. Others in the header are of other versions. */
  readonly prefix?: string;
  /** Between several signatures, or between the fields of the header. */
  readonly separator?: string;
  readonly algorithm?: string;
  readonly encoding?: 'hex' | 'base64';
  /** The signed text, with {id}, {time} and {body}; the body alone unless set. */
  readonly signed?: string;
  /** The bytes of a secret; its text in UTF-8 unless set. */
  readonly keyOf?: (secret: string) => Uint8Array;
  /** Header of the time, or `field` of the signature's own header (`t=…`). */
  readonly time?: string;
  readonly timeField?: string;
  /** Header of the id. It counts only if {id} is in the signed text. */
  readonly id?: string;
}

const fieldsOf = ({ separator }: HmacForm, header: string): readonly string[] =>
  separator === undefined ? [header] : header.split(separator).map((field) => field.trim());

const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/** The header holds a signature of the length and letters that the form gives it. */
export const hasSignature = (form: HmacForm, { headers }: HookHead): boolean => {
  const { signature, prefix = '', algorithm = 'sha256', encoding = 'hex' } = form;
  const { length } = Buffer.alloc(DIGEST_BYTES[algorithm] ?? 0).toString(encoding);
  const letters = encoding === 'hex' ? /^[0-9a-f]+$/ : /^[A-Za-z0-9+/]+={0,2}$/;
  return fieldsOf(form, headers[signature] ?? '').some((field) => {
    const digest = field.slice(prefix.length);
    return field.startsWith(prefix) && digest.length === length && letters.test(digest);
  });
};

const timeText = (form: HmacForm, headers: Headers, fields: readonly string[]): string | undefined => {
  if (form.time !== undefined) return headers[form.time];
  const prefix = `${form.timeField}=`;
  return fields.find((field) => field.startsWith(prefix))?.slice(prefix.length);
};

/** Text as bytes, with the sent bytes in place of {body}. */
export const signedBytes = (template: string, id: string, time: string, bytes: Uint8Array): Uint8Array => {
  const fill = (text: string): string => text.replaceAll('{id}', () => id).replaceAll('{time}', () => time);
  const [before = '', after = ''] = template.split('{body}');
  return Buffer.concat([Buffer.from(fill(before)), bytes, Buffer.from(fill(after))]);
};

/**
 * Verifies as the form says. All signatures are compared, even after one fits. The HMAC is computed
 * even if a header is missing or the time is old, so that no refusal is quicker than another.
 */
export const verifyHmac = (
  form: HmacForm,
  { headers, bytes }: HookRequest,
  secret: string,
  now: number,
): Proof | Refusal => {
  const { signature, prefix = '', algorithm = 'sha256', encoding = 'hex', signed = '{body}' } = form;
  const fields = fieldsOf(form, headers[signature] ?? '');
  const hasTime = form.time !== undefined || form.timeField !== undefined;
  const time = hasTime ? timeText(form, headers, fields) : undefined;
  const idHeader = signed.includes('{id}') ? form.id : undefined;
  const id = idHeader === undefined ? undefined : (headers[idHeader] ?? '');
  const key = form.keyOf?.(secret) ?? Buffer.from(secret);
  const expected = createHmac(algorithm, key)
    .update(signedBytes(signed, id ?? '', time ?? '', bytes))
    .digest(encoding);
  if (headers[signature] === undefined) return ['absent', signature];
  if (fields.length > WEBHOOK_SIGNATURES_MAX) return ['manySignatures', signature];
  if (idHeader !== undefined && !isId(id ?? '')) return ['noneOrMalformed', idHeader];
  const sentAt = hasTime ? parseTime(time ?? '') : undefined;
  if (hasTime && sentAt === undefined) return ['noTime'];
  if (sentAt !== undefined && isStale(sentAt, now)) return STALE;
  const fitting = fields.filter((field) => isEqual(field, `${prefix}${expected}`));
  return fitting.length === 0 ? WRONG_SIGNATURE : { id, sentAt };
};

export const hmac = (form: HmacForm, scheme: Omit<Scheme, 'verify' | 'root' | 'carries'>): Scheme => ({
  ...scheme,
  root: 'shared secret',
  carries: (head) => hasSignature(form, head),
  signing: () => form,
  verify: (request, secret, _source, { now }) => verifyHmac(form, request, secret, now),
});
