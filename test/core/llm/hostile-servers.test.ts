/**
 * Providers that behave as badly as a server can, over real sockets: every one is passed over
 * within its time and without swallowing memory, the next one answers, and the money goes to whom
 * it belongs. aimock's own chaos besides.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, describe, expect, it } from 'vitest';
import { askCascade, type CascadeAnswer, REASON_RESERVE_MS } from '../../../lib/core/llm/cascade.ts';
import { buildOpenAiAsk } from '../../../lib/core/llm/openai-client.ts';
import { parseProposal } from '../../../lib/core/llm/parse-proposal.ts';
import { ANSWER_TOKENS_MAX, answeredCost } from '../../../lib/core/llm/prices.ts';
import type { Provider } from '../../../lib/core/llm/providers.ts';
import { WIRE_FORMS, type WireForm } from '../../support/wire-forms.ts';

const servers: Server[] = [];
const timers: NodeJS.Timeout[] = [];
afterAll(() => {
  for (const timer of timers) clearInterval(timer);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Play = (response: ServerResponse) => void;

const serve = async (play: Play): Promise<string> => {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    request.resume().on('end', () => play(response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

/**
 * Prices as if each were somebody's own endpoint, so that what is charged to whom can be told
 * apart.
 */
const provider = (form: WireForm, name: string, baseUrl: string, dollars: number): Provider => ({
  ...form.asked,
  name,
  baseUrl,
  model: 'm',
  contextTokens: 100_000,
  answerTokensField: 'max_tokens',
  extraBody: {},
  callExtra: {},
  key: 'k',
  prices: { m: { prompt: dollars * 1_000, cached: dollars * 1_000, completion: dollars * 1_000 } },
});

const send =
  (body: string | Buffer, contentType = 'application/json'): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };

/** One byte at a time, for ever. */
const drip: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  timers.push(setInterval(() => response.write(' '), 20));
};

