/**
 * The client against a real socket: each of the four outcomes by its real cause, and the token in
 * none of them.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTelegramClient } from '../../../lib/features/telegram/client.ts';

const TOKEN = '123456:AAtestTESTtestTESTtestTESTtestTEST';
let server: Server | undefined;

const listen = async (listener: RequestListener): Promise<string> => {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
};

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

const client = (apiRoot: string, timeoutMs = 60_000) => buildTelegramClient({ token: TOKEN, apiRoot, timeoutMs });

const answering =
  (status: number, body: string): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

describe('buildTelegramClient', () => {
  it('posts JSON to the method under the token, on a connection of its own', async () => {
    const seen: unknown[] = [];
    const root = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['content-type'], request.headers.connection, body]);
        response.end('{"ok":true,"result":{"id":7}}');
      });
    });
    expect(await client(`${root}/`).call('getMe', { a: 'ä' })).toStrictEqual({ kind: 'done', result: { id: 7 } });
    expect(seen).toStrictEqual([['POST', `/bot${TOKEN}/getMe`, 'application/json', 'close', '{"a":"ä"}']]);
  });

  const answers: readonly (readonly [string, number, string, unknown])[] = [
    [
      'a refusal',
      400,
      '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
      { kind: 'refused', code: 400, description: 'Bad Request: chat not found' },
    ],
    [
      'a flood limit',
      429,
      '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}}',
      { kind: 'refused', code: 429, description: 'Too Many Requests: retry after 7', retryAfterMs: 7000 },
    ],
    [
      'a refusal that quotes the token',
      401,
      `{"ok":false,"error_code":401,"description":"bad ${TOKEN} and ${TOKEN.split(':')[1]}"}`,
      { kind: 'refused', code: 401, description: 'bad <token> and <token>' },
    ],
    [
      'a 5xx',
      500,
      '{"ok":false,"error_code":500,"description":"Internal Server Error"}',
      { kind: 'unknown', reason: 'Telegram had an internal error (500)' },
    ],
    ['a page of a proxy', 502, '<html>', { kind: 'unknown', reason: 'the answer is not JSON (HTTP 502)' }],
    ['half an answer', 200, '{"ok":tr', { kind: 'unknown', reason: 'the answer is not JSON (HTTP 200)' }],
    [
      'another kind of JSON',
      200,
      '{"fine":1}',
      { kind: 'unknown', reason: 'the answer is not one of the Bot API (HTTP 200)' },
    ],
    [
      'a contradiction',
      404,
      '{"ok":true,"result":1}',
      { kind: 'unknown', reason: 'the answer contradicts itself (HTTP 404)' },
    ],
  ];
  it.each(answers)('reads %s', async (_name, status, body, outcome) => {
    const root = await listen(answering(status, body));
    expect(await client(root).call('sendMessage', {})).toStrictEqual(outcome);
  });

  it('says unreached where nothing listens, and where the name does not exist', async () => {
    const root = await listen(answering(200, ''));
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    expect(await client(root).call('sendMessage', {})).toStrictEqual({
      kind: 'unreached',
      reason: 'Telegram could not be reached (ECONNREFUSED)',
    });
    expect(await client('http://bot-api.invalid').call('sendMessage', {})).toMatchObject({ kind: 'unreached' });
    expect(await client('not an address').call('sendMessage', {})).toStrictEqual({
      kind: 'unreached',
      reason: 'Telegram could not be reached (ERR_INVALID_URL)',
    });
  });

  it('says unreached where TLS was not agreed on', async () => {
    const root = await listen(answering(200, ''));
    expect(await client(root.replace('http:', 'https:')).call('sendMessage', {})).toMatchObject({ kind: 'unreached' });
  });

  it('says unknown after a time-out, a closed connection, half a body and a redirect', async () => {
    const root = await listen((request, response) => {
      request.resume();
      if (request.url?.endsWith('/close')) request.socket.destroy();
      if (request.url?.endsWith('/half')) {
        response.writeHead(200, { 'content-length': '100' }).write('{"ok":true');
        setTimeout(() => request.socket.destroy(), 20);
      }
      if (request.url?.endsWith('/redirect')) response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const outcomes = await Promise.all(
      ['hang', 'close', 'half', 'redirect'].map((method) =>
        client(root, method === 'hang' ? 1_000 : undefined).call(method, {}),
      ),
    );
    expect(outcomes).toStrictEqual([
      { kind: 'unknown', reason: 'Telegram did not answer in time' },
      { kind: 'unknown', reason: 'the connection ended before Telegram answered (UND_ERR_SOCKET)' },
      { kind: 'unknown', reason: expect.stringMatching(/^the connection ended before Telegram answered \(UND_ERR_/) },
      { kind: 'unknown', reason: 'the connection ended before Telegram answered' },
    ]);
  });

  it('ends early when told to', async () => {
    const root = await listen((request) => request.resume());
    const abort = new AbortController();
    const call = client(root).call('getUpdates', {}, { signal: abort.signal, timeoutMs: 600_000 });
    setTimeout(() => abort.abort(), 20);
    expect(await call).toStrictEqual({ kind: 'unknown', reason: 'the call was ended before Telegram answered' });
  });

  it('stops reading an answer without end', async () => {
    const root = await listen((request, response) => {
      request.resume();
      const chunk = Buffer.alloc(256 * 1024, 0x20);
      const more = (): void => {
        while (response.write(chunk));
        response.once('drain', more);
      };
      more();
    });
    expect(await client(root).call('getUpdates', {})).toStrictEqual({
      kind: 'unknown',
      reason: 'the answer is too large',
    });
  });
});
