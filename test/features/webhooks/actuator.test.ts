import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorContext } from '../../../lib/core/signal/actuator.ts';
import { addressOf } from '../../../lib/core/tools/webhooks.ts';
import {
  buildWebhookActuator,
  classifyConnectionError,
  WEBHOOK_RESPONSE_BYTES_MAX,
  WEBHOOK_RETRY_AFTER_MS_MAX,
} from '../../../lib/features/webhooks/actuator.ts';
import { WEBHOOK_PRESETS } from '../../../lib/features/webhooks/presets.ts';
import { webhookIdOf } from '../../../lib/features/webhooks/request.ts';
import { makeCertificate } from '../../support/certificate.ts';

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const BODY = { b: [1, 'ü'], a: { on: true } };

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const listen = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
};

/** A receiver on loopback that keeps what it saw and answers as told. */
const receive = async (
  answer: (...parts: [...Parameters<RequestListener>, seen: Seen]) => void,
): Promise<{ readonly port: number; readonly seen: Seen[] }> => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(one);
    answer(request, response, one);
  });
  return { port: await listen(server), seen };
};

const ok: RequestListener = (_request, response) => void response.end('thanks');
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end('no');

const context = (changes: Partial<ActuatorContext> = {}): ActuatorContext => ({
  effectId: 'default/con-1#0',
  actor: 'agent',
  signalId: 'con-1',
  now: Date.now(),
  origin: 'agent',
  addresses: ['127.0.0.1'],
  ...changes,
});
const call = (url: string, changes: Partial<Action> = {}): Action => ({
  target: 'webhook',
  tool: 'call-webhook',
  to: 'lights',
  url,
  args: { webhook: 'lights', body: BODY },
  explanation: 'because the owner asked',
  author: 'model',
  ...changes,
});
const actuatorFor = (url: string, timeoutMs = 60_000, secret = SECRET) =>
  buildWebhookActuator({ targets: new Map([['lights', { url, secret }]]), timeoutMs });
const deliver = (url: string, changes: Partial<ActuatorContext> = {}, timeoutMs = 60_000) =>
  actuatorFor(url, timeoutMs).deliver(call(url), context(changes));

interface DocumentedService {
  /** Fields that a caller gives, the last of them one that the service needs. */
  readonly sample: JsonObject;
  /** Members of the owner's entry. */
  readonly entry?: object;
  readonly path: string;
  /** Whether the service takes the call for a wrong one, by its documents. */
  readonly refuses: (seen: Seen) => boolean;
}

const json = ({ headers, body }: Seen): Record<string, unknown> =>
  headers['content-type'] === 'application/json' ? JSON.parse(body) : {};
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isBearer = ({ headers }: Seen): boolean => headers.authorization === 'Bearer tok';
const isGitHubs = (seen: Seen): boolean =>
  isBearer(seen) &&
  seen.headers.accept === 'application/vnd.github+json' &&
  seen.headers['x-github-api-version'] === '2022-11-28' &&
  isText(seen.headers['user-agent']);
const bearer = { bearer: 'tok' };