const flood: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(256 * 1024, 'x');
  let sent = 0;
  const more = (): void => {
    while (sent < 50 * 1024 * 1024 && !response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
};

const cut: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"model": "m", "choices": [{"message": {"content": "I was about to');
  setTimeout(() => response.destroy(), 20);
};

const cutChunk: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"choices": [');
  setTimeout(() => response.socket?.destroy(), 20);
};

const runOver = async (form: WireForm, baseUrls: readonly string[], timeMs: number) => {
  // Begins to run when it is first looked at.
  let end: number | undefined;
  const providers = baseUrls.map((baseUrl, index) => provider(form, `p${index}`, baseUrl, index === 0 ? 50 : 1));
  const answered = await askCascade({
    providers,
    request: { system: 's', messages: [{ role: 'user', content: 'hello' }], tools: [], tokens: 1_000 },
    ask: buildOpenAiAsk(),
    remainingMs: () => {
      end ??= Date.now() + timeMs + REASON_RESERVE_MS;
      return end - Date.now();
    },
    log: () => undefined,
    wait: async () => undefined,
  });
  return { answered, cost: answeredCost(providers, answered, 1_000) };
};

describe.each(WIRE_FORMS)('over $name', (form) => {
  const good = send(form.whole({ text: 'Hi.' }));
  const run = (baseUrls: readonly string[], timeMs: number) => runOver(form, baseUrls, timeMs);

  describe('a hostile provider', () => {
    const BROKEN = 'answered with broken JSON';
    const OTHER = form.other;
    const sse = `${form.piece('Hi')}${form.end({ text: 'Hi' })}`;
    const cases: readonly (readonly [string, Play, string | RegExp])[] = [
      ['cuts in the middle', cut, /not reachable|broken JSON/],
      ['cuts a chunked answer', cutChunk, /not reachable|broken JSON/],
      ['sends a page with 200', send('<!doctype html><title>Sign in</title>', 'text/html'), OTHER],
      ['sends JSON as text', send(form.whole({ text: 'Hi.' }), 'text/plain'), OTHER],
      ['sends a stream nobody asked for', send(sse, 'text/event-stream'), OTHER],
      ['sends a broken stream as JSON', send(sse), BROKEN],
      ['sends malformed JSON', send(form.whole({ text: 'Hi.' }).slice(0, -1)), BROKEN],
      ['sends nothing but bytes', send(Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80])), BROKEN],
      ['sends lists in lists', send('['.repeat(400_000)), BROKEN],
      ['sends closed lists in lists', send(`${'['.repeat(200_000)}${']'.repeat(200_000)}`), OTHER],
      ['sends 50 MB', flood, /larger than 1048576 bytes/],
      ['sends an empty object', send('{}'), OTHER],
      ['sends an empty list of choices', send('{"choices": []}'), OTHER],
      ['sends null', send('null'), OTHER],
    ];

    it.each(cases)(
      'that %s is passed over, and charged at worst while the next one is charged what it says',
      async (_, play, reason) => {
        const { answered, cost } = await run([await serve(play), await serve(good)], 60_000);
        expect(answered).toMatchObject({ provider: 'p1', index: 1, billed: [0], answer: { content: 'Hi.' } });
        expect(answered.failures[0]).toMatch(reason);
        // 1,250 tokens of prompt and the longest answer at $50 a million, and 110 tokens at $1.
        expect(cost.usd).toBe((1_250 + ANSWER_TOKENS_MAX[form.tier]) * 50 + 110);
      },
    );

    it.each([
      ['never answers', (() => undefined) satisfies Play],
      ['drips', drip],
    ])('that %s is given up when its time is over', async (_, play) => {
      const error = await run([await serve(play)], 1_300).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/in time|not reachable/);
    });

    it('swallows no memory with 50 MB, many times', async () => {
      const bad = await serve(flood);
      const fine = await serve(good);
      await run([bad, fine], 60_000);
      const before = process.memoryUsage().rss;
      for (let round = 0; round < 8; round += 1) await run([bad, fine], 60_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    });
  });

  describe('an answer that is read, and cannot be used', () => {
    const calling = (args: unknown, name = 'remember') => form.whole({ calls: [{ id: 'c', name, args }] });
    const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
    const cases: readonly (readonly [string, string | Buffer, RegExp])[] = [
      [
        '100 tool calls',
        form.whole({ calls: Array.from({ length: 100 }, (_, n) => ({ id: `c${n}`, name: 'remember', args: '{}' })) }),
        /100 calls/,
      ],
      ['deep arguments', calling(deep), /nested too deeply|larger than/],
      [
        'a deep written proposal',
        form.whole({ text: `{"calls":[{"tool":"remember","args":${deep}}]}` }),
        /nested too deeply|larger than|cannot be read/,
      ],
      ['arguments that are no JSON', calling('{"text": "tea", '), /not valid JSON/],
      ['a tool without a name', calling('{}', ''), /names no tool/],
      ['a text too large', form.whole({ text: 'x'.repeat(100_000) }), /larger than/],
    ];
    it.each(cases)('%s is a problem in words', async (_, body, problem) => {
      const { answered } = await run([await serve(send(body))], 60_000);
      const parsed = parseProposal(answered.answer);
      expect('problem' in parsed ? parsed.problem : 'none').toMatch(problem);
    });

    it('takes the last of duplicate keys, as what is judged is what was parsed, once', async () => {
      const body = form.whole({ text: 'second' }).replace(/"(content|text)":"second"/, '"$1":"first",$&');
      const { answered } = await run([await serve(send(body))], 60_000);
      expect(parseProposal(answered.answer)).toStrictEqual({ proposal: { text: 'second', calls: [] } });
    });

    it('replaces invalid UTF-8 inside a text', async () => {
      const [before, after] = form.whole({ text: 'a|b' }).split('|');
      const body = Buffer.concat([Buffer.from(`${before}`), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from(`${after}`)]);
      const { answered } = await run([await serve(send(body))], 60_000);
      expect(parseProposal(answered.answer)).toStrictEqual({ proposal: { text: 'a\ufffd(\ufffdb', calls: [] } });
    });
  });

  describe("aimock's chaos", () => {
    it.each([
      ['drops', { dropRate: 1 }],
      ['malformed answers', { malformedRate: 1 }],
      ['disconnects', { disconnectRate: 1 }],
      ['rate limits', { rateLimitRate: 1 }],
    ])('%s are passed over', async (_, chaos) => {
      const mock = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent', chaos });
      mock.on({ endpoint: 'chat' }, { content: 'never' });
      await mock.start();
      const { answered } = await run([`${mock.url}/v1`, await serve(good)], 60_000);
      await mock.stop();
      expect(answered).toMatchObject({ provider: 'p1', failures: [expect.stringMatching(/^p0 \(m\): /)] });
    });

    it('at every rate at once ends each of 60 questions with an answer', async () => {
      const chaos = { dropRate: 0.3, malformedRate: 0.2, rateLimitRate: 0.2, disconnectRate: 0.2 };
      const mock = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent', chaos });
      mock.on({ endpoint: 'chat' }, { content: 'lucky' });
      await mock.start();
      const fine = await serve(good);
      const answers: CascadeAnswer[] = [];
      for (let round = 0; round < 60; round += 1) answers.push((await run([`${mock.url}/v1`, fine], 60_000)).answered);
      await mock.stop();
      for (const { index, answer } of answers) expect(answer.content).toBe(index === 0 ? 'lucky' : 'Hi.');
      expect(answers.some(({ index }) => index === 1)).toBe(true);
    });
  });
});
