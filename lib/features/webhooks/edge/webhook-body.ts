/**
 * The body of an event as an object that can be stored and hashed exactly, with what was changed
 * for that. Takes JSON, an object or a list, and if the scheme does, forms as some senders post
 * them (`payload=` holds JSON). Pure. @throws BodyError that never quotes it
 */
import { createHash } from 'node:crypto';
import { type DecodedText, decodeText, GUESSED } from '../../../core/base/decode-text.ts';
import { ProtocolError } from '../../../core/base/errors.ts';
import { type Json, JsonObject } from '../../../core/base/json.ts';
import { findTemplates, lookInto } from '../../../core/text/template.ts';
import { type Refusal, refusalTexts, sayRefusal } from '../refusal-texts.ts';
import type { Headers, Scheme } from './scheme.ts';

/** DynamoDB takes 32 levels; the record around the body uses some of them. */
const WEBHOOK_BODY_DEPTH_MAX = 24;
/** A small value takes more bytes in the table than its text, and an item has 400 KB. */
const WEBHOOK_BODY_VALUES_MAX = 50_000;

/** Of one value that is kept of a body too large for the table. */
const DIGEST_VALUE_CHARS_MAX = 2_000;

/** DynamoDB takes no smaller number. */
const NUMBER_MIN = 1e-128;
/** A double tells so many significant digits apart. */
const DIGITS_MAX = 17;

/** The sender is told the same, in English. */
export class BodyError extends ProtocolError {
  override readonly name: string = 'BodyError';
  readonly refusal: Refusal;
  constructor(...refusal: Refusal) {
    super(sayRefusal(refusalTexts.en, refusal));
    this.refusal = refusal;
  }
}

/** Changes that a body needs to be stored, as a person is told. */
const NOTES = {
  broken: 'half characters are shown as �',
  names: 'names that cannot be stored stand in parentheses',
  repeated: 'a member came twice in it, and the last one counts',
  guessed: GUESSED,
} as const;
type BodyNote = keyof typeof NOTES;

/** Significant digits of a number as it was written. */
const digitsOf = (source: string): string =>
  source
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');

const isStorable = (value: number, source: string): boolean =>
  value === 0
    ? digitsOf(source) === ''
    : Math.abs(value) <= Number.MAX_SAFE_INTEGER &&
      Math.abs(value) >= NUMBER_MIN &&
      (source.length <= DIGITS_MAX || digitsOf(source).length <= DIGITS_MAX);

/** Reviver: a number the table cannot hold exactly becomes its text, instead of being rounded. */
const keepExact = (value: unknown, source: string): unknown =>
  typeof value === 'number' && !isStorable(value, source) ? source : value;

/** @param levels of nesting still allowed */
const isTooDeep = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (levels === 0 || Object.values(value).some((child) => isTooDeep(child, levels - 1)));

/**
 * Names that the table or a hash refuses, each in parentheses, more of them if that is taken. Many
 * may look alike then: the place of each tells them apart.
 */
const storableName = (name: string, place: number, taken: ReadonlySet<string>): string => {
  const isRefused = name === '' || name === 'toJSON' || name === '__proto__' || !name.isWellFormed();
  if (!isRefused) return name;
  let stored = `(${name.toWellFormed()})`;
  if (taken.has(stored)) stored = `(${stored})`;
  if (taken.has(stored)) stored = `${stored} ${place}`;
  while (taken.has(stored)) stored = `(${stored})`;
  return stored;
};

/** The same with nothing in it that cannot be stored. Counts the members. */
const makeStorable = (value: unknown, notes: Set<BodyNote>, count: { members: number }): unknown => {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) notes.add('broken');
    return value.toWellFormed();
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => makeStorable(one, notes, count));
  const members = Object.entries(value);
  const taken = new Set(Object.keys(value));
  count.members += members.length;
  return Object.fromEntries(
    members.map(([name, one], place) => {
      const stored = storableName(name, place, taken);
      if (stored !== name) notes.add('names');
      taken.add(stored);
      return [stored, makeStorable(one, notes, count)];
    }),
  );
};

/** Each text of JSON, and whether it is the name of a member. */
const TEXTS = /"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/gs;

const countNames = (text: string): number => {
  let names = 0;
  for (const [, colon] of text.matchAll(TEXTS)) if (colon === ':') names += 1;
  return names;
};

/** Finds the fault by what the parser says of it: an offset, or the text around it. */
const findFault = (text: string, message: string): Refusal => {
  const at = / at position (\d+)/.exec(message)?.[1];
  const around = /\.\.\."(.+)"\.\.\. is not valid JSON$/s.exec(message)?.[1];
  const end = at === undefined ? text.indexOf(around ?? text) : Number(at);
  const isCut = /^Unexpected end|^Unterminated string/.test(message) || end >= text.trimEnd().length;
  return isCut ? ['cut'] : ['noJson', text.slice(0, Math.max(end, 0)).split('\n').length];
};

