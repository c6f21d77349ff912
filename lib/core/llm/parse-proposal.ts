/**
 * From a model's raw answer to a proposal, or to one sentence that says what is wrong and goes back
 * to the model. Total: any value gives one of the two, nothing is evaluated or thrown, and a
 * problem names fields, never values. The gates judge what a proposal may do. Pure.
 */
import * as z from 'zod/mini';
import { canonicalJson } from '../base/canonical.ts';
import { ProtocolError } from '../base/errors.ts';
import { withoutHidden } from '../base/hidden-text.ts';
import { JsonObject, parseJson, parseWith, readJson } from '../base/json.ts';
import { GATE_REASON_CHARS_MAX, KIB } from '../base/limits.ts';
import { normaliseName, ToolName } from '../signal/action.ts';
import type { Proposal, ProposedCall } from '../signal/decision.ts';
import { withoutMarks, withoutMarksSoFar } from '../text/block-marks.ts';
import type { ToolEntry } from './chat.ts';
import { contentText } from './content-text.ts';
import type { SchemaOf } from './tagged-calls.ts';
import { jsonEnd, splitWritten, withoutCode, wordsSoFar } from './written-calls.ts';

/** Tool calls of one answer: with more, a runaway model's answer is rejected whole. */
export const ACTIONS_MAX = 8;
/** Text and tool arguments together. A larger answer is rejected, not cut. */
export const ANSWER_BYTES_MAX = 64 * KIB;

/** Longer thoughts go back cut: that some do is what a provider asks for. */
const THOUGHTS_CHARS_MAX = 16 * KIB;

export interface RawAnswer {
  readonly content?: unknown;
  readonly toolCalls?: unknown;
  /** Thoughts beside it, which its calls may have to bring along when they go back. */
  readonly thoughts?: string;
  /** It reached its most tokens. */
  readonly isCut?: boolean;
}

export type ParsedAnswer = { readonly proposal: Proposal } | { readonly problem: string };

