import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { buildOutgoingFetch } from '../../../lib/core/http/outgoing.ts';

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

const bounds = { peer: 'the provider', connectTimeoutMs: 1_000, bytesMax: 100 };
const post = { method: 'POST', body: '{}' };

describe('buildOutgoingFetch', () => {
  it('gives status, headers and body', async () => {
    const url = await serve((_, response) => {
      response.writeHead(418, { 'content-type': 'application/json', 'retry-after': '3' }).end('{"a":"é"}');
    });
    const response = await buildOutgoingFetch(bounds)(url, post);
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
    const response = await buildOutgoingFetch(bounds)(url, post);
    const text = await response.text().catch(() => 'refused');
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
    const outgoingFetch = buildOutgoingFetch(bounds);
    expect(await (await outgoingFetch(url, post)).text()).toBe('answer 1');
    expect(await (await outgoingFetch(url, post)).text()).toBe('answer 3');
    const dead = await serve((request) => void request.socket.destroy());
    await expect(outgoingFetch(dead, post)).rejects.toThrow('socket hang up');
  });

  it('fails if the connection ends in the middle of the body', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '50' });
      response.write('half', () => response.destroy());
    });
    const response = await buildOutgoingFetch(bounds)(url, post);
    await expect(response.text()).rejects.toThrow();
  });

  it('follows no redirect', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    await expect(buildOutgoingFetch(bounds)(url, post)).rejects.toThrow(
      'the provider answered with a redirect (302), which is not followed',
    );
  });

  it('counts the bytes of all answers together if it is told to', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(60)));
    const fetch = buildOutgoingFetch({ ...bounds, areBytesShared: true });
    expect(await (await fetch(url, post)).text()).toHaveLength(60);
    await expect((await fetch(url, post)).text()).rejects.toThrow('larger than 100 bytes');
  });

  it('goes only to the addresses it is pinned to', async () => {
    const url = await serve((_, response) => response.end('here'));
    const named = url.replace('127.0.0.1', 'nowhere.invalid');
    const pinned = buildOutgoingFetch({ ...bounds, addresses: ['127.0.0.1'] });
    expect(await (await pinned(named, post)).text()).toBe('here');
    await expect(buildOutgoingFetch({ ...bounds, addresses: ['127.0.0.9'] })(url, post)).rejects.toThrow(
      'none of those that were checked',
    );
  });

  it('bounds a stream of events by its pauses and its own bytes', async () => {
    const events = { bytesMax: 200, pauseMsMax: 100 };
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('x'.repeat(150));
      if (request.url === '/long') response.end('x'.repeat(100));
    });
    const fetch = buildOutgoingFetch({ ...bounds, events });
    await expect((await fetch(url, post)).text()).rejects.toThrow('stopped coming');
    await expect((await fetch(`${url}long`, post)).text()).rejects.toThrow('larger than 200 bytes');
  });

  it('keeps the connection of an event stream whose reader stopped before its end', async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('first');
      setTimeout(() => response.end('last'), 50);
    });
    const fetch = buildOutgoingFetch(bounds);
    for (const _ of [1, 2]) {
      const reader = (await fetch(url, post)).body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(sockets.size).toBe(1);
  });

  it('ends when its signal says so', async () => {
    const url = await serve(() => undefined);
    await expect(buildOutgoingFetch(bounds)(url, { ...post, signal: AbortSignal.timeout(50) })).rejects.toThrow();
  });

  it('is not disturbed by an abort after the answer has come', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('first');
    });
    const abort = new AbortController();
    const reader = (await buildOutgoingFetch(bounds)(url, { ...post, signal: abort.signal })).body?.getReader();
    await reader?.read();
    abort.abort();
    await reader?.cancel().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