/** Other formats by their beginning. */
const OTHERS: readonly (readonly [begins: RegExp, refusal: Refusal])[] = [
  [/^\s*$/, ['empty']],
  [/^\s*</, ['markup']],
  [/^--[^\r\n]+\r?\ncontent-/i, ['formInParts']],
];

const parseText = (text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    const [, other] = OTHERS.find(([begins]) => begins.test(text)) ?? [];
    throw new BodyError(...(other ?? findFault(text, error instanceof Error ? error.message : '')));
  }
};

export interface ParsedBody {
  /** A body that is a list stands in it as `list`. */
  readonly body: JsonObject;
  /** One for each kind of change that storing it needed. */
  readonly notes: readonly string[];
}

const parseObject = ({ text, isGuess }: DecodedText): ParsedBody => {
  // The depth is checked first: the reviver is recursive, and a deep body would exhaust the stack.
  const whole = parseText(text);
  if (isTooDeep(Array.isArray(whole) ? [whole] : whole, WEBHOOK_BODY_DEPTH_MAX))
    throw new BodyError('deep', WEBHOOK_BODY_DEPTH_MAX);
  let values = 0;
  const exact = parseText(text, (_key: string, member: unknown, context?: { readonly source?: string }) => {
    values += 1;
    return keepExact(member, context?.source ?? '');
  });
  if (values > WEBHOOK_BODY_VALUES_MAX) throw new BodyError('manyValues', WEBHOOK_BODY_VALUES_MAX);
  const notes = new Set<BodyNote>(isGuess ? ['guessed'] : []);
  const count = { members: 0 };
  const value = makeStorable(exact, notes, count);
  if (countNames(text) > count.members) notes.add('repeated');
  const body = JsonObject.safeParse(Array.isArray(value) ? { list: value } : value);
  if (!body.success) throw new BodyError('noObject');
  return { body: body.data, notes: [...notes].map((note) => NOTES[note]) };
};

/** A form begins with a name and its sign; no JSON does. */
const FORM = /^[A-Za-z0-9*._+%~[\]-]+=/;

/** Bytes as characters of one byte each. Senders encode fields as they like. */
const readField = (part: string): DecodedText => {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeText(Buffer.from(bytes, 'latin1'));
};

/** The JSON of a form's `payload`, or its fields; a field that comes twice is a list. */
const readForm = (bytes: Uint8Array): DecodedText => {
  const fields = new Map<string, string[]>();
  let isGuess = false;
  for (const pair of Buffer.from(bytes).toString('latin1').split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const [field, value] = [readField(name), readField(rest.join('='))];
    isGuess ||= field.isGuess || value.isGuess;
    const values = fields.get(field.text) ?? [];
    values.push(value.text);
    fields.set(field.text, values);
  }
  const [payload] = fields.get('payload') ?? [];
  if (payload !== undefined && fields.size === 1) return { text: payload, isGuess };
  const members = [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values] as const);
  return { text: JSON.stringify(Object.fromEntries(members)), isGuess };
};

/** The scheme says what a body may be, and the signed bytes which of it: no `content-type` does. */
export const parseBody = (
  headers: Headers,
  bytes: Uint8Array,
  { takesForm }: Pick<Scheme, 'takesForm'>,
): ParsedBody => {
  if (!['identity', undefined].includes(headers['content-encoding'])) throw new BodyError('compressed');
  const decoded = decodeText(bytes);
  return parseObject(takesForm === true && FORM.test(decoded.text) ? readForm(bytes) : decoded);
};

export type JsonTree = { [name: string]: Json };

const isTree = (value: Json | undefined): value is JsonTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a value at a path such as `event.id`, unless one is there. */
export const putAt = (tree: JsonTree, path: string, value: Json): void => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = tree;
  for (const name of names) {
    at[name] ??= {};
    const next = at[name];
    if (!isTree(next)) return;
    at = next;
  }
  at[last] ??= value;
};

/** Those members alone. */
export const pickMembers = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** Of a body that the table cannot take: its hash, its size, and what the form names. */
export const digestBody = (body: JsonObject, bytes: Uint8Array, form: string): JsonObject => {
  const digest: JsonTree = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength };
  for (const path of findTemplates(form).paths) {
    const value = lookInto(body, path);
    if (value !== undefined && JSON.stringify(value).length <= DIGEST_VALUE_CHARS_MAX) putAt(digest, path, value);
  }
  return digest;
};
