/**
 * Who vouches for a fact of an event: its scheme's root of trust, or nobody. Hostile roots, times,
 * ids and names are played against all schemes, and each header that nobody signs is varied around
 * one signed body: it must stay one event, under its own name or none.
 */
import { describe, expect, it } from 'vitest';
import { carriesProof } from '../../../lib/features/webhooks/edge/door.ts';
import { putWords } from '../../../lib/features/webhooks/edge/sample.ts';
import { fits } from '../../../lib/features/webhooks/edge/scheme.ts';
import { SCHEMES } from '../../../lib/features/webhooks/edge/sources.ts';
import { makeCertificate } from '../../support/certificate.ts';
import {
  amazon,
  atAmazon,
  fetched,
  mac,
  NOW,
  type Parts,
  ROWS,
  type Row,
  requestOf,
  SECRET,
  send,
  snsBody,
} from './scheme-rows.ts';

const rows = Object.entries(ROWS);
const schemeOf = ({ entry }: Row) => SCHEMES[(entry as { scheme?: string }).scheme ?? 'standard'];
const MINUTE_MS = 60_000;

type Event = { readonly id: string; readonly event: string };
/** The event of a request; the status of one that is refused. */
const eventOf = async (row: Row, changes: Partial<Parts> = {}, at = NOW): Promise<Event | number> => {
  const parsed = await send(row, changes, at);
  if (parsed.kind === 'refused') return parsed.status;
  if (parsed.kind !== 'signal' || parsed.signal.payload.sensor !== 'webhook') throw new Error(parsed.kind);
  return { id: parsed.signal.id, event: parsed.signal.payload.event };
};

/** Those that a signature covers, and those that are the proof; another test changes them. */
const PROOF = /signature|sig$|hmac-sha|timestamp|x-time$|authorization|gitlab-token|api-key|^(?:webhook|svix|x)-id$/;

/** Every header that a scheme reads beside its proof, and others that servers and senders use. */
const HEADERS = [
  ...Object.values(SCHEMES).flatMap(({ eventHeader = '' }) => (eventHeader === '' ? [] : [eventHeader])),
  ...['x-github-delivery', 'x-gitea-delivery', 'x-request-uuid', 'linear-delivery', 'x-shopify-webhook-id'],
  ...['x-shopify-event-id', 'request-id', 'i-twilio-idempotency-token', 'x-event', 'content-type', 'x-hook-uuid'],
  ...['sentry-hook-timestamp', 'x-grafana-alerting-timestamp', 'x-amz-sns-message-id', 'x-amz-sns-message-type'],
];
const NAMES = [...new Set(rows.flatMap(([, { event }]) => [event, event.split('.')[0] ?? '']))];
const HOSTILE_NAMES = ['', 'constructor', '__proto__', 'x'.repeat(500), 'push\nissues', 'release', 'orders/cancelled'];
const FORM = 'application/x-www-form-urlencoded';
const VALUES = [undefined, 'd-2', FORM, 'text/plain', `${NOW / 1000}`, ...HOSTILE_NAMES, ...NAMES];

