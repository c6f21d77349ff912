/**
 * HTTP requests that must not get in: a clear status and error, and nothing stored. And a store
 * that is down: 503.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startStack } from '../../infra/local/stack.ts';
import { startDynamo } from '../support/dynamo.ts';
import {
  API_TOKENS,
  APPROVER_TOKEN,
  NO_HEARTBEAT_S,
  SCRIPT_TOKEN,
  startTestStack,
  TELEGRAM_SECRET,
  type TestStack,
} from '../support/stack.ts';

const MIB = 1024 * 1024;
const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;
const EVENT = JSON.stringify({ type: 'disk.full', timestamp: '2026-09-21T00:00:00Z', data: { host: 'a' } });
const UPDATE = JSON.stringify({
  update_id: 1,
  message: {
    message_id: 1,
    date: 1,
    chat: { id: 7, type: 'private' },
    from: { id: 7, is_bot: false, first_name: 'O' },
    text: 'hi',
  },
});

type Sent = { readonly path: string; readonly headers?: Record<string, string>; readonly body?: string };

const signed = (body: string, atMs = Date.now(), id = 'evt_1'): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(atMs / 1000)),
  'webhook-signature': new Webhook(SECRET).sign(id, new Date(atMs), body),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const telegram = { 'x-telegram-bot-api-secret-token': TELEGRAM_SECRET };
const environment = { WEBHOOK_SECRETS: JSON.stringify({ monitor: SECRET }), TELEGRAM_ALLOWED_CHATS: '7' };

const post = async (url: string, { path, headers = {}, body }: Sent) => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body ?? null,
  });
  const text = await response.text();
  return { status: response.status, error: (JSON.parse(text) as { error?: { code: string; message: string } }).error };
};

/** `fetch` does not let a Host header be chosen. */
const postAs = (url: string, host: string, path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = { host, ...bearer(SCRIPT_TOKEN), 'content-type': 'application/json' };
    const sending = request({ hostname, port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sending.on('error', reject).end('{"text":"hi"}');
  });

describe('a request that must not get in', () => {
  let world: TestStack;
  beforeAll(async () => {
    world = await startTestStack({ isPolling: false, environment });
  });
  afterAll(() => world?.stop());

  const STALE = Date.now() - 6 * 60_000;
  const cases: readonly (readonly [what: string, status: number, () => Sent])[] = [
    ['console: no token', 401, () => ({ path: '/api/messages', body: '{"text":"hi"}' })],
    [
      'console: wrong token',
      401,
      () => ({ path: '/api/messages', headers: bearer('guessed-token-of-nobody'), body: '{"text":"hi"}' }),
    ],
    [
      'console: empty token',
      401,
      () => ({ path: '/api/messages', headers: { authorization: 'Bearer ' }, body: '{"text":"hi"}' }),
    ],
    [
      'console: another scheme',
      401,
      () => ({ path: '/api/messages', headers: { authorization: `Basic ${SCRIPT_TOKEN}` }, body: '{"text":"hi"}' }),
    ],
    [
      'console: malformed JSON',
      400,
      () => ({ path: '/api/messages', headers: bearer(SCRIPT_TOKEN), body: '{"text":' }),
    ],
    ['console: no body', 400, () => ({ path: '/api/messages', headers: bearer(SCRIPT_TOKEN) })],
    [
      'console: a field nobody knows',
      400,
      () => ({ path: '/api/messages', headers: bearer(SCRIPT_TOKEN), body: '{"text":"hi","approved":true}' }),
    ],
    [
      'console: an empty text',
      400,
      () => ({ path: '/api/messages', headers: bearer(SCRIPT_TOKEN), body: '{"text":"  "}' }),
    ],
    [
      'console: nested too deeply',
      400,
      () => ({
        path: '/api/messages',
        headers: bearer(SCRIPT_TOKEN),
        body: `{"text":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      }),
    ],
    [
      'console: 2 MB',
      413,
      () => ({
        path: '/api/messages',
        headers: bearer(SCRIPT_TOKEN),
        body: JSON.stringify({ text: 'x'.repeat(2 * MIB) }),
      }),
    ],
    [
      'console: may not approve',
      403,
      () => ({
        path: `/api/approvals/${'a'.repeat(32)}`,
        headers: bearer(SCRIPT_TOKEN),
        body: '{"decision":"approve"}',
      }),
    ],
    ['console: may not resume', 403, () => ({ path: '/api/resume', headers: bearer(SCRIPT_TOKEN), body: '{}' })],
    ['console: no such path', 404, () => ({ path: '/api/nothing', headers: bearer(SCRIPT_TOKEN), body: '{}' })],
    ['webhook: no signature', 401, () => ({ path: '/webhook/monitor', body: EVENT })],
    ['webhook: wrong signature', 401, () => ({ path: '/webhook/monitor', headers: signed(`${EVENT} `), body: EVENT })],
    [
      'webhook: signed for another id',
      401,
      () => ({ path: '/webhook/monitor', headers: { ...signed(EVENT), 'webhook-id': 'evt_2' }, body: EVENT }),
    ],
    ['webhook: stale timestamp', 401, () => ({ path: '/webhook/monitor', headers: signed(EVENT, STALE), body: EVENT })],
    [
      'webhook: timestamp of tomorrow',
      401,
      () => ({ path: '/webhook/monitor', headers: signed(EVENT, Date.now() + 86_400_000), body: EVENT }),
    ],
    [
      'webhook: a fresh timestamp on an old signature',
      401,
      () => ({
        path: '/webhook/monitor',
        headers: { ...signed(EVENT, STALE), 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) },
        body: EVENT,
      }),
    ],
    ['webhook: unknown source', 401, () => ({ path: '/webhook/stranger', headers: signed(EVENT), body: EVENT })],
    [
      'webhook: malformed JSON, well signed',
      400,
      () => ({ path: '/webhook/monitor', headers: signed('{"type":'), body: '{"type":' }),
    ],
    [
      'webhook: 2 MB',
      413,
      () => ({ path: '/webhook/monitor', headers: signed('x'), body: JSON.stringify({ data: 'x'.repeat(2 * MIB) }) }),
    ],
    ['telegram: no secret', 401, () => ({ path: '/telegram', body: UPDATE })],
    [
      'telegram: wrong secret',
      401,
      () => ({ path: '/telegram', headers: { 'x-telegram-bot-api-secret-token': 'guessed' }, body: UPDATE }),
    ],
    ['telegram: malformed JSON', 400, () => ({ path: '/telegram', headers: telegram, body: '{"update_id":' })],
    ['telegram: no update', 400, () => ({ path: '/telegram', headers: telegram, body: '{"hello":"world"}' })],
    [
      'telegram: 2 MB',
      413,
      () => ({ path: '/telegram', headers: telegram, body: JSON.stringify({ update_id: 1, x: 'x'.repeat(2 * MIB) }) }),
    ],
  ];

  /** Refused requests of a source are counted for its owner (`webhooks/unproven-requests.ts`). */
  const isNoCount = ({ pk }: Readonly<Record<string, unknown>>): boolean => !String(pk).endsWith('#source#unproven');

  it.each(cases)('is answered %s → %i, and nothing is stored', async (_what, status, build) => {
    const before = await world.scan();
    const { status: got, error } = await post(world.stack.url, build());
    expect({
      status: got,
      isClear: error !== undefined && error.message.length > 10 && error.code !== '',
    }).toStrictEqual({
      status,
      isClear: true,
    });
    expect(JSON.stringify(error)).not.toContain('guessed');
    expect((await world.scan()).filter(isNoCount)).toStrictEqual(before.filter(isNoCount));
  });

  it.each(['evil.example', '127.0.0.1.evil.example', '127.0.0.1'])(
    'is refused with a Host that is not ours: %j',
    async (host) => {
      const before = await world.scan();
      const { status, text } = await postAs(world.stack.url, host, '/api/messages');
      expect(status).toBe(400);
      expect(text).toContain('only under its own name');
      expect(await world.scan()).toStrictEqual(before);
    },
  );

  it('is what the cases say: the same requests, well made, get in', async () => {
    const good = [
      await post(world.stack.url, { path: '/api/messages', headers: bearer(SCRIPT_TOKEN), body: '{"text":"hi"}' }),
      await post(world.stack.url, { path: '/webhook/monitor', headers: signed(EVENT), body: EVENT }),
      await post(world.stack.url, { path: '/telegram', headers: telegram, body: UPDATE }),
    ];
    expect(good.map(({ status }) => status)).toStrictEqual([202, 202, 200]);
  });
});

describe('a store that is down', () => {
  let stack: LocalStack;
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-flow-'));
  beforeAll(async () => {
    const dynamo = await startDynamo();
    stack = await startStack({
      dataDir: folder,
      dynamodbEndpoint: dynamo.endpoint,
      heartbeatIntervalSeconds: NO_HEARTBEAT_S,
      environment: {
        ...environment,
        API_TOKENS,
        APPROVER_TOKEN,
        TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET,
        TELEGRAM_BOT_ID: '4242',
      },
    });
    await dynamo.stop();
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['a console message', () => ({ path: '/api/messages', headers: bearer(SCRIPT_TOKEN), body: '{"text":"hi"}' })],
    [
      'a stop, which must not be said to hold',
      () => ({ path: '/api/stop', headers: bearer(SCRIPT_TOKEN), body: '{}' }),
    ],
    ['a signed webhook', () => ({ path: '/webhook/monitor', headers: signed(EVENT), body: EVENT })],
    ['a Telegram update', () => ({ path: '/telegram', headers: telegram, body: UPDATE })],
  ] as const)('is answered 503, so that the sender tries again: %s', async (_what, build) => {
    const { status, error } = await post(stack.url, build());
    expect({ status, isTold: /again/.test(error?.message ?? '') }).toStrictEqual({ status: 503, isTold: true });
  });

  it('is told by the health answer, which itself goes on answering', async () => {
    const answer = await fetch(`${stack.url}/health`);
    const body = (await answer.json()) as { status: string };
    expect(body.status).not.toBe('healthy');
  });
});
