/**
 * Requests as bytes on the wire, at each kind of server of the local stack: one rule says whom they
 * are for.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoModel, startDemoWebhook } from '../../infra/local/demo-model.ts';
import { startHttpFront } from '../../infra/local/http-front.ts';
import { startQueueServer } from '../../infra/local/queues.ts';
import { IN_MEMORY, openStorage } from '../../infra/local/table-server/storage.ts';
import { startTableServer } from '../../infra/local/table-server/table-server.ts';

const origins: Record<string, string> = {};
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const front = await startHttpFront({
    host: '127.0.0.1',
    port: 0,
    publicHost: 'bot.example',
    routes: [{ prefix: '/', invoke: () => Promise.resolve({ statusCode: 200, body: 'in' }), isPublic: false }],
  });
  const table = await startTableServer({ storage: openStorage(IN_MEMORY), file: IN_MEMORY });
  const queues = await startQueueServer('us-east-1');
  const model = await startDemoModel();
  const webhook = await startDemoWebhook(() => undefined);
  origins.front = front.url;
  origins.table = table.endpoint;
  origins.queues = queues.origin;
  origins.model = new URL(model.baseUrl).origin;
  origins.webhook = JSON.parse(webhook.variables.WEBHOOK_URLS ?? '{}').deploy;
  stops.push(front.stop, table.stop, queues.close, model.close, webhook.close);
});
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** The status line's number, or `closed`. `HOST` stands for the server's own name. */
const send = async (origin: string, lines: readonly string[]): Promise<{ status: string; answer: string }> => {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end(`${lines.join('\r\n').replaceAll('HOST', host)}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  return { status: /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed', answer };
};

const SERVERS = ['front', 'table', 'queues', 'model', 'webhook'] as const;
const POST = 'POST / HTTP/1.1';

describe.each(SERVERS)('the first look of %s', (name) => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['two Host headers', [POST, 'Host: HOST', 'Host: HOST'], ['400']],
    ['two Host headers, the second foreign', [POST, 'Host: HOST', 'hOsT: evil.example'], ['400']],
    ['two Host headers, the first foreign', [POST, 'Host: evil.example', 'Host: HOST'], ['400']],
    ['no Host', [POST, 'Accept: */*'], ['400']],
    ['no Host in HTTP/1.0', ['POST / HTTP/1.0', 'Accept: */*'], ['400']],
    ['an empty Host', [POST, 'Host:'], ['400']],
    ['another name', [POST, 'Host: evil.example'], ['400']],
    ['a name that begins as ours', [POST, 'Host: HOST.evil.example'], ['400']],
    ['our name with a user part', [POST, 'Host: HOST@HOST'], ['400']],
    ['our address on another port', [POST, 'Host: 127.0.0.1:1'], ['400']],
    ['our address without a port', [POST, 'Host: 127.0.0.1'], ['400']],
    ['two names in one Host', [POST, 'Host: HOST, HOST'], ['400']],
    ['a whole URL as target', ['POST http://HOST/ HTTP/1.1', 'Host: HOST'], ['400']],
    ['a whole foreign URL as target', ['GET http://evil.example/ HTTP/1.1', 'Host: HOST'], ['400']],
    ['no path as target', ['OPTIONS * HTTP/1.1', 'Host: HOST'], ['400']],
    ['a tunnel', ['CONNECT HOST HTTP/1.1', 'Host: HOST'], ['400', 'closed']],
    ['a page of another origin', [POST, 'Host: HOST', 'Origin: https://evil.example'], ['403']],
    ['a page without an origin', [POST, 'Host: HOST', 'Origin: null'], ['403']],
    ['a form of another page', [POST, 'Host: HOST', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'], ['403']],
    [
      'a frame in another page',
      ['GET / HTTP/1.1', 'Host: HOST', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: iframe'],
      ['403'],
    ],
    [
      'a socket of another page',
      ['GET / HTTP/1.1', 'Host: HOST', 'Upgrade: websocket', 'Connection: upgrade', 'Origin: https://evil.example'],
      ['403'],
    ],
    [
      'a preflight',
      ['OPTIONS / HTTP/1.1', 'Host: HOST', 'Origin: https://evil.example', 'Access-Control-Request-Method: POST'],
      ['403'],
    ],
  ])('refuses %s', async (_, lines, statuses) => {
    const { status, answer } = await send(origins[name] ?? '', lines);
    expect(statuses).toContain(status);
    expect(answer.toLowerCase()).not.toContain('access-control');
  });

  it('gives a program without credentials nothing', async () => {
    const { status } = await send(origins[name] ?? '', [POST, 'Host: HOST']);
    expect(status).toBe(name === 'front' ? '200' : name === 'model' || name === 'webhook' ? '401' : '403');
  });
});

describe('the front', () => {
  it.each<[string, readonly string[]]>([
    ['its own page', [POST, 'Host: HOST', 'Origin: http://HOST', 'Sec-Fetch-Site: same-origin']],
    ['an address that a person typed', ['GET / HTTP/1.1', 'Host: HOST', 'Sec-Fetch-Site: none']],
    [
      'a link that a person followed',
      [
        'GET / HTTP/1.1',
        'Host: HOST',
        'Sec-Fetch-Site: cross-site',
        'Sec-Fetch-Mode: navigate',
        'Sec-Fetch-Dest: document',
      ],
    ],
  ])('lets in %s', async (_, lines) => {
    expect((await send(origins.front ?? '', lines)).status).toBe('200');
  });
});
