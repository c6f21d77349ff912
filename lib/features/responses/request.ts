/**
 * Requests of OpenAI's two APIs as one: Responses (https://www.openresponses.org/specification) and
 * Chat Completions (https://platform.openai.com/docs/api-reference/chat). The last message of the
 * user is what the person says; all else is what the program adds. Members that mean nothing here
 * are taken and not used. Pure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { JsonObject, readJson } from '../../core/base/json.ts';
import { KIB } from '../../core/base/limits.ts';
import { HttpError } from '../../core/http/function-url.ts';
import { MCP_DESCRIPTION_SHOWN_CHARS } from '../../core/tools/mcp-catalogue.ts';
import { plainSchema } from '../../core/tools/plain-schema.ts';
import { callLine } from './call-lines.ts';
import type { ResponseBody } from './console.ts';
import { FUNCTIONS_MAX, NamedFunction } from './offer.ts';

/** The model of this door: what it stands for is chosen in the agent (`/model`). */
export const MODEL = 'passepartout';

/** A prompt has 16,000 tokens in all: each part that a program adds has a share of it. */
const PART_CHARS_MAX = 8 * KIB;
const CUT = '\n[…]\n';
/** Open WebUI, opencode and Codex name the conversation in theirs; the first two are for others. */
const CHAT_HEADERS = ['x-conversation-id', 'x-chat-id', 'x-openwebui-chat-id', 'x-session-id', 'session_id'] as const;

const Part = z.looseObject({ text: z.optional(z.string()) });
const Content = z.nullish(z.union([z.string(), z.array(Part)]));
const Parameters = z.nullish(NamedFunction.shape.parameters);

const Item = z.looseObject({
  type: z.optional(z.string()),
  role: z.optional(z.string()),
  content: z.optional(Content),
  name: z.optional(z.string()),
  arguments: z.optional(z.string()),
  output: z.optional(Content),
  tool_calls: z.nullish(
    z.array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) })),
  ),
});
type Item = z.infer<typeof Item>;

const Described = { name: NamedFunction.shape.name, description: z.nullish(z.string()), parameters: Parameters };
const Tool = z.looseObject({ type: z.string() });
const FlatTool = z.looseObject({ type: z.literal('function'), ...Described });
const NestedTool = z.looseObject({ type: z.literal('function'), function: z.looseObject(Described) });

const Shared = {
  model: z.string(),
  stream: z.nullish(z.boolean()),
  tools: z.nullish(z.array(Tool)),
  tool_choice: z.optional(z.unknown()),
} as const;

const ResponsesBody = z.looseObject({
  ...Shared,
  input: z.union([z.string(), z.array(Item)]),
  instructions: z.nullish(z.string()),
  conversation: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
  previous_response_id: z.nullish(z.string()),
});

const ChatBody = z.looseObject({
  ...Shared,
  messages: z.array(Item).check(z.minLength(1)),
  n: z.nullish(z.literal(1, { error: 'only 1 is served' })),
  stream_options: z.nullish(z.looseObject({ include_usage: z.nullish(z.boolean()) })),
});

export interface DoorRequest {
  readonly isStreamed: boolean;
  /** A chat's stream ends with its usage if this is asked for. */
  readonly hasUsage: boolean;
  /** Goes on with the conversation of this response. */
  readonly previous?: string;
  /** Name of the conversation, if no response is gone on with. */
  readonly conversation: string;
  readonly said: Omit<ResponseBody, 'session' | 'idempotencyKey'>;
  /** Words by which a request for a title is known. */
  readonly system: string;
  /** Members that a response repeats. */
  readonly echo: Readonly<Record<string, unknown>>;
}

const refuse = (code: string, message: string): HttpError => new HttpError(400, code, message);

const parse = <T>(schema: z.ZodMiniType<T>, body: unknown): T => {
  const { data, error } = schema.safeParse(body);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw refuse('invalid_request', `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not JSON'}`);
};

const textOf = (content: z.infer<typeof Content>): string =>
  typeof content === 'string' ? content : (content ?? []).flatMap(({ text }) => text ?? []).join('\n');

const hasOther = (content: z.infer<typeof Content>): boolean =>
  Array.isArray(content) && content.some(({ text }) => text === undefined);
const NOT_READ = 'A part of this message is no text, and was not read: this door takes text alone.';

interface Turn {
  readonly by: 'user' | 'assistant' | 'system' | 'function';
  readonly text: string;
}

/** Equal arguments become equal lines, however the program wrote them. */
const lineOf = (name = '', args = ''): string => callLine(name, JsonObject.safeParse(readJson(args)).data ?? {});

const turnOf = (item: Item): readonly Turn[] => {
  const { type = 'message', role, content, tool_calls: calls } = item;
  if (type === 'function_call') return [{ by: 'assistant', text: lineOf(item.name, item.arguments) }];
  if (type === 'function_call_output') return [{ by: 'function', text: textOf(item.output) }];
  // Thoughts, and items that are named alone, are of an answer.
  if (type !== 'message' || role === undefined) return [{ by: 'assistant', text: '' }];
  if (role === 'tool' || role === 'function') return [{ by: 'function', text: textOf(content) }];
  if (role !== 'user' && role !== 'assistant') return [{ by: 'system', text: textOf(content) }];
  const lines = (calls ?? []).map((call) => lineOf(call.function.name, call.function.arguments));
  const text = [textOf(content), ...lines].filter((one) => one !== '').join('\n\n');
  return [{ by: role, text }, ...(hasOther(content) ? [{ by: 'system', text: NOT_READ } as const] : [])];
};

