/**
 * The writers of answers: of the Responses API and of Chat Completions, whole or as server-sent
 * events. A draft that was taken back stays as it was shown, and the answer follows it.
 */
import type { FunctionCall } from './call-lines.ts';
import { type DoorRequest, MODEL } from './request.ts';

/** An answer once its turn is over, or is left alone. */
export interface Ending {
  readonly text: string;
  readonly calls: readonly FunctionCall[];
  readonly usage: { readonly input: number; readonly output: number };
  readonly isRunning: boolean;
}

export interface Writing {
  /** Hexadecimal, the same for all ids of the answer. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly now: () => number;
  readonly request: Pick<DoorRequest, 'echo' | 'hasUsage'> & { readonly previous?: string };
}

export interface Writer {
  /** Sent while a turn is at work. */
  readonly begin: () => string;
  /** @param text all of it so far */
  readonly show: (text: string) => string;
  readonly end: (ending: Ending) => string;
  readonly fail: (code: string, message: string) => string;
}

/** A comment of server-sent events; white space before JSON. */
export const KEEP_ALIVE = { events: ': still at work\n\n', json: ' ' } as const;

const seconds = (ms: number): number => Math.floor(ms / 1000);
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** The piece that makes `sent` the text; after words that were taken back, all of it. */
const restOf = (sent: string, text: string): string => {
  if (text.startsWith(sent)) return text.slice(sent.length);
  return `\n\n${text}`;
};

/** Members that the specification demands; what was asked for is repeated if it has its form. */
const USUAL = {
  ...{ error: null, incomplete_details: null, instructions: null, previous_response_id: null },
  ...{ tools: [], tool_choice: 'auto', parallel_tool_calls: true, truncation: 'disabled' },
  ...{ text: { format: { type: 'text' } }, reasoning: null, temperature: 1, top_p: 1, top_logprobs: 0 },
  ...{ presence_penalty: 0, frequency_penalty: 0, max_output_tokens: null, max_tool_calls: null },
  ...{ store: true, background: false, service_tier: 'default', metadata: {} },
  ...{ safety_identifier: null, prompt_cache_key: null },
} as const;

interface Item {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly [member: string]: unknown;
}

const partOf = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const messageOf = (key: string, text: string, status = 'completed'): Item => {
  const content = status === 'completed' ? [partOf(text)] : [];
  return { id: `msg_${key}`, type: 'message', status, role: 'assistant', content };
};

const callOf = (key: string, n: number, { name, arguments: args }: FunctionCall, status = 'completed'): Item => ({
  ...{ id: `fc_${key}_${n}`, type: 'function_call', status },
  ...{ call_id: `call_${key}_${n}`, name, arguments: status === 'completed' ? args : '' },
});

const itemsOf = (key: string, { text, calls }: Ending): readonly Item[] => [
  ...(text === '' && calls.length > 0 ? [] : [messageOf(key, text)]),
  ...calls.map((call, n) => callOf(key, n, call)),
];

const usageOf = ({ usage: { input, output } }: Ending) => ({
  ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
  ...{ input_tokens_details: { cached_tokens: 0 } },
  ...{ output_tokens_details: { reasoning_tokens: 0 } },
});

const echoOf = ({ echo, previous }: Writing['request']): object => ({
  instructions: typeof echo.instructions === 'string' ? echo.instructions : null,
  previous_response_id: previous ?? null,
});

/** @param status of the whole; items of it are complete */
const responseOf = ({ key, at, now, request }: Writing, ending?: Ending): object => ({
  ...USUAL,
  ...echoOf(request),
  ...{ id: `resp_${key}`, object: 'response', created_at: seconds(at), model: MODEL },
  status: ending === undefined || ending.isRunning ? 'in_progress' : 'completed',
  completed_at: ending === undefined || ending.isRunning ? null : seconds(now()),
  output: ending === undefined ? [] : itemsOf(key, ending),
  usage: ending === undefined ? null : usageOf(ending),
});

const jsonWriter = (whole: (ending: Ending) => object): Writer => ({
  begin: () => '',
  show: () => '',
  end: (ending) => JSON.stringify(whole(ending)),
  fail: (code, message) => JSON.stringify({ error: errorOf(code, message) }),
});

/** https://platform.openai.com/docs/guides/error-codes */
export const errorOf = (code: string, message: string, status = 500): object => ({
  ...{ message, code, param: null },
  type: status >= 500 ? 'server_error' : 'invalid_request_error',
});

export const writeResponse = (writing: Writing): Writer => jsonWriter((ending) => responseOf(writing, ending));

