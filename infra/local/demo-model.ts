/**
 * The demo model: what answers when no key is configured, so that a newcomer sees the whole pipeline work. It is a script,
 * not a language model, and says so: every text starts with "[demo model]". Served by aimock as an OpenAI-compatible
 * endpoint on 127.0.0.1, so that everything above it is the same code as with a real model.
 */
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { buildDemoAnswer, type DemoMessage } from './demo-script.ts';

export interface DemoModel {
  /** For `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

/** What `OPENAI_MODEL` is called while the demo answers. */
export const DEMO_MODEL_NAME = 'demo';

/** Requests aimock keeps for its journal; nobody reads them here, so as few as it allows. */
const JOURNAL_ENTRIES = 1;

const textOf = (content: ChatCompletionRequest['messages'][number]['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

const answer = (request: ChatCompletionRequest): FixtureResponse => {
  const messages = request.messages.map(
    (message): DemoMessage => ({
      role: message.role,
      content: textOf(message.content),
      tools: (message.tool_calls ?? []).map((call) => call.function.name),
    }),
  );
  const { text, call } = buildDemoAnswer(messages);
  if (call === undefined) return { content: text };
  return {
    toolCalls: [{ name: call.tool, arguments: JSON.stringify({ ...call.args, explanation: call.explanation }) }],
  };
};

/** Starts it on a random port of 127.0.0.1. */
export const startDemoModel = async (): Promise<DemoModel> => {
  const server = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent', journalMaxEntries: JOURNAL_ENTRIES });
  // Only the chat endpoint: a fixture for everything would answer embeddings with a text, which aimock turns into a 500.
  server.on({ endpoint: 'chat' }, answer);
  await server.start();
  return { baseUrl: `${server.url}/v1`, close: () => server.stop() };
};
