import { describe, expect, it } from 'vitest';
import { CONFIG, HOOK, HOOK_SECRET } from './outside/config.ts';
import { buildOutside } from './outside/outside.ts';
import { signWebhook } from './outside/webhook-signature.ts';
import type { ShownMessage, WireRequest } from './types.ts';
import { buildRandom } from './world/random.ts';

const NOW = 1_790_000_000_000;
const build = (seed = 1, mayFail = false) =>
  buildOutside({ now: () => NOW, random: buildRandom(seed, 'test'), mayFail: () => mayFail });

const telegram = (method: string, params: object, token = CONFIG.secrets.TELEGRAM_BOT_TOKEN): WireRequest => ({
  method: 'POST',
  url: `https://telegram.test/bot${token}/${method}`,
  headers: {},
  body: JSON.stringify(params),
});
const hook = (id: string, body = '{}', atS = NOW / 1000): WireRequest => ({
  method: 'POST',
  url: HOOK.url,
  headers: {
    'webhook-id': id,
    'webhook-timestamp': String(atS),
    'webhook-signature': `v1,other ${signWebhook(HOOK_SECRET, id, atS, body)}`,
  },
  body,
});
const ask = (content: string, more: readonly object[] = [], stream = false): WireRequest => ({
  method: 'POST',
  url: 'http://model.test/v1/chat/completions',
  headers: {},
  body: JSON.stringify({
    model: 'simulated-1',
    max_tokens: 100,
    stream,
    messages: [{ role: 'system', content: 'x' }, { role: 'user', content }, ...more],
  }),
});
const bodyOf = ({ answer }: { readonly answer: { readonly body: string } }) => JSON.parse(answer.body);
const textOf = (outside: ReturnType<typeof build>, request: WireRequest) =>
  bodyOf(outside.take(request)).choices[0].message.content;

describe('buildOutside', () => {
  it('gives the same answers for the same seed', () => {
    const requests = [ask('say m1'), telegram('sendMessage', { chat_id: '1001', text: 'x' }), hook('a'), hook('a')];
    const run = (seed: number) => {
      const outside = build(seed, true);
      return JSON.stringify([...requests, ...requests, ...requests].map((request) => outside.take(request)));
    };
    for (let seed = 0; seed < 20; seed += 1) expect(run(seed)).toBe(run(seed));
    expect(run(3)).not.toBe(run(4));
  });

  it('fails only while it may, in every documented way', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 400; seed += 1) {
      const outside = build(seed, true);
      for (const request of [ask('say m1'), telegram('sendMessage', { chat_id: '1001', text: 'x' }), hook(`${seed}`)]) {
        const { record } = outside.take(request);
        seen.add(`${record.server} ${record.answer.status} ${record.isPerformed}`);
      }
    }
    const both = (server: string, status: number) => [`${server} ${status} true`, `${server} ${status} false`];
    expect([...seen].sort()).toStrictEqual(
      [
        'model 200 true',
        'model 429 false',
        'model 500 true',
        'model 502 true',
        'model 503 false',
        'telegram 200 true',
        'telegram 403 false',
        'telegram 429 false',
        ...both('telegram', 500),
        ...both('telegram', 502),
        'webhook 200 true',
        'webhook 403 false',
        'webhook 408 false',
        'webhook 429 false',
        ...both('webhook', 500),
        ...both('webhook', 502),
        ...both('webhook', 503),
      ].sort(),
    );
  });

  it('refuses a host that nobody has', () => {
    expect(() => build().take({ ...hook('a'), url: 'https://evil.example/' })).toThrow('there is no server');
  });
});

describe('the model server', () => {
  it('answers by the task of the running turn, not of an earlier one', () => {
    const outside = build();
    const earlier = [{ role: 'assistant', content: 'm1 said' }];
    expect(textOf(outside, ask('say m1'))).toBe('m1 said');
    expect(textOf(outside, ask('say m1', [...earlier, { role: 'user', content: 'say m2' }]))).toBe('m2 said');
    expect(textOf(outside, ask('hello'))).toBe('There is nothing to do.');
  });

  it('answers after a result, whether it came at once or after an approval', () => {
    const outside = build();
    expect(textOf(outside, ask('note m1'))).toBe(null);
    expect(textOf(outside, ask('note m1', [{ role: 'tool', content: 'state: done' }]))).toBe('m1 said');
    const late = [{ role: 'user', content: '⟦result call-webhook⟧\nstate: done\n⟦/result⟧' }];
    expect(textOf(outside, ask('hook m1', late))).toBe('m1 said');
  });

  it('answers about the message that a picture came with', () => {
    const text = '⟦outside picture⟧\na picture that came with the message\n⟦/outside⟧';
    const picture = { role: 'user', content: [{ type: 'text', text }, { type: 'image_url' }] };
    expect(textOf(build(), ask('say m1', [picture]))).toBe('m1 said');
  });

  it('bills a call by its tokens, never above its worst case', () => {
    const { record } = build().take(ask('say m1'));
    const { usage } = JSON.parse(record.answer.body);
    expect(record.costMicros).toBe(usage.prompt_tokens + 4 * usage.completion_tokens);
    expect(record.worstMicros).toBe(record.request.body.length + 400);
  });

  it('streams when it is asked to', () => {
    const { answer } = build().take(ask('say m1', [], true));
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.body).toMatch(/"content":"m1 said"[\s\S]*"usage"[\s\S]*data: \[DONE\]\n\n$/);
  });
});