/** `lib/features/webhooks/presets.ts` names the pages. */
const SERVICES: Readonly<Record<string, DocumentedService>> = {
  standard: {
    sample: { any: ['thing'] },
    entry: { secret: SECRET },
    path: '/in',
    refuses: ({ headers, body }) => {
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      const verified = new Webhook(SECRET).verify(body, sent);
      return JSON.stringify(verified) !== '{"any":["thing"]}';
    },
  },
  plain: { sample: { any: ['thing'] }, path: '/in', refuses: (seen) => !Array.isArray(json(seen).any) },
  slack: { sample: { text: 'Hi' }, path: '/services/T/B/x', refuses: (seen) => !isText(json(seen).text) },
  discord: { sample: { text: 'Hi' }, path: '/api/webhooks/1/x', refuses: (seen) => !isText(json(seen).content) },
  teams: {
    sample: { text: 'Hi' },
    path: '/workflows/x?sig=y',
    refuses: (seen) => {
      const { type, attachments } = json(seen) as { type?: string; attachments?: Record<string, unknown>[] };
      const [card] = attachments ?? [];
      return (
        type !== 'message' ||
        card?.contentType !== 'application/vnd.microsoft.card.adaptive' ||
        !/"type":"TextBlock"[^}]*"text":"Hi"|"text":"Hi"[^}]*"type":"TextBlock"/.test(JSON.stringify(card.content))
      );
    },
  },
  ntfy: {
    sample: { text: 'Hi' },
    path: '/topic',
    refuses: ({ headers, body }) => headers['content-type'] !== 'text/plain' || !isText(body),
  },
  'home-assistant': {
    sample: { domain: 'light', service: 'turn_on', entity_id: 'light.kitchen' },
    entry: bearer,
    path: '/api/services/{domain}/{service}',
    refuses: (seen) =>
      !isBearer(seen) || seen.path !== '/api/services/light/turn_on' || json(seen).entity_id !== 'light.kitchen',
  },
  'github-dispatch': {
    sample: { owner: 'me', repo: 'shop', client_payload: { a: 1 }, event_type: 'deploy' },
    entry: bearer,
    path: '/repos/{owner}/{repo}/dispatches',
    refuses: (seen) =>
      !isGitHubs(seen) ||
      seen.path !== '/repos/me/shop/dispatches' ||
      !isText(json(seen).event_type) ||
      Object.keys(json(seen)).some((name) => !['event_type', 'client_payload'].includes(name)),
  },
  'github-comment': {
    sample: { owner: 'me', repo: 'shop', number: 7, text: 'Done.' },
    entry: bearer,
    path: '/repos/{owner}/{repo}/issues/{number}/comments',
    refuses: (seen) => !isGitHubs(seen) || seen.path !== '/repos/me/shop/issues/7/comments' || !isText(json(seen).body),
  },
  'gitlab-trigger': {
    sample: { project: 'group/shop', ref: 'main' },
    entry: { fixed: { token: 'tok' } },
    path: '/api/v4/projects/{project}/trigger/pipeline',
    refuses: ({ path, headers, body }) => {
      const form = new URLSearchParams(body);
      return (
        path !== '/api/v4/projects/group%2Fshop/trigger/pipeline' ||
        headers['content-type'] !== 'application/x-www-form-urlencoded' ||
        form.get('token') !== 'tok' ||
        !isText(form.get('ref'))
      );
    },
  },
  pagerduty: {
    sample: { summary: 'Down', source: 'shop', severity: 'critical' },
    entry: { fixed: { routing_key: 'R' } },
    path: '/v2/enqueue',
    refuses: (seen) => {
      const { routing_key, event_action, payload } = json(seen) as Record<string, unknown> & { payload?: JsonObject };
      return (
        routing_key !== 'R' ||
        !['trigger', 'acknowledge', 'resolve'].includes(String(event_action)) ||
        !isText(payload?.summary) ||
        !isText(payload?.source) ||
        !['critical', 'error', 'warning', 'info'].includes(String(payload?.severity))
      );
    },
  },
  'grafana-annotation': {
    sample: { tags: ['shop'], text: 'Deployed' },
    entry: bearer,
    path: '/api/annotations',
    refuses: (seen) => !isBearer(seen) || !isText(json(seen).text) || !Array.isArray(json(seen).tags),
  },
};

