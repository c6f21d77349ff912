/**
 * Streams, well-formed and hostile, over real sockets: the same answer as unstreamed, or the same
 * failures.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, describe, expect, it } from 'vitest';
import { askCascade, REASON_RESERVE_MS } from '../../../lib/core/llm/cascade.ts';
import type { Heard } from '../../../lib/core/llm/chat.ts';
import { buildOpenAiAsk } from '../../../lib/core/llm/openai-client.ts';
import { parseProposal } from '../../../lib/core/llm/parse-proposal.ts';
import { ANSWER_TOKENS_MAX, answeredCost } from '../../../lib/core/llm/prices.ts';
import type { Provider } from '../../../lib/core/llm/providers.ts';
import { startModelServer } from '../../support/model-server.ts';
import { WIRE_FORMS, type WireForm } from '../../support/wire-forms.ts';

const servers: Server[] = [];
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  for (const close of closers) await close();
});

type Play = (response: ServerResponse, body: Readonly<Record<string, unknown>>) => void;

const serve = async (play: Play): Promise<string> => {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => play(response, JSON.parse(Buffer.concat(parts).toString('utf8'))));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

const provider = (form: WireForm, name: string, baseUrl: string, dollars: number, hasStreaming = true): Provider => ({
  ...form.asked,
  name,
  baseUrl,
  model: 'm',
  contextTokens: 100_000,
  answerTokensField: 'max_tokens',
  extraBody: {},
  callExtra: {},
  key: 'k',
  features: { hasTools: true, hasJsonSchema: true, hasStreaming, hasEmbeddings: true, hasImages: false },
  prices: { m: { prompt: dollars * 1_000, cached: dollars * 1_000, completion: dollars * 1_000 } },
});

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const sse =
  (body: string | Buffer, contentType = 'text/event-stream; charset=utf-8'): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };
const begun =
  (body: string, then: (response: ServerResponse) => void): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(body);
    setTimeout(() => then(response), 20);
  };

const runOver = async (
  form: WireForm,
  baseUrls: readonly string[],
  timeMs = 60_000,
  bounds: Parameters<typeof buildOpenAiAsk>[0] = {},
  ask = buildOpenAiAsk(bounds),
) => {
  // Begins to run when it is first looked at.
  let end: number | undefined;
  const providers = baseUrls.map((baseUrl, index) => provider(form, `p${index}`, baseUrl, index === 0 ? 50 : 1));
  const heard: Heard[] = [];
  const answered = await askCascade({
    providers,
    request: { system: 's', messages: [{ role: 'user', content: 'hello' }], tools: [], tokens: 1_000 },
    ask,
    hear: (piece) => heard.push(piece),
    remainingMs: () => {
      end ??= Date.now() + timeMs + REASON_RESERVE_MS;
      return end - Date.now();
    },
    log: () => undefined,
    wait: async () => undefined,
  });
  return { answered, heard, cost: answeredCost(providers, answered, 1_000) };
};

const [CHAT_FORM] = WIRE_FORMS;

describe('a streamed chat completion', () => {
  it('puts calls together from pieces, also where every call has the same index', async () => {
    const chat = CHAT_FORM;
    if (chat === undefined) throw new Error('no form');
    const part = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) => ({
      ...(index === undefined ? {} : { index }),
      ...(id === undefined ? {} : { id }),
      function: { ...(name === undefined ? {} : { name }), arguments: args },
    });
    const stream = [
      chunk({ content: 'I look.' }),
      chunk({ tool_calls: [part(0, 'a', 'recall', '')] }),
      chunk({ tool_calls: [part(0, undefined, undefined, '{"query"'), part(1, 'b', 'recall', '{"query":')] }),
      chunk({ tool_calls: [part(0, undefined, undefined, ':"x"}')] }),
      chunk({ tool_calls: [part(1, undefined, undefined, '"y"}'), part(0, 'c', 'current-time', {})] }),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ].join('');
    const { answered, heard } = await runOver(chat, [await serve(sse(stream))]);
    expect(answered.answer.toolCalls).toStrictEqual([
      { id: 'a', name: 'recall', argumentsText: '{"query":"x"}' },
      { id: 'b', name: 'recall', argumentsText: '{"query":"y"}' },
      { id: 'c', name: 'current-time', argumentsText: '{}' },
    ]);
    expect(heard.map(({ hasCalls }) => hasCalls)).toStrictEqual([false, true, true, true, true]);
  });
});

describe.each(WIRE_FORMS)('over $name', (form) => {
  const GOOD = `${form.piece('Hi')}${form.piece('.')}${form.end({ text: 'Hi.' })}`;
  const run = (...args: Parameters<typeof runOver> extends [unknown, ...infer Rest] ? Rest : never) =>
    runOver(form, ...args);

  describe('a streamed answer', () => {
    it('asks for a stream with usage, is told piece by piece, and comes back as one that came whole', async () => {
      let asked: Readonly<Record<string, unknown>> = {};
      const url = await serve((response, body) => {
        asked = body;
        sse(GOOD)(response, body);
      });
      const { answered, heard, cost } = await run([url]);
      expect(asked.stream).toBe(true);
      expect(heard).toStrictEqual([
        { text: 'Hi', hasCalls: false },
        { text: 'Hi.', hasCalls: false },
      ]);
      expect(answered.answer).toStrictEqual({
        content: 'Hi.',
        toolCalls: [],
        model: 'm',
        inputTokens: 100,
        outputTokens: 10,
      });
      expect(cost.usd).toBe(110 * 50);
    });

    it('hears of a call, and gives it whole', async () => {
      const calls = [{ id: 'a', name: 'recall', args: '{"query":"x"}' }];
      const stream = `${form.piece('I look.')}${form.calling(calls)}${form.end({ text: 'I look.', calls })}`;
      const { answered, heard } = await run([await serve(sse(stream))]);
      expect(answered.answer).toMatchObject({
        content: 'I look.',
        toolCalls: [{ id: 'a', name: 'recall', argumentsText: '{"query":"x"}' }],
      });
      expect(heard.map(({ text, hasCalls }) => [text, hasCalls])).toStrictEqual([
        ['I look.', false],
        ['I look.', true],
      ]);
    });

    it('says where it was cut, and where an answer is held back', async () => {
      const cut = `${form.piece('Once upon')}${form.end({ text: 'Once upon', end: 'cut' })}`;
      expect((await run([await serve(sse(cut))])).answered.answer).toMatchObject({ content: 'Once upon', isCut: true });
      const error = await run([await serve(sse(form.end({ text: '', end: 'withheld' })))]).catch((thrown) => thrown);
      expect(String(error)).toMatch(/refuses such content/);
    });

    it('takes an answer that comes whole though a stream was asked for', async () => {
      const body = form.whole({ text: 'Whole.' });
      const { answered, heard } = await run([await serve(sse(body, 'application/json'))]);
      expect([answered.answer.content, heard]).toStrictEqual(['Whole.', []]);
    });

    it('asks a provider that refuses streams without one, once and from then on', async () => {
      const asked: unknown[] = [];
      const url = await serve((response, body) => {
        asked.push(body.stream);
        if (body.stream === true) {
          response.writeHead(400, { 'content-type': 'application/json' });
          response.end('{"error":{"message":"unknown field stream_options"}}');
        } else {
          const asking = WIRE_FORMS.find(({ asksWith }) => asksWith in body);
          sse(asking?.whole({ text: 'Plain.' }) ?? '', 'application/json')(response, body);
        }
      });
      const ask = buildOpenAiAsk();
      const first = await run([url], 60_000, {}, ask);
      await run([url], 60_000, {}, ask);
      expect([first.answered.answer.content, first.answered.billed, asked]).toStrictEqual([
        'Plain.',
        [],
        // Thinking is left out first.
        [...(form.asked.thinking === undefined ? [true] : [true, true]), undefined, undefined],
      ]);
    });

    it('asks a provider without streaming for none', async () => {
      const server = await startModelServer(() => ({ kind: 'answer', text: 'ok' }));
      closers.push(server.close);
      const request = { system: 's', messages: [], tools: [], tokens: 10 };
      await buildOpenAiAsk()(provider(form, 'p', server.baseUrl, 1, false), request, 2_000, () => undefined);
      expect(server.requests[0]?.body.stream).toBe(undefined);
    });

    it('uses its connection again', async () => {
      const sockets = new Set<unknown>();
      const url = await serve((response, body) => {
        sockets.add(response.socket);
        sse(GOOD)(response, body);
      });
      const ask = buildOpenAiAsk();
      for (let round = 0; round < 3; round += 1) {
        await run([url], 60_000, {}, ask);
        // The rest of the answer is read behind.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(sockets.size).toBe(1);
    });

    it('takes a letter whose bytes are cut apart, and replaces those that are none', async () => {
      const bytes = Buffer.from(form.piece('Grüße 🌍'));
      const cut = bytes.indexOf(0xc3) + 1;
      const [before, after] = form.piece('|').split('|');
      const bad = Buffer.concat([Buffer.from(`${before}`), Buffer.from([0xff]), Buffer.from(`${after}`)]);
      const url = await serve((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(bytes.subarray(0, cut));
        setTimeout(() => {
          response.write(bytes.subarray(cut));
          response.end(Buffer.concat([bad, Buffer.from(form.end({ text: 'Grüße 🌍\ufffd' }))]));
        }, 20);
      });
      const { answered, heard } = await run([url]);
      expect([answered.answer.content, heard.at(-1)?.text]).toStrictEqual(['Grüße 🌍\ufffd', 'Grüße 🌍\ufffd']);
    });
  });

  describe('a hostile stream', () => {
    const OTHER = form.other;
    const half = form.piece('I was about');
    const many = (count: number): string => form.piece('x'.repeat(1_000)).repeat(count);
    const cases: readonly (readonly [string, Play, string | RegExp])[] = [
      ['is cut in the middle', begun(half, (response) => response.destroy()), /not reachable/],
      ['is cut inside an event', begun(half.slice(0, -20), (response) => response.socket?.destroy()), /not reachable/],
      ['ends without saying so', sse(half), /not reachable/],
      ['stops after it has begun', begun(half, () => undefined), /not reachable/],
      ['holds broken JSON', sse(`${half}data: {"choices": [\n\n`), 'answered with broken JSON'],
      ['is a page', sse('<!doctype html><title>Sign in</title>', 'text/html'), OTHER],
      ['is JSON that calls itself text', sse(form.whole({ text: 'x' }), 'text/plain'), OTHER],
      ['is nothing at all', sse('', 'application/json'), OTHER],
      ['is broken JSON', sse('{"choices":', 'application/json'), 'answered with broken JSON'],
      ['is a page that calls itself a stream', sse('<!doctype html><title>Sign in</title>'), OTHER],
      ['holds other events', sse('data: {"type":"ping"}\n\ndata: [DONE]\n\n'), OTHER],
      ['holds a list', sse('data: [1]\n\n'), OTHER],
      ['holds deep lists', sse(`data: ${'['.repeat(400_000)}\n\n`), 'answered with broken JSON'],
      ['is nothing but bytes', sse(Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80])), OTHER],
      ['ends in an error', sse(`${half}${form.error(502)}`), /not reachable/],
      ['is larger than anybody may send', sse(many(10_000)), /larger than 8388608 bytes/],
      ['is one endless event', sse(`data: ${'x'.repeat(9 * 1024 * 1024)}`), /larger than 8388608 bytes/],
    ];

    it.each(cases)(
      'that %s is passed over, and charged at worst while the next one is charged what it says',
      async (_, play, reason) => {
        // Only of the hostile one is little patience had: a busy machine keeps the other one
        // silent, too.
        const [quick, patient] = [buildOpenAiAsk({ streamPauseMsMax: 500 }), buildOpenAiAsk()];
        const ask: typeof quick = (provider, ...rest) => (provider.name === 'p0' ? quick : patient)(provider, ...rest);
        const { answered, cost } = await run([await serve(play), await serve(sse(GOOD))], 60_000, {}, ask);
        expect(answered).toMatchObject({ provider: 'p1', index: 1, billed: [0], answer: { content: 'Hi.' } });
        expect(answered.failures[0]).toMatch(reason);
        expect(cost.usd).toBe((1_250 + ANSWER_TOKENS_MAX[form.tier]) * 50 + 110);
      },
    );

    it('that begins with an error is what its status says, and costs nothing', async () => {
      const refusal = sse(form.error(429));
      const { answered } = await run([await serve(refusal), await serve(sse(GOOD))]);
      expect(answered).toMatchObject({
        provider: 'p1',
        billed: [],
        failures: ['p0 (m): limits how often it may be asked (429)'],
      });
    });

    it('that drips is given up when its time is over', async () => {
      const drip: Play = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const timer = setInterval(() => response.write(form.piece('a')), 20);
        closers.push(() => clearInterval(timer));
      };
      const error = await run([await serve(drip)], 1_300).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/in time|not reachable/);
    });

    it('of 100 calls is a problem in words', async () => {
      const calls = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, name: 'recall', args: '{}' }));
      const { answered } = await run([await serve(sse(`${form.calling(calls)}${form.end({ calls })}`))]);
      const parsed = parseProposal(answered.answer);
      expect('problem' in parsed ? parsed.problem : 'none').toMatch(/100 calls/);
    });
  });

  describe("aimock's streams", () => {
    it('are read, and its chaos is passed over', async () => {
      const mock = new LLMock({
        host: '127.0.0.1',
        port: 0,
        logLevel: 'silent',
        chaos: { dropRate: 0.3, malformedRate: 0.3, disconnectRate: 0.3 },
      });
      mock.on({ endpoint: 'chat' }, { content: 'lucky, and in several pieces of text' });
      await mock.start();
      const fine = await serve(sse(GOOD));
      const answers: unknown[] = [];
      for (let round = 0; round < 25; round += 1) {
        const { answered, heard } = await run([`${mock.url}/v1`, fine]);
        expect(answered.answer.content).toBe(answered.index === 0 ? 'lucky, and in several pieces of text' : 'Hi.');
        expect(heard.at(-1)?.text).toBe(answered.answer.content);
        answers.push(answered.index);
      }
      await mock.stop();
      expect(new Set(answers)).toStrictEqual(new Set([0, 1]));
    });
  });
});
