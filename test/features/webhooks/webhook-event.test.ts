import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_BYTES_MAX } from '../../../lib/core/base/limits.ts';
import { Signal } from '../../../lib/core/signal/signal.ts';
import { WEBHOOK_TOLERANCE_MS } from '../../../lib/features/webhooks/edge/scheme.ts';
import { parseSources } from '../../../lib/features/webhooks/edge/sources.ts';
import { parseWebhookRequest, type WebhookRequest } from '../../../lib/features/webhooks/edge/webhook-event.ts';
import { WEBHOOK_TEXT_CHARS_MAX } from '../../../lib/features/webhooks/edge/webhook-signal.ts';
import { fc } from '../../support/fast-check.ts';
import { inWords } from './scheme-rows.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret, also 24 bytes').toString('base64')}`;
const BODY = '{"type":"build.failed","data":{"n":7}}';

const sign = (body: string, { secret = SECRET, id = 'msg_1', at = NOW } = {}): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
});
const sourcesOf = (secret: unknown = SECRET) => parseSources(JSON.stringify({ ci: secret })).sources;
const request = ({
  body = BODY,
  ...changes
}: Partial<WebhookRequest> & { readonly body?: string } = {}): WebhookRequest => ({
  name: 'ci',
  method: 'POST',
  query: new URLSearchParams(),
  pathToken: undefined,
  bytes: Buffer.from(body),
  headers: sign(body),
  sources: sourcesOf(),
  now: NOW,
  space: 'default',
  fetchText: () => Promise.reject(new Error('nothing is fetched')),
  ...changes,
});
const refused = (status: number, error: string) => ({ kind: 'refused', status, error });
const bodyOf = async (body: string): Promise<unknown> => {
  const parsed = await parseWebhookRequest(request({ body, headers: sign(body) }));
  if (parsed.kind !== 'signal') return inWords(parsed);
  return parsed.signal.payload.sensor === 'webhook' ? parsed.signal.payload.body : undefined;
};

describe('parseWebhookRequest', () => {
  it('turns a signed event into a signal whose every text is outside (I13)', async () => {
    const parsed = await parseWebhookRequest(request());
    expect(parsed).toStrictEqual({
      kind: 'signal',
      signal: {
        schemaVersion: 1,
        id: 'wh-ci:msg_1',
        type: 'EVENT',
        source: 'webhook',
        space: 'default',
        session: 'webhook:ci',
        root: 'wh-ci:msg_1',
        depth: 0,
        receivedAt: NOW,
        sender: { id: 'webhook:ci', isApprover: false },
        reply: { target: 'console', to: 'main' },
        payload: {
          sensor: 'webhook',
          source: 'ci',
          event: 'build.failed',
          body: { type: 'build.failed', data: { n: 7 } },
          text: [{ text: BODY, origin: 'outside', label: 'webhook body' }],
        },
      },
    });
    expect(parsed.kind === 'signal' && Signal.safeParse(parsed.signal).success).toBe(true);
  });

  it('answers to the home chat where there is one', async () => {
    const parsed = await parseWebhookRequest(request({ homeChat: '42' }));
    expect(parsed.kind === 'signal' && parsed.signal.reply).toStrictEqual({ target: 'telegram', to: '42' });
    const empty = await parseWebhookRequest(request({ homeChat: '' }));
    expect(empty.kind === 'signal' && empty.signal.reply).toStrictEqual({ target: 'console', to: 'main' });
    const system = await parseWebhookRequest(request({ defaultActuator: 'system' }));
    expect(system.kind === 'signal' && system.signal.reply).toStrictEqual({ target: 'system', to: '' });
  });

  it('takes any of several signatures, as senders send them while keys rotate', async () => {
    const headers = sign(BODY);
    const old = sign(BODY, { secret: OTHER })['webhook-signature'];
    for (const several of [`${old} ${headers['webhook-signature']}`, `v2,abc ${headers['webhook-signature']} v1,x`])
      expect((await parseWebhookRequest(request({ headers: { ...headers, 'webhook-signature': several } }))).kind).toBe(
        'signal',
      );
  });

  it('makes a member named approved mean nothing (I5)', async () => {
    const body = '{"approved":true,"sender":{"isApprover":true}}';
    const parsed = await parseWebhookRequest(request({ body, headers: sign(body) }));
    expect(parsed.kind === 'signal' && parsed.signal.sender).toStrictEqual({ id: 'webhook:ci', isApprover: false });
  });

  const UNSIGNED = 'this is not a signed event of a known source';
  it.each<[string, Parameters<typeof request>[0], string]>([
    ['an unknown source', { name: 'nobody' }, 'there is no such source'],
    [
      'an unknown source, signed with what stands in for its secret',
      {
        name: 'nobody',
        headers: sign(BODY, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }),
      },
      'there is no such source',
    ],
    ['another secret', { headers: sign(BODY, { secret: OTHER }) }, 'the signature does not fit'],
    ['another body', { body: BODY.replace('7', '8'), headers: sign(BODY) }, 'the signature does not fit'],
    ['another id', { headers: { ...sign(BODY), 'webhook-id': 'msg_2' } }, 'the signature does not fit'],
    [
      'another time',
      { headers: { ...sign(BODY), 'webhook-timestamp': String(NOW / 1000 + 1) } },
      'the signature does not fit',
    ],
    [
      'a signature of another version',
      { headers: { ...sign(BODY), 'webhook-signature': sign(BODY)['webhook-signature']?.replace('v1', 'v2') } },
      'the signature does not fit',
    ],
    ['an empty signature', { headers: { ...sign(BODY), 'webhook-signature': 'v1,' } }, 'the signature does not fit'],
    ['no signature', { headers: { ...sign(BODY), 'webhook-signature': undefined } }, 'webhook-signature is missing'],
    ['a secret in the configuration that is none', { sources: sourcesOf('%%%') }, 'there is no such source'],
    ['no id', { headers: { ...sign(BODY), 'webhook-id': undefined } }, 'webhook-id is missing or malformed'],
    ['an id with spaces', { headers: sign(BODY, { id: 'a b' }) }, 'webhook-id is missing or malformed'],
    ['an endless id', { headers: sign(BODY, { id: 'a'.repeat(257) }) }, 'webhook-id is missing or malformed'],
    [
      'no time',
      { headers: { ...sign(BODY), 'webhook-timestamp': undefined } },
      'the time of the signature is missing or malformed',
    ],
    [
      'a time that is none',
      { headers: { ...sign(BODY), 'webhook-timestamp': '1e9' } },
      'the time of the signature is missing or malformed',
    ],
    [
      'an old time',
      { headers: sign(BODY, { at: NOW - WEBHOOK_TOLERANCE_MS - 1000 }) },
      'the time of the signature is too old or too new',
    ],
    [
      'a future time',
      { headers: sign(BODY, { at: NOW + WEBHOOK_TOLERANCE_MS + 1000 }) },
      'the time of the signature is too old or too new',
    ],
    [
      'too many signatures',
      { headers: { ...sign(BODY), 'webhook-signature': 'v1,a '.repeat(17) } },
      'webhook-signature holds too many signatures',
    ],
  ])('refuses %s with 401, and tells the owner alone why', async (_, changes, reason) => {
    expect(inWords(await parseWebhookRequest(request(changes)))).toStrictEqual({ ...refused(401, UNSIGNED), reason });
  });

  it('answers the same for a source that exists and one that does not, whatever is sent', async () => {
    const header = fc.option(fc.string({ maxLength: 20 }), { nil: undefined });
    const headers = fc.record({
      'webhook-id': header,
      'webhook-timestamp': fc.oneof(header, fc.constant(String(NOW / 1000))),
      'webhook-signature': header,
    });
    await fc.assert(
      fc.asyncProperty(headers, fc.string(), async (sent, body) => {
        const { reason: _, ...known } = {
          reason: '',
          ...(await parseWebhookRequest(request({ headers: sent, body }))),
        };
        const { reason: __, ...unknown } = {
          reason: '',
          ...(await parseWebhookRequest(request({ headers: sent, body, name: 'nobody' }))),
        };
        expect(known.kind).toBe('refused');
        expect(unknown).toStrictEqual(known);
      }),
    );
  });

  it.each([[-WEBHOOK_TOLERANCE_MS], [WEBHOOK_TOLERANCE_MS]])('still takes a time off by %i ms', async (offMs) => {
    expect((await parseWebhookRequest(request({ headers: sign(BODY, { at: NOW + offMs }) }))).kind).toBe('signal');
  });

  it.each([
    ['', 404],
    ['a b', 404],
    ['../x', 404],
    ['x:y', 404],
    ['x'.repeat(31), 404],
  ])('knows no source %j', async (source, status) => {
    expect(await parseWebhookRequest(request({ name: source }))).toStrictEqual(
      refused(status, 'there is nothing at this path'),
    );
  });

  it('refuses a body that is too large before anything else', async () => {
    const body = `{"a":"${'é'.repeat(WEBHOOK_BYTES_MAX / 2)}"}`;
    expect(await parseWebhookRequest(request({ body, headers: {} }))).toStrictEqual(
      refused(413, `body is larger than ${WEBHOOK_BYTES_MAX} bytes`),
    );
  });

  it.each([
    ['not JSON', '{"a":', 'body ends too early; let the sender send JSON'],
    ['empty', '', 'body is empty; let the sender send JSON'],
    ['null', 'null', 'body is neither a JSON object nor a list'],
    ['a text', '"x"', 'body is neither a JSON object nor a list'],
    [
      'nested beyond the bound',
      `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`,
      'body is nested in more than 24 levels; send the inner ones as text',
    ],
    [
      'nested without end',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'body is nested in more than 24 levels; send the inner ones as text',
    ],
    ['too many values', `{"a":[${'1,'.repeat(50_000)}1]}`, 'body holds more than 50000 values; send fewer at once'],
  ])('refuses a signed body that is %s with 400, and tells the owner too', async (_, body, error) => {
    expect(await bodyOf(body)).toStrictEqual({ ...refused(400, error), reason: error });
  });

  it('reads JSON that is posted as a form, as curl does unless told otherwise, and a form', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const payloadOf = async (body: string) => {
      const parsed = await parseWebhookRequest(request({ body, headers: { ...sign(body), ...type } }));
      return parsed.kind === 'signal' && parsed.signal.payload;
    };
    expect(await payloadOf(BODY)).toMatchObject({ event: 'build.failed', body: JSON.parse(BODY) });
    expect(await payloadOf('type=build.failed&a=%7B')).toMatchObject({ body: { type: 'build.failed', a: '{' } });
  });

  it('keeps numbers the table cannot hold as the text they were written as', async () => {
    expect(
      await bodyOf('{"id":12345678901234567890,"big":1e300,"tiny":[1e-300],"ok":[1,-2.5,0,9007199254740991]}'),
    ).toStrictEqual({
      id: '12345678901234567890',
      big: '1e300',
      tiny: ['1e-300'],
      ok: [1, -2.5, 0, 9007199254740991],
    });
  });

  it('cuts the text of a long body, not the body', async () => {
    const body = JSON.stringify({ type: '😀'.repeat(100), a: '😀'.repeat(WEBHOOK_TEXT_CHARS_MAX) });
    const parsed = await parseWebhookRequest(request({ body, headers: sign(body) }));
    if (parsed.kind !== 'signal' || parsed.signal.payload.sensor !== 'webhook') throw new Error('no signal');
    const { payload } = parsed.signal;
    expect(payload.body).toStrictEqual(JSON.parse(body));
    expect(payload.text[0]?.text.length).toBe(WEBHOOK_TEXT_CHARS_MAX);
    expect(payload.text[0]?.text.endsWith(' …(cut)')).toBe(true);
    expect(payload.text[0]?.text.isWellFormed()).toBe(true);
    expect(payload.event).toBe('😀'.repeat(64));
    expect(Signal.safeParse(parsed.signal).success).toBe(true);
  });

  it.each([['{}'], ['{"type":7}'], ['{"type":""}']])('calls an event without a type just that: %s', async (body) => {
    const parsed = await parseWebhookRequest(request({ body, headers: sign(body) }));
    expect(parsed.kind === 'signal' && parsed.signal.payload).toMatchObject({ event: 'event' });
  });
});
