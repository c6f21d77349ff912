/**
 * The demo model answers if no key is configured. It is a script, and every text starts with "[demo
 * model]"; as an OpenAI-compatible endpoint it needs no code of its own above it.
 */

import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { readJson } from '../../lib/core/base/json.ts';
import { buildDemoAnswer, type DemoAnswer } from './demo-script.ts';
import { respond, startLoopbackServer } from './loopback-server.ts';

/**
 * Exists only if neither a real model nor a target is configured.
 * @param report takes a sentence about each genuine call
 */
export const startDemoWebhook = async (report: (line: string) => void) => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const verifier = new Webhook(secret);
  const server = await startLoopbackServer((request, body, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      verifier.verify(body, headers);
      report(`demo webhook "deploy" was called (${headers['webhook-id']}): ${body.toString('utf8').slice(0, 200)}`);
      respond(response, 200, '{"received":true}', 'application/json');
    } catch {
      response.writeHead(401).end();
    }
  });
  const url = `${server.origin}/`;
  return {
    variables: {
      WEBHOOK_TARGETS: JSON.stringify({ deploy: { url, secret } }),
      WEBHOOK_URLS: JSON.stringify({ deploy: url }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    },
    close: server.stop,
  };
};

export const DEMO_MODEL_NAME = 'model';

const Content = z.union([z.string(), z.array(z.looseObject({ text: z._default(z.string(), '') }))]);
const Request = z.object({
  stream: z._default(z.boolean(), false),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.nullish(Content),
      tool_calls: z._default(z.array(z.object({ function: z.object({ name: z.string() }) })), []),
    }),
  ),
});

const textOf = (content: z.infer<typeof Content> | null | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('');

const answerTo = ({ messages }: z.infer<typeof Request>): DemoAnswer =>
  buildDemoAnswer(
    messages.map(({ role, content, tool_calls }) => ({
      role,
      content: textOf(content),
      tools: tool_calls.map((call) => call.function.name),
    })),
  );

/** Characters of a piece, when the answer is streamed. */
const PIECE_CHARS = 20;
const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** The answer as deltas of chat completions: a text in pieces, or one call. */
const deltasOf = ({ text, call }: DemoAnswer): readonly object[] => {
  if (call === undefined)
    return text.match(new RegExp(`.{1,${PIECE_CHARS}}`, 'gsu'))?.map((content) => ({ content })) ?? [];
  const args = JSON.stringify({ ...call.args, explanation: call.explanation });
  const tool = {
    index: 0,
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name: call.tool, arguments: args },
  };
  return [{ content: null, tool_calls: [tool] }];
};

const stream = (response: ServerResponse, answer: DemoAnswer): void => {
  const head = { id: 'demo', object: 'chat.completion.chunk', created: 0, model: DEMO_MODEL_NAME };
  const write = (event: object): unknown => response.write(`data: ${JSON.stringify({ ...head, ...event })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltasOf(answer)) write({ choices: [{ index: 0, delta, finish_reason: null }] });
  write({ choices: [{ index: 0, delta: {}, finish_reason: answer.call === undefined ? 'stop' : 'tool_calls' }] });
  write({ choices: [], usage: USAGE });
  response.end('data: [DONE]\n\n');
};

const answerWhole = (response: ServerResponse, answer: DemoAnswer): void => {
  const [message] = answer.call === undefined ? [{ content: answer.text }] : deltasOf(answer);
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' };
  const head = { id: 'demo', object: 'chat.completion', created: 0, model: DEMO_MODEL_NAME };
  respond(response, 200, JSON.stringify({ ...head, choices: [choice], usage: USAGE }), 'application/json');
};

const parseBody = (body: Buffer): z.infer<typeof Request> | undefined =>
  Request.safeParse(readJson(body.toString('utf8'))).data;

export const startDemoModel = async () => {
  const key = randomBytes(24).toString('hex');
  const expected = Buffer.from(`Bearer ${key}`);
  const fail = (response: ServerResponse, status: number, message: string): void =>
    respond(response, status, JSON.stringify({ error: { message } }), 'application/json');
  const server = await startLoopbackServer((request, body, response) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      fail(response, 401, 'the key is not the one of this start');
      return;
    }
    if (request.method === 'GET' && request.url === '/v1/models') {
      respond(response, 200, JSON.stringify({ data: [{ id: DEMO_MODEL_NAME }] }), 'application/json');
      return;
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      fail(response, 404, 'the demo model has chat completions only');
      return;
    }
    const asked = parseBody(body);
    if (asked === undefined) fail(response, 400, 'this is no request for a chat completion');
    else (asked.stream ? stream : answerWhole)(response, answerTo(asked));
  });
  return { baseUrl: `${server.origin}/v1`, key, close: server.stop };
};
