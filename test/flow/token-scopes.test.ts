/**
 * Who may do what over HTTP, on the running stack: every route and every kind of message with every
 * kind of token, and what a script tries in order to speak, read or stop where it may not.
 */
import { hash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../lib/core/edge/console/routes.ts';
import { skillKeys } from '../../lib/core/store/keys.ts';
import { call, type Script, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack } from '../support/stack.ts';

const SCRIPTS = {
  reader: ['read'],
  speaker: ['speak'],
  helper: ['speak-as-owner'],
  rival: ['speak'],
} as const;
const tokenOf = (name: string): string => `token-of-the-script-${name}`;

/** `none` sends no header. */
const TOKENS: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  wrong: 'token-of-nobody-at-all',
  read: tokenOf('reader'),
  speak: tokenOf('speaker'),
  'speak-as-owner': tokenOf('helper'),
  approver: APPROVER_TOKEN,
};

/** Looks into memory where the bike is asked about, and says what it found. */
const recallBike: Script = (asked) => {
  const found = toolResultsOf(asked);
  if (found.length > 0) return say(`found ${found.join()}`);
  return userTextOf(asked).includes('my bike?')
    ? call('recall', { query: 'bike', explanation: 'the person wants to know what is kept about the bike' })
    : say('heard');
};

const scripts = Object.entries(SCRIPTS).map(([name, scopes]) => [name, { token: tokenOf(name), scopes }]);
const world = await startTestStack({
  isBundled: true,
  script: recallBike,
  environment: { API_TOKENS: JSON.stringify(Object.fromEntries(scripts)) },
});
afterAll(world.stop);