describe('a header that nobody signs', () => {
  it.each(rows)('%s: makes no other event of the same signed bytes', async (_, row) => {
    const genuine = await eventOf(row);
    const { headers } = requestOf(row);
    const isCovered = (name: string) => PROOF.test(name) && headers[name] !== undefined;
    const free = schemeOf(row)?.root === 'token' ? ['content-type', 'x-github-event'] : HEADERS;
    let tried = 0;
    for (const name of free.filter((one) => !isCovered(one)))
      for (const value of VALUES) {
        const changes = { headers: { ...headers, [name]: value }, now: NOW + MINUTE_MS };
        const { id, event } = Object(await eventOf(row, changes));
        expect({ name, value, id }).toStrictEqual({ name, value, id: Object(genuine).id });
        expect([row.event, 'unnamed'], `${name}: ${value}`).toContain(event);
        tried += 1;
      }
    expect(tried).toBeGreaterThanOrEqual(2 * VALUES.length);
  });

  it.each([
    ['x-github-event', 'github', 'release'],
    ['x-event-key', 'bitbucket', 'pullrequest:fulfilled'],
    ['x-shopify-topic', 'shopify', 'orders/paid'],
    ['sentry-hook-resource', 'sentry', 'metric_alert'],
    ['x-event', 'hmac', 'order.cancelled'],
  ])('%s: leaves an event unnamed that its body does not say', async (header, name, said) => {
    const row = ROWS[name] as Row;
    const { headers } = requestOf(row);
    expect(await eventOf(row, { headers: { ...headers, [header]: said } })).toMatchObject({ event: 'unnamed' });
  });

  it.each(['github', 'gitea', 'sentry'])('%s: can give the body of an event no other name', (scheme) => {
    const { words = {} } = SCHEMES[scheme] ?? {};
    for (const [name, own] of Object.entries(words)) {
      const body = {};
      putWords(body, own);
      expect(Object.keys(words).filter((one) => fits(words[one] ?? '', body))).toStrictEqual([name]);
    }
  });

  it.each(['github', 'gitea', 'bitbucket', 'shopify', 'twilio', 'linear'])(
    '%s: is a repeat however late, unless the entry has a window',
    async (name) => {
      const row = ROWS[name] as Row;
      const first = await eventOf(row);
      const later = NOW + (name === 'linear' ? 4 : 2_000) * MINUTE_MS;
      const stamped = row.body.replace(`${NOW}`, `${later}`);
      expect(await eventOf({ ...row, body: stamped }, { now: later })).toStrictEqual(first);
      const entry = { ...(row.entry as object), repeatMinutes: 10 };
      expect(await eventOf({ ...row, entry, body: stamped }, { now: later })).not.toStrictEqual(first);
    },
  );

  it('twilio: fields in another order, or cut elsewhere, are no other event', async () => {
    const row = ROWS.twilio as Row;
    const { id } = Object(await eventOf(row));
    const { headers } = requestOf(row);
    for (const body of [
      'MessageStatus=delivered&Body=Hello&From=%2B14158675310',
      'Body=Hell%6f&From=%2B14158675310&MessageStatus=delivered',
      'BodyH=ello&From=%2B14158675310&MessageStatus=delivered',
    ])
      expect(Object(await eventOf(row, { body, headers, bytes: Buffer.from(body) })).id, body).toBe(id);
  });

  it('hmac: an id beside the signature is not read', async () => {
    const row = ROWS.hmac as Row;
    const entry = { scheme: 'hmac', secret: SECRET, header: 'X-Sig', id: 'X-Id' };
    const at = (id: string) => ({ headers: { 'x-sig': mac(row.body), 'x-id': id } });
    const first = await eventOf({ ...row, entry }, at('d-1'));
    for (const id of ['d-2', '', 'a b']) expect(await eventOf({ ...row, entry }, at(id)), id).toStrictEqual(first);
  });

  it('linear: a body without its time is refused', async () => {
    expect(await eventOf({ ...(ROWS.linear as Row), body: '{"type":"Issue","action":"create"}' })).toBe(401);
  });

  it('grafana: a signed time cannot be left out, nor one be added', async () => {
    const [timed, plain] = [ROWS['grafana, with a time'] as Row, ROWS['grafana, without a time'] as Row];
    const { headers } = requestOf(timed);
    const { 'x-grafana-alerting-timestamp': time, ...signature } = headers;
    const body = `${time}:${timed.body}`;
    for (const row of [timed, plain])
      for (const type of [undefined, FORM, 'application/json'])
        expect(
          await eventOf(row, { body, bytes: Buffer.from(body), headers: { ...signature, 'content-type': type } }),
        ).toBe(row === timed ? 401 : 400);
    expect(await eventOf({ ...timed, entry: plain.entry })).toBe(401);
    expect(await eventOf({ ...plain, entry: timed.entry })).toBe(401);
  });
});

