/**
 * Each scheme against requests signed here from the maker's documentation, and against signatures
 * that the makers' own libraries or pages give. Every change to a genuine request is refused.
 */
import crypto, { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseSources, SCHEMES } from '../../../lib/features/webhooks/edge/sources.ts';
import { parseWebhookRequest } from '../../../lib/features/webhooks/edge/webhook-event.ts';
import {
  discordKey,
  fetched,
  headers,
  inWords,
  mac,
  NOW,
  type Parts,
  ROWS,
  type Row,
  requestOf,
  SECRET,
  STANDARD,
  send,
  snsBody,
  sourcesOf,
  TOPIC,
} from './scheme-rows.ts';

/** They prove who sent it, and nothing about the body. */
const TOKENS = ['gitlab, secret token', 'header-token', 'bearer', 'alertmanager', 'basic', 'path-token'];
/** Headers that prove something, among those of a genuine request. */
const PROOF = /signature|sig$|hmac|timestamp|x-time|authorization|gitlab-token|api-key|^(?:webhook|svix)-id$/;
const withOtherSecret = (entry: unknown): unknown =>
  JSON.parse(
    JSON.stringify(entry)
      .replace(SECRET, 'a-secret-of-the-sender-2')
      .replace(STANDARD, 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=')
      .replace(discordKey, 'ab'.repeat(32))
      .replace('alarms', 'others')
      .replace('password', 'passwort'),
  );
const TIMED = [
  'standard',
  'svix',
  'gitlab, signing token',
  'stripe',
  'slack',
  'grafana, with a time',
  'discord',
  'zoom',
  'hmac',
];

/** How many HMACs are computed until the request is refused. */
const hmacsOf = async (row: Row, changes: Partial<Parts>): Promise<number> => {
  const request = requestOf(row, changes);
  const { createHmac } = crypto;
  let count = 0;
  crypto.createHmac = (...args) => {
    count += 1;
    return createHmac(...args);
  };
  syncBuiltinESMExports();
  try {
    expect(await parseWebhookRequest(request)).toMatchObject(UNSIGNED);
  } finally {
    crypto.createHmac = createHmac;
    syncBuiltinESMExports();
  }
  return count;
};
const UNSIGNED = { kind: 'refused', status: 401, error: 'this is not a signed event of a known source' };
const rows = Object.entries(ROWS);

describe('SCHEMES', () => {
  it('has a row here for each scheme', () => {
    const tried = new Set(
      rows.map(([, { entry }]) => (typeof entry === 'object' ? (entry as { scheme: string }).scheme : 'standard')),
    );
    expect([...tried].sort()).toStrictEqual(Object.keys(SCHEMES).sort());
  });

  it.each(rows)('%s: takes a genuine request, and knows its event and its repeat', async (_, row) => {
    const parsed = await send(row);
    if (parsed.kind !== 'signal' || parsed.signal.payload.sensor !== 'webhook') throw new Error(JSON.stringify(parsed));
    expect(parsed.signal.payload.event).toBe(row.event);
    if (row.id !== undefined) expect(parsed.signal.id).toBe(`wh-shop:${row.id}`);
    const again = await send(row, { now: NOW + 1000 });
    expect(again.kind === 'signal' && again.signal.id).toBe(parsed.signal.id);
  });

  it.each(rows)('%s: refuses every change to it', async (name, row) => {
    const genuine = row.make(row.body, NOW);
    const withHeader = (header: string, value?: string) => ({ headers: { ...genuine.headers, [header]: value } });
    const proofs = Object.entries(genuine.headers ?? {}).filter(([header]) => PROOF.test(header));
    const changes: [string, Partial<Parts>][] = [
      ['another secret', { sources: sourcesOf(withOtherSecret(row.entry)) }],
      ['an unknown source', { name: 'nobody' }],
      ...proofs.flatMap(([header, value = '']): [string, Partial<Parts>][] => [
        [`no ${header}`, withHeader(header)],
        [`an empty ${header}`, withHeader(header, '')],
        [`a cut ${header}`, withHeader(header, value.slice(0, -3))],
        [`a longer ${header}`, withHeader(header, `${value}0`)],
        [
          `another ${header}`,
          withHeader(
            header,
            value.replace(/\w(?=\W*$)/, (char) => (char === '1' ? '2' : '1')),
          ),
        ],
      ]),
    ];
    if (name === 'path-token')
      changes.push(['no token', { pathToken: undefined }], ['a cut token', { pathToken: 'a' }]);
    if (!TOKENS.includes(name))
      changes.push(['another body', { body: row.body.replace(/cpu|[a-z](?=[^a-z]*$)/, 'gpu') }]);
    for (const [what, at] of Object.entries({ 'an old time': NOW - 301_000, 'a future time': NOW + 301_000 }))
      if (TIMED.includes(name)) changes.push([what, row.make(row.body, at)]);
    for (const [what, change] of changes) expect(await send(row, change), what).toMatchObject(UNSIGNED);
  });

  it.each(rows)(
    '%s: does the work for a refusal that an unknown source costs, and fetches nothing',
    async (name, row) => {
      const wrong = { sources: sourcesOf(withOtherSecret(row.entry)) };
      fetched.length = 0;
      // Twilio's signature of the address and the fields is an HMAC beside that.
      const own = name === 'twilio' ? 2 : 1;
      expect(await hmacsOf(row, { name: 'nobody' })).toBe(1);
      expect(await hmacsOf(row, { name: 'nobody', headers: {} })).toBe(1);
      expect(await hmacsOf(row, wrong)).toBe(own);
      expect(await hmacsOf(row, { ...wrong, headers: {} })).toBe(own);
      if (TIMED.includes(name)) expect(await hmacsOf(row, row.make(row.body, NOW - 301_000))).toBe(own);
      expect(fetched).toStrictEqual([]);
    },
  );

  it('opens no source with a request of another scheme', async () => {
    for (const [name, row] of rows)
      for (const [other, { entry, body, make }] of rows) {
        const same = JSON.stringify(entry) === JSON.stringify(row.entry);
        const reads = [name, other].every((one) => ['github', 'github, as a form', 'meta'].includes(one));
        const bearers = [name, other].every((one) => ['bearer', 'alertmanager'].includes(one));
        const standards = [name, other].every((one) => ['standard', 'svix', 'gitlab, signing token'].includes(one));
        if (same || reads || bearers || standards) continue;
        expect(await send({ ...row, body, make }), `${other} at ${name}`).toMatchObject({ kind: 'refused' });
      }
  });

  it.each<[string, unknown, string, Record<string, string>, Partial<Parts>]>([
    // docs.github.com, "Validating webhook deliveries": the text is no JSON, hence a 400.
    [
      'GitHub',
      { scheme: 'github', secret: "It's a Secret to Everybody" },
      'Hello, World!',
      {
        'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
        'x-github-delivery': 'd',
      },
      {},
    ],
    // Made by `generateTestHeaderString` of stripe 23.1.
    [
      'Stripe',
      { scheme: 'stripe', secret: 'whsec_test_secret' },
      '{"id":"evt_1","type":"invoice.payment_failed","data":{"object":{"amount_due":4200,"currency":"eur"}}}',
      { 'stripe-signature': 't=1768478400,v1=4b6ac4f996800a6da0420338b935a59f90c4f4da1aa8c1e6d3ad15512131a49f' },
      {},
    ],
    // docs.slack.dev, "Verifying requests from Slack".
    [
      'Slack',
      { scheme: 'slack', secret: '8f742231b10e8888abcd99yyyzzz85a5' },
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
      {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      },
      { now: 1_531_420_618_000 },
    ],
  ])('takes the signature that %s publishes', async (_, entry, body, sentHeaders, changes) => {
    const parsed = await send({ entry, body, event: '', make: () => headers(sentHeaders) }, changes);
    expect(parsed).not.toMatchObject({ status: 401 });
  });

  it.each([
    ['slack', '{"type":"url_verification","challenge":"abc"}', { text: 'abc', isJson: false }],
    ['discord', '{"type":1}', { text: '{"type":1}', isJson: true }],
    [
      'zoom',
      '{"event":"endpoint.url_validation","payload":{"plainToken":"p"}}',
      { text: JSON.stringify({ plainToken: 'p', encryptedToken: mac('p') }), isJson: true },
    ],
  ])('%s: answers a signed handshake, and an unsigned one not', async (name, body, answer) => {
    const row = { ...(ROWS[name] as Row), body };
    expect(await send(row)).toStrictEqual({ kind: 'answer', answer });
    expect(await send(row, { headers: {} })).toMatchObject(UNSIGNED);
  });

  it.each(['v0:1:{}', '', 'a b', 'a'.repeat(65)])('zoom: signs no text but a short word: %j', async (plainToken) => {
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } });
    expect(await send({ ...(ROWS.zoom as Row), body })).toMatchObject({ kind: 'signal' });
  });

  it('meta: answers the GET of its own verify token alone', async () => {
    const ask = (token: string, challenge = '1158201444') =>
      send(ROWS.meta as Row, {
        method: 'GET',
        query: new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': challenge }),
      });
    expect(await ask('chosen-by-me')).toStrictEqual({ kind: 'answer', answer: { text: '1158201444', isJson: false } });
    for (const parsed of [await ask('guessed'), await ask('chosen-by-me', '<script>')])
      expect(parsed).toMatchObject({ kind: 'refused', status: 405 });
  });

  it('sns: confirms a subscription of its topic, and fetches from Amazon alone', async () => {
    const row = ROWS.sns as Row;
    const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
    const confirm = { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL: url, Subject: undefined as never };
    fetched.length = 0;
    expect(await send(row, { body: snsBody(confirm) })).toMatchObject({ kind: 'answer' });
    expect(fetched.at(-1)).toBe(url);
    fetched.length = 0;
    for (const changed of [
      { TopicArn: `${TOPIC}-of-others` },
      { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.example/x.pem' },
      { SigningCertURL: 'https://example.com/sns.eu-west-1.amazonaws.com/x.pem' },
      { SigningCertURL: 'http://sns.eu-west-1.amazonaws.com/x.pem' },
      { SigningCertURL: 'https://x@sns.eu-west-1.amazonaws.com:444/x.pem' },
    ])
      expect(await send(row, { body: snsBody(changed) }), JSON.stringify(changed)).toMatchObject(UNSIGNED);
    expect(fetched).toStrictEqual([]);
    await send(row, { body: snsBody({ ...confirm, SubscribeURL: 'https://example.com/' }) });
    expect(fetched).toStrictEqual(['https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem']);
  });

  it('twilio: takes a JSON body whose hash is in the address', async () => {
    const body = '{"a":1}';
    const hash = createHash('sha256').update(body).digest('hex');
    const url = `https://example.com/webhook/sms?bodySHA256=${hash}`;
    const row: Row = {
      ...(ROWS.twilio as Row),
      body,
      make: () => ({
        headers: { 'x-twilio-signature': mac(url, 'base64', 'sha1') },
        query: new URLSearchParams({ bodySHA256: hash }),
      }),
    };
    expect((await send(row)).kind).toBe('signal');
    expect(await send(row, { body: '{"a":2}' })).toMatchObject(UNSIGNED);
  });

  it('linear: refuses a time in the body that is old', async () => {
    const row = ROWS.linear as Row;
    expect(await send({ ...row, body: row.body.replace(`${NOW}`, `${NOW - 301_000}`) })).toMatchObject(UNSIGNED);
  });

  it('takes either secret while one is rotated, and counts a repeat once', async () => {
    const entry = { scheme: 'calcom', secret: ['a-secret-that-is-new', SECRET] };
    const row = { ...(ROWS.calcom as Row), entry };
    const parsed = await send(row);
    const later = await send(row, { now: NOW + 9 * 60_000 });
    const muchLater = await send(row, { now: NOW + 10 * 60_000 });
    const off = await send({ ...row, entry: { ...entry, repeatMinutes: 0 } }, { now: NOW + 1 });
    const ids = [parsed, later, muchLater, off].map((one) => (one.kind === 'signal' ? one.signal.id : one));
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  it('slack: without an id, the same words signed at another moment are another event', async () => {
    const row = { ...(ROWS.slack as Row), body: '{"type":"event_callback"}' };
    const at = async (signedMs: number, nowMs: number) => {
      const parsed = await send(row, { now: NOW + nowMs }, NOW + signedMs);
      return parsed.kind === 'signal' && parsed.signal.id;
    };
    const ids = [await at(0, 0), await at(0, 200_000), await at(1_000, 1_000)];
    expect([ids[1] === ids[0], ids[2] === ids[0], ids.includes(false)]).toStrictEqual([true, false, false]);
  });

  it.each<[string, Partial<Parts>, string]>([
    ['gzip', { headers: { 'content-encoding': 'gzip' } }, 'body is compressed: send it without content-encoding'],
    [
      'bytes that are no text',
      { bytes: Buffer.from([0x7b, 0xff, 0x7d]) },
      'body is not valid JSON in line 1; let the sender send JSON',
    ],
  ])('answers %s with a plain sentence', async (_, changes, error) => {
    const row = ROWS.bearer as Row;
    const merged = { ...changes, headers: { authorization: `Bearer ${SECRET}`, ...changes.headers } };
    expect(inWords(await send(row, merged))).toStrictEqual({ kind: 'refused', status: 400, error, reason: error });
  });

  it('reads a body behind a mark of byte order', async () => {
    expect((await send({ ...(ROWS.calcom as Row), body: '\ufeff{"triggerEvent":"X"}' })).kind).toBe('signal');
  });
});

describe('parseSources', () => {
  it.each([
    ['no JSON', '{', 'must be JSON: source → "whsec_…" or {"scheme", "secret"}'],
    ['a plain text', '{"a":"hunter2hunter2"}', 'a has a secret that must begin with whsec_, and base64 follows'],
    [
      'another scheme',
      '{"a":{"scheme":"gihub","secret":"hunter2hunter2"}}',
      'a names a scheme that does not exist; there are standard, github',
    ],
    ['no secret', '{"a":{"scheme":"github"}}', 'a needs a "secret"'],
    ['an empty secret', '{"a":{"scheme":"github","secret":""}}', 'a needs a "secret"'],
    ['no secrets', '{"a":{"scheme":"github","secret":[]}}', 'a needs a "secret"'],
    ['a short secret', '{"a":{"scheme":"github","secret":"hunter2"}}', 'a needs a secret of 8 characters or more'],
    [
      'a strange member',
      '{"a":{"scheme":"github","secret":"hunter2hunter2","algo":"x"}}',
      'a has a member that its scheme does not have',
    ],
    ['a missing member', '{"a":{"scheme":"meta","secret":"hunter2hunter2"}}', 'a needs "verifyToken"'],
    [
      'an algorithm that is none',
      '{"a":{"scheme":"hmac","secret":"hunter2hunter2","header":"x","algorithm":"md5"}}',
      'a needs an algorithm of sha256, sha1, sha512',
    ],
    [
      'a time that is not signed',
      '{"a":{"scheme":"hmac","secret":"hunter2hunter2","header":"x","time":"y"}}',
      'a needs both "time"',
    ],
    [
      'no body in what is signed',
      '{"a":{"scheme":"hmac","secret":"hunter2hunter2","header":"x","signed":"{time}","time":"y"}}',
      'a needs "signed" with {body}',
    ],
    [
      'a weak token in the path',
      '{"a":{"scheme":"path-token","secret":"hunter2hunter2"}}',
      'a has a secret that must be 24 or more of',
    ],
    ['a name that no path has', '{"a b":"whsec_AAAAAAAA"}', 'a b needs another name'],
    [
      'a window of a week',
      '{"a":{"scheme":"github","secret":"hunter2hunter2","repeatMinutes":9999}}',
      'a needs "repeatMinutes" of 0 to 1440',
    ],
  ])('says what is wrong with %s, and quotes no secret', (_, text, problem) => {
    const { sources, problems } = parseSources(text);
    expect([...sources]).toStrictEqual([]);
    expect(problems.join()).toContain(problem);
    expect(problems.join()).not.toContain('hunter2');
  });
});

it('describes every scheme in the documents', () => {
  const page = readFileSync(new URL('../../../infra/webhooks.md', import.meta.url), 'utf8');
  for (const name of Object.keys(SCHEMES)) expect(page).toContain(`| \`${name}\` |`);
});
