import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/core/base/errors.ts';
import { buildCountUnproven, UNPROVEN_A_MINUTE_MAX } from '../../../lib/core/http/count-unproven.ts';
import { quotaKey } from '../../../lib/core/ledger/quota.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { answerWebhook, type WebhookHttpDeps } from '../../../lib/features/webhooks/edge/webhook-http.ts';
import { refusalTexts, sayRefusal } from '../../../lib/features/webhooks/refusal-texts.ts';
import { buildNoteUnproven, loadUnproven, NO_SUCH_NAME } from '../../../lib/features/webhooks/unproven-requests.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { until } from '../../support/stack.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const setUp = (changes: Partial<WebhookHttpDeps> = {}) => {
  const published: string[] = [];
  const logged: string[] = [];
  const unproven: string[] = [];
  const deps: WebhookHttpDeps = {
    table: dynamo.table,
    publish: async (message, step) => void published.push(`${message.signalId} ${step}`),
    space: 'default',
    loadSettings: async () => ({ homeChat: undefined }),
    countUnproven: buildCountUnproven(),
    readSecrets: () => Promise.resolve(new Map([['WEBHOOK_SECRETS', JSON.stringify({ ci: SECRET })]])),
    noteUnproven: async (name, refusal) => void unproven.push(`${name}: ${sayRefusal(refusalTexts.en, refusal)}`),
    fetchText: () => Promise.reject(new Error('nothing is fetched')),
    now: () => NOW,
    log: (...line) => void logged.push(JSON.stringify(line)),
    ...changes,
  };
  return { deps, published, logged, unproven };
};
const event = (id: string, body = '{"type":"x"}', changes: Record<string, unknown> = {}) => ({
  rawPath: '/webhook/ci',
  headers: {
    'webhook-id': id,
    'webhook-timestamp': String(NOW / 1000),
    'webhook-signature': new Webhook(SECRET).sign(id, new Date(NOW), body),
  },
  body,
  isBase64Encoded: false,
  requestContext: { http: { method: 'POST' } },
  ...changes,
});
const errorOf = (response: { readonly statusCode: number; readonly body: string }): unknown => [
  response.statusCode,
  JSON.parse(response.body).error?.code,
];

const down = () => Promise.reject(new UnavailableError('the table'));
const DOWN = { put: down, update: down, transact: down };