const PLACE = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
/** Addresses that are not the one place of the region's certificates. */
const PLACES = [
  'https://sns.s3.amazonaws.com/SimpleNotificationService-1.pem',
  'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem',
  'https://sns.eu-west-1.amazonaws.com.cn/SimpleNotificationService-1.pem',
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-g.pem',
  'https://sns.eu-west-1.amazonaws.com/x/SimpleNotificationService-1.pem',
  'https://sns.eu-west-1.amazonaws.com/x/../SimpleNotificationService-1.pem',
  'https://sns.eu-west-1.amazonaws.com/key.pem',
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem?x=1',
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem#x',
  'https://sns.eu-west-1.amazonaws.com:443/SimpleNotificationService-1.pem',
  'https://x@sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
  'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
];
const TIMES = [
  ...[NOW - 300_001, NOW + 300_001, 0].map((at) => new Date(at).toISOString()),
  ...['', 'soon', 'NaN', '-1', '1e12', '2026-01-15', '2026-01-15T12:00:00', '9'.repeat(30)],
];
const IDS = ['', ' ', 'a b', 'x'.repeat(257), 'x\nMessageId\ny', 'é', '\u0000'];
const EVENTS = ['', 'Notification\n', 'constructor', '__proto__', 'SubscriptionConfirmation'];
/** Members of the body that name a root, a time, an id and an event. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  ...{ SigningCertURL: PLACES, Timestamp: TIMES, webhookTimestamp: TIMES, MessageId: IDS, id: IDS, event_id: IDS },
  ...{ Type: EVENTS, type: EVENTS, event: EVENTS, action: EVENTS, object_kind: EVENTS },
};
const TIME_HEADERS =
  /^(?:webhook-timestamp|svix-timestamp|x-slack-request-timestamp|x-zm-request-timestamp|x-signature-timestamp|x-grafana-alerting-timestamp|x-time)$/;
const ID_HEADERS = /^(?:webhook-id|svix-id|x-id)$/;

/** The header that is the proof, or of SNS the one that says that the body is. */
const CARRIERS = /signature(?!-timestamp)|sig$|hmac-sha|authorization|gitlab-token|api-key|sns-message-type/;

describe('every scheme', () => {
  it('says where its root of trust comes from', () => {
    const roots = Object.entries(SCHEMES).map(([name, { root }]) => [name, root]);
    const beside = roots.filter(([, root]) => root !== 'shared secret');
    expect(Object.fromEntries(beside)).toStrictEqual({
      gitlab: 'token',
      alertmanager: 'token',
      discord: 'public key of the entry',
      sns: "certificate at the sender's host",
      'header-token': 'token',
      bearer: 'token',
      basic: 'token',
      'path-token': 'token',
    });
  });

  it.each(rows)('%s: opens the door with a proof of its form, and not without', (_, row) => {
    const { headers, pathToken, sources } = requestOf(row);
    expect(carriesProof({ headers, pathToken }, sources)).toBe(true);
    const [carrier, ...others] = Object.keys(headers).filter((name) => CARRIERS.test(name));
    expect(others).toStrictEqual([]);
    expect(carriesProof({ headers: {}, pathToken: 'short' }, sources)).toBe(false);
    if (carrier === undefined) return;
    const malformed = [undefined, '', ...(/token|key/.test(carrier) ? [] : ['x', 'sha256=', 'Bearer', 'v1,'])];
    for (const value of malformed)
      expect(carriesProof({ headers: { ...headers, [carrier]: value }, pathToken }, sources), value).toBe(false);
  });

  it.each(rows)('%s: is not moved by a root, time, id or name of an attacker', async (_, row) => {
    const { headers } = requestOf(row);
    const isWhole = schemeOf(row)?.root === 'token';
    const genuine = await eventOf(row);
    /** Amazon signs some members alone, and nobody reads the others. */
    const read = ['SigningCertURL', ...(schemeOf(row)?.signedMembers?.({ Type: 'Notification' }) ?? [])];
    const isUnread = (member: string) => read.length > 1 && !read.includes(member);
    fetched.length = 0;
    for (const [member, values] of Object.entries(HOSTILE))
      for (const value of values) {
        // In the body without a new signature.
        const body = JSON.stringify({ ...(row.body.startsWith('{') ? JSON.parse(row.body) : {}), [member]: value });
        const verdict = await eventOf(row, { body, headers, bytes: Buffer.from(body) });
        if (!isWhole) expect(verdict, body).toStrictEqual(isUnread(member) ? genuine : 401);
      }
    expect(fetched.filter((url) => url !== PLACE)).toStrictEqual([]);
    for (const [name, values] of [
      [TIME_HEADERS, TIMES],
      [ID_HEADERS, IDS],
    ] as const)
      for (const header of Object.keys(headers).filter((one) => name.test(one) && !isWhole))
        for (const value of values)
          expect(await eventOf(row, { headers: { ...headers, [header]: value } }), `${header}: ${value}`).toBe(401);
  });
});

