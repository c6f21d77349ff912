import { describe, expect, it } from 'vitest';
import { factProblems } from '../../../infra/settings.ts';
import { WebhookEntry, WebhookTarget } from '../../../lib/core/store/setting-forms.ts';
import type { FormContext } from '../../../lib/core/tools/tool.ts';
import { addressOf, findTextTakers, readWebhooks } from '../../../lib/core/tools/webhooks.ts';
import { WEBHOOK_FORM } from '../../../lib/features/webhooks/form.ts';
import { describeWebhooks } from '../../../lib/features/webhooks/reason.ts';

const ISSUE = 'https://api.example/repos/{repo}/issues/{number}';

describe('addressOf', () => {
  it.each([
    [{ repo: 'shop', number: 7 }, 'https://api.example/repos/shop/issues/7'],
    [{ repo: 'a/../b?c#d', number: 7 }, 'https://api.example/repos/a%2F..%2Fb%3Fc%23d/issues/7'],
    [{ repo: '..', number: '.' }, 'https://api.example/repos//issues/'],
    [{ repo: { a: 1 }, number: [1] }, 'https://api.example/repos//issues/'],
    ['no body', 'https://api.example/repos//issues/'],
    [{ repo: '\ud800', number: 1 }, 'https://api.example/repos/%EF%BF%BD/issues/1'],
    [{ repo: '{number}', number: 1 }, 'https://api.example/repos/%7Bnumber%7D/issues/1'],
  ])('fills the address with %j, and leads nowhere else', (body, address) => {
    expect(addressOf(ISSUE, body)).toBe(address);
  });

  it.each(['https://{host}.example/', 'https://{host}/', '{url}', 'https://user{x}@host.example/'])(
    'is refused as a setting if a field chooses the host: %s',
    (url) => {
      expect(WebhookEntry.safeParse({ url }).success).toBe(false);
    },
  );
});

describe('a text template', () => {
  const url = 'https://hooks.example/T/B';
  it.each([
    ['<m>{{text}}</m>', false],
    ['<m>{{text|html}}</m>', false],
    ['<m>{{text|xml}} {{title}}</m>', false],
    ['q={{text}}', false],
    ['<m>{{text|xml}}</m>', true],
    ['<m>{{text|plain}}</m>', true],
    ['Now: {{text}}', true],
    ['{{text}}', true],
    ['<m/>', true],
  ])('says how a field is written beside marks: %s', (send, isTaken) => {
    expect(WebhookEntry.safeParse({ url, content: 'text', send }).success).toBe(isTaken);
    expect(WebhookTarget.safeParse({ preset: 'ntfy', url, send }).success).toBe(isTaken);
    expect(WebhookEntry.safeParse({ url, send }).success).toBe(true);
  });
});

describe('the facts that a webhook declares', () => {
  const url = 'https://hooks.example/T/{id}';
  const fields = {
    to: { type: 'string' },
    sum: { properties: { value: { type: 'number' }, unit: { enum: ['EUR'] }, units: { enum: ['EUR', 'USD'] } } },
    list: { type: 'array' },
    id: { type: 'integer' },
  };
  const body = { type: 'object', properties: fields };
  it.each<[object, string]>([
    [{ recipient: 'to', amount: 'sum.value', currency: 'sum.unit' }, ''],
    [{ recipient: 'id', reads: true }, ''],
    [{ recipient: 'to', send: { mail: '{{to}}' } }, ''],
    [{ recipient: 'cc' }, 'recipient is no field of its schema'],
    [{ recipient: 'to', body: undefined }, 'recipient is no field of its schema'],
    [{ amount: 'list' }, 'amount needs the type string, number or integer in its schema'],
    [{ amount: 'sum' }, 'amount needs the type string, number or integer in its schema'],
    [{ currency: 'sum.units' }, 'currency needs an "enum" with one currency in its schema'],
    [{ recipient: 'to', send: { mail: '{{list}}' } }, 'recipient is not part of what is sent'],
    [{ recipient: 'to', reads: true }, 'recipient is not part of what is sent'],
    [{ recipient: 'to', fixed: { to: 'me' } }, 'recipient is not part of what is sent'],
    [{ recipient: 'a b' }, 'recipient is no field of its schema'],
  ])('are plain fields of its schema, and sent: %j', (declared, place) => {
    const text = JSON.stringify({ pay: { url, body, ...declared } });
    expect(factProblems({ WEBHOOK_TARGETS: text }).join()).toBe(place && `WEBHOOK_TARGETS: of pay ${place}`);
  });
});

