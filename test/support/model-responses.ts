/**
 * The Responses API's side of the model server: a request in the words of chat completions, so that
 * one script serves both forms, and a scripted answer as a response, whole or as the events its
 * documentation lists. Refuses what the API refuses: results of calls it was not shown.
 */
import type { ModelServerMessage, ModelServerRequest, ScriptedAnswer } from './model-server.ts';

type Answer = ScriptedAnswer & { readonly kind: 'answer' };

interface InputItem {
  readonly type?: string;
  readonly role?: 'user' | 'assistant';
  readonly content?: unknown;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: string;
}

const messageOf = (item: InputItem): ModelServerMessage => {
  const { call_id: callId = '', name = '', arguments: args = '' } = item;
  if (item.type === 'function_call_output') return { role: 'tool', tool_call_id: callId, content: item.output ?? '' };
  if (item.type === 'function_call')
    return { role: 'assistant', content: null, tool_calls: [{ id: callId, function: { name, arguments: args } }] };
  const parts = (Array.isArray(item.content) ? item.content : [{ text: item.content }]) as { text?: string }[];
  return { role: item.role ?? 'user', content: parts.map(({ text = '' }) => text).join('') };
};

/** Calls of one answer stand in one message there. */
const joinCalls = (messages: readonly ModelServerMessage[]): readonly ModelServerMessage[] => {
  const joined: ModelServerMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.tool_calls === undefined || last?.role !== 'assistant') joined.push(message);
    else joined.splice(-1, 1, { ...last, tool_calls: [...(last.tool_calls ?? []), ...message.tool_calls] });
  }
  return joined;
};

/** A request that the API answers with 400. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
}

/** @throws RefusedRequest for a result whose call is not there */
export const chatOf = (body: Readonly<Record<string, unknown>>): Pick<ModelServerRequest, 'messages' | 'tools'> => {
  const input = body.input as readonly InputItem[];
  const called = new Set(input.filter(({ type }) => type === 'function_call').map((item) => item.call_id));
  const orphan = input.find(({ type, call_id: id }) => type === 'function_call_output' && !called.has(id));
  if (orphan !== undefined)
    throw new RefusedRequest(`No tool call found for function call output with call_id ${orphan.call_id}.`);
  return {
    messages: [{ role: 'system', content: String(body.instructions) }, ...joinCalls(input.map(messageOf))],
    tools: ((body.tools ?? []) as ModelServerRequest['tools'][number]['function'][]).map((tool) => {
      const { type: _, strict: _strict, ...named } = { type: '', strict: false, ...tool };
      return { function: named };
    }),
  };
};

const reasoningItem = (n: number) => ({ id: `rs_${n}`, type: 'reasoning', summary: [] });

const messageItem = (n: number, text: string, status: string) => ({
  id: `msg_${n}`,
  type: 'message',
  status,
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});

const callItems = (n: number, { calls = [] }: Answer, status: string) =>
  calls.map((each, index) => ({
    id: `fc_${n}_${index}`,
    type: 'function_call',
    status,
    call_id: each.id ?? `call_${n}_${index}`,
    name: each.tool,
    arguments: typeof each.args === 'string' ? each.args : JSON.stringify(each.args),
  }));

const statusOf = ({ isCut }: Answer): 'completed' | 'incomplete' => (isCut === true ? 'incomplete' : 'completed');

const outputOf = (n: number, answer: Answer): readonly object[] => [
  reasoningItem(n),
  ...(typeof answer.text === 'string' ? [messageItem(n, answer.text, statusOf(answer))] : []),
  ...callItems(n, answer, statusOf(answer)),
];

const envelope = (model: string, n: number, more: object): object => ({
  id: `resp_${n}`,
  object: 'response',
  created_at: 0,
  error: null,
  incomplete_details: null,
  model,
  output: [],
  store: false,
  usage: null,
  ...more,
});

export const responseOf = (model: string, n: number, answer: Answer): object =>
  envelope(model, n, {
    status: statusOf(answer),
    incomplete_details: answer.isCut === true ? { reason: 'max_output_tokens' } : null,
    output: outputOf(n, answer),
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 15,
    },
  });

/** Events in their order; a piece of text is marked, so that its sender may wait before it. */
export function* responseEvents(
  model: string,
  n: number,
  answer: Answer,
): Generator<{ readonly type: string; readonly at?: number; readonly [field: string]: unknown }> {
  const { text, pieceChars = 12 } = answer;
  const begun = envelope(model, n, { status: 'in_progress' });
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  yield { type: 'response.output_item.added', output_index: 0, item: reasoningItem(n) };
  yield { type: 'response.output_item.done', output_index: 0, item: reasoningItem(n) };
  let index = 1;
  if (typeof text === 'string') {
    const place = { item_id: `msg_${n}`, output_index: index, content_index: 0 };
    const item = { ...messageItem(n, '', 'in_progress'), content: [] };
    yield { type: 'response.output_item.added', output_index: index, item };
    yield { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } };
    for (let at = 0; at < text.length; at += pieceChars)
      yield { type: 'response.output_text.delta', ...place, at, delta: text.slice(at, at + pieceChars), logprobs: [] };
    yield { type: 'response.output_text.done', ...place, text, logprobs: [] };
    yield { type: 'response.content_part.done', ...place, part: { type: 'output_text', text, annotations: [] } };
    yield { type: 'response.output_item.done', output_index: index, item: messageItem(n, text, statusOf(answer)) };
    index += 1;
  }
  for (const item of callItems(n, answer, statusOf(answer))) {
    const place = { item_id: item.id, output_index: index };
    const begin = { ...item, status: 'in_progress', arguments: '' };
    yield { type: 'response.output_item.added', output_index: index, item: begin };
    yield { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments };
    yield { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments };
    yield { type: 'response.output_item.done', output_index: index, item };
    index += 1;
  }
  yield { type: `response.${statusOf(answer)}`, response: responseOf(model, n, answer) };
}
