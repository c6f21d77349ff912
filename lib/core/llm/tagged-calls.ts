/**
 * Calls whose parameters are tags of their own, as the templates of Qwen3-Coder, MiniMax, DeepSeek
 * and GLM write them. A value is text; the tool's schema says if it is more. Undefined if anything
 * is in doubt: a tag without its end, words between, a value that may be a text or a number. Pure.
 */
import { isObject, type JsonObject, readJson } from '../base/json.ts';
import type { WrittenCall } from './written-calls.ts';

/** The schema of a tool's arguments by the name that a call gives; undefined if none has it. */
export type SchemaOf = (tool: string) => JsonObject | undefined;

const NAME = '[\\w.:-]{1,64}';
/** `minimax:`, or DeepSeek's token inside of a tag. */
const SPACE = '(?:\\w+:|[|｜]DSML[|｜])?';
/** A value that holds one of these tags is one whose end was forgotten. */
const VALUE = `(?<value>(?:(?!</?${SPACE}(?:parameter|invoke|function|tool_call|arg_key|arg_value)\\b)[^])*)`;

interface Form {
  readonly call: RegExp;
  readonly parameter: RegExp;
  readonly end: RegExp;
}

const form = (call: string, parameter: string, end: string): Form => ({
  call: new RegExp(`${call}\\s*`, 'y'),
  parameter: new RegExp(`${parameter}\\s*`, 'y'),
  end: new RegExp(end, 'y'),
});

const FORMS: readonly Form[] = [
  form(`<function=(?<name>${NAME})>`, `<parameter=(?<key>${NAME})>${VALUE}</parameter>`, '</function>'),
  form(
    `<${SPACE}invoke name="(?<name>${NAME})">`,
    `<${SPACE}parameter name="(?<key>${NAME})"(?: string="(?<isText>true|false)")?>${VALUE}</${SPACE}parameter>`,
    `</${SPACE}invoke>`,
  ),
  form(
    `<tool_call>\\s*(?<name>${NAME})(?=\\s*<)`,
    `<arg_key>(?<key>${NAME})</arg_key>\\s*<arg_value>${VALUE}</arg_value>`,
    '</tool_call>',
  ),
];

/** Around and between calls: blanks, the tags that hold several, and tokens that end a turn. */
const BETWEEN = new RegExp(`(?:\\s|</?${SPACE}(?:tool|function)_calls?>|<(?![|｜]DSML)[|｜][^<>\\n]{1,60}>)+`, 'y');

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** The types that a schema names; none if it says it in another way. */
const typesOf = (schema: unknown): readonly string[] => {
  if (!isObject(schema)) return [];
  const { type, anyOf, enum: listed } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap(typesOf);
  if (Array.isArray(type)) return type.map(String);
  if (typeof type === 'string') return [type];
  return Array.isArray(listed) && listed.every((one) => typeof one === 'string') ? ['string'] : [];
};

/** Templates put a line break around each value. */
const plain = (value: string): string => value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');

/** @returns undefined if it cannot be said what is meant */
const readValue = (
  given: string,
  schema: unknown,
  isText: string | undefined,
): { readonly value: unknown } | undefined => {
  const text = plain(given);
  const types = typesOf(schema);
  if (isText === 'true' || (types.length > 0 && types.every((type) => type === 'string'))) return { value: text };
  const value = readJson(text.trim());
  const mayBeText = isText !== 'false' && (types.length === 0 || types.includes('string'));
  // Words are no JSON, so they are a text; what is both stays in doubt.
  if (mayBeText) return value === undefined ? { value: text } : undefined;
  return value === undefined ? undefined : { value };
};

interface ReadCall {
  readonly call: WrittenCall;
  readonly end: number;
}

const readCall = (
  { parameter, end }: Form,
  begun: RegExpExecArray,
  text: string,
  schemaOf: SchemaOf,
): ReadCall | undefined => {
  const name = begun.groups?.name ?? '';
  const properties = schemaOf(name)?.properties;
  const args = new Map<string, unknown>();
  let at = begun.index + begun[0].length;
  for (let found = matchAt(parameter, text, at); found !== null; found = matchAt(parameter, text, at)) {
    const { key = '', value = '', isText } = found.groups ?? {};
    const read = readValue(value, isObject(properties) ? properties[key] : undefined, isText);
    if (read === undefined || args.has(key)) return undefined;
    args.set(key, read.value);
    at += found[0].length;
  }
  const ended = matchAt(end, text, at);
  if (ended === null) return undefined;
  const argumentsText = JSON.stringify(Object.fromEntries(args));
  return { call: { name, argumentsText }, end: at + ended[0].length };
};

/** All calls of a text that holds nothing else. */
export const readTaggedCalls = (text: string, schemaOf: SchemaOf): readonly WrittenCall[] | undefined => {
  const calls: WrittenCall[] = [];
  for (let at = 0; at < text.length; ) {
    const skipped = matchAt(BETWEEN, text, at);
    const begun = FORMS.flatMap((one) => {
      const match = matchAt(one.call, text, at);
      return match === null ? [] : [{ form: one, match }];
    })[0];
    const read = begun && readCall(begun.form, begun.match, text, schemaOf);
    if (read === undefined && (begun !== undefined || skipped === null)) return undefined;
    if (read !== undefined) calls.push(read.call);
    at = read?.end ?? at + (skipped?.[0].length ?? 0);
  }
  return calls.length === 0 ? undefined : calls;
};
