import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { PRESET_NEEDS } from '../../../infra/features/webhooks/target-step.ts';
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { WebhookForm, WebhookTarget } from '../../../lib/core/store/setting-forms.ts';
import type { FormContext } from '../../../lib/core/tools/tool.ts';
import { readWebhooks } from '../../../lib/core/tools/webhooks.ts';
import { WEBHOOK_FORM } from '../../../lib/features/webhooks/form.ts';
import { WEBHOOK_PRESETS } from '../../../lib/features/webhooks/presets.ts';
import { buildWebhookRequest } from '../../../lib/features/webhooks/request.ts';

const NOW = Date.UTC(2026, 10, 26);
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const url = 'https://service.example/hook';
const build = (target: WebhookTarget, body: JsonObject) =>
  buildWebhookRequest(WebhookTarget.parse(target), body, 'msg_1', NOW);

describe('buildWebhookRequest', () => {
  /**
   * Requests as the services document them; `lib/features/webhooks/presets.ts` names the pages.
   */
  it.each<[string, WebhookTarget, JsonObject, string, Record<string, string>, string]>([
    ['plain', { url }, { any: ['thing'] }, url, {}, '{"any":["thing"]}'],
    ['slack', { url }, { text: 'Hi', job: 'morning' }, url, {}, '{"text":"Hi"}'],
    ['discord', { url }, { text: 'Hi' }, url, {}, '{"allowed_mentions":{"parse":[]},"content":"Hi"}'],
    [
      'ntfy',
      { url: 'https://ntfy.sh/me' },
      { text: 'Höi' },
      'https://ntfy.sh/me',
      { 'content-type': 'text/plain' },
      'Höi',
    ],
    [
      'home-assistant',
      { url: 'https://ha.example/api/services/{domain}/{service}', bearer: 'T' },
      { domain: 'light', service: 'turn_on', entity_id: 'light.kitchen' },
      'https://ha.example/api/services/light/turn_on',
      { authorization: 'Bearer T' },
      '{"entity_id":"light.kitchen"}',
    ],
    [
      'github-dispatch',
      { bearer: 'T' },
      { owner: 'me', repo: 'shop', event_type: 'deploy' },
      'https://api.github.com/repos/me/shop/dispatches',
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', authorization: 'Bearer T' },
      '{"event_type":"deploy"}',
    ],
    [
      'github-comment',
      { bearer: 'T' },
      { owner: 'me', repo: 'shop', number: 7, text: 'Done.' },
      'https://api.github.com/repos/me/shop/issues/7/comments',
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', authorization: 'Bearer T' },
      '{"body":"Done."}',
    ],
    [
      'gitlab-trigger',
      { fixed: { token: 'T' } },
      { project: 'group/shop', ref: 'main' },
      'https://gitlab.com/api/v4/projects/group%2Fshop/trigger/pipeline',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'ref=main&token=T',
    ],
    [
      'pagerduty',
      { fixed: { routing_key: 'R' } },
      { summary: 'Down', source: 'shop', severity: 'critical' },
      'https://events.pagerduty.com/v2/enqueue',
      {},
      '{"event_action":"trigger","payload":{"severity":"critical","source":"shop","summary":"Down"},"routing_key":"R"}',
    ],
    [
      'grafana-annotation',
      { url, bearer: 'T' },
      { text: 'Deployed', tags: ['shop'] },
      url,
      { authorization: 'Bearer T' },
      '{"tags":["shop"],"text":"Deployed"}',
    ],
  ])('calls %s as it documents', (preset, target, body, address, headers, sent) => {
    expect(build({ preset, ...target }, body)).toStrictEqual({
      url: address,
      method: 'POST',
      headers: { 'user-agent': 'passepartout', 'content-type': 'application/json', ...headers },
      body: sent,
    });
  });

  it('wraps a text for Teams in a card', () => {
    const { body = '' } = build({ preset: 'teams', url }, { text: 'Hi' }) ?? {};
    const [{ contentType, content }] = JSON.parse(body).attachments;
    expect([contentType, content.type, content.body]).toStrictEqual([
      'application/vnd.microsoft.card.adaptive',
      'AdaptiveCard',
      [{ type: 'TextBlock', text: 'Hi', wrap: true }],
    ]);
  });

  it.each<[string, WebhookTarget, JsonObject, object]>([
    [
      'has no body with GET',
      { url: `${url}?q={q}`, method: 'GET' },
      { q: 'a b&c' },
      { url: `${url}?q=a%20b%26c`, method: 'GET' },
    ],
    [
      'has none with DELETE if the address says all',
      { url: `${url}/{id}`, method: 'DELETE' },
      { id: 1 },
      { url: `${url}/1` },
    ],
    ['only reads', { url: `${url}?q={q}`, reads: true }, { q: 'a' }, { url: `${url}?q=a`, method: 'GET' }],
    ['gives a password', { url, basic: 'me:p:w' }, {}, { headers: { authorization: 'Basic bWU6cDp3' } }],
    [
      'names itself by a header',
      { url, idempotency: 'Idempotency-Key' },
      {},
      { headers: { 'idempotency-key': 'msg_1' } },
    ],
    [
      'lets no header of a setting take the place of the proof',
      { url, bearer: 'T', headers: { Authorization: 'x' } },
      {},
      { headers: { authorization: 'Bearer T' } },
    ],
    [
      'leaves out a field that was not given',
      { url, send: { a: '{{a}}', b: 'x {{b}}.', c: ['{{c}}'] } },
      { c: { d: 1 } },
      { body: '{"b":"x .","c":[{"d":1}]}' },
    ],
    [
      'writes a field into a text in the form that it names',
      {
        url,
        content: 'text',
        send: '<m a="{{a|xml}}">{{a|plain}} {"b": "{{a|json}}"} ?c={{a|url}}</m>',
      },
      { a: '"</m>&\n\u0007' },
      {
        body: '<m a="&#34;&#60;/m&#62;&#38;\n">"</m>&\n\u0007 {"b": "\\"</m>&\\n\\u0007"} ?c=%22%3C%2Fm%3E%26%0A%07</m>',
      },
    ],
    ['fills nothing twice', { url, send: { a: '{{a}}' } }, { a: '{{b}}', b: 'no' }, { body: '{"a":"{{b}}"}' }],
    ['keeps what is fixed', { url, fixed: { key: 'K' } }, { key: 'mine' }, { body: '{"key":"K"}' }],
  ])('%s', (_name, target, body, expected) => {
    expect(build(target, body)).toMatchObject(expected);
  });

  it.each<[string, WebhookTarget['hmac'], string, (body: string) => Record<string, string>]>([
    [
      'as GitHub does',
      { secret: 'S', header: 'X-Hub-Signature-256', prefix: 'sha256=' },
      'hub',
      (body) => ({ 'x-hub-signature-256': `sha256=${createHmac('sha256', 'S').update(body).digest('hex')}` }),
    ],
    [
      'with time and id',
      {
        ...{ secret: 'S', header: 'X-Sig', algorithm: 'sha512', encoding: 'base64', signed: '{id}.{time}.{body}' },
        time: 'X-Time',
        id: 'X-Id',
      },
      '{time}',
      (body) => ({
        'x-sig': createHmac('sha512', 'S')
          .update(`msg_1.${NOW / 1000}.${body}`)
          .digest('base64'),
        'x-time': `${NOW / 1000}`,
        'x-id': 'msg_1',
      }),
    ],
  ])('signs by HMAC %s', (_, hmac, text, expected) => {
    const { body = '', headers } = build({ url, hmac }, { text }) ?? {};
    expect(headers).toMatchObject(expected(body));
  });

  /** Act sends exactly what the card showed, but for what only the settings know. */
  it.each(Object.keys(WEBHOOK_PRESETS))('shows on the card what %s is sent', async (preset) => {
    const { url: own, key, isSigned } = PRESET_NEEDS[preset] ?? {};
    const fixed = key && { [key[0]]: 'very-secret' };
    const signed = isSigned && { secret: SECRET };
    const target = { preset, ...(own === undefined ? {} : { url }), ...(fixed && { fixed }), ...signed };
    const properties = Object.keys(Object(WEBHOOK_PRESETS[preset]?.body?.properties));
    const body = Object.fromEntries(
      properties.map((name) => [name, name === 'tags' ? ['a'] : name === 'client_payload' ? { a: 1 } : `a ${name}`]),
    );
    const form = WebhookForm.parse({ ...target, hides: fixed && Object.keys(fixed) });
    const { webhookCalls } = readWebhooks({ team: form });
    const context = { webhookCalls } as unknown as FormContext;
    const lines = await WEBHOOK_FORM.describe({ webhook: 'team', body }, context);
    const shown = lines.find((line) => line.startsWith('Sent: '))?.slice(6) ?? canonicalJson(body);
    const sent = build(target, body)?.body ?? '';
    expect(shown).toBe(sent.replace('very-secret', '***'));
    expect(lines.join()).not.toContain('very-secret');
  });

  it('signs with both secrets while one is rotated', () => {
    const older = `whsec_${Buffer.from('an older secret of 24 bytes').toString('base64')}`;
    const { body = '', headers = {} } = build({ url, secret: [SECRET, older] }, { text: 'Hi' }) ?? {};
    const sent = { ...headers, 'webhook-timestamp': `${NOW / 1000}` };
    const signatures = [SECRET, older].map((secret) => new Webhook(secret).sign('msg_1', new Date(NOW), body));
    expect(sent['webhook-signature' as keyof typeof sent]).toBe(signatures.join(' '));
    expect(build({ url, secret: [SECRET, 'not base64 at all!'] }, {})).toBeUndefined();
  });

  it('signs as the preset standard says, and takes none without a secret', () => {
    const { body = '', headers = {} } = build({ preset: 'standard', url, secret: SECRET }, { a: 1 }) ?? {};
    expect([body, new Webhook(SECRET).sign('msg_1', new Date(NOW), body)]).toStrictEqual([
      '{"a":1}',
      headers['webhook-signature'],
    ]);
    expect(WebhookTarget.safeParse({ preset: 'standard', url }).success).toBe(false);
  });

  it('signs the very bytes that it sends', () => {
    const { body = '', headers = {} } = build({ preset: 'slack', url, secret: SECRET }, { text: 'Hi' }) ?? {};
    expect(new Webhook(SECRET).sign('msg_1', new Date(NOW), body)).toBe(headers['webhook-signature']);
  });

  it('knows for each preset what only its owner has', () => {
    expect(Object.keys(PRESET_NEEDS)).toStrictEqual(Object.keys(WEBHOOK_PRESETS));
    for (const [name, { url: own }] of Object.entries(PRESET_NEEDS))
      expect(WEBHOOK_PRESETS[name]?.url === undefined).toBe(own !== undefined);
  });
});