const send = async (
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`${world.stack.url}${path}`, {
    method,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};
const post = (name: string, body: object) =>
  world.api<{ id: string; error?: { message: string } }>('POST', '/api/messages', body, tokenOf(name));

/** Ids that no route finds: the answer says who may ask, and changes nothing. */
const NO_APPROVAL = '0'.repeat(32);
const BY_READ = ['read', 'approver'];
const BY_OWNER = ['speak-as-owner', 'approver'];
const BY_SPEAKERS = ['speak', 'speak-as-owner', 'approver'];
const BY_APPROVER = ['approver'];
const BY_ALL = Object.keys(TOKENS);
const BY_TOKEN = BY_ALL.filter((name) => name !== 'none' && name !== 'wrong');

/** Method and path, who may, the answer to whoever may, and a body. Stop and resume come last. */
const TABLE: readonly (readonly [string, readonly string[], number, unknown?])[] = [
  ['GET /', BY_ALL, 200],
  ['GET /verifier.js', BY_ALL, 200],
  ['GET /page/000000000000.js', BY_ALL, 404],
  ['GET /page/german.json', BY_ALL, 200],
  ['GET /manifest/000000000000', BY_ALL, 404],
  ['GET /health', BY_ALL, 200],
  ['POST /api/messages', BY_SPEAKERS, 202, { text: 'hello' }],
  // For programs alone: an approver has the page and the terminal.
  ['GET /api/responses/con-none', ['read', 'speak', 'speak-as-owner'], 404],
  ['POST /api/responses', ['speak', 'speak-as-owner'], 202, { text: 'hello' }],
  ['GET /api/signals', BY_READ, 200],
  ['POST /api/signals/con-none/redrive', BY_APPROVER, 404],
  ['POST /api/signals/con-none/effects/0', BY_APPROVER, 404, { resolution: 'done' }],
  ['GET /api/evidence', BY_READ, 200],
  ['GET /api/signals/con-none/evidence', BY_READ, 404],
  ['GET /api/approvals', BY_READ, 200],
  [`POST /api/approvals/${NO_APPROVAL}`, BY_APPROVER, 404, { decision: 'deny' }],
  ['POST /api/approve', BY_APPROVER, 202, {}],
  ['POST /api/deny', BY_APPROVER, 202, {}],
  ['GET /api/grants', BY_READ, 200],
  ['POST /api/grants/add', BY_APPROVER, 400, {}],
  ['POST /api/revoke', BY_APPROVER, 202, { grant: '0123456789ab' }],
  ['GET /api/status', BY_READ, 200],
  ['GET /api/budget', BY_READ, 200],
  ['GET /api/cost', BY_READ, 200],
  ['GET /api/recall?words=bike', BY_READ, 200],
  ['GET /api/memory/objects', BY_READ, 200],
  [`GET /api/memory/seen/${NO_APPROVAL}`, BY_READ, 200],
  ['POST /api/memory/buffer', BY_OWNER, 202, { nodes: [{ level: 1, key: 'k' }] }],
  ['POST /api/memory/import', BY_OWNER, 202, { nodes: [{ level: 1, key: 'k' }] }],
  ['POST /api/memory/point', BY_OWNER, 202, { objectId: 'off' }],
  ['GET /api/policy', BY_READ, 200],
  ['POST /api/policy', BY_APPROVER, 200, { text: '' }],
  ['GET /api/stopped', BY_READ, 200],
  ['GET /api/token', BY_TOKEN, 200],
  ['GET /api/home', BY_READ, 200],
  ['GET /api/signals/con-none/replay', BY_READ, 404],
  ['POST /api/signals/con-none/try-policy', BY_READ, 404, { text: '' }],
  ['GET /api/figures', BY_READ, 200],
  ['GET /api/changes', BY_READ, 200],
  ['GET /api/jobs/list', BY_READ, 200],
  ['GET /api/jobs/show?name=none', BY_READ, 404],
  ['GET /api/jobs/history?name=none', BY_READ, 404],
  ['POST /api/jobs/pause', BY_APPROVER, 202, { name: 'none' }],
  ['POST /api/jobs/dry-run', BY_OWNER, 202, { name: 'none' }],
  ['GET /api/openapi.json', BY_TOKEN, 200],
  ['GET /api/runbook/runs', BY_READ, 200],
  ['GET /api/runbook/show?name=run-none', BY_READ, 404],
  ['GET /runbook.schema.json', BY_ALL, 200],
  ['GET /oauth-client', BY_ALL, 200],
  ['GET /api/log', BY_READ, 200],
  ['POST /api/log', BY_READ, 202],
  ['GET /api/log/checkpoint', BY_READ, 404],
  ['GET /api/log/checkpoints', BY_READ, 200],
  ['GET /api/log/key', BY_READ, 404],
  ['GET /api/log/gate-sets', BY_READ, 200],
  [`GET /api/log/gate-code/${'0'.repeat(64)}`, BY_READ, 404],
  ['GET /api/log/tile/0/000', BY_READ, 404],
  ['GET /api/log/records', BY_READ, 200],
  ['GET /api/log/records/con-none', BY_READ, 200],
  ['GET /api/log/commits', BY_READ, 200],
  ['POST /api/pairing-codes', BY_APPROVER, 201],
  ['POST /api/provider-key', BY_APPROVER, 400, {}],
  ['POST /api/stop', BY_OWNER, 202],
  ['POST /api/resume', BY_APPROVER, 202],
];
/** Paths that a script may look at if what is there is its own: all others are not there for it. */
const OWN = ['GET /api/signals/con-none', 'GET /api/signals/con-none/stream'];

const expectedStatus = (kind: string, allowed: readonly string[], ok: number): number => {
  if (allowed.includes(kind)) return ok;
  return kind === 'none' || kind === 'wrong' ? 401 : 403;
};

it('gives the code of a gate by its hash', async () => {
  const code = 'allow()';
  const sha256 = hash('sha256', code);
  await world.table.put(skillKeys.file('default', sha256), { schemaVersion: 1, text: code });
  const answer = await send('GET', `/api/log/gate-code/${sha256}`, TOKENS.read);
  expect(answer).toStrictEqual({ status: 200, text: code });
});

describe('every route with every kind of token', () => {
  it('has a row here', () => {
    const routeOf = (line: string) => {
      const [method = '', path = ''] = line.split(/ |\?/);
      return ROUTES.find((route) => route.method === method && route.path.test(path));
    };
    const covered = new Set([...TABLE.map(([line]) => line), ...OWN].map(routeOf));
    expect(ROUTES.filter((route) => !covered.has(route)).map(({ path }) => path.source)).toStrictEqual([]);
  });

  it('answers whoever may, and no one else', async () => {
    const wrong: string[] = [];
    const known = ['read', 'speak', 'speak-as-owner', 'approver'];
    for (const [line, allowed, ok, body] of [...OWN.map((line) => [line, known, 404] as const), ...TABLE]) {
      const [method = '', path = ''] = line.split(' ');
      const look = async ([kind, token]: readonly [string, string | undefined]): Promise<void> => {
        const { status } = await send(method, path, token, body);
        const expected = expectedStatus(kind, allowed, ok);
        if (status !== expected) wrong.push(`${line} with ${kind}: ${status}, not ${expected}`);
      };
      await Promise.all(Object.entries(TOKENS).map(look));
    }
    expect(wrong).toStrictEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['hello', BY_SPEAKERS],
    ['/help', BY_OWNER],
    ['/memory', BY_OWNER],
    ['/memory open', BY_APPROVER],
    ['/remember the bike is blue', BY_OWNER],
    ['/identity', BY_OWNER],
    ['/identity name Mallory', BY_APPROVER],
    ['/skill tier notes auto', BY_APPROVER],
    ['/model reasoning', BY_APPROVER],
    [`/forget ${'a'.repeat(32)}`, BY_APPROVER],
    ['/rollback 0', BY_APPROVER],
    ['/mcp remove tracker', BY_APPROVER],
    ['/grants', BY_APPROVER],
    ['/revoke 0123456789ab', BY_APPROVER],
    ['/grants add {}', BY_APPROVER],
    ['/ReSuMe', BY_APPROVER],
    ['/resume telegram:7', BY_APPROVER],
    ['/approve 1', BY_APPROVER],
    ['  /FORGET x', BY_APPROVER],
  ])('takes the message %j from whoever may say it', async (text, allowed) => {
    const kinds = Object.keys(TOKENS);
    const ask = async (kind: string) => (await send('POST', '/api/messages', TOKENS[kind], { text })).status;
    expect(await Promise.all(kinds.map(ask))).toStrictEqual(kinds.map((kind) => expectedStatus(kind, allowed, 202)));
  });
});

/** One request with headers as they stand, repeated ones too. @returns the status */
const raw = (path: string, headers: readonly string[]): Promise<number> =>
  new Promise((done, fail) => {
    const { hostname, port, host } = new URL(world.stack.url);
    const sent = request({ hostname, port, path, headers: ['host', host, ...headers] }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0));
    });
    sent.on('error', fail).end();
  });