/** The beginning and the end matter most. */
const cut = (text: string): string =>
  text.length <= PART_CHARS_MAX
    ? text
    : `${text.slice(0, PART_CHARS_MAX / 2).toWellFormed()}${CUT}${text.slice(-PART_CHARS_MAX / 2).toWellFormed()}`;

type Tools = readonly z.infer<typeof Tool>[];
const toolsOf = (body: { readonly tools?: Tools | null | undefined; readonly tool_choice?: unknown }): Tools =>
  body.tool_choice === 'none' ? [] : (body.tools ?? []);

/** Those that do not fit any more are left out. */
const functionsOf = (tools: Tools): readonly NamedFunction[] => {
  const functions: NamedFunction[] = [];
  let chars = 0;
  for (const tool of tools) {
    const nested = NestedTool.safeParse(tool).data?.function;
    const found = nested ?? FlatTool.safeParse(tool).data;
    if (found === undefined) continue;
    const { name, description, parameters } = found;
    const words = (description ?? '').slice(0, MCP_DESCRIPTION_SHOWN_CHARS).toWellFormed();
    const one = { name, description: words, parameters: plainSchema({ ...parameters, type: 'object' }) };
    chars += JSON.stringify(one).length;
    if (chars <= PART_CHARS_MAX && functions.length < FUNCTIONS_MAX) functions.push(one);
  }
  return functions;
};

const WHO = { user: 'user', assistant: 'assistant', system: 'system', function: 'result of a function' } as const;
const told = (turns: readonly Turn[]): string =>
  turns.flatMap(({ by, text }) => (text === '' ? [] : [`${WHO[by]}: ${text}`])).join('\n\n');
const wordsOf = (turns: readonly Turn[], by: Turn['by']): string =>
  turns.flatMap((turn) => (turn.by === by && turn.text !== '' ? [turn.text] : [])).join('\n\n');

/** Answers that follow one another, as text and calls of one response do, are one. */
const lastAnswer = (turns: readonly Turn[]): string => {
  const before = turns.findLastIndex(({ by }) => by !== 'assistant');
  return wordsOf(turns.slice(before + 1), 'assistant');
};

type Said = DoorRequest['said'];

/** @throws HttpError 400 without words */
const saidIn = (turns: readonly Turn[], tools: Tools): Said => {
  const answered = turns.findLastIndex(({ by }) => by === 'assistant') + 1;
  const fresh = turns.slice(answered).filter(({ by }) => by !== 'system');
  const at = fresh.findLastIndex(({ by }) => by === 'user');
  const text = fresh[at]?.text;
  const results = told(fresh.filter((_, n) => n !== at));
  if (!text?.trim() && results === '') throw refuse('invalid_request', 'there is no message of a user at the end');
  const earlier = turns.slice(0, answered).filter(({ by }) => by !== 'system');
  const functions = functionsOf(tools);
  const instructions = cut(wordsOf(turns, 'system'));
  return {
    ...(text?.trim() ? { text } : {}),
    ...(results === '' ? {} : { results: cut(results) }),
    ...(instructions === '' ? {} : { instructions }),
    ...(functions.length === 0 ? {} : { functions: [...functions] }),
    ...(earlier.length === 0 ? {} : { earlier: { text: cut(told(earlier)), last: cut(lastAnswer(earlier)) } }),
  };
};

/** The console puts the name of the token before it: nobody names another's conversation. */
const nameOf = (kind: string, value: string): string =>
  `v1-${createHash('sha256').update(`${kind}\n${value}`).digest('hex').slice(0, 24)}`;

type Headers = Readonly<Record<string, string | undefined>>;

const conversationOf = (turns: readonly Turn[], headers: Headers, named?: string): string => {
  const chat = named ?? CHAT_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
  return chat === undefined
    ? nameOf('first', turns.find(({ by }) => by === 'user')?.text ?? '')
    : nameOf('named', chat);
};

const requireModel = (model: string): void => {
  if (model !== MODEL) throw new HttpError(404, 'model_not_found', `there is one model here: ${MODEL}`);
};

/** @throws HttpError 400, 404 for another model */
export const readResponses = (value: unknown, headers: Headers): DoorRequest => {
  const body = parse(ResponsesBody, value);
  requireModel(body.model);
  const { input, instructions, conversation, previous_response_id: previous } = body;
  if (conversation != null && previous != null)
    throw refuse('invalid_request', 'conversation and previous_response_id are not taken together');
  const items: Turn[] = typeof input === 'string' ? [{ by: 'user', text: input }] : input.flatMap(turnOf);
  const turns: Turn[] = [...(instructions ? [{ by: 'system', text: instructions } as const] : []), ...items];
  const named = conversation == null || typeof conversation === 'string' ? conversation : conversation.id;
  return {
    isStreamed: body.stream === true,
    hasUsage: true,
    ...(previous == null ? {} : { previous }),
    conversation: conversationOf(turns, headers, named ?? undefined),
    said: saidIn(turns, toolsOf(body)),
    system: wordsOf(turns, 'system'),
    echo: body,
  };
};

/** @throws HttpError 400, 404 for another model */
export const readChat = (value: unknown, headers: Headers): DoorRequest => {
  const body = parse(ChatBody, value);
  requireModel(body.model);
  const turns = body.messages.flatMap(turnOf);
  return {
    isStreamed: body.stream === true,
    hasUsage: body.stream_options?.include_usage === true,
    conversation: conversationOf(turns, headers),
    said: saidIn(turns, toolsOf(body)),
    system: wordsOf(turns, 'system'),
    echo: body,
  };
};
