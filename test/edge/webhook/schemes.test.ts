/**
 * Each scheme against requests signed here from the maker's documentation, and against signatures
 * that the makers' own libraries or pages give. Every change to a genuine request is refused.
 */
import { createHash, createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { parseSources, SCHEMES } from '../../../lib/edge/webhook/sources.ts';
import { parseWebhookRequest, type WebhookRequest } from '../../../lib/edge/webhook/webhook-event.ts';
import { findTemplates } from '../../../lib/runbooks/template.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = 'a-secret-of-the-sender-1';
const STANDARD = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:alarms';

type Parts = Partial<WebhookRequest> & { readonly body: string };
interface Row {
  /** Entry of WEBHOOK_SECRETS. */
  readonly entry: unknown;
  readonly body: string;
  /** Headers and what else a genuine request has. @param at when it is sent */
  readonly make: (body: string, at: number) => Partial<WebhookRequest>;
  /** Name of the event, and the end of its signal's id if the sender gives one. */
  readonly event: string;
  readonly id?: string;
}

const mac = (text: string, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256', key = SECRET): string =>
  createHmac(algorithm, key).update(text).digest(encoding);
const seconds = (at: number): string => `${at / 1000}`;

const discord = generateKeyPairSync('ed25519');
const discordKey = Buffer.from(String(discord.publicKey.export({ format: 'jwk' }).x), 'base64url').toString('hex');
const amazon = generateKeyPairSync('rsa', { modulusLength: 2048 });
const certificate = amazon.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const snsBody = (changes: Record<string, string> = {}): string => {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Subject: 'ALARM: "cpu"',
    Message: '{"AlarmName":"cpu","NewStateValue":"ALARM"}',
    Timestamp: '2026-01-15T12:00:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    ...changes,
  };
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join('');
  const Signature = createSign(message.SignatureVersion === '1' ? 'sha1' : 'sha256')
    .update(text)
    .sign(amazon.privateKey, 'base64');
  return JSON.stringify({ ...message, Signature });
};

const BODY = '{"action":"opened","id":"evt_1","type":"x.y"}';
const of = (scheme: string, more: object = {}) => ({ scheme, secret: SECRET, ...more });
const headers = (values: Record<string, string>) => ({ headers: values });

const ROWS: Readonly<Record<string, Row>> = {
  standard: {
    entry: STANDARD,
    body: BODY,
    make: (body, at) =>
      headers({
        'webhook-id': 'msg_1',
        'webhook-timestamp': seconds(at),
        'webhook-signature': new Webhook(STANDARD).sign('msg_1', new Date(at), body),
      }),
    event: 'x.y',
    id: 'msg_1',
  },
  svix: {
    entry: { scheme: 'standard', secret: STANDARD },
    body: BODY,
    make: (body, at) =>
      headers({
        'svix-id': 'msg_1',
        'svix-timestamp': seconds(at),
        'svix-signature': new Webhook(STANDARD).sign('msg_1', new Date(at), body),
      }),
    event: 'x.y',
    id: 'msg_1',
  },
  github: {
    entry: of('github'),
    body: BODY,
    make: (body) =>
      headers({
        'x-hub-signature-256': `sha256=${mac(body)}`,
        'x-github-delivery': 'd-1',
        'x-github-event': 'issues',
      }),
    event: 'issues.opened',
    id: 'd-1',
  },
  'github, as a form': {
    entry: of('github'),
    body: `payload=${encodeURIComponent(BODY)}`,
    make: (body) =>
      headers({
        'content-type': 'application/x-www-form-urlencoded',
        'x-hub-signature-256': `sha256=${mac(body)}`,
        'x-github-delivery': 'd-1',
        'x-github-event': 'issues',
      }),
    event: 'issues.opened',
    id: 'd-1',
  },
  gitea: {
    entry: of('gitea'),
    body: BODY,
    make: (body) =>
      headers({ 'x-gitea-signature': mac(body), 'x-gitea-delivery': 'd-1', 'x-gitea-event': 'pull_request' }),
    event: 'pull_request.opened',
    id: 'd-1',
  },
  bitbucket: {
    entry: of('bitbucket'),
    body: BODY,
    make: (body) =>
      headers({ 'x-hub-signature': `sha256=${mac(body)}`, 'x-request-uuid': 'd-1', 'x-event-key': 'repo:push' }),
    event: 'repo:push',
    id: 'd-1',
  },
  'gitlab, secret token': {
    entry: of('gitlab'),
    body: '{"object_kind":"merge_request","object_attributes":{"action":"open"}}',
    make: () => headers({ 'x-gitlab-token': SECRET, 'idempotency-key': 'd-1' }),
    event: 'merge_request.open',
    id: 'd-1',
  },
  'gitlab, signing token': {
    entry: { scheme: 'gitlab', secret: STANDARD },
    body: '{"object_kind":"push"}',
    make: (body, at) =>
      headers({
        'webhook-id': 'd-1',
        'webhook-timestamp': seconds(at),
        'webhook-signature': new Webhook(STANDARD).sign('d-1', new Date(at), body),
      }),
    event: 'push',
    id: 'd-1',
  },
  stripe: {
    entry: of('stripe'),
    body: BODY,
    make: (body, at) =>
      headers({ 'stripe-signature': `t=${seconds(at)},v0=ignored,v1=${mac(`${seconds(at)}.${body}`)}` }),
    event: 'x.y',
    id: 'evt_1',
  },
  slack: {
    entry: of('slack'),
    body: '{"type":"event_callback","event_id":"Ev1","event":{"type":"app_mention"}}',
    make: (body, at) =>
      headers({
        'x-slack-request-timestamp': seconds(at),
        'x-slack-signature': `v0=${mac(`v0:${seconds(at)}:${body}`)}`,
      }),
    event: 'app_mention',
    id: 'Ev1',
  },
  linear: {
    entry: of('linear'),
    body: `{"type":"Issue","action":"create","webhookTimestamp":${NOW}}`,
    make: (body) => headers({ 'linear-signature': mac(body), 'linear-delivery': 'd-1' }),
    event: 'Issue.create',
    id: 'd-1',
  },
  shopify: {
    entry: of('shopify'),
    body: BODY,
    make: (body) =>
      headers({
        'x-shopify-hmac-sha256': mac(body, 'base64'),
        'x-shopify-webhook-id': 'd-1',
        'x-shopify-topic': 'orders/create',
      }),
    event: 'orders/create',
    id: 'd-1',
  },
  sentry: {
    entry: of('sentry'),
    body: '{"action":"created"}',
    make: (body) =>
      headers({ 'sentry-hook-signature': mac(body), 'request-id': 'd-1', 'sentry-hook-resource': 'issue' }),
    event: 'issue.created',
    id: 'd-1',
  },
  pagerduty: {
    entry: of('pagerduty'),
    body: '{"event":{"id":"01","event_type":"incident.triggered"}}',
    make: (body) =>
      headers({ 'x-pagerduty-signature': `v1=${mac(body, 'hex', 'sha256', 'old-secret')},v1=${mac(body)}` }),
    event: 'incident.triggered',
    id: '01',
  },
  'grafana, without a time': {
    entry: of('grafana'),
    body: '{"status":"firing"}',
    make: (body) => headers({ 'x-grafana-alerting-signature': mac(body) }),
    event: 'firing',
  },
  'grafana, with a time': {
    entry: of('grafana'),
    body: '{"status":"resolved"}',
    make: (body, at) =>
      headers({
        'x-grafana-alerting-timestamp': seconds(at),
        'x-grafana-alerting-signature': mac(`${seconds(at)}:${body}`),
      }),
    event: 'resolved',
  },
  alertmanager: {
    entry: of('alertmanager'),
    body: '{"status":"firing","version":"4"}',
    make: () => headers({ authorization: `Bearer ${SECRET}` }),
    event: 'firing',
  },
  twilio: {
    entry: of('twilio', { url: 'https://example.com/webhook/sms' }),
    body: 'From=%2B14158675310&Body=Hello&MessageStatus=delivered',
    make: () => ({
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': mac(
          'https://example.com/webhook/smsBodyHelloFrom+14158675310MessageStatusdelivered',
          'base64',
          'sha1',
        ),
        'i-twilio-idempotency-token': 'd-1',
      },
    }),
    event: 'delivered',
    id: 'd-1',
  },
  discord: {
    entry: { scheme: 'discord', secret: discordKey },
    body: '{"type":2,"id":"i-1"}',
    make: (body, at) =>
      headers({
        'x-signature-timestamp': seconds(at),
        'x-signature-ed25519': sign(null, Buffer.from(`${seconds(at)}${body}`), discord.privateKey).toString('hex'),
      }),
    event: 'interaction.2',
    id: 'i-1',
  },
  sns: {
    entry: { scheme: 'sns', secret: TOPIC },
    body: snsBody(),
    make: () => headers({}),
    event: 'Notification',
    id: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  },
  'sns, version 1': {
    entry: { scheme: 'sns', secret: TOPIC },
    body: snsBody({ SignatureVersion: '1' }),
    make: () => headers({}),
    event: 'Notification',
    id: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  },
  zoom: {
    entry: of('zoom'),
    body: '{"event":"meeting.ended"}',
    make: (body, at) =>
      headers({ 'x-zm-request-timestamp': seconds(at), 'x-zm-signature': `v0=${mac(`v0:${seconds(at)}:${body}`)}` }),
    event: 'meeting.ended',
  },
  typeform: {
    entry: of('typeform'),
    body: '{"event_id":"d-1","event_type":"form_response"}',
    make: (body) => headers({ 'typeform-signature': `sha256=${mac(body, 'base64')}` }),
    event: 'form_response',
    id: 'd-1',
  },
  calcom: {
    entry: of('calcom'),
    body: '{"triggerEvent":"BOOKING_CREATED"}',
    make: (body) => headers({ 'x-cal-signature-256': mac(body) }),
    event: 'BOOKING_CREATED',
  },
  meta: {
    entry: of('meta', { verifyToken: 'chosen-by-me' }),
    body: '{"object":"whatsapp_business_account"}',
    make: (body) => headers({ 'x-hub-signature-256': `sha256=${mac(body)}` }),
    event: 'whatsapp_business_account',
  },
  hmac: {
    entry: of('hmac', {
      header: 'X-Sig',
      prefix: 'v=',
      algorithm: 'sha512',
      encoding: 'base64',
      signed: '{time}|{id}|{body}',
      time: 'X-Time',
      id: 'X-Id',
      event: 'X-Event',
    }),
    body: BODY,
    make: (body, at) =>
      headers({
        'x-sig': `v=${mac(`${new Date(at).toISOString()}|d-1|${body}`, 'base64', 'sha512')}`,
        'x-time': new Date(at).toISOString(),
        'x-id': 'd-1',
        'x-event': 'order.paid',
      }),
    event: 'order.paid',
    id: 'd-1',
  },
  'header-token': {
    entry: of('header-token', { header: 'X-Api-Key', id: 'X-Id' }),
    body: BODY,
    make: () => headers({ 'x-api-key': SECRET, 'x-id': 'd-1' }),
    event: 'x.y',
    id: 'd-1',
  },
  bearer: {
    entry: of('bearer'),
    body: BODY,
    make: () => headers({ authorization: `Bearer ${SECRET}` }),
    event: 'x.y',
  },
  basic: {
    entry: { scheme: 'basic', secret: 'grafana:password' },
    body: BODY,
    make: () => headers({ authorization: `Basic ${Buffer.from('grafana:password').toString('base64')}` }),
    event: 'x.y',
  },
  'path-token': {
    entry: of('path-token'),
    body: BODY,
    make: () => ({ headers: {}, pathToken: SECRET }),
    event: 'x.y',
  },
};
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

