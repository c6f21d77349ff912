/** A sample of each scheme is taken by that scheme, under the name that was asked for. */
import { describe, expect, it } from 'vitest';
import { buildSample } from '../../../lib/features/webhooks/edge/sample.ts';
import { parseSources, SCHEMES } from '../../../lib/features/webhooks/edge/sources.ts';
import { parseWebhookRequest } from '../../../lib/features/webhooks/edge/webhook-event.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = 'a-secret-of-the-sender-1';
const STANDARD = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
/** They sign with keys that we do not hold, or over the address as they have it. */
const UNSIGNED = ['twilio', 'discord', 'sns'];

/** Of those whose events have names that the body must fit. */
const EVENTS: Readonly<Record<string, string>> = {
  github: 'issues.opened',
  gitea: 'release.published',
  bitbucket: 'pullrequest:fulfilled',
  shopify: 'orders/paid',
  sentry: 'event_alert.triggered',
};

const MORE: Readonly<Record<string, object>> = {
  standard: { secret: STANDARD },
  basic: { secret: 'grafana:password' },
  meta: { verifyToken: 'chosen-by-me' },
  hmac: { header: 'X-Sig', prefix: 'v=', signed: '{time}.{id}.{body}', time: 'X-Time', id: 'X-Id', event: 'X-Event' },
  'header-token': { header: 'X-Api-Key', id: 'X-Id', event: 'X-Event' },
};

const sourceOf = (scheme: string) => {
  const text = JSON.stringify({ shop: { scheme, secret: SECRET, ...MORE[scheme] } });
  const { sources, problems } = parseSources(text);
  expect(problems).toStrictEqual([]);
  return sources;
};

const send = async (scheme: string, event: string, id = 'sample-1') => {
  const sources = sourceOf(scheme);
  const source = sources.get('shop');
  const sample = source && buildSample('shop', source, event, id, NOW);
  if (sample === undefined) throw new Error('there is no sample');
  const [, , name = '', pathToken] = sample.path.split('/');
  const headers = Object.fromEntries(Object.entries(sample.headers).map(([key, value]) => [key.toLowerCase(), value]));
  const request = { method: 'POST', query: new URLSearchParams(), name, pathToken, headers };
  const fetchText = () => Promise.reject(new Error('nothing is fetched'));
  return parseWebhookRequest({
    ...request,
    bytes: Buffer.from(sample.body),
    ...{ sources, now: NOW, space: 'default', fetchText },
  });
};

describe('buildSample', () => {
  it.each(Object.keys(SCHEMES).filter((scheme) => !UNSIGNED.includes(scheme)))('is taken by %s', async (scheme) => {
    const event = EVENTS[scheme] ?? 'order.paid';
    const parsed = await send(scheme, event);
    expect(parsed.kind === 'signal' && parsed.signal.payload).toMatchObject({ sensor: 'webhook', event });
    const again = await send(scheme, event, 'sample-2');
    expect(again.kind === 'signal' && again.signal.id).not.toBe(parsed.kind === 'signal' && parsed.signal.id);
  });

  it('fills the form of the event', async () => {
    const parsed = await send('github', 'pull_request.opened');
    expect(parsed.kind === 'signal' && parsed.signal.payload).toMatchObject({
      event: 'pull_request.opened',
      text: [
        {
          text: 'sample login opened pull request #sample number “sample title” in sample full_name: sample html_url',
        },
      ],
    });
  });

  it('is taken by GitLab with a signing token', async () => {
    const [source] = [
      ...parseSources(JSON.stringify({ shop: { scheme: 'gitlab', secret: STANDARD } })).sources.values(),
    ];
    expect(source && buildSample('shop', source, 'push', 'sample-1', NOW)?.headers).toHaveProperty('webhook-signature');
  });

  it.each(UNSIGNED)('is none for %s', (scheme) => {
    const secret = { discord: 'ab'.repeat(32), sns: 'arn:aws:sns:eu-west-1:123456789012:alarms' }[scheme] ?? SECRET;
    const source = { scheme, secrets: [secret], options: {}, repeatMinutes: 10 };
    expect(buildSample('shop', source, 'test', 'sample-1', NOW)).toBeUndefined();
  });
});
