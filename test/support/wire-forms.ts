/**
 * The two forms in which a model is asked, as bytes on the wire, so that the same tests hold for
 * both.
 */
import type { Provider } from '../../lib/core/llm/providers.ts';

export interface FormAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly end?: 'whole' | 'cut' | 'withheld';
}

export interface WireForm {
  readonly name: string;
  /** Field of a request that holds its messages. */
  readonly asksWith: string;
  /** Makes a provider be asked in this form. */
  readonly asked: Pick<Provider, 'tier' | 'thinking'>;
  readonly tier: 'cognition' | 'reasoning';
  /** What is said of anything that is no answer of this form. */
  readonly other: string;
  /** An answer that comes whole, of model `m`, with 100 tokens of prompt and 10 of answer. */
  readonly whole: (answer: FormAnswer) => string;
  /** Events of a stream: a piece of text, the beginnings of calls, an error, and the end. */
  readonly piece: (text: string) => string;
  readonly calling: (calls: NonNullable<FormAnswer['calls']>) => string;
  readonly error: (code: number | string) => string;
  readonly end: (answer: FormAnswer) => string;
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const chunk = (delta: object, finish: string | null = null): string =>
  event({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });
const FINISH = { whole: 'stop', cut: 'length', withheld: 'content_filter' } as const;
const USAGE = { prompt_tokens: 100, completion_tokens: 10 };

const chatCalls = (calls: FormAnswer['calls'] = []): readonly object[] =>
  calls.map(({ id, name, args }, index) => ({ index, id, type: 'function', function: { name, arguments: args } }));

const CHAT_FORM: WireForm = {
  name: 'chat completions',
  asksWith: 'messages',
  asked: {},
  tier: 'cognition',
  other: 'answered with something else than a chat completion',
  whole: ({ text, calls, end = 'whole' }) =>
    JSON.stringify({
      model: 'm',
      choices: [{ finish_reason: FINISH[end], message: { content: text, tool_calls: chatCalls(calls) } }],
      usage: USAGE,
    }),
  piece: (text) => chunk({ content: text }),
  calling: (calls) => chunk({ tool_calls: chatCalls(calls) }),
  error: (code) => event({ error: { code, message: 'x' } }),
  end: ({ end = 'whole' }) =>
    `${chunk({}, FINISH[end])}${event({ model: 'm', choices: [], usage: USAGE })}data: [DONE]\n\n`,
};

const callItems = (calls: FormAnswer['calls'] = []): readonly object[] =>
  calls.map(({ id, name, args }) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args }));

const response = ({ text, calls, end = 'whole' }: FormAnswer): object => ({
  object: 'response',
  model: 'm',
  status: end === 'whole' ? 'completed' : 'incomplete',
  error: null,
  incomplete_details: end === 'whole' ? null : { reason: end === 'cut' ? 'max_output_tokens' : 'content_filter' },
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    ...(text === undefined ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
    ...callItems(calls),
  ],
  usage: { input_tokens: 100, output_tokens: 10, output_tokens_details: { reasoning_tokens: 7 } },
});

const RESPONSES_FORM: WireForm = {
  name: 'responses',
  asksWith: 'input',
  asked: { tier: 'reasoning', thinking: { over: 'responses', effort: 'medium' } },
  tier: 'reasoning',
  other: 'answered with something else than a response',
  whole: (answer) => JSON.stringify(response(answer)),
  piece: (delta) => event({ type: 'response.output_text.delta', output_index: 1, delta }),
  calling: (calls) =>
    callItems(calls)
      .map((item) => event({ type: 'response.output_item.added', output_index: 2, item }))
      .join(''),
  error: (code) => event({ type: 'error', code, message: 'x', param: null }),
  end: (answer) =>
    event({
      type: `response.${(answer.end ?? 'whole') === 'whole' ? 'completed' : 'incomplete'}`,
      response: response(answer),
    }),
};

export const WIRE_FORMS: readonly WireForm[] = [CHAT_FORM, RESPONSES_FORM];
