/**
 * Requests that the makers' own libraries sign, and two that makers publish, against our schemes:
 * each is taken, no change of it is, and none opens a source of another scheme. Two libraries are
 * no dependency, so what they made and checked stands here: twilio 6.2.0 brings 54 packages of
 * 29 MB for one HMAC, and @linear/sdk 98.0.0 has 12 MB and signs nothing itself.
 */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../lib/features/webhooks/edge/scheme.ts';
import { parseWebhookRequest } from '../../../lib/features/webhooks/edge/webhook-event.ts';

/** Without its types, which would make each check of all types slower. */
const load = async <T>(name: string): Promise<T> => (await import(/* @vite-ignore */ name)) as T;
type Sign = (secret: string, body: string) => Promise<string>;
interface StripeLibrary {
  readonly webhooks: {
    readonly generateTestHeaderString: (of: {
      readonly payload: string;
      readonly secret: string;
      readonly timestamp: number;
    }) => string;
  };
}

const { sign } = await load<{ readonly sign: Sign }>('@octokit/webhooks-methods');
const { Webhook: SvixWebhook } = await load<{ readonly Webhook: typeof StandardWebhook }>('svix');
const { default: Stripe } = await load<{ readonly default: new (key: string) => StripeLibrary }>('stripe');

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const BODY = '{"id":"evt_1","type":"invoice.paid","action":"opened","name":"Zoë"}';

interface Genuine {
  readonly scheme: string;
  readonly secret: string;
  readonly body: string;
  readonly now: number;
  readonly options?: Readonly<Record<string, string>>;
  /** Header of the signature. */
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
}

const of = (scheme: string, signature: string, headers: Record<string, string>, more: Partial<Genuine> = {}) => ({
  ...{ scheme, secret: SECRET, body: BODY, now: NOW, signature, headers },
  ...more,
});

const ROWS: Readonly<Record<string, Genuine>> = {
  '@octokit/webhooks-methods': of('github', 'x-hub-signature-256', {
    'x-hub-signature-256': await sign(SECRET, BODY),
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-github-event': 'pull_request',
  }),
  stripe: of('stripe', 'stripe-signature', {
    'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({
      payload: BODY,
      secret: SECRET,
      timestamp: NOW / 1000,
    }),
  }),
  standardwebhooks: of('standard', 'webhook-signature', {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${NOW / 1000}`,
    'webhook-signature': new StandardWebhook(SECRET).sign('msg_1', new Date(NOW), BODY),
  }),
  svix: of('standard', 'svix-signature', {
    'svix-id': 'msg_1',
    'svix-timestamp': `${NOW / 1000}`,
    'svix-signature': new SvixWebhook(SECRET).sign('msg_1', new Date(NOW), BODY),
  }),
  // docs.slack.dev, "Verifying requests from Slack".
  'Slack, as published': of(
    'slack',
    'x-slack-signature',
    {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    {
      secret: '8f742231b10e8888abcd99yyyzzz85a5',
      now: 1_531_420_618_000,
      body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    },
  ),
  // twilio.com/docs, "Validating requests": its signature of these fields.
  'Twilio, as published': of(
    'twilio',
    'x-twilio-signature',
    { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' },
    {
      secret: '12345',
      options: { url: 'https://mycompany.com/myapp.php?foo=1&bar=2' },
      body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
    },
  ),
  // Signed by `getExpectedTwilioSignature`.
  'twilio 6.2.0': of(
    'twilio',
    'x-twilio-signature',
    { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'loRLATLgDA/UK9jT6qUUOazCGOE=' },
    {
      secret: '12345678',
      options: { url: 'https://example.com/webhook/sms?a=1' },
      body: new URLSearchParams({
        From: '+14158675309',
        Body: 'Zoë says hi & bye',
        To: '+18005551212',
        MessageSid: 'SM0123456789abcdef0123456789abcdef',
        NumMedia: '1',
      }).toString(),
    },
  ),
  // Taken by `new LinearWebhookClient(secret).verify(body, signature, now)`.
  '@linear/sdk 98.0.0': of(
    'linear',
    'linear-signature',
    {
      'linear-delivery': 'd-1',
      'linear-signature': '1e4427a91f8c89dc84ff7f3aaf227a5a257e203889f1bccf9251c4718fcebd79',
    },
    {
      secret: 'lin_wh_0123456789abcdef0123456789abcdef',
      body: `{"action":"create","type":"Issue","data":{"id":"i1","title":"Zoë"},"webhookTimestamp":${NOW},"webhookId":"w1"}`,
    },
  ),
};

const OTHER_SECRET = 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=';

const send = ({ scheme, secret, body, now, options = {}, headers }: Genuine, name = 'shop', method = 'POST') => {
  const source: Source = { scheme, secrets: [secret], options, repeatMinutes: 10 };
  return parseWebhookRequest({
    ...{ method, name, headers, now, space: 'default', bytes: Buffer.from(body) },
    query: new URLSearchParams(),
    pathToken: undefined,
    sources: new Map([['shop', source]]),
    fetchText: () => Promise.reject(new Error('nothing is fetched')),
  });
};

/** Twelve kinds of change, beside those in time. */
const changesOf = (row: Genuine): Readonly<Record<string, Genuine>> => {
  const { [row.signature]: value = '', ...others } = row.headers;
  const signed = (text: string): Genuine => ({ ...row, headers: { ...others, [row.signature]: text } });
  const swapped = value.replace(/[a-z]/gi, (char) =>
    char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
  );
  const isTimed = !['github', 'twilio'].includes(row.scheme);
  return {
    'another secret': { ...row, secret: OTHER_SECRET },
    'no signature': { ...row, headers: others },
    'an empty signature': signed(''),
    'a cut signature': signed(value.slice(0, -2)),
    'a longer signature': signed(`${value}0`),
    'another last character': signed(value.replace(/\w(?=\W*$)/, (char) => (char === '1' ? '2' : '1'))),
    'another first character': signed(value.replace(/(?<=^(?:t=\d+,)?(?:v1=|v0=|v1,|sha256=)?)\w/, '~')),
    'letters in the other case': signed(swapped),
    'a signature in another header': { ...row, headers: { ...others, 'x-signature': value } },
    'another body': { ...row, body: row.body.replace(/\d(?=\D*$)/, '7') },
    'a field behind the body': { ...row, body: `${row.body}&x=1` },
    'an empty body': { ...row, body: '' },
    ...(isTimed ? { 'an old time': { ...row, now: row.now + 301_000 } } : {}),
    ...(isTimed ? { 'a future time': { ...row, now: row.now - 301_000 } } : {}),
  };
};

describe.each(Object.entries(ROWS))('a request by %s', (_, row) => {
  it('is taken', async () => {
    expect(await send(row)).toMatchObject({ kind: 'signal' });
  });

  it('is refused with any change', async () => {
    const changes = Object.entries(changesOf(row));
    expect(changes.length).toBeGreaterThanOrEqual(12);
    for (const [what, changed] of changes) expect(await send(changed), what).toMatchObject({ status: 401 });
    expect(await send(row, 'nobody')).toMatchObject({ status: 401 });
    expect(await send(row, 'shop', 'GET')).toMatchObject({ status: 405 });
  });

  it('opens no source of another scheme, though the secret is the same', async () => {
    for (const scheme of new Set(Object.values(ROWS).map((other) => other.scheme)))
      if (scheme !== row.scheme)
        expect(
          await send({ ...row, scheme, options: { url: 'https://example.com/', ...row.options } }),
          scheme,
        ).toMatchObject({ status: 401 });
  });
});