export const streamResponse = (writing: Writing): Writer => {
  const { key } = writing;
  let number = 0;
  let sent = '';
  let isOpen = false;
  const event = (type: string, members: object): string =>
    `event: ${type}\n${data({ type, sequence_number: number++, ...members })}`;
  const place = { item_id: `msg_${key}`, output_index: 0, content_index: 0 };
  const open = (): string => {
    if (isOpen) return '';
    isOpen = true;
    const item = messageOf(key, '', 'in_progress');
    return (
      event('response.output_item.added', { output_index: 0, item }) +
      event('response.content_part.added', { ...place, part: partOf('') })
    );
  };
  const add = (delta: string): string => {
    if (delta === '') return '';
    sent += delta;
    return open() + event('response.output_text.delta', { ...place, delta, logprobs: [] });
  };
  const close = (): string =>
    open() +
    event('response.output_text.done', { ...place, text: sent, logprobs: [] }) +
    event('response.content_part.done', { ...place, part: partOf(sent) }) +
    event('response.output_item.done', { output_index: 0, item: messageOf(key, sent) });
  const call = (output_index: number, n: number, one: FunctionCall): string => {
    const item = callOf(key, n, one);
    const at = { item_id: item.id, output_index };
    return (
      event('response.output_item.added', { output_index, item: callOf(key, n, one, 'in_progress') }) +
      event('response.function_call_arguments.delta', { ...at, delta: one.arguments }) +
      event('response.function_call_arguments.done', { ...at, name: one.name, arguments: one.arguments }) +
      event('response.output_item.done', { output_index, item })
    );
  };
  return {
    begin: () =>
      event('response.created', { response: responseOf(writing) }) +
      event('response.in_progress', { response: responseOf(writing) }),
    show: (text) => (text.startsWith(sent) ? add(text.slice(sent.length)) : ''),
    end: (ending) => {
      const hasMessage = isOpen || ending.text !== '' || ending.calls.length === 0;
      const words = hasMessage ? add(restOf(sent, ending.text)) + close() : '';
      const calls = ending.calls.map((one, n) => call(n + (hasMessage ? 1 : 0), n, one)).join('');
      // A stream ends: what is still at work is looked up by its id.
      const left = ending.isRunning ? { status: 'incomplete', incomplete_details: { reason: 'still_at_work' } } : {};
      const response = { ...responseOf(writing, { ...ending, text: hasMessage ? sent : '' }), ...left };
      return words + calls + event(ending.isRunning ? 'response.incomplete' : 'response.completed', { response });
    },
    fail: (code, message) => event('error', { error: { type: 'server_error', code, message, param: null } }),
  };
};

const chatUsage = ({ usage: { input, output } }: Ending) => ({
  ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
});

const toolCalls = (key: string, calls: readonly FunctionCall[]) =>
  calls.map((call, index) => ({ index, id: `call_${key}_${index}`, type: 'function', function: call }));

const finishOf = ({ calls }: Ending): string => (calls.length > 0 ? 'tool_calls' : 'stop');

export const writeChat = ({ key, at }: Writing): Writer =>
  jsonWriter((ending) => ({
    ...{ id: `chatcmpl-${key}`, object: 'chat.completion', created: seconds(at), model: MODEL },
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: ending.text === '' ? null : ending.text,
          refusal: null,
          ...(ending.calls.length === 0
            ? {}
            : { tool_calls: toolCalls(key, ending.calls).map(({ index: _, ...call }) => call) }),
        },
        logprobs: null,
        finish_reason: finishOf(ending),
      },
    ],
    usage: chatUsage(ending),
  }));

export const streamChat = ({ key, at, request }: Writing): Writer => {
  let sent = '';
  const head = { id: `chatcmpl-${key}`, object: 'chat.completion.chunk', created: seconds(at), model: MODEL };
  const chunk = (delta: object, finish: string | null = null): string =>
    data({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const add = (content: string): string => {
    sent += content;
    return content === '' ? '' : chunk({ content });
  };
  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    show: (text) => (text.startsWith(sent) ? add(text.slice(sent.length)) : ''),
    end: (ending) =>
      (ending.text === '' ? '' : add(restOf(sent, ending.text))) +
      (ending.calls.length === 0 ? '' : chunk({ tool_calls: toolCalls(key, ending.calls) })) +
      chunk({}, finishOf(ending)) +
      (request.hasUsage ? data({ ...head, choices: [], usage: chatUsage(ending) }) : '') +
      'data: [DONE]\n\n',
    fail: (code, message) => data({ error: errorOf(code, message) }),
  };
};