const CALL_ID = /^[A-Za-z0-9_.:-]{1,128}$/;
const FENCE = '```';
/** The possible beginning of a block of JSON in an answer that is still coming. */
const FENCE_BEGUN = /\n`{1,3}(?:(?<=```)(?:j|js|jso|json)?\s*(?:[{[][\s\S]*)?)?$/i;
/** Of JSON that was meant as a proposal. */
const MEANT = /"(?:calls"\s*:\s*\[|tool"\s*:\s*")/i;
const THINK_START = '<think>';
const THINK_END = '</think>';

const RawCall = z.object({
  id: z.optional(z.unknown()),
  name: z.optional(z.unknown()),
  argumentsText: z.optional(z.unknown()),
});
/** The form that a model without tool calls writes. Strict, so that other JSON stays text. */
const WrittenProposal = z.strictObject({ text: z.optional(z.string()), calls: z.optional(z.array(z.unknown())) });
const WrittenCall = z.strictObject({
  tool: z.string(),
  args: z.optional(JsonObject),
  explanation: z.optional(z.unknown()),
});

const OTHER_FORM =
  'the answer looks like calls written as JSON, and is not of that form: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "…"}]}';

/** Ends a cut text. */
const CUT_NOTE = '(This answer ends here because it reached the length limit. Ask me to go on.)';

const problem = (text: string): ParsedAnswer => ({ problem: text.slice(0, GATE_REASON_CHARS_MAX) });

/** Drops reasoning from the answer; an unfinished block is all reasoning. */
const dropThinking = (text: string): string => {
  let rest = text.trim();
  while (rest.startsWith(THINK_START)) {
    const end = rest.indexOf(THINK_END);
    rest = end < 0 ? '' : rest.slice(end + THINK_END.length).trim();
  }
  return rest;
};

/**
 * The text of an answer that is still coming: a beginning of the final text. Undefined while it may
 * turn out to be reasoning, or a proposal written as JSON.
 */
export const textSoFar = (content: string): string | undefined => {
  let rest = content.trimStart();
  while (rest.startsWith(THINK_START)) {
    const end = rest.indexOf(THINK_END);
    if (end < 0) return undefined;
    rest = rest.slice(end + THINK_END.length).trimStart();
  }
  const isUnclear = THINK_START.startsWith(rest) || FENCE.startsWith(rest) || rest.startsWith(FENCE);
  if (isUnclear || rest.startsWith('{')) return undefined;
  return withoutMarksSoFar(wordsSoFar(rest.replace(FENCE_BEGUN, '')))
    .trimStart()
    .toWellFormed();
};

/** Some servers leave the name space, the number and tokens of a template at a name. */
const NAME_MARKUP = /^(?:functions?|tools?|default_api)[.:](?=\w)|:\d+$|<\|.*$/gs;

const nameOf = (n: number, name: unknown): string => {
  if (typeof name !== 'string' || name.trim() === '') throw new ProtocolError(`call ${n} names no tool`);
  const tool = normaliseName(name.replace(NAME_MARKUP, ''));
  if (!ToolName.safeParse(tool).success) throw new ProtocolError(`call ${n} has a tool name that no tool can have`);
  return tool;
};

/** @throws ProtocolError if the arguments cannot be hashed, and so cannot be evidence */
const splitArgs = (n: number, all: JsonObject, given: unknown): Pick<ProposedCall, 'args' | 'explanation'> => {
  const { explanation: inside, ...args } = all;
  try {
    canonicalJson(args);
  } catch {
    throw new ProtocolError(`call ${n} has arguments that JSON cannot say exactly`);
  }
  const explanation = given ?? inside;
  return {
    args,
    explanation: typeof explanation === 'string' ? withoutMarks(withoutHidden(explanation)).trim().toWellFormed() : '',
  };
};

/** Names of arguments in any case, as the tool's schema spells them. Others stay as they are. */
const withSchemaKeys = (args: JsonObject, schema: JsonObject | undefined): JsonObject => {
  const { data = {} } = JsonObject.safeParse(schema?.properties);
  const known = new Map([...Object.keys(data), 'explanation'].map((key) => [key.toLowerCase(), key]));
  return Object.fromEntries(
    Object.entries(args).map(([key, member]) => {
      const own = known.get(key.toLowerCase());
      const isExact = own === undefined || Object.hasOwn(data, key) || Object.hasOwn(args, own);
      return isExact ? [key, member] : [own, member];
    }),
  );
};

const parseCall = (n: number, value: unknown, schemaOf: SchemaOf): ProposedCall => {
  const call = parseWith(`call ${n}`, value, RawCall);
  const tool = nameOf(n, call.name);
  const given = call.argumentsText ?? '';
  // Some servers write the JSON text as JSON once more.
  const twice = typeof given === 'string' && given.startsWith('"') ? readJson(given) : undefined;
  const text = typeof twice === 'string' ? twice : given;
  if (typeof text !== 'string') throw new ProtocolError(`call ${n} (${tool}) has arguments that are not JSON text`);
  // Many models send no arguments to a tool that takes none.
  const all = text.trim() === '' ? {} : parseJson(`the argument object of call ${n} (${tool})`, text, JsonObject);
  const callId = typeof call.id === 'string' && CALL_ID.test(call.id) ? call.id : '';
  return { callId, tool, ...splitArgs(n, withSchemaKeys(all, schemaOf(tool)), undefined) };
};

const parseWrittenCall = (n: number, value: unknown, schemaOf: SchemaOf): ProposedCall => {
  const call = parseWith(`call ${n}`, withLowerKeys(value), WrittenCall);
  const tool = nameOf(n, call.tool);
  return { callId: '', tool, ...splitArgs(n, withSchemaKeys(call.args ?? {}, schemaOf(tool)), call.explanation) };
};

/** A call keeps the provider's id if it is usable and unique; else it gets `call-<n>`. */
const withIds = (calls: readonly ProposedCall[]): ProposedCall[] => {
  const taken = new Set(calls.map((_, index) => `call-${index + 1}`));
  return calls.map((call, index) => {
    const callId = call.callId === '' || taken.has(call.callId) ? `call-${index + 1}` : call.callId;
    taken.add(callId);
    return { ...call, callId };
  });
};

/** Keys in any case: models that write JSON by hand follow no schema. */
const withLowerKeys = (value: unknown): unknown => {
  const { data } = JsonObject.safeParse(value);
  return data === undefined
    ? value
    : Object.fromEntries(Object.entries(data).map(([key, member]) => [key.toLowerCase(), member]));
};

const isFenceOpen = (text: string): boolean => (text.match(/^```/gm) ?? []).length % 2 === 1;

/** JSON that begins a line, with the fence around it or without. */
const JSON_BEGUN = /^(?:```(?:json)?\s*)?(?=\{|\[\s*\{)/gim;

interface FoundJson {
  readonly json: string;
  /** Before and after it. */
  readonly words: string;
  /** It stands between words: it may be what they speak of. */
  readonly isWithin: boolean;
}

const findJson = (text: string): readonly FoundJson[] => {
  const found: FoundJson[] = [];
  const plain = withoutCode(text);
  const begun = new RegExp(JSON_BEGUN);
  for (let match = begun.exec(text); match !== null; match = begun.exec(text)) {
    const from = match.index + match[0].length;
    const isInCode = match[0] === '' && plain[from] === '`';
    const end = isInCode ? from + 1 : (jsonEnd(text, from) ?? text.length);
    begun.lastIndex = end;
    if (isInCode) continue;
    const around = [text.slice(0, match.index), text.slice(end).replace(/^\s*```(?!\w)/, '')];
    const words = around.map((part) => part.trim()).filter(Boolean);
    found.push({ json: text.slice(from, end), words: words.join('\n'), isWithin: words.length === 2 });
  }
  return found;
};

/** The proposal written in the text. @throws ProtocolError if it cannot be read: never shown raw */
const parseWritten = (text: string): z.infer<typeof WrittenProposal> | undefined => {
  const found = findJson(text);
  for (const { json, words } of found) {
    const { data } = WrittenProposal.safeParse(withLowerKeys(readJson(json)));
    if (data?.calls !== undefined) return { ...data, text: [words, data.text].filter(Boolean).join('\n') };
    // Words with a block of other JSON are an answer as they stand.
    if (data?.text !== undefined && words === '') return data;
  }
  if (found.some(({ json, isWithin }) => !isWithin && MEANT.test(json))) throw new ProtocolError(OTHER_FORM);
  return undefined;
};

/** Closes a cut code block, so that the note does not become a part of it. */
const withCutNote = (text: string): string => `${text}${isFenceOpen(text) ? '\n```' : ''}\n\n${CUT_NOTE}`;

/** A fence at the end that belongs to no block. */
const withoutOrphan = (text: string): string =>
  isFenceOpen(text) ? text.replace(/(?:^|\n)```\w*$/, '').trimEnd() : text;

const build = (text: string, calls: readonly ProposedCall[], thoughts = ''): ParsedAnswer => {
  const trimmed = withoutOrphan(withoutMarks(text).trim()).toWellFormed();
  if (trimmed === '' && calls.length === 0) return problem('empty answer');
  const proposal = { ...(trimmed === '' ? {} : { text: trimmed }), calls: withIds(calls) };
  const kept = calls.length === 0 ? '' : thoughts.slice(0, THOUGHTS_CHARS_MAX).toWellFormed();
  return { proposal: kept === '' ? proposal : { ...proposal, thoughts: kept } };
};

const checkCount = (count: number): void => {
  if (count > ACTIONS_MAX) throw new ProtocolError(`the answer has ${count} calls; at most ${ACTIONS_MAX} are allowed`);
};

const callsOf = (toolCalls: unknown): readonly unknown[] => {
  if (toolCalls === undefined || toolCalls === null) return [];
  if (!Array.isArray(toolCalls)) throw new ProtocolError('the tool calls are not a list');
  checkCount(toolCalls.length);
  return Array.from<unknown>(toolCalls);
};

const bytesOf = (content: string, calls: readonly unknown[]): number =>
  calls.reduce<number>((sum, value) => {
    const call = RawCall.safeParse(value);
    const text = call.success ? call.data.argumentsText : undefined;
    return sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0);
  }, Buffer.byteLength(content));

/** Words are shown as far as they came; a cut call is never performed. */
const parseCut = (text: string, calls: readonly unknown[]): ParsedAnswer => {
  const isWritten = /^(```(json)?\s*)?\{/.test(text);
  if (calls.length > 0 || isWritten)
    return problem('it reached the length limit, so its calls may be incomplete: do or say less at once');
  if (text === '') return problem('it reached the length limit before it said anything: think and say less at once');
  return build(withCutNote(text), []);
};

/** The schema of the tool that a written name means. */
const schemaIn =
  (tools: readonly ToolEntry[]): SchemaOf =>
  (name) => {
    const tool = normaliseName(name.replace(NAME_MARKUP, ''));
    return tools.find((one) => normaliseName(one.function.name) === tool)?.function.parameters;
  };

const parse = (answer: RawAnswer, tools: readonly ToolEntry[]): ParsedAnswer => {
  const content = contentText(answer.content);
  const calls = callsOf(answer.toolCalls);
  if (bytesOf(content, calls) > ANSWER_BYTES_MAX) return problem(`the answer is larger than ${ANSWER_BYTES_MAX} bytes`);
  const schemaOf = schemaIn(tools);
  const { words, calls: writtenCalls, problem: unreadable } = splitWritten(dropThinking(content), schemaOf);
  if (answer.isCut === true) return parseCut(words, unreadable === undefined ? [...calls, ...writtenCalls] : [content]);
  if (calls.length > 0 || writtenCalls.length > 0) {
    const all = calls.length > 0 ? calls : writtenCalls;
    checkCount(all.length);
    return build(
      words,
      all.map((call, index) => parseCall(index + 1, call, schemaOf)),
      answer.thoughts,
    );
  }
  if (unreadable !== undefined) throw unreadable;
  const written = parseWritten(words);
  if (written === undefined) return build(words, []);
  const proposed = written.calls ?? [];
  checkCount(proposed.length);
  return build(
    splitWritten(written.text ?? '').words,
    proposed.map((call, index) => parseWrittenCall(index + 1, call, schemaOf)),
  );
};

/** Never throws. @param tools that were offered: they say what a parameter of a written call is */
export const parseProposal = (answer: RawAnswer, tools: readonly ToolEntry[] = []): ParsedAnswer => {
  try {
    return parse(answer, tools);
  } catch (error) {
    return problem(error instanceof ProtocolError ? error.problem : 'the answer cannot be read');
  }
};

/** An answer without words and calls: the next provider is asked instead. */
export const isEmptyAnswer = (answer: RawAnswer): boolean => {
  const parsed = parseProposal(answer);
  return 'problem' in parsed && parsed.problem === 'empty answer';
};
