import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { InvocationError } from '../../infra/local/environment.ts';
import { buildHttpEvent, parseHttpAnswer } from '../../infra/local/http-event.ts';
import {
  addProblems,
  findRoute,
  type HeadVerdict,
  type HttpFront,
  LOCAL_CONNECTIONS_MAX,
  LOCAL_UNPROVEN_A_MINUTE_MAX,
  type RequestHead,
  startHttpFront,
} from '../../infra/local/http-front.ts';
import { BODY_BYTES_MAX } from '../../lib/core/base/limits.ts';
import { compress } from '../../lib/core/http/compress.ts';
import { FunctionUrlEvent } from '../../lib/core/http/function-url.ts';
import { until } from '../support/stack.ts';

const REQUEST = {
  method: 'POST',
  target: '/api/x?a=1&a=2&b=',
  headers: { host: '127.0.0.1:1', 'content-type': 'application/json', cookie: 'a=1; b=2' },
  body: Buffer.from('{"ü":1}'),
  sourceIp: '127.0.0.1',
  requestId: 'id',
  nowMs: 0,
};

describe('buildHttpEvent', () => {
  it('makes an event of payload version 2.0', () => {
    expect(buildHttpEvent(REQUEST)).toStrictEqual({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/api/x',
      rawQueryString: 'a=1&a=2&b=',
      cookies: ['a=1', 'b=2'],
      headers: { host: '127.0.0.1:1', 'content-type': 'application/json' },
      queryStringParameters: { a: '1,2', b: '' },
      requestContext: {
        accountId: 'anonymous',
        apiId: 'local',
        domainName: '127.0.0.1:1',
        domainPrefix: 'local',
        http: { method: 'POST', path: '/api/x', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
        requestId: 'id',
        routeKey: '$default',
        stage: '$default',
        time: '1970-01-01T00:00:00.000Z',
        timeEpoch: 0,
      },
      body: '{"ü":1}',
      isBase64Encoded: false,
    });
  });

  it.each<[string, string, Buffer, string | undefined, boolean]>([
    ['text', 'text/plain; charset=utf-8', Buffer.from('hi'), 'hi', false],
    ['JSON by suffix', 'application/vnd.x+json', Buffer.from('{}'), '{}', false],
    ['a form', 'application/x-www-form-urlencoded', Buffer.from('a=1'), 'YT0x', true],
    ['bytes', 'application/octet-stream', Buffer.from([255]), '/w==', true],
    ['JSON that is not UTF-8', 'application/json', Buffer.from([255]), '/w==', true],
    ['nothing', 'application/json', Buffer.alloc(0), undefined, false],
  ])('carries %s', (_, type, body, expected, isBase64Encoded) => {
    const event = buildHttpEvent({ ...REQUEST, headers: { 'content-type': type }, body });
    expect(event).toMatchObject({ isBase64Encoded });
    expect('body' in event ? event.body : undefined).toBe(expected);
  });
});

describe('parseHttpAnswer', () => {
  it.each<[string, unknown, object]>([
    [
      'a whole answer',
      { statusCode: 201, headers: { 'X-A': 'b', 'X-N': 1 }, body: 'hi', cookies: ['c=1'] },
      { statusCode: 201, headers: { 'x-a': 'b', 'x-n': '1', 'set-cookie': ['c=1'] }, body: Buffer.from('hi') },
    ],
    [
      'base64',
      { statusCode: 200, body: 'aGk=', isBase64Encoded: true },
      { statusCode: 200, headers: {}, body: Buffer.from('hi') },
    ],
    [
      'plain data',
      { ok: true },
      { statusCode: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"ok":true}') },
    ],
  ])('takes %s', (_, result, expected) => {
    expect(parseHttpAnswer(result)).toStrictEqual(expected);
  });

  it('gives 502 for an answer that is not HTTP', () => {
    expect(parseHttpAnswer({ statusCode: 'fine' }).statusCode).toBe(502);
  });
});

describe('addProblems', () => {
  const answer = (health: unknown) => ({ statusCode: 200, headers: {}, body: Buffer.from(JSON.stringify(health)) });
  const healthy = { status: 'healthy', reasons: [], checks: {} };

  it.each<[string, object, readonly string[], object, string?]>([
    ['leaves an answer alone without problems', healthy, [], healthy],
    [
      'names a problem',
      healthy,
      ['a disk is full.'],
      { ...healthy, status: 'degraded', reasons: ['a disk is full (infra/troubleshooting.md)'] },
    ],
    [
      'leaves "unhealthy" as it is',
      { ...healthy, status: 'unhealthy', reasons: ['no table'] },
      ['a disk is full.'],
      { ...healthy, status: 'unhealthy', reasons: ['no table', 'a disk is full (infra/troubleshooting.md)'] },
    ],
    [
      'says which of them is why nothing is answered',
      healthy,
      ['the disk is full'],
      {
        ...healthy,
        status: 'degraded',
        reasons: ['the disk is full (infra/troubleshooting.md)'],
        because: 'the disk is full (infra/troubleshooting.md)',
      },
      'the disk is full',
    ],
    ['gives an answer without reasons none', { status: 'healthy' }, ['a disk is full.'], { status: 'degraded' }],
    ['leaves another answer alone', { error: 'x' }, ['a disk is full.'], { error: 'x' }],
  ])('%s', (_, health, problems, expected, silence) => {
    expect(JSON.parse(addProblems(answer(health), problems, silence).body.toString('utf8'))).toStrictEqual(expected);
  });
});

describe('findRoute', () => {
  const routes = ['/', '/api/', '/health', '/telegram', '/webhook/'].map((prefix) => ({
    prefix,
    invoke: () => Promise.resolve(prefix),
    isPublic: false,
  }));
  it.each([
    ['/', '/'],
    ['/api/signals/1', '/api/'],
    ['/health', '/health'],
    ['/healthy', undefined],
    ['/telegram', '/telegram'],
    ['/telegram/', '/telegram'],
    ['/telegrams', undefined],
    ['/webhook', undefined],
    ['/webhook/github', '/webhook/'],
  ])('finds the longest prefix of %s', (path, expected) => {
    expect(findRoute(routes, path)?.prefix).toBe(expected);
  });
});

describe('startHttpFront', () => {
  let front: HttpFront;
  let invoked = 0;
  let doors = 0;
  const opened = Promise.withResolvers<void>();

  const ask = (path: string, headers: Record<string, string> = {}, body: Buffer | Buffer[] = []) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sent = request(`${front.url}${path}`, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, body: text }));
      });
      sent.on('error', reject);
      for (const chunk of [body].flat()) sent.write(chunk);
      sent.end();
    });

  beforeAll(async () => {
    const fail = (outcome: 'crashed' | 'overloaded') => () =>
      Promise.reject(new InvocationError('test', outcome, 'as asked, with a detail nobody outside shall see'));
    const echo = (event: unknown) => {
      invoked += 1;
      return Promise.resolve({ statusCode: 200, body: JSON.stringify(event) });
    };
    // As large an answer as the console compresses.
    const health = async (event: unknown) => {
      const body = JSON.stringify({ status: 'healthy', reasons: ['x'.repeat(9_000)] });
      return compress(
        { statusCode: 200, headers: {}, body },
        FunctionUrlEvent.parse(event).headers?.['accept-encoding'],
      );
    };
    const isToken = (authorization: string | undefined) => {
      doors += 1;
      return authorization === 'Bearer good';
    };
    const checkHead = ({ path, headers }: RequestHead): HeadVerdict => {
      if (path === '/hook/full') return { tooManyUntil: Date.now() + 30_000 };
      return headers['x-proof'] === undefined ? 'head' : 'all';
    };
    const slowEcho = async (event: unknown) => {
      await opened.promise;
      return echo(event);
    };
    front = await startHttpFront({
      host: '127.0.0.1',
      port: 0,
      publicHost: 'bot.example',
      routes: [
        { prefix: '/echo', invoke: echo, isPublic: false },
        { prefix: '/public', invoke: echo, isPublic: true },
        { prefix: '/crash', invoke: fail('crashed'), isPublic: false },
        { prefix: '/deny', invoke: () => Promise.resolve({ statusCode: 401, body: '' }), isPublic: true },
        { prefix: '/busy', invoke: fail('overloaded'), isPublic: false },
        { prefix: '/api/', invoke: echo, isPublic: false, isToken },
        { prefix: '/open', invoke: slowEcho, isPublic: false, isToken },
        { prefix: '/hook/', invoke: echo, isPublic: true, checkHead },
        { prefix: '/health', invoke: health, isPublic: false },
      ],
      problems: () => ['a disk is full'],
    });
  });
  afterAll(() => front.stop());

  it.each<[string, string, Record<string, string>, number]>([
    ['its own address', '/echo', {}, 200],
    ['a foreign Host', '/echo', { host: 'evil.example' }, 400],
    ['the public name for a public route', '/public', { host: 'bot.example' }, 200],
    ['the public name for a private route', '/echo', { host: 'bot.example' }, 400],
    ['a page of another origin', '/echo', { origin: 'http://evil.example' }, 403],
    ['a path nobody serves', '/', {}, 404],
    ['a function that crashes', '/crash', {}, 502],
    ['too many requests', '/busy', {}, 503],
  ])('answers %s', async (_, path, headers, status) => {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('nobody outside');
  });

  it('adds problems of this machine to health, whatever encodings are taken', async () => {
    const { status, body } = await ask('/health', { 'accept-encoding': 'br, gzip' });
    expect(status).toBe(200);
    expect(JSON.parse(body).reasons.at(-1)).toBe('a disk is full (infra/troubleshooting.md)');
  });

  it('takes a body up to the limit, and refuses one byte more before running anything', async () => {
    const before = invoked;
    expect((await ask('/echo', {}, Buffer.alloc(BODY_BYTES_MAX))).status).toBe(200);
    expect(invoked).toBe(before + 1);
    expect(
      (await ask('/echo', { 'content-length': `${BODY_BYTES_MAX + 1}` }, Buffer.alloc(BODY_BYTES_MAX + 1))).status,
    ).toBe(413);
    // Without a length: counted as it comes.
    const chunks = [Buffer.alloc(BODY_BYTES_MAX), Buffer.alloc(1)];
    const refused = await ask('/echo', { 'transfer-encoding': 'chunked' }, chunks);
    expect(refused.status).toBe(413);
    expect(refused.body).toContain(`a body may have at most ${BODY_BYTES_MAX} bytes`);
    expect(invoked).toBe(before + 1);
  });

  it.each([
    ['no token', 'POST', '/api/x', {}, 401],
    ['a wrong token', 'POST', '/api/x', { authorization: 'Bearer bad' }, 401],
    ['another method', 'OPTIONS', '/api/x', { authorization: 'Bearer good' }, 405],
  ])('refuses %s without waiting for the body or running anything', async (_, method, path, headers, status) => {
    const before = invoked;
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      // A body is announced, and never sent.
      const sent = request(`${front.url}${path}`, { method, headers: { ...headers, 'content-length': '100000' } });
      sent.on('error', reject).on('response', (answer) => {
        resolve(answer.statusCode);
        sent.destroy();
      });
      sent.flushHeaders();
    });
    expect([answered, invoked - before]).toStrictEqual([status, 0]);
  });

  it.each([
    ['a path nobody serves', '/nobody', {}, '/echo', {}],
    ['a proof that does not hold', '/deny', {}, '/echo', {}],
    ['no token', '/api/x', {}, '/api/x', { authorization: 'Bearer good' }],
  ])('answers calls with %s once a second, over a bound, and others at once', async (_, path, headers, own, proven) => {
    // They are counted by the minute of the clock, which must not turn meanwhile.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    for (let n = 0; n <= LOCAL_UNPROVEN_A_MINUTE_MAX; n += 1) await ask(path, headers);
    const order: string[] = [];
    const held = ask(path, headers).then(() => order.push('held'));
    const proved = ask(own, proven).then(() => order.push('proved'));
    await Promise.all([held, proved]);
    expect(order).toStrictEqual(['proved', 'held']);
  });

  it('hands on the head alone of a post without a proof, and nothing of one too many', async () => {
    const before = invoked;
    // A body is announced, and never sent.
    const announce = (path: string) =>
      new Promise<{ status: number | undefined; again: string | undefined; body: string }>((resolve, reject) => {
        const sent = request(`${front.url}${path}`, { method: 'POST', headers: { 'content-length': '100000' } });
        sent.on('error', reject).on('response', (answer) =>
          answer.setEncoding('utf8').once('data', (body: string) => {
            resolve({ status: answer.statusCode, again: answer.headers['retry-after'], body });
            sent.destroy();
          }),
        );
        sent.flushHeaders();
      });
    const { status, body } = await announce('/hook/x');
    expect([status, JSON.parse(body).body, invoked - before]).toStrictEqual([200, undefined, 1]);
    expect(await announce('/hook/full')).toMatchObject({ status: 429, again: '30' });
    expect(invoked - before).toBe(1);
    expect(JSON.parse((await ask('/hook/x', { 'x-proof': '1' }, Buffer.from('{}'))).body)).toMatchObject({
      body: 'e30=',
    });
  });

  it('answers any number of open requests to one path with one run, and a token with its own', async () => {
    const before = { invoked, doors };
    const crowd = Array.from({ length: 50 }, (_, n) => ask(`/open?n=${n}`, { authorization: `Bearer bad-${n}` }));
    const known = ask('/open', { authorization: 'Bearer good' });
    const waiting = Promise.all([known, ...crowd]);
    // They are all there before the first one is answered.
    await expect.poll(() => doors - before.doors).toBe(51);
    opened.resolve();
    expect((await waiting).map(({ status }) => status)).toStrictEqual(Array(51).fill(200));
    expect(invoked - before.invoked).toBe(2);
  });

  it('serves others while 500 connections send nothing, half a header or half a body', async () => {
    const half = ['', 'POST /echo HTTP/1.1\r\nHo', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1'];
    const sockets = Array.from({ length: 500 }, (_, n) => {
      const socket = connect(front.port, '127.0.0.1').on('error', () => undefined);
      socket.write(half[n % half.length] ?? '');
      return socket;
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await ask('/echo')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('holds a bounded number of connections, and takes the next once one has gone', async () => {
    const open = () => connect(front.port, '127.0.0.1').on('error', () => undefined);
    const sockets = Array.from({ length: LOCAL_CONNECTIONS_MAX }, open);
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await new Promise((resolve) => open().resume().once('close', resolve));
    for (const socket of sockets) socket.destroy();
    await until('it serves again', async () => (await ask('/echo').catch(() => undefined))?.status === 200);
  });
});