describe('a token', () => {
  const bearer = `Bearer ${APPROVER_TOKEN}`;
  it.each<[string, string, readonly string[], number]>([
    ['in the query', `/api/signals?token=${APPROVER_TOKEN}`, [], 401],
    ['in a cookie', '/api/signals', ['cookie', `token=${APPROVER_TOKEN}; authorization=${bearer}`], 401],
    ['of another scheme', '/api/signals', ['authorization', `Basic ${APPROVER_TOKEN}`], 401],
    ['without a scheme', '/api/signals', ['authorization', APPROVER_TOKEN], 401],
    ['after a wrong one', '/api/signals', ['authorization', 'Bearer wrong', 'authorization', bearer], 401],
    ['in one header with another', '/api/signals', ['authorization', `${bearer}, Bearer wrong`], 401],
    ['and a letter more', '/api/signals', ['authorization', `${bearer}x`], 401],
    ['in upper case', '/api/signals', ['authorization', bearer.toUpperCase()], 401],
    ['with the scheme in lower case', '/api/signals', ['authorization', bearer.replace('Bearer', 'bearer')], 200],
    ['for a path in disguise', '/%61pi/resume', [], 404],
  ])('%s', async (_what, path, headers, status) => {
    expect(await raw(path, headers)).toBe(status);
  });
});

