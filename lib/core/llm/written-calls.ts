/**
 * Markup that a model's template puts around turns and calls, and JSON that is a call: a server
 * that does not read it sends it as text. Splits a text into plain words and the calls in it.
 * A person never reads markup: what is no readable call is a ProtocolError, and the model is asked
 * again. Code in backticks is left as it is, since an answer may speak of markup. Pure.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { JsonObject, readJson } from '../base/json.ts';
import { readTaggedCalls, type SchemaOf } from './tagged-calls.ts';

/** A call as the answer of an API has it. */
export interface WrittenCall {
  readonly name: unknown;
  readonly argumentsText: string;
}

/** Tokens of templates have one shape: `<|im_end|>`, `<｜tool▁sep｜>`, `<|tool_call>`, `<turn|>`. */
const TOKEN =
  /<\/?[|｜][^<>\n]{1,60}>|<[\w"]{1,30}[|｜]>|<\/s>|<\/?(?:start|end)_of_turn>|<\/?(?:bos|eos)>|<<\/?SYS>>|\[\/?(?:INST|ARGS|CALL_ID|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_\w{1,20})\]/;
/** Tags of calls: `<tool_call>`, `<function=x>`, `<minimax:tool_call>`, `<invoke name="x">`. */
const CALL_TAG =
  /<\/?(?:\w+:)?(?:tool|function)(?:[_-]?(?:calls?|uses?|code|response))?(?:[= ][^<>\n]{0,80})?>|<(?:\w+:)?invoke [^<>\n]{0,80}>|```tool_\w{1,10}/i;
const MARKUP = new RegExp(`${TOKEN.source}|${CALL_TAG.source}`, 'gi');
/** Markup that belongs to a call; other tokens only begin or end a turn. */
const IS_CALL = /tool|function|invoke|python_tag|\[ARGS\]|to=|^\[\w+\(/i;
/** Calls as a language would write them: `[recall(query="bike")]`. */
const CODE_CALL = /^\[[a-z_][\w.-]{0,60}\([\s\S]*\)\]$/i;
/** Parameters as tags of their own: no JSON in them is a call. */
const TAGGED_PARAMETERS = /<(?:parameter|arg_key|\w*:?invoke)\b/i;
/** The token and the role that begin an answer; a call or thoughts begin none. */
const HEADER = new RegExp(
  `^(?:(?!<[^<>]*(?:tool|call|python)|<\\|channel(?!\\|>final)|\\[(?:TOOL|ARGS))(?:${TOKEN.source})\\s*(?:(?:assistant|model|final)\\b\\s*)?)+`,
  'i',
);
const CODE = /```(?!tool_)[\s\S]*?(?:```|$)|`[^`\n]+`/g;
/** JSON that begins a line. */
const JSON_LINE = /^[ \t]*(?=\{|\[\s*(?:\{|$))/m;
/** Possible beginning of markup in a text that is still coming. */
const MARKUP_BEGUN = /(?:<[^<>\n]{0,80}|\[[/A-Z_]{0,20}|\[[a-z_][\w.-]{0,60}\([^\n]*|\n`{1,3}\w{0,12})$/;

const UNREADABLE =
  'the answer holds markup of a call that cannot be read: call tools as this request offers them, and write no markup';

/** Code keeps its place and loses its content. */
export const withoutCode = (text: string): string => text.replace(CODE, (code) => '`'.repeat(code.length));

const markupAt = (text: string): number => withoutCode(text).search(new RegExp(MARKUP.source, 'i'));

const first = (...places: readonly number[]): number => Math.min(...places.filter((at) => at >= 0));

/** The words of an answer that is still coming, as far as no markup and no JSON may be in them. */
export const wordsSoFar = (text: string): string => {
  const words = text.replace(HEADER, '');
  // The role may still come.
  if (words !== text && /^\w{0,9}$/.test(words)) return '';
  const plain = withoutCode(words);
  return words.slice(0, first(words.length, markupAt(words), plain.search(JSON_LINE), plain.search(MARKUP_BEGUN)));
};

/** The place where the JSON value that begins here ends; undefined if it never does. */
export const jsonEnd = (text: string, from: number): number | undefined => {
  let depth = 0;
  const parts = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  parts.lastIndex = from;
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    if (part[0] === '{' || part[0] === '[') depth += 1;
    else if (part[0] === '}' || part[0] === ']') depth -= 1;
    if (depth === 0) return parts.lastIndex;
  }
  return undefined;
};

const Args = z.union([JsonObject, z.string()]);
const CALL_KEYS =
  /^(?:name|tool|tool_name|function|arguments|parameters|args|input|id|call_id|type|index|explanation)$/;

const textOf = (args: z.infer<typeof Args>, explanation: unknown): string =>
  typeof args === 'string' ? args : JSON.stringify(explanation === undefined ? args : { explanation, ...args });

/** The call that a JSON object is: a name, arguments, and nothing that no call has. */
const callOf = (value: unknown): WrittenCall | undefined => {
  const { data } = JsonObject.safeParse(value);
  if (data === undefined || !Object.keys(data).every((key) => CALL_KEYS.test(key))) return undefined;
  const inner = JsonObject.safeParse(data.function).data;
  const { explanation, ...call } = { ...data, ...inner };
  const name = call.name ?? call.tool ?? call.tool_name ?? call.function;
  const args = Args.safeParse(call.arguments ?? call.parameters ?? call.args ?? call.input);
  return typeof name === 'string' && args.success ? { name, argumentsText: textOf(args.data, explanation) } : undefined;
};

const callsIn = (value: unknown): readonly WrittenCall[] | undefined => {
  const listed = JsonObject.safeParse(value).data?.tool_calls ?? value;
  const calls = (Array.isArray(listed) ? listed : [listed]).map(callOf);
  const found = calls.filter((call) => call !== undefined);
  return found.length === calls.length && found.length > 0 ? found : undefined;
};

/** The name between markup before the arguments, as in `[TOOL_CALLS]recall[ARGS]{…}`. */
const nameBefore = (text: string): string | undefined =>
  text
    .replace(/\[CALL_ID\]\w*/g, ' ')
    .replace(/<function=([\w.-]{1,64})>/gi, ' $1 ')
    .replaceAll(MARKUP, ' ')
    .replace(/```\w*|\b(?:json|code)\b/g, ' ')
    .match(/([A-Za-z_][\w.:-]*)\s*$/)?.[1];

/** @returns the calls of all JSON in it; undefined if one of them is none */
const readCalls = (text: string, areNamesBefore: boolean): readonly WrittenCall[] | undefined => {
  const calls: WrittenCall[] = [];
  for (let from = 0; ; ) {
    const at = from + text.slice(from).search(/\{|\[\s*\{/);
    if (at < from) return calls.length === 0 ? undefined : calls;
    const end = jsonEnd(text, at);
    const json = text.slice(at, end);
    const value = end === undefined ? undefined : readJson(json);
    const name = areNamesBefore ? nameBefore(text.slice(from, at)) : undefined;
    const found = callsIn(value) ?? (name && value !== undefined ? [{ name, argumentsText: json }] : undefined);
    if (found === undefined || end === undefined) return undefined;
    calls.push(...found);
    from = end;
  }
};

const CALL_BEGUN = /^[[{\s]*"(?:name|function)"\s*:\s*"[\w.-]+"\s*,\s*"(?:arguments|parameters|args)"\s*:/;

export interface Written {
  readonly words: string;
  readonly calls: readonly WrittenCall[];
  /** Markup of a call follows the words, which nobody can read. */
  readonly problem?: ProtocolError;
}

const unreadable = (words: string): Written => ({ words, calls: [], problem: new ProtocolError(UNREADABLE) });

/** The last fence with JSON, and words without one after it. */
const LAST_FENCE = /(?:^|\n)```(?:json)?\s*(?=[{[])([^`]*)(?:```(?!\w)((?:(?!```)[\s\S])*))?$/i;

/** JSON that is a call, at the beginning of a line or in the last fence. */
const splitJson = (text: string): Written => {
  const fence = LAST_FENCE.exec(text);
  const at = fence?.index ?? withoutCode(text).search(JSON_LINE);
  if (at < 0) return { words: text, calls: [] };
  const words = [text.slice(0, at), fence?.[2] ?? '']
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n');
  const json = fence?.[1] ?? text.slice(at);
  const calls = readCalls(json, false);
  if (calls !== undefined) return { words, calls };
  return CALL_BEGUN.test(json) ? unreadable(words) : { words: text, calls: [] };
};

/** Words and calls of a whole answer. Words hold no markup outside of code. */
export const splitWritten = (answer: string, schemaOf: SchemaOf = () => undefined): Written => {
  const text = answer.replace(HEADER, '').trim();
  const at = markupAt(text);
  if (at < 0) return CODE_CALL.test(text) ? unreadable('') : splitJson(text);
  const [words, rest] = [text.slice(0, at).trim(), text.slice(at)];
  if (!IS_CALL.test(rest.match(MARKUP)?.join(' ') ?? '') && !/\bto=\w/.test(rest)) return { ...splitJson(words) };
  const calls = readTaggedCalls(rest, schemaOf) ?? (TAGGED_PARAMETERS.test(rest) ? undefined : readCalls(rest, true));
  return calls === undefined ? unreadable(words) : { words, calls };
};