describe('the form of call-webhook', () => {
  const { webhookCalls } = readWebhooks({ team: { preset: 'slack', url: 'https://hooks.example/T' } });
  const context = {
    now: 1,
    zone: 'UTC',
    reply: { target: 'console', to: 'main' },
    webhookCalls,
  } as unknown as FormContext;
  const find = (body: object, session: string) =>
    WEBHOOK_FORM.findProblems({ webhook: 'Team', body: JSON.parse(JSON.stringify(body)) }, { ...context, session });

  it.each([
    ['the name that code gives', { text: 'x', job: 'news' }, 'job:news', []],
    ['another name', { text: 'x', job: 'olds' }, 'job:news', ['body takes no other fields than text']],
    ['no job', { text: 'x', job: 'news' }, 'console:main', ['body takes no other fields than text']],
    ['another field', { text: 'x', channel: '#all' }, 'console:main', ['body takes no other fields than text']],
  ])(
    'takes no field that its schema does not name, but for the job of a result: %s',
    async (_, body, session, said) => {
      expect(await find(body, session)).toStrictEqual(said);
    },
  );
});

describe('findTextTakers', () => {
  const url = 'https://hooks.example/T/B';
  const text = { type: 'string' };
  it.each([
    ['an address alone', url, true],
    ['a preset for texts', { preset: 'teams', url }, true],
    ['a preset with more that may be left out', { preset: 'grafana-annotation', url }, true],
    ['a preset with other fields', { preset: 'github-comment' }, false],
    ['a template with the text', { url, send: { a: [{ b: 'Now: {{text}}' }] } }, true],
    ['a text template with it', { url, content: 'text', send: '<m>{{text|xml}}</m>' }, true],
    ['a template without it', { url, send: { a: '{{title}}' } }, false],
    ['the text in its address', { url: `${url}/{text}`, body: { required: ['text'] } }, true],
    ['another field in its address', { url: `${url}/{id}` }, false],
    ['fields of which the text must be there', { url, body: { properties: { text }, required: ['text'] } }, true],
    ['fields of which another must be there', { url, body: { properties: { text }, required: ['to'] } }, false],
    ['fields without a text', { url, body: { properties: { title: text } } }, false],
    ['a text of another kind', { url, body: { properties: { text: { type: 'object' } } } }, false],
    ['no fields at all', { url, body: { additionalProperties: false } }, false],
    ['a call that reads', { url, reads: true }, false],
    ['a call that deletes', { url, method: 'DELETE' }, false],
  ] as const)('tells whether a text alone is a whole call: %s', (_, one, isTaken) => {
    const found = findTextTakers(readWebhooks({ One: WebhookEntry.parse(one) }));
    expect([...found]).toStrictEqual([['one', isTaken]]);
  });
});

describe('describeWebhooks', () => {
  const describeAll = (configured: Parameters<typeof readWebhooks>[0]) =>
    describeWebhooks(readWebhooks(configured).webhookCalls);

  it('names each webhook, what it is for, and its fields', () => {
    const body = {
      properties: { service: { description: 'Its name' }, level: { enum: ['low', 'high'] }, note: {} },
      required: ['service'],
    };
    expect(
      describeAll({
        Deploy: { url: 'https://deploy.example/', says: 'Deploys a service.', body },
        team: { preset: 'slack', url: 'https://hooks.example/T/B' },
        issue: { url: ISSUE },
        plain: 'https://plain.example/',
      }),
    ).toBe(
      [
        '',
        '- deploy: Deploys a service. Body: service (Its name), level? (low | high), note?.',
        '- team: Writes a message into a channel of Slack. Body: text (What to say).',
        '- issue Body: repo, number.',
        '- plain',
      ].join('\n'),
    );
  });

  it('is bounded', () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`hook-${n}`, { url: ISSUE, says: 'x'.repeat(100) }]),
    );
    expect(describeAll(many)).toMatch(/\n- 1\d\d more$/);
  });
});