describe('sns', () => {
  const row = ROWS.sns as Row;
  const statusOf = (changes: Record<string, string>, key?: string) => eventOf(row, { body: snsBody(changes, key) });

  it('refuses other places, times and ids before anything is fetched, though they are signed', async () => {
    fetched.length = 0;
    for (const SigningCertURL of PLACES) expect(await statusOf({ SigningCertURL }), SigningCertURL).toBe(401);
    for (const Timestamp of TIMES) expect(await statusOf({ Timestamp }), Timestamp).toBe(401);
    for (const MessageId of IDS) expect(await statusOf({ MessageId }), MessageId).toBe(401);
    for (const Subject of ['a\nTimestamp\nb', 'a\rb']) expect(await statusOf({ Subject }), Subject).toBe(401);
    expect(fetched).toStrictEqual([]);
    expect(await statusOf({ Message: 'two\nlines' })).toMatchObject({ event: 'Notification' });
  });

  it('takes a certificate of Amazon that is valid now, and nothing else', async () => {
    const named = (name: string, at = NOW) => makeCertificate(name, at);
    const genuine = ['sns.amazonaws.com', 'sns.eu-west-1.amazonaws.com', 'sns-signing.eu-west-1.amazonaws.com'];
    const strange = ['sns.us-east-1.amazonaws.com', 'sns.s3.amazonaws.com', '*.amazonaws.com', 'example.com'];
    const DAYS_MS = 3 * 86_400_000;
    try {
      for (const [made, isTaken] of [
        ...genuine.map((name) => [named(name), true] as const),
        ...strange.map((name) => [named(name), false] as const),
        ...[NOW - DAYS_MS, NOW + DAYS_MS].map((at) => [named('sns.amazonaws.com', at), false] as const),
      ]) {
        atAmazon.certificate = made.cert;
        expect(typeof (await statusOf({}, made.key)), made.cert).toBe(isTaken ? 'object' : 'number');
        expect(await statusOf({})).toBe(401);
      }
      for (const text of ['x', amazon.publicKey, `${amazon.publicKey}${amazon.cert}`, '']) {
        atAmazon.certificate = text;
        expect(await statusOf({}), text).toBe(401);
      }
    } finally {
      atAmazon.certificate = amazon.cert;
    }
  });

  it('asks for no subscription anywhere but at the place of its region', async () => {
    const query = '/?Action=ConfirmSubscription&Token=t';
    const confirm = { Type: 'SubscriptionConfirmation', Token: 't', Subject: undefined as never };
    for (const host of [
      'http://sns.eu-west-1.amazonaws.com',
      'https://sns.us-east-1.amazonaws.com',
      'https://sns.s3.amazonaws.com',
    ]) {
      fetched.length = 0;
      await send(row, { body: snsBody({ ...confirm, SubscribeURL: `${host}${query}` }) });
      expect(fetched, host).toStrictEqual([PLACE]);
    }
  });

  it('reads no member that is not signed', async () => {
    const unsigned = { type: 'order.paid', SubscribeURL: 'https://example.com/', AlarmName: 'x' };
    const body = JSON.stringify({ ...JSON.parse(row.body), ...unsigned });
    const parsed = await send(row, { body });
    const { payload } = parsed.kind === 'signal' ? parsed.signal : {};
    expect(Object.keys(Object(payload).body).sort()).toStrictEqual([
      'Message',
      'MessageId',
      'Subject',
      'Timestamp',
      'TopicArn',
      'Type',
    ]);
  });

  it.each([
    'arn:aws:sns:s3:123456789012:a',
    'arn:aws:sns:s3-us-west-2:123456789012:a',
    'arn:aws:sns:a.b:123456789012:a',
  ])('takes no topic without a region: %s', (secret) =>
    expect(SCHEMES.sns?.secretProblem?.(secret)).toBe('must be the ARN of a topic, arn:aws:sns:…'),
  );
});