describe('Telegram', () => {
  const card = {
    chat_id: '1002',
    text: 'Well?',
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'a:1' }]] },
  };

  it('numbers messages in each chat, and tells who listens', () => {
    const outside = build();
    const shown: ShownMessage[] = [];
    outside.onMessage((message) => void shown.push(message));
    outside.telegram.write('1001', 'hello');
    for (const chat of ['1001', '1002', '1001']) outside.take(telegram('sendMessage', { chat_id: chat, text: chat }));
    outside.take(telegram('editMessageText', { chat_id: '1002', message_id: 1, text: 'new' }));
    expect(shown.map(({ chat, messageId, isEdit }) => [chat, messageId, isEdit])).toStrictEqual([
      ['1001', 2, false],
      ['1002', 1, false],
      ['1001', 3, false],
      ['1002', 1, true],
    ]);
  });

  it('dates messages and edits by the simulated clock alone', () => {
    const outside = build();
    const sent = bodyOf(outside.take(telegram('sendMessage', card)));
    const edited = bodyOf(outside.take(telegram('editMessageText', { chat_id: '1002', message_id: 1, text: 'new' })));
    expect([sent.result.date, edited.result.date, edited.result.edit_date]).toStrictEqual(Array(3).fill(NOW / 1000));
  });

  it('shows buttons, and lets each tap be answered once', () => {
    const outside = build();
    const { record } = outside.take(telegram('sendMessage', card));
    if (record.shown === undefined) throw new Error('no card is shown');
    expect(record.shown.buttons).toStrictEqual([{ text: 'Yes', data: 'a:1' }]);
    const { callback_query } = outside.telegram.tap(record.shown, 'a:1');
    const answer = { method: 'answerCallbackQuery', callback_query_id: callback_query?.id };
    for (let n = 0; n < 2; n += 1)
      outside.telegram.performAnswer({ status: 200, headers: {}, body: JSON.stringify(answer) });
    expect(outside.received.map(({ isPerformed }) => isPerformed)).toStrictEqual([true, true, false]);
  });

  it.each([
    ['a text that is too long', telegram('sendMessage', { chat_id: '1001', text: 'x'.repeat(4_097) }), 400],
    ['an unknown chat', telegram('sendMessage', { chat_id: '9', text: 'x' }), 400],
    [
      'an edit that changes nothing',
      telegram('editMessageText', { chat_id: '1002', message_id: 1, text: 'Well?' }),
      400,
    ],
    ['an unknown method', telegram('sendEverything', {}), 404],
    ['another token', telegram('getMe', {}, '1:x'), 401],
  ])('refuses %s', (_, request, status) => {
    const outside = build();
    outside.take(telegram('sendMessage', { ...card, reply_markup: undefined }));
    const { record } = outside.take(request);
    expect([record.answer.status, record.isPerformed, record.shown]).toStrictEqual([status, false, undefined]);
  });
});

describe('the webhook', () => {
  it('does each id once, and answers a repeat alike', () => {
    const outside = build();
    const records = ['a', 'a', 'b'].map((id) => outside.take(hook(id)).record);
    expect(records.map(({ answer, isPerformed }) => [answer.status, isPerformed])).toStrictEqual([
      [200, true],
      [200, false],
      [200, true],
    ]);
  });

  it.each([
    ['a wrong signature', { ...hook('a'), body: '{"x":1}' }],
    ['an old timestamp', hook('a', '{}', NOW / 1000 - 301)],
    ['no id', { ...hook('a'), headers: {} }],
  ])('refuses %s', (_, request) => {
    const { record } = build().take(request);
    expect([record.answer.status, record.isPerformed]).toStrictEqual([401, false]);
  });
});