describe('buildWebhookActuator', () => {
  it('posts canonical JSON that the receiver can verify, to a name that resolves nowhere (pinned)', async () => {
    const { port, seen } = await receive(ok);
    const url = `http://receiver.invalid:${port}/in?x=1`;
    expect(await deliver(url)).toStrictEqual({
      state: 'done',
      output: '{"status":200,"body":"thanks"}',
      origin: 'outside',
    });
    const [request] = seen;
    expect(request).toMatchObject({ method: 'POST', path: '/in?x=1', body: '{"a":{"on":true},"b":[1,"ü"]}' });
    expect(request?.headers.host).toBe(`receiver.invalid:${port}`);
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers['webhook-id']).toBe(webhookIdOf('default/con-1#0'));
    const headers = Object.fromEntries(Object.entries(request?.headers ?? {}).map(([k, v]) => [k, String(v)]));
    expect(new Webhook(SECRET).verify(request?.body ?? '', headers)).toStrictEqual(BODY);
    expect(() => new Webhook(SECRET).verify(`${request?.body} `, headers)).toThrow();
  });

  it.each([
    ['a bearer token', { bearer: 'tok' }, { authorization: 'Bearer tok' }],
    ['headers of the owner', { headers: { 'X-Api-Key': 'k' } }, { 'x-api-key': 'k' }],
    ['nothing', {}, {}],
  ])('sends %s in place of a signature', async (_, proof, expected) => {
    const { port, seen } = await receive(ok);
    const url = `http://receiver.invalid:${port}/in`;
    const targets = new Map([['lights', { url, ...proof }]]);
    expect(await buildWebhookActuator({ targets, timeoutMs: 60_000 }).deliver(call(url), context())).toMatchObject({
      state: 'done',
    });
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json', ...expected });
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toStrictEqual([]);
  });

  it('without a signature repeats no call that may have arrived', async () => {
    const plain = async (answer: RequestListener, timeoutMs = 60_000) => {
      const { port } = await receive(answer);
      const url = `http://receiver.invalid:${port}/in`;
      const targets = new Map([['lights', { url }]]);
      return buildWebhookActuator({ targets, timeoutMs }).deliver(call(url), context());
    };
    expect((await plain(status(503))).state).toBe('unknown');
    expect((await plain((request) => request.socket.destroy())).state).toBe('unknown');
    expect((await plain(() => undefined, 50)).state).toBe('unknown');
    expect((await plain(status(429))).state).toBe('retry');
  });

  it('repeats a call that only reads, and keeps as much of the answer as it may', async () => {
    const { port } = await receive(status(503));
    const url = `http://receiver.invalid:${port}/`;
    const reads = buildWebhookActuator({ targets: new Map([['lights', { url, reads: true }]]), timeoutMs: 60_000 });
    expect((await reads.deliver(call(url), context())).state).toBe('retry');
    const long = await receive((_request, response) => void response.end('x'.repeat(9_000)));
    const address = `http://receiver.invalid:${long.port}/`;
    const kept = new Map([['lights', { url: address, answerBytes: 16_384 }]]);
    const result = await buildWebhookActuator({ targets: kept, timeoutMs: 60_000 }).deliver(call(address), context());
    expect(result.state === 'done' && JSON.parse(result.output).body.length).toBe(9_000);
  });

  describe('with OAuth 2 client credentials', () => {
    const begin = async (answer: RequestListener, api: RequestListener = ok) => {
      const service = await receive(answer);
      const hook = await receive(api);
      const url = `http://receiver.invalid:${hook.port}/`;
      const oauth = { url: `http://127.0.0.1:${service.port}/token`, id: 'me:1', secret: 'p w', scope: 'a b' };
      const targets = new Map([['lights', { url, oauth }]]);
      const send = (now = Date.now(), isLoopbackAllowed = true) =>
        buildWebhookActuator({ targets, timeoutMs: 60_000, isLoopbackAllowed }).deliver(call(url), context({ now }));
      return { service, hook, send };
    };
    const token = (expires_in: number): RequestListener => {
      let n = 0;
      return (_request, response) => {
        n += 1;
        response.end(JSON.stringify({ access_token: `tok-${n}`, token_type: 'Bearer', expires_in }));
      };
    };

    it('fetches a token, keeps it until shortly before it expires, and shows it nowhere', async () => {
      const echo: RequestListener = (request, response) =>
        void response.end(`you sent ${request.headers.authorization}`);
      const { service, hook, send } = await begin(token(3600), echo);
      const now = Date.now();
      for (const at of [now, now + 3_500_000, now + 3_550_000])
        expect(await send(at)).toMatchObject({ state: 'done', output: '{"status":200,"body":"you sent Bearer ***"}' });
      expect(hook.seen.map(({ headers }) => headers.authorization)).toStrictEqual(
        ['1', '1', '2'].map((n) => `Bearer tok-${n}`),
      );
      expect(service.seen[0]).toMatchObject({
        body: 'grant_type=client_credentials&scope=a+b',
        headers: { authorization: `Basic ${Buffer.from('me%3A1:p+w').toString('base64')}` },
      });
    });

    it.each<[string, RequestListener, object]>([
      ['refuses', status(401), { state: 'failed', reason: 'the token service refuses this client (status 401)' }],
      ['is away', status(503), { state: 'retry', reason: 'the token service gives no token now (status 503)' }],
      ['redirects', status(302, { location: 'http://127.0.0.1:9/' }), { state: 'retry' }],
      ['gives none', ok, { state: 'failed', reason: 'the token service gave no bearer token' }],
    ])('ends clearly if its service %s', async (_, answer, result) => {
      const { hook, send } = await begin(answer);
      expect(await send()).toMatchObject(result);
      expect(hook.seen).toStrictEqual([]);
    });

    it('says that a token is refused, and fetches another for the next call', async () => {
      const { service, send } = await begin(token(3600), status(401));
      const refused = {
        state: 'failed',
        reason: 'the webhook refuses the token that its token service gave (status 401)',
      };
      expect([await send(), await send()]).toStrictEqual([refused, refused]);
      expect(service.seen.length).toBe(2);
    });

    it('asks no address that may not be called', async () => {
      const { service, send } = await begin(token(3600));
      expect(await send(Date.now(), false)).toStrictEqual({
        state: 'failed',
        reason: 'the token service has an address that may not be called',
      });
      expect(service.seen).toStrictEqual([]);
    });
  });

  it('sends the same id and bytes on every try of one effect, and another id for another (I7)', async () => {
    const { port, seen } = await receive(ok);
    const url = `http://receiver.invalid:${port}/`;
    const now = Date.now();
    await deliver(url, { now });
    await deliver(url, { now: now + 60_000 });
    await deliver(url, { effectId: 'default/con-1#1' });
    const ids = seen.map((request) => request.headers['webhook-id']);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(seen[1]?.body).toBe(seen[0]?.body);
  });

  it('goes to the address that was checked even when the name means another one now', async () => {
    const { port, seen } = await receive(ok);
    // `localhost` is 127.0.0.1 here, where the receiver listens; the checked address is one where
    // nobody does.
    expect(await deliver(`http://localhost:${port}/`, { addresses: ['127.0.0.9'] })).toStrictEqual({
      state: 'retry',
      reason: 'the connection to the webhook failed (ECONNREFUSED)',
      isInDoubt: false,
    });
    expect(seen).toStrictEqual([]);
  });

  it('sends to a literal address only if it is the one that was checked', async () => {
    const { port, seen } = await receive(ok);
    const url = `http://127.0.0.1:${port}/`;
    expect(await deliver(url, { addresses: ['93.184.215.14'] })).toStrictEqual({
      state: 'failed',
      reason: 'the address of the webhook is none of those that were checked',
    });
    expect(seen).toStrictEqual([]);
    expect(await deliver(url)).toMatchObject({ state: 'done' });
  });

  it('tries the next checked address when the first refuses', async () => {
    const { port } = await receive(ok);
    const addresses = ['127.0.0.9', '127.0.0.1'];
    expect(await deliver(`http://receiver.invalid:${port}/`, { addresses })).toMatchObject({ state: 'done' });
  });

  it('keeps the name for TLS: server name and certificate are checked', async () => {
    const own = makeCertificate('receiver.example', Date.now());
    setDefaultCACertificates([own.cert]);
    const names: unknown[] = [];
    const server = createSecureServer(own, (request, response) => {
      names.push([(request.socket as TLSSocket).servername, request.headers.host]);
      response.end('secure');
    });
    const port = await listen(server);
    expect(await deliver(`https://receiver.example:${port}/`)).toMatchObject({
      state: 'done',
      output: '{"status":200,"body":"secure"}',
    });
    expect(names).toStrictEqual([['receiver.example', `receiver.example:${port}`]]);
    expect(await deliver(`https://other.example:${port}/`)).toStrictEqual({
      state: 'retry',
      reason: 'the connection to the webhook failed (ERR_TLS_CERT_ALTNAME_INVALID)',
      isInDoubt: false,
    });
  });

  it('does not follow redirects', async () => {
    const elsewhere = await receive(ok);
    const { port } = await receive(status(307, { location: `http://127.0.0.1:${elsewhere.port}/` }));
    expect(await deliver(`http://127.0.0.1:${port}/`)).toStrictEqual({
      state: 'failed',
      reason: 'the webhook answered with a redirect (307), which is not followed',
    });
    expect(elsewhere.seen).toStrictEqual([]);
  });

  it.each([
    [400, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [410, 'failed'],
    [422, 'failed'],
    [403, 'failed'],
    [408, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [201, 'done'],
    [204, 'done'],
    [301, 'failed'],
    [302, 'unknown'],
    [303, 'unknown'],
    [307, 'failed'],
    [308, 'failed'],
  ])('takes status %i as %s', async (code, state) => {
    const { port } = await receive(status(code));
    expect((await deliver(`http://127.0.0.1:${port}/`)).state).toBe(state);
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    ['99999999', WEBHOOK_RETRY_AFTER_MS_MAX],
    ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1e9', undefined],
  ])('obeys a sane Retry-After: %s', async (header, afterMs) => {
    const { port } = await receive(status(503, { 'retry-after': header }));
    expect(await deliver(`http://127.0.0.1:${port}/`, { now: Date.UTC(2026, 0, 15, 12) })).toStrictEqual({
      state: 'retry',
      reason: 'the webhook cannot take it now (status 503)',
      isInDoubt: true,
      ...(afterMs === undefined ? {} : { afterMs }),
    });
  });

  it('waits if a 403 asks for it, as GitHub does over its secondary limits', async () => {
    const { port } = await receive(status(403, { 'retry-after': '60' }));
    expect(await deliver(`http://127.0.0.1:${port}/`)).toStrictEqual({
      state: 'retry',
      reason: 'the webhook cannot take it now (status 403)',
      isInDoubt: false,
      afterMs: 60_000,
    });
  });

  describe.each(Object.keys(WEBHOOK_PRESETS))('with the preset %s', (preset) => {
    const { sample, entry, path, refuses } = SERVICES[preset] as DocumentedService;
    /** A service that answers 400 to any call that is not as it documents. */
    const begin = (answer: RequestListener) =>
      receive((request, response, seen) =>
        refuses(seen) ? status(400)(request, response) : answer(request, response),
      );
    const send = (port: number, body: JsonObject) => {
      const target = { preset, url: `http://receiver.invalid:${port}${path}`, ...entry };
      const url = addressOf(target.url, body);
      const action = call(url, { args: { webhook: 'lights', body } });
      return buildWebhookActuator({ targets: new Map([['lights', target]]), timeoutMs: 60_000 }).deliver(
        action,
        context(),
      );
    };
    it.each<[string, RequestListener, object]>([
      ['is done', status(204), { state: 'done' }],
      ['is refused', status(422), { state: 'failed', reason: 'the webhook refused it (status 422)' }],
      ['has to wait', status(429, { 'retry-after': '7' }), { state: 'retry', isInDoubt: false, afterMs: 7_000 }],
    ])('calls it as it documents, and %s', async (_, answer, result) => {
      const { port, seen } = await begin(answer);
      expect(await send(port, sample)).toMatchObject(result);
      expect(seen).toHaveLength(1);
    });

    it('is refused by it if a field is missing', async () => {
      const { port } = await begin(status(204));
      expect(await send(port, Object.fromEntries(Object.entries(sample).slice(0, -1)))).toMatchObject({
        reason: 'the webhook refused it (status 400)',
      });
    });
  });

  it('is to be tried again when no answer comes in time', async () => {
    const { port } = await receive(() => undefined);
    expect(await deliver(`http://127.0.0.1:${port}/`, {}, 500)).toStrictEqual({
      state: 'retry',
      reason: 'the webhook did not answer in time',
      isInDoubt: true,
    });
  });

  it('is done within the timeout when the answer’s body never ends, because it was taken', async () => {
    const { port } = await receive((_request, response) => {
      response.write('first ');
      const drip = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(drip));
    });
    const result = await deliver(`http://127.0.0.1:${port}/`, {}, 5_000);
    expect(result).toMatchObject({
      state: 'done',
      output: expect.stringMatching(/^\{"status":200,"body":"first \.+","isCut":true\}$/),
    });
  });

  it('keeps a bounded part of a huge answer and drops the connection', async () => {
    let written = 0;
    const { port } = await receive((_request, response) => {
      const chunk = 'x'.repeat(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && written < 2_000 && response.write(chunk)) written += 1;
        written += 1;
      };
      response.on('drain', more);
      more();
    });
    const result = await deliver(`http://127.0.0.1:${port}/`);
    expect(result).toStrictEqual({
      state: 'done',
      output: JSON.stringify({ status: 200, body: 'x'.repeat(WEBHOOK_RESPONSE_BYTES_MAX), isCut: true }),
      origin: 'outside',
    });
    expect(written).toBeLessThan(2_000);
  });

  it('is to be tried again when the connection breaks or cannot be made', async () => {
    const { port } = await receive((request) => void request.socket.destroy());
    expect(await deliver(`http://127.0.0.1:${port}/`)).toStrictEqual({
      state: 'retry',
      reason: 'the connection to the webhook failed (ECONNRESET)',
      isInDoubt: true,
    });
    expect(await deliver('http://receiver.invalid/', { addresses: [] })).toStrictEqual({
      state: 'retry',
      reason: 'the host of the webhook was not resolved',
    });
  });

  it.each([
    [
      'a name that is not configured',
      { to: 'door', args: { webhook: 'door', body: {} } },
      'no webhook of this name is configured',
    ],
    [
      'another name in the arguments',
      { args: { webhook: 'door', body: {} } },
      'the action names two different webhooks',
    ],
    ['another address', { url: 'http://127.0.0.1:1/x' }, 'the address is not the one that is configured'],
    ['no address', { url: '' }, 'the address is not the one that is configured'],
    ['another target', { target: 'tool' as const }, 'the action is no call of a webhook'],
    [
      'a body that is no object',
      { args: { webhook: 'lights', body: 'x' } },
      'the arguments do not fit the tool: body must be an object',
    ],
  ])('fails %s without sending (I3, I4)', async (_, changes, reason) => {
    const { port, seen } = await receive(ok);
    const url = `http://127.0.0.1:${port}/`;
    expect(await actuatorFor(url).deliver(call(url, changes), context())).toStrictEqual({ state: 'failed', reason });
    expect(seen).toStrictEqual([]);
  });

  it.each([['whsec_%%%not-base64'], ['whsec_'], ['']])(
    'never tells of a secret that is not usable: %j (I11)',
    async (secret) => {
      const { port, seen } = await receive(ok);
      const url = `http://127.0.0.1:${port}/`;
      expect(await actuatorFor(url, 500, secret).deliver(call(url), context())).toStrictEqual({
        state: 'failed',
        reason: 'the secret configured for this webhook is not usable',
      });
      expect(seen).toStrictEqual([]);
    },
  );
});

describe('classifyConnectionError', () => {
  it('names codes, never messages', () => {
    const error = Object.assign(new Error(`secret ${SECRET}`), { code: 'ECONNREFUSED' });
    expect(classifyConnectionError(error)).toStrictEqual({
      state: 'retry',
      reason: 'the connection to the webhook failed (ECONNREFUSED)',
      isInDoubt: false,
    });
    expect(classifyConnectionError(Object.assign(new Error('x'), { code: SECRET }))).toStrictEqual({
      state: 'retry',
      reason: 'the connection to the webhook failed',
      isInDoubt: true,
    });
  });
});