describe('a script that speaks', () => {
  it('is named in its record, is untrusted, and stays in conversations of its own', async () => {
    for (const session of [undefined, 'main', 'console:main', 'script:rival:main']) {
      const { body } = await post('speaker', {
        text: `from ${session}`,
        ...(session === undefined ? {} : { session }),
      });
      const view = await world.settled(body.id);
      expect(view).toMatchObject({
        source: 'script',
        sender: 'script:speaker',
        session: `script:speaker:${session ?? 'main'}`,
        text: [{ origin: 'outside', label: 'script speaker' }],
        replies: ['heard'],
      });
    }
    const { body } = await world.api<{ signals: { sender: string }[] }>('GET', '/api/signals?limit=5');
    expect(body.signals.map(({ sender }) => sender)).toContain('script:speaker');
    expect(world.log()).toContain('"by":"script speaker"');
    expect(world.log()).not.toContain(tokenOf('speaker'));
  });

  it('speaks as the owner with that scope, in conversations of its own', async () => {
    const { body } = await post('helper', { text: 'in your name' });
    expect(await world.settled(body.id)).toMatchObject({
      source: 'console',
      sender: 'script:helper',
      session: 'script:helper:main',
      text: [{ text: 'in your name', origin: 'owner' }],
    });
    const why = await world.api<{ id: string }>('POST', '/api/messages', { text: `/why ${body.id}` });
    expect((await world.settled(why.body.id)).replies[0]).toContain(`${body.id}: acted, by script helper`);
  });

  it('never shares a signal with another, whatever key it names', async () => {
    const body = { text: 'once', idempotencyKey: 'k', session: 'main' };
    const ids = [
      (await world.api<{ id: string }>('POST', '/api/messages', body)).body.id,
      (await world.api<{ id: string }>('POST', '/api/messages', { ...body, session: 'script:rival:main' })).body.id,
      ...(await Promise.all(
        ['speaker', 'rival', 'helper', 'rival'].map(async (name) => (await post(name, body)).body.id),
      )),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(ids[3]).toBe(ids[5]);
  });

  it.each(['origin', 'source', 'sender', 'replyTo', 'reply', 'parent', 'root', 'id', 'caller', 'scopes'])(
    'may not say its own %s',
    async (member) => {
      const answer = await post('speaker', { text: 'hi', [member]: 'owner' });
      expect([answer.status, answer.body.error?.message]).toStrictEqual([400, `unknown member ${member}`]);
    },
  );

  it('names no conversation longer than a session may be', async () => {
    const answer = await post('speaker', { text: 'hi', session: 'x'.repeat(60) });
    expect(answer.status).toBe(400);
    expect(answer.body.error?.message).toContain('session is too long');
  });

  it('reads the replies to its own signals, and nothing else, without the scope', async () => {
    const own = (await post('speaker', { text: 'mine' })).body.id;
    await world.settled(own);
    const foreign = (await world.api<{ id: string }>('POST', '/api/messages', { text: 'a secret' })).body.id;
    await world.settled(foreign);
    const get = (path: string, name: string) => world.api<object>('GET', path, undefined, tokenOf(name));
    expect((await get(`/api/signals/${own}`, 'speaker')).body).toStrictEqual({
      id: own,
      state: 'acted',
      session: 'script:speaker:main',
      sender: 'script:speaker',
      receivedAt: expect.any(Number),
      replies: ['heard'],
      turn: 'ended',
      isTurnClosed: true,
      outcome: 'done',
    });
    const stream = await send('GET', `/api/signals/${own}/stream`, tokenOf('speaker'));
    expect([stream.status, stream.text.includes('heard')]).toStrictEqual([200, true]);
    for (const path of ['', '/stream'])
      for (const [id, name] of [
        [foreign, 'speaker'],
        [foreign, 'helper'],
        [own, 'rival'],
      ] as const)
        expect((await send('GET', `/api/signals/${id}${path}`, tokenOf(name))).status).toBe(404);
    expect((await send('GET', `/api/signals/${own}/evidence`, tokenOf('speaker'))).status).toBe(403);
    expect((await send('GET', `/api/signals/${foreign}`, tokenOf('reader'))).status).toBe(200);
  });

  it('is told nothing of memory, unless its words are those of the owner', async () => {
    await world.settled(
      (await world.api<{ id: string }>('POST', '/api/messages', { text: '/remember my bike is blue' })).body.id,
    );
    const ask = async (name: string) =>
      (await world.settled((await post(name, { text: 'Where is my bike?' })).body.id)).replies.join();
    expect(await ask('helper')).toContain('my bike is blue');
    expect(await ask('speaker')).not.toContain('my bike is blue');
  });

  it('stops its own conversation only, until an approver resumes it', async () => {
    const stop = (await post('speaker', { text: 'stop', session: 'noisy' })).body.id;
    expect((await world.settled(stop)).replies).toContain(
      'Stopped. Nothing will be done in this conversation until an approver resumes it: /resume. Other conversations go on.',
    );
    const ask = async (name: string, session: string) =>
      (await world.settled((await post(name, { text: 'go on', session })).body.id)).state;
    expect(await ask('speaker', 'noisy')).toBe('refused');
    expect(await ask('speaker', 'quiet')).toBe('acted');
    expect(await ask('rival', 'noisy')).toBe('acted');
    expect((await world.api('GET', '/health')).body).toMatchObject({ checks: { isStopped: false } });
    const resumed = await world.api<{ id: string }>('POST', '/api/resume', { session: 'script:speaker:noisy' });
    await world.settled(resumed.body.id);
    expect(await ask('speaker', 'noisy')).toBe('acted');
  });

  it('stops everything in the words of the owner', async () => {
    await world.settled((await post('helper', { text: 'STOP' })).body.id);
    expect((await world.api('GET', '/health')).body).toMatchObject({ checks: { isStopped: true } });
    await world.settled((await world.api<{ id: string }>('POST', '/api/resume')).body.id);
  });
});
