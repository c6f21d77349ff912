/**
 * An OpenAI-compatible provider. Its model answers by the table of verbs in `types.ts`. It reads
 * only the prompt: the `<verb> <marker>` of the running turn, and whether a result of its call is
 * there. The same prompt gets the same answer. A failure after the work is billed like an answer.
 * Recordings it writes down for nothing.
 */
import { defined } from '../../../lib/core/base/defined.ts';
import { withoutSituation } from '../../../lib/core/prompt/blocks.ts';
import type { Random, WireAnswer, WireRequest } from '../types.ts';
import { HOOK, SHARED_BODY, TOKEN_MICROS } from './config.ts';
import type { Server, Taken } from './outside.ts';

interface Message {
  readonly role: string;
  /** In parts, if pictures come with it. */
  readonly content?: string | null | readonly { readonly text?: string }[];
}
interface Question {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens: number;
  readonly messages: readonly Message[];
}

/** A text, or one call. */
interface Call {
  readonly name: string;
  /** JSON text, or what stands there instead. */
  readonly args: string;
}

interface Proposal {
  readonly text?: string;
  readonly calls?: readonly Call[];
}

/** Every marker of a story has this form. */
const TASK = /\b(say|note|hook|both|call|long|bad|mute) (m\d+)\b/;
const SUMMARY = /^Task of the system: [^\n]*summarise-session/;
/** A result, or a picture that code read. */
const RESULT = /^⟦(?:result |outside picture)/;

const wordsOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** The message that the running turn began with, and whether a result followed it. */
const findTurn = (messages: readonly Message[]): { readonly text: string; readonly hasResult: boolean } => {
  let hasResult = false;
  for (const message of messages.toReversed()) {
    if (message.role === 'tool') hasResult = true;
    if (message.role !== 'user') continue;
    const text = withoutSituation(wordsOf(message));
    if (RESULT.test(text)) hasResult = true;
    else if (text !== '') return { text, hasResult };
  }
  return { text: '', hasResult };
};

const call = (name: string, marker: string, args: Readonly<Record<string, unknown>>): Call => ({
  name,
  args: JSON.stringify({ ...args, explanation: `The message ${marker} asks for exactly this.` }),
});

const noteOf = (marker: string): Call => call('remember', marker, { text: `${marker} noted` });
const hookOf = (marker: string, body: object = { marker }): Call =>
  call('call-webhook', marker, { webhook: HOOK.name, body });

/** More than one message of Telegram holds. */
const LONG_LINES = 120;
const longText = (marker: string): string =>
  [
    `${marker} said`,
    ...Array.from({ length: LONG_LINES }, (_, n) => `line ${n} of what is said about ${marker} here`),
  ].join('\n');

const proposalFor = (verb: string, marker: string): Proposal => {
  switch (verb) {
    case 'note':
      return { calls: [noteOf(marker)] };
    case 'hook':
      return { calls: [hookOf(marker)] };
    case 'both':
      return { calls: [noteOf(marker), hookOf(marker)] };
    case 'call':
      return { calls: [hookOf(marker, SHARED_BODY)] };
    case 'long':
      return { text: longText(marker) };
    case 'bad':
      // No webhook of this name is configured.
      return { calls: [call('call-webhook', marker, { webhook: 'nowhere', body: { marker } })] };
    case 'mute':
      return { calls: [{ name: 'remember', args: '{"text": "cut o' }] };
    default:
      return { text: `${marker} said` };
  }
};

/** The answer, and the marker it is about: none for a summary. */
const answerTo = (messages: readonly Message[]): { readonly proposal: Proposal; readonly about: string } => {
  const { text, hasResult } = findTurn(messages);
  if (SUMMARY.test(text))
    return {
      proposal: { calls: [call('summarise-session', 'of before', { text: 'Messages with markers were said.' })] },
      about: '',
    };
  const [, verb = '', about = ''] = TASK.exec(text) ?? [];
  const proposal = about === '' ? { text: 'There is nothing to do.' } : proposalFor(hasResult ? 'say' : verb, about);
  return { proposal, about };
};

/** About what a tokenizer counts. */
const CHARS_PER_TOKEN = 4;
const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

const costOf = (prompt: number, completion: number): number =>
  prompt * TOKEN_MICROS.prompt + completion * TOKEN_MICROS.completion;

const JSON_TYPE = { 'content-type': 'application/json' };

const bodyOf = (question: Question, { text, calls: proposed = [] }: Proposal, usage: object): WireAnswer => {
  const common = { id: 'chatcmpl-1', created: 0, model: question.model };
  const calls = proposed.map(({ name, args }, index) => ({
    index,
    id: `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  const said = { role: 'assistant', content: text ?? null, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
  if (question.stream !== true) {
    const choices = [{ index: 0, message: said, finish_reason }];
    const body = JSON.stringify({ ...common, object: 'chat.completion', choices, usage });
    return { status: 200, headers: JSON_TYPE, body };
  }
  const chunks = [
    { ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta: said, finish_reason: null }] },
    { ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...common, object: 'chat.completion.chunk', choices: [], usage },
  ];
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
};

const answerModel = (request: WireRequest): Taken & { readonly about: string } => {
  const question = JSON.parse(request.body) as Question;
  const { proposal, about } = answerTo(question.messages);
  const prompt_tokens = tokensOf(request.body);
  const completion_tokens = tokensOf(proposal.text ?? (proposal.calls ?? []).map(({ args }) => args).join(''));
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  return {
    answer: bodyOf(question, proposal, usage),
    isPerformed: true,
    about,
    costMicros: costOf(prompt_tokens, completion_tokens),
    worstMicros: costOf(Buffer.byteLength(request.body), question.max_tokens),
  };
};

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { message: 'the simulated provider is in trouble', type: 'simulated', code: null } }),
});
const HTML = { headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };

/** Failures before the work, which cost nothing, and after it. */
const EARLY = [refusal(429, { 'retry-after': '3' }), refusal(503, { 'retry-after': '20' })] as const;
const LATE = [refusal(500), { status: 502, ...HTML }, { status: 200, ...HTML }] as const;

type Span = Server['takesMs'];
/** Of one run: a model as people know it, or one that is so fast that turns meet each other. */
const TAKES_MS: readonly [Span, Span] = [
  [200, 4_000],
  [5, 20],
];

/** What was said in a recording stands in its bytes. */
const writeDown = ({ body }: WireRequest): Taken => {
  const [, text = ''] = /OggS(words of [\w-]+)/.exec(body) ?? [];
  return { answer: { status: 200, headers: JSON_TYPE, body: JSON.stringify({ text }) }, isPerformed: true };
};

export const buildModel = (random: Random): Server => ({
  name: 'model',
  takesMs: random.pick(TAKES_MS),
  take: (request, fails) => {
    const isRecording = request.url.endsWith('/audio/transcriptions');
    if (!isRecording && !request.url.endsWith('/chat/completions')) return { answer: refusal(404), isPerformed: false };
    const taken = isRecording ? writeDown(request) : answerModel(request);
    if (!fails) return taken;
    if (random.chance(0.5))
      return { answer: random.pick(EARLY), isPerformed: false, ...defined({ about: taken.about }) };
    return { ...taken, answer: random.pick(LATE) };
  },
});
