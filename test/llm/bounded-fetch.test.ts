import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { buildBoundedFetch } from '../../lib/llm/bounded-fetch.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const bounds = { connectTimeoutMs: 1_000, bytesMax: 100 };
const post = { method: 'POST', body: '{}' };

describe('buildBoundedFetch', () => {
  it('gives status, headers and body', async () => {
    const url = await serve((_, response) => {
      response.writeHead(418, { 'content-type': 'application/json', 'retry-after': '3' }).end('{"a":"é"}');
    });
    const response = await buildBoundedFetch(bounds)(url, post);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toStrictEqual([
      418,
      '3',
      { a: 'é' },
    ]);
  });

  it.each([
    [100, 'x'.repeat(100)],
    [101, 'refused'],
  ])('reads up to its bound and no further: %i bytes', async (bytes, expected) => {
    const url = await serve((_, response) => response.end('x'.repeat(bytes)));
    const text = await buildBoundedFetch(bounds)(url, post).then(
      (response) => response.text(),
      () => 'refused',
    );
    expect(text).toBe(expected);
  });

  it('asks again on a new connection where a kept one was already closed, and only then', async () => {
    const answered = new WeakMap<Socket, boolean>();
    let count = 0;
    const url = await serve((request, response) => {
      count += 1;
      if (answered.get(request.socket)) request.socket.destroy();
      else response.end(`answer ${count}`);
      answered.set(request.socket, true);
    });
    const boundedFetch = buildBoundedFetch(bounds);
    expect(await (await boundedFetch(url, post)).text()).toBe('answer 1');
    expect(await (await boundedFetch(url, post)).text()).toBe('answer 3');
    const dead = await serve((request) => void request.socket.destroy());
    await expect(boundedFetch(dead, post)).rejects.toThrow('socket hang up');
  });

  it('fails where the connection ends in the middle of the body', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '50' });
      response.write('half', () => response.destroy());
    });
    await expect(buildBoundedFetch(bounds)(url, post)).rejects.toThrow();
  });

  it('ends when its signal says so', async () => {
    const url = await serve(() => undefined);
    await expect(buildBoundedFetch(bounds)(url, { ...post, signal: AbortSignal.timeout(50) })).rejects.toThrow();
  });
});
