/**
 * Answers of model servers that people host, files of `models/`, over real HTTP through the real
 * client and parser: streamed (`deltas`, or bytes in `events`) and whole (`message`, or `body`).
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildChatBody } from '../../lib/core/llm/chat-completions.ts';
import { buildToolEntry } from '../../lib/core/llm/describe-tools.ts';
import { buildOpenAiAsk } from '../../lib/core/llm/openai-client.ts';
import { parseProposal, textSoFar } from '../../lib/core/llm/parse-proposal.ts';
import { classifyProviderError } from '../../lib/core/llm/provider-failure.ts';
import type { Provider } from '../../lib/core/llm/providers.ts';
import { readCases } from './read-cases.ts';

const JsonMap = z.record(z.string(), z.unknown());
const Answer = z.strictObject({
  status: z.int().optional(),
  error: z.unknown().optional(),
  content: z.string().optional(),
});
const Case = z.strictObject({
  by: z.string(),
  deltas: z.array(JsonMap).optional(),
  /** Absent: `stop`. Null: none is sent. */
  finish_reason: z.string().nullable().default('stop'),
  events: z.array(z.string()).optional(),
  message: JsonMap.optional(),
  body: z.unknown().optional(),
  /** Answers to questions one after the other, in place of one answer. */
  answers: z.array(Answer).optional(),
  expect: z.strictObject({
    text: z.string().optional(),
    calls: z.array(z.strictObject({ tool: z.string(), args: JsonMap })).optional(),
    /** What the model is told, since it is asked again. */
    problem: z.string().optional(),
    fault: z.string().optional(),
    /** In the next request, with the message of the call. */
    goesBack: JsonMap.optional(),
    /** Codes of what is odd about the server. */
    oddities: z.array(z.string()).optional(),
    /** Which requests asked for a stream. */
    streamed: z.array(z.boolean()).optional(),
  }),
});
type Case = z.output<typeof Case>;

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, finish: unknown = null): string =>
  event({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });

const streamOf = ({ deltas = [], events, finish_reason: finish }: Case): string =>
  events?.join('\n') ??
  `${deltas.map((delta) => chunk(delta)).join('')}${chunk({}, finish)}${event({ choices: [], usage: USAGE })}data: [DONE]\n\n`;
const USAGE = { prompt_tokens: 5, completion_tokens: 5 };

const wholeOf = ({ message, body, finish_reason: finish }: Case): string =>
  JSON.stringify(body ?? { model: 'm', choices: [{ finish_reason: finish, message }], usage: USAGE });

const send = (response: ServerResponse, status: number, type: string, body: string): unknown =>
  response.writeHead(status, { 'content-type': type }).end(body);

const answer = (one: Case, response: ServerResponse, isStream: boolean, n: number): unknown => {
  const given = one.answers?.[n];
  if (given?.error !== undefined)
    return send(response, given.status ?? 200, 'application/json', JSON.stringify({ error: given.error }));
  if (given !== undefined) {
    const played = { ...one, deltas: [{ content: given.content }], message: { content: given.content } };
    return isStream
      ? send(response, 200, 'text/event-stream', streamOf(played))
      : send(response, 200, 'application/json', wholeOf(played));
  }
  return isStream
    ? send(response, 200, 'text/event-stream', streamOf(one))
    : send(response, 200, 'application/json', wholeOf(one));
};

const providerAt = (baseUrl: string): Provider => ({
  name: 'own',
  baseUrl,
  model: 'm',
  contextTokens: 100_000,
  answerTokensField: 'max_tokens',
  extraBody: {},
  callExtra: {},
  key: 'k',
});

const serve = async (one: Case): Promise<{ readonly provider: Provider; readonly streamed: boolean[] }> => {
  const streamed: boolean[] = [];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
      const isStream = z.object({ stream: z.boolean().optional() }).parse(body).stream === true;
      streamed.push(isStream);
      answer(one, response, isStream, streamed.length - 1);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { provider: providerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`), streamed };
};

const RECALL = buildToolEntry({
  name: 'recall',
  description: 'Finds notes.',
  parameters: {
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer' },
      isOpen: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      since: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    },
  },
});
const QUESTION = { system: 's', messages: [{ role: 'user', content: 'hello' } as const], tools: [RECALL], tokens: 10 };

/** What becomes of an answer, and every text that a person could have read before its end. */
const ask = async (provider: Provider, isStream: boolean, asking = buildOpenAiAsk()) => {
  const shown: string[] = [];
  try {
    const answered = await asking(
      provider,
      QUESTION,
      5_000,
      isStream ? ({ text }) => shown.push(textSoFar(text)?.trimEnd() ?? '') : undefined,
    );
    const parsed = parseProposal(answered, QUESTION.tools);
    const { oddities = [] } = answered;
    if ('problem' in parsed) return { problem: parsed.problem, shown, oddities };
    const { text, calls, thoughts } = parsed.proposal;
    const callTexts = calls.map(({ callId: id, tool: name, args }) => ({
      id,
      name,
      argumentsText: JSON.stringify(args),
    }));
    const back = buildChatBody(provider, {
      ...QUESTION,
      messages: [
        {
          role: 'assistant',
          content: text ?? '',
          calls: callTexts,
          ...(thoughts === undefined ? {} : { thoughts: { by: 'own', text: thoughts } }),
        },
      ],
    }).messages.at(-1);
    return { text, calls: calls.map(({ tool, args }) => ({ tool, args })), goesBack: back, shown, oddities };
  } catch (error) {
    return { fault: classifyProviderError(error).fault, shown };
  }
};

const check = (
  got: Awaited<ReturnType<typeof ask>>,
  { text, calls = [], problem, fault, goesBack, oddities: odd }: Case['expect'],
) => {
  const { shown, goesBack: back, oddities, ...rest } = { goesBack: undefined, oddities: [], ...got };
  if (odd !== undefined) expect(oddities).toStrictEqual(odd);
  const expected = fault === undefined ? { text, calls } : { fault };
  expect(rest).toEqual(problem === undefined ? expected : { problem });
  if (goesBack !== undefined) expect(back).toMatchObject(goesBack);
  // Nothing is shown that the whole answer does not begin with.
  for (const piece of shown) expect((text ?? '').startsWith(piece) || fault !== undefined, piece).toBe(true);
};

describe('an answer of a model server', () => {
  const all = readCases('models', Case);
  const both = all.flatMap((one) => [
    ...(one.deltas === undefined && one.events === undefined
      ? []
      : [{ ...one, title: `${one.name}, streamed`, isStream: true }]),
    ...(one.message === undefined && one.body === undefined
      ? []
      : [{ ...one, title: `${one.name}, whole`, isStream: false }]),
  ]);
  it.each(both)('$title', async ({ isStream, ...one }) => {
    const { provider } = await serve(one);
    check(await ask(provider, isStream), one.expect);
  });

  it.each(all.filter(({ answers }) => answers !== undefined))('$name, question after question', async (one) => {
    const { provider, streamed } = await serve(one);
    const asking = buildOpenAiAsk();
    for (const _ of one.answers ?? [])
      if (streamed.length < (one.answers?.length ?? 0)) await ask(provider, true, asking);
    expect(streamed).toStrictEqual(one.expect.streamed);
  });
});
