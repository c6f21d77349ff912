/**
 * A model server on 127.0.0.1 that bills as providers document it: tokens counted over the very
 * bytes it is sent, and, where it is to cache, the beginning of a prompt it has seen lately for the
 * same model taken from its cache in steps of 1,024 tokens. Its answers are the script's; asked to
 * think (over the Responses API), it bills thoughts besides. Its clock is the caller's. It also
 * says how much of each prompt was the beginning of the one before.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatOf, responseOf } from '../support/model-responses.ts';
import { REJECTED_ANSWER, type ScriptedTurn } from './turn-script.ts';

/** Of English prose and JSON, on average; every tokenizer differs. */
const BYTES_PER_TOKEN = 4;
const STEP_TOKENS = 1_024;
const STEP_BYTES = STEP_TOKENS * BYTES_PER_TOKEN;
/** How long a beginning that nobody asks about stays in the cache. */
const CACHE_MS = 5 * 60_000;

/** Thoughts before an answer, tokens: assumed, nobody can count them before. */
export const THOUGHT_TOKENS = 1_000;

export interface BilledCall {
  readonly model: string;
  readonly prompt: number;
  readonly cached: number;
  /** Thoughts included. */
  readonly completion: number;
  readonly isThought: boolean;
}

export interface CachingModel {
  readonly baseUrl: string;
  readonly calls: readonly BilledCall[];
  /**
   * Share of a prompt's bytes that were the beginning of the one before in its conversation, for
   * each prompt that had one.
   */
  readonly stableShares: readonly number[];
  readonly close: () => Promise<void>;
}

interface Request {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/**
 * Asked for behind the conversation when its oldest turns leave the history: a prompt of its own.
 */
const isForSummary = ({ tools = [] }: Request): boolean =>
  tools.length === 1 && tools[0]?.function.name === 'summarise-session';

const commonBytes = (a: Buffer, b: Buffer): number => {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
};

/**
 * The bytes in the order a model reads them: tools, then messages. Formats differ; what comes first
 * does not.
 */
const bytesOf = ({ messages, tools }: Request): Buffer =>
  Buffer.from(`${JSON.stringify(tools ?? [])}\n${messages.map((message) => JSON.stringify(message)).join('\n')}`);

const buildCache = (now: () => number) => {
  const usedAt = new Map<string, number>();
  return (model: string, prompt: Buffer): number => {
    let cached = 0;
    let isWhole = true;
    for (let end = STEP_BYTES; end <= prompt.length; end += STEP_BYTES) {
      const name = `${model} ${createHash('sha256').update(prompt.subarray(0, end)).digest('hex')}`;
      isWhole &&= now() - (usedAt.get(name) ?? Number.NEGATIVE_INFINITY) <= CACHE_MS;
      if (isWhole) cached = end / BYTES_PER_TOKEN;
      usedAt.set(name, now());
    }
    return cached;
  };
};

/**
 * The Responses API's request in chat's words, so that the same conversation is the same bytes in
 * either form.
 */
const parseRequest = (text: string): Request & { readonly isThinking: boolean } => {
  const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (!('input' in body)) return { ...(body as unknown as Request), isThinking: false };
  const { messages, tools } = chatOf(body);
  const isThinking = body.reasoning !== undefined;
  return {
    model: String(body.model),
    messages,
    tools: tools.map((tool) => ({ type: 'function', ...tool })),
    isThinking,
  };
};

const chatBody = (n: number, { model, prompt, cached, completion }: BilledCall, answer: Answer): object => ({
  id: `chatcmpl-${n}`,
  object: 'chat.completion',
  created: 0,
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: answer.text ?? null,
        ...(answer.calls === undefined
          ? {}
          : {
              tool_calls: answer.calls.map(({ tool, args }) => ({
                id: `call_${tool}`,
                type: 'function',
                function: { name: tool, arguments: JSON.stringify(args) },
              })),
            }),
      },
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  },
});

const responseBody = (n: number, { model, prompt, cached, completion }: BilledCall, answer: Answer): object => ({
  ...responseOf(model, n, { kind: 'answer', ...answer }),
  usage: {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: THOUGHT_TOKENS },
    total_tokens: prompt + completion,
  },
});

const SUMMARY = {
  text: `They spoke of the day, of the boiler and its firms, and of two offers: ${'the second was cheaper. '.repeat(12)}`,
  explanation: 'The oldest turns leave the conversation.',
};

interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
}

const callOf = (tool: string, args: Readonly<Record<string, unknown>>): Answer => ({ calls: [{ tool, args }] });

/** What the script answers: its call or rejected text first, its words once that has come back. */
const answerOf = (turn: ScriptedTurn, request: Request): Answer => {
  if (isForSummary(request)) return callOf('summarise-session', SUMMARY);
  const { messages } = request;
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content?.includes(turn.text));
  const after = messages.slice(asked);
  const isSecond = after.some(({ role, content }) => role === 'tool' || content?.includes('was rejected (attempt'));
  if (isSecond || turn.first === undefined) return { text: turn.answer };
  if (turn.first === 'rejected') return { text: REJECTED_ANSWER };
  return callOf(turn.first.tool, turn.first.args);
};

const readText = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** @param current the turn that is running; turns run one at a time */
export const startCachingModel = async (options: {
  readonly current: () => ScriptedTurn;
  readonly hasCache: boolean;
  readonly now: () => number;
}): Promise<CachingModel> => {
  const calls: BilledCall[] = [];
  const stableShares: number[] = [];
  const lastOf = new Map<string, Buffer>();
  const cachedOf = buildCache(options.now);
  const server = createServer(async (message, response) => {
    const request = parseRequest(await readText(message));
    const turn = options.current();
    const prompt = bytesOf(request);
    if (!isForSummary(request)) {
      const before = lastOf.get(turn.chat);
      if (before !== undefined) stableShares.push(commonBytes(before, prompt) / prompt.length);
      lastOf.set(turn.chat, prompt);
    }
    const answer = answerOf(turn, request);
    const billed: BilledCall = {
      model: request.model,
      prompt: Math.ceil(prompt.length / BYTES_PER_TOKEN),
      cached: options.hasCache ? cachedOf(request.model, prompt) : 0,
      completion:
        Math.ceil(Buffer.byteLength(JSON.stringify(answer)) / BYTES_PER_TOKEN) +
        (request.isThinking ? THOUGHT_TOKENS : 0),
      isThought: request.isThinking,
    };
    calls.push(billed);
    response.writeHead(200, { 'content-type': 'application/json' });
    const bodyOf = request.isThinking ? responseBody : chatBody;
    response.end(JSON.stringify(bodyOf(calls.length, billed, answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    stableShares,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