const sourcesOf = (entry: unknown) => {
  const { sources, problems } = parseSources(JSON.stringify({ shop: entry }));
  expect(problems).toStrictEqual([]);
  return sources;
};
const send = ({ entry, body, make }: Row, changes: Partial<Parts> = {}, at = NOW) =>
  parseWebhookRequest({
    method: 'POST',
    name: 'shop',
    query: new URLSearchParams(),
    pathToken: undefined,
    headers: {},
    sources: sourcesOf(entry),
    now: NOW,
    space: 'default',
    fetchText: (url) => {
      fetched.push(url);
      return Promise.resolve(certificate);
    },
    bytes: Buffer.from(changes.body ?? body),
    ...make(body, at),
    ...changes,
  });
const fetched: string[] = [];
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

  it.each<[string, Partial<Parts>, string]>([
    ['gzip', { headers: { 'content-encoding': 'gzip' } }, 'body is compressed: send it without content-encoding'],
    ['bytes that are not UTF-8', { bytes: Buffer.from([0x7b, 0xff, 0x7d]) }, 'body is not UTF-8'],
  ])('answers %s with a plain sentence', async (_, changes, error) => {
    const row = ROWS.bearer as Row;
    const merged = { ...changes, headers: { authorization: `Bearer ${SECRET}`, ...changes.headers } };
    expect(await send(row, merged)).toStrictEqual({ kind: 'refused', status: 400, error });
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

describe('forms', () => {
  const textOf = async (row: Row, changes: Partial<Parts> = {}): Promise<string> => {
    const parsed = await send(row, changes);
    return parsed.kind === 'signal' && parsed.signal.payload.sensor === 'webhook'
      ? parsed.signal.payload.text.map(({ text }) => text).join('\n')
      : JSON.stringify(parsed);
  };

  const alert = {
    status: 'firing',
    commonLabels: { alertname: 'DiskFull', instance: 'db-1' },
    commonAnnotations: { summary: '/ is at 97 %' },
  };
  const pull = {
    action: 'opened',
    number: 7,
    pull_request: { title: 'Mend\nthe clock', html_url: 'https://github.com/a/b/pull/7' },
    repository: { full_name: 'a/b' },
    sender: { login: 'ada' },
  };
  const github = (event: string): Row => {
    const row = ROWS.github as Row;
    return {
      ...row,
      make: (body, at) =>
        headers({ ...(row.make(body, at).headers as Record<string, string>), 'x-github-event': event }),
    };
  };
  it.each<[string, Row, unknown, string]>([
    [
      'a pull request',
      github('pull_request'),
      pull,
      'ada opened pull request #7 “Mend the clock” in a/b: https://github.com/a/b/pull/7',
    ],
    ['an event without a form', github('fork'), { action: 'x' }, '{"action":"x"}'],
    ['a member that is missing', github('ping'), { zen: 'Keep it simple' }, 'GitHub says hello from : Keep it simple'],
    ['an alert', { ...(ROWS.bearer as Row), entry: of('alertmanager') }, alert, 'firing: DiskFull db-1 / is at 97 %'],
    [
      'a form of the owner',
      { ...(ROWS.bearer as Row), entry: of('bearer', { form: 'Disk {{commonLabels.instance}}!' }) },
      alert,
      'Disk db-1!',
    ],
    [
      'a line of EVENT_FORMS first of all',
      {
        ...(ROWS.bearer as Row),
        entry: of('bearer', { form: 'Disk {{commonLabels.instance}}!' }),
        make: () => ({
          ...headers({ authorization: `Bearer ${SECRET}` }),
          eventForms: { shop: { firing: 'Fire at {{commonLabels.instance}}' } },
        }),
      },
      alert,
      'Fire at db-1',
    ],
    [
      'a form that says nothing',
      { ...(ROWS.bearer as Row), entry: of('bearer', { form: '{{nothing}}' }) },
      { a: 1 },
      '{"a":1}',
    ],
  ])('shows %s', async (_, row, body, text) => {
    expect(await textOf(row, { body: JSON.stringify(body), ...row.make(JSON.stringify(body), NOW) })).toBe(text);
  });

  it('keeps hash, size and the fields of the form of a body that the table cannot take', async () => {
    const body = JSON.stringify({ ...pull, pull_request: { ...pull.pull_request, body: 'x'.repeat(300_000) } });
    const parsed = await send(github('pull_request'), { body, ...github('pull_request').make(body, NOW) });
    if (parsed.kind !== 'signal' || parsed.signal.payload.sensor !== 'webhook') throw new Error('it was refused');
    const { pull_request, ...rest } = pull;
    expect(parsed.signal.payload.body).toStrictEqual({
      sha256: createHash('sha256').update(body).digest('hex'),
      bytes: body.length,
      ...rest,
      pull_request,
    });
    const huge = 'x'.repeat(1024 * 1024 + 1);
    expect(await send(ROWS.bearer as Row, { body: huge })).toMatchObject({ status: 413 });
  });

  it('cuts a value that is long, and reads no template in one', async () => {
    const body = JSON.stringify({ a: `{{b}}${'x'.repeat(5000)}`, b: 'secret' });
    const text = await textOf({ ...(ROWS.bearer as Row), entry: of('bearer', { form: 'It says {{a}}' }) }, { body });
    expect(text).toMatch(/^It says \{\{b\}\}x{595}$/);
  });

  it('are templates of paths, each one line', () => {
    const forms = Object.values(SCHEMES).flatMap((scheme) => Object.values(scheme.forms ?? {}));
    expect(forms.length).toBeGreaterThan(20);
    for (const form of forms) expect([findTemplates(form).bad, form.includes('\n')], form).toStrictEqual([[], false]);
  });
});

it('describes every scheme in the documents', () => {
  const page = readFileSync(new URL('../../../infra/webhooks.md', import.meta.url), 'utf8');
  for (const name of Object.keys(SCHEMES)) expect(page).toContain(`| \`${name}\` |`);
});