describe('answerWebhook', () => {
  it('stores, publishes, and only then answers 202, for repeats too (I6)', async () => {
    const { deps, published } = setUp();
    for (let n = 0; n < 3; n += 1) {
      const response = await answerWebhook(deps, event('one'));
      expect([response.statusCode, response.body]).toStrictEqual([202, '{"id":"wh-ci:one"}']);
    }
    // Still received, so each repeat publishes again under the same deduplication step.
    expect(published).toStrictEqual(Array(3).fill('wh-ci:one perceive:0'));
    const [record] = await dynamo.table.load([signalKeys.record('default', 'wh-ci:one')]);
    expect(record).toMatchObject({ state: 'received' });
    expect(JSON.parse(String(record?.signal))).toMatchObject({ id: 'wh-ci:one', sender: { isApprover: false } });
  });

  it('verifies the bytes that were sent, base64 or not', async () => {
    const body = '{"text":"grüße 😀"}';
    const encoded = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
    expect((await answerWebhook(setUp().deps, event('two', body, encoded))).statusCode).toBe(202);
  });

  it.each([
    ['a wrong signature', event('bad', '{}', { body: '{"a":1}' }), [401, 'unauthorized']],
    ['no headers', event('bad', '{}', { headers: undefined }), [401, 'unauthorized']],
    ['an unknown source', event('bad', '{}', { rawPath: '/webhook/nobody' }), [401, 'unauthorized']],
    ['no source', event('bad', '{}', { rawPath: '/webhook/' }), [404, 'not-found']],
    ['a longer path', event('bad', '{}', { rawPath: '/webhook/ci/x/y' }), [404, 'not-found']],
    ['a path that is no text', event('bad', '{}', { rawPath: '/webhook/%ff' }), [400, 'malformed']],
    [
      'another method',
      event('bad', '{}', { requestContext: { http: { method: 'GET' } } }),
      [405, 'method-not-allowed'],
    ],
    ['malformed JSON', event('bad', '{'), [400, 'malformed']],
    ['2 MB', event('bad', `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`), [413, 'too-large']],
    ['no request at all', { Records: [] }, [400, 'malformed']],
  ])('refuses %s and records nothing', async (_, sent, expected) => {
    const { deps, published } = setUp();
    expect(errorOf(await answerWebhook(deps, sent))).toStrictEqual(expected);
    expect(published).toStrictEqual([]);
    expect(await dynamo.table.load([signalKeys.record('default', 'wh-ci:bad')])).toStrictEqual([undefined]);
  });

  it('answers OPTIONS of a sender of CloudEvents that has the token, and of nobody else', async () => {
    const secret = 'a-token-of-24-characters-or-more';
    const entry = JSON.stringify({ grid: { scheme: 'path-token', secret } });
    const { deps } = setUp({ readSecrets: async () => new Map([['WEBHOOK_SECRETS', entry]]) });
    const ask = (token: string, method = 'OPTIONS') =>
      answerWebhook(deps, {
        rawPath: `/webhook/grid/${token}`,
        headers: { 'webhook-request-origin': 'eventgrid.azure.net' },
        requestContext: { http: { method } },
      });
    expect(await ask(secret)).toMatchObject({
      statusCode: 200,
      headers: { 'webhook-allowed-origin': 'eventgrid.azure.net', 'webhook-allowed-rate': '*' },
    });
    for (const refused of [await ask(`${secret}x`), await ask(secret, 'PUT')]) expect(refused.statusCode).toBe(405);
  });

  it('notes for the owner why a request was refused, and answers every name alike', async () => {
    const { deps, unproven } = setUp();
    const sent = { body: '{"a":1}' };
    const known = await answerWebhook(deps, event('bad', '{}', sent));
    const unknown = await answerWebhook(deps, event('bad', '{}', { ...sent, rawPath: '/webhook/nobody' }));
    expect(unknown).toStrictEqual(known);
    expect(unproven).toStrictEqual(['ci: the signature does not fit', '(other names): there is no such source']);
    expect(known.body).not.toContain('fit');
  });

  it('notes what is wrong with the entry of a source, and answers as for any other', async () => {
    const entries = { ci: SECRET, shop: { scheme: 'gihub', secret: 'hunter2hunter2' } };
    const readSecrets = async () => new Map([['WEBHOOK_SECRETS', JSON.stringify(entries)]]);
    const { deps, unproven } = setUp({ readSecrets });
    expect((await answerWebhook(deps, event('bad', '{}', { rawPath: '/webhook/shop' }))).statusCode).toBe(401);
    expect(unproven.join()).toMatch(/^shop: shop names a scheme that does not exist/);
  });

  it('answers a refused request alike while the count cannot be stored', async () => {
    const { deps } = setUp({ noteUnproven: buildNoteUnproven(DOWN, 'down') });
    for (const rawPath of ['/webhook/ci', '/webhook/nobody'])
      expect(errorOf(await answerWebhook(deps, event('bad', '{}', { rawPath, body: '{"a":1}' })))).toStrictEqual([
        401,
        'unauthorized',
      ]);
  });

  it('reads of a flood without proofs neither body nor table, and bounds what it notes and answers', async () => {
    let requests = 0;
    let read = 0;
    const count = async () => {
      requests += 1;
      throw new Error('the table is asked');
    };
    const { deps, unproven, logged, published } = setUp({
      loadSettings: async () => {
        requests += 1;
        return { homeChat: undefined };
      },
      table: { put: count as never, update: count as never, transact: count as never },
    });
    const body = 'x'.repeat(200_000);
    // The platform may have read it; nothing here decodes it.
    const decode = Buffer.from;
    Buffer.from = ((...args: Parameters<typeof decode>) => {
      read += Object.is(args[0], body) ? 1 : 0;
      return decode(...args);
    }) as typeof decode;
    const flood = async (name: string, headers: Record<string, string>) => {
      const answers: (string | undefined)[] = [];
      for (let n = 0; n < 100; n += 1) {
        const sent = event('flood', '{}', { headers, rawPath: `/webhook/${name}`, body });
        const { statusCode, headers: answered } = await answerWebhook(deps, sent);
        answers.push(`${statusCode} ${answered['retry-after'] ?? ''}`);
      }
      return answers;
    };
    const malformed = { 'webhook-id': 'x', 'webhook-timestamp': String(NOW / 1000), 'webhook-signature': 'v1,x' };
    const expected = [
      ...Array(UNPROVEN_A_MINUTE_MAX).fill('401 '),
      ...Array(100 - UNPROVEN_A_MINUTE_MAX).fill('429 60'),
    ];
    expect(await flood('ci', {})).toStrictEqual(expected);
    expect(await flood('nobody', malformed)).toStrictEqual(expected);
    Buffer.from = decode;
    expect({ requests, read, published }).toStrictEqual({ requests: 0, read: 0, published: [] });
    expect([unproven.length, logged.length]).toStrictEqual([2 * UNPROVEN_A_MINUTE_MAX, 2 * UNPROVEN_A_MINUTE_MAX]);
    // A wrong signature of the right form is read, and then bounded alike.
    const forged = { ...malformed, 'webhook-signature': `v1,${'A'.repeat(43)}=` };
    expect(new Set(await flood('ci', forged))).toStrictEqual(new Set(['429 60']));
    expect(unproven).toHaveLength(2 * UNPROVEN_A_MINUTE_MAX);
    const genuine = await answerWebhook({ ...deps, table: dynamo.table }, event('within-the-flood'));
    expect(genuine.statusCode).toBe(202);
  });

  it('counts them for the day, and writes once a minute at most, whatever the names', async () => {
    let writes = 0;
    const update: typeof dynamo.table.update = (...args) => {
      writes += 1;
      return dynamo.table.update(...args);
    };
    const note = buildNoteUnproven({ update }, 'counted');
    for (const [name, atMs] of [
      ['ci', 0],
      ['my-shop.example', 10],
      ['ci', 20],
      [NO_SUCH_NAME, 30],
      ['ci', 60_000],
      ['ci', 60_010],
    ] as const)
      await note(name, ['mistake', `why ${atMs}`], NOW + atMs);
    expect(writes).toBe(2);
    expect(Object.fromEntries(await loadUnproven(dynamo.table, 'counted', NOW))).toStrictEqual({
      ci: { count: 3, reason: 'why 60000', refusal: ['mistake', 'why 60000'], cure: 'secret' },
      'my-shop.example': { count: 1, reason: 'why 10', refusal: ['mistake', 'why 10'], cure: 'secret' },
      [NO_SUCH_NAME]: { count: 1, reason: 'why 30', refusal: ['mistake', 'why 30'], cure: 'secret' },
    });
    expect((await loadUnproven(dynamo.table, 'counted', NOW + 86_400_000)).size).toBe(0);
  });

  it('counts the last ones when their minute is over, though no other request comes', async () => {
    const note = buildNoteUnproven(dynamo.table, 'later');
    for (const [name, atMs] of [
      ['ci', 0],
      ['shop', 59_900],
      ['shop', 59_910],
    ] as const)
      await note(name, ['mistake', `why ${atMs}`], NOW + atMs);
    await until('the rest is counted', async () => (await loadUnproven(dynamo.table, 'later', NOW)).size === 2);
    expect((await loadUnproven(dynamo.table, 'later', NOW)).get('shop')).toStrictEqual({
      count: 2,
      reason: 'why 59910',
      refusal: ['mistake', 'why 59910'],
      cure: 'secret',
    });
  });

  it('reads what the release before counted, and a code that a later release knows, by its sentence', async () => {
    const hex = Buffer.from('ci').toString('hex');
    const row = { schemaVersion: 1, [`count_${hex}`]: 2, [`why_${hex}`]: 'why it was', [`cure_${hex}`]: 'time' };
    for (const [space, more] of [
      ['before', {}],
      ['later-release', { [`refusal_${hex}`]: ['new-code', 7] }],
    ] as const) {
      await dynamo.table.put({ ...quotaKey(space, { kind: 'source', name: 'unproven' }, NOW) }, { ...row, ...more });
      expect([...(await loadUnproven(dynamo.table, space, NOW))]).toStrictEqual([
        ['ci', { count: 2, reason: 'why it was', cure: 'time' }],
      ]);
    }
  });

  it.each([
    ['the table', { table: DOWN }],
    ['the queue', { publish: () => Promise.reject(new UnavailableError('the queue')) }],
    ['the secret store', { readSecrets: () => Promise.reject(new UnavailableError('the secret store')) }],
  ])('answers 503 while %s is down', async (_, changes) => {
    expect(errorOf(await answerWebhook(setUp(changes).deps, event('three')))).toStrictEqual([503, 'unavailable']);
  });

  it('tells neither sender nor log of secrets that do not have their form (I11)', async () => {
    const { deps, logged } = setUp({ readSecrets: () => Promise.resolve(new Map([['WEBHOOK_SECRETS', 'hunter2']])) });
    const response = await answerWebhook(deps, event('four'));
    expect(response.statusCode).toBe(500);
    expect(`${response.body}${logged.join()}`).not.toContain('hunter2');
  });

  it('takes the largest body it allows, as the table stores it', async () => {
    const values = `{"a":[${Array(49_990).fill('1').join()}],"b":"${'é'.repeat(75_000)}"}`;
    expect((await answerWebhook(setUp().deps, event('large', values))).statusCode).toBe(202);
    const deep = `${'{"a":'.repeat(24)}1${'}'.repeat(24)}`;
    expect((await answerWebhook(setUp().deps, event('deep', deep))).statusCode).toBe(202);
  });
});
