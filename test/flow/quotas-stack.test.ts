/**
 * A member of a group and a webhook flood the real stack; the owner's own chat is answered, asked
 * and remembers.
 */
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { QUOTAS } from '../../lib/core/base/limits.ts';
import { limitOf, type QuotaAccount, takeWrite } from '../../lib/core/ledger/quota.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { BOT_ID, signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER, OTHER, GROUP] = [8801, 8802, 8803, -8804];
const SECRET = `whsec_${Buffer.from('the secret of the source').toString('base64')}`;
const EXPLANATION = 'whoever wrote asked for exactly this';
const DEPLOYS = 'http://127.0.0.1:9/hook';

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  if (toolResultsOf(request).length > 0) return say('Done.');
  const ref = /deploy (\w+)/.exec(userTextOf(request))?.[1];
  if (ref !== undefined) return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: EXPLANATION });
  return say('Fine.');
};

const world = await startTestStack({
  allowedChats: [OWNER, GROUP],
  approvers: [OWNER],
  environment: {
    EVENTS_WITHOUT_JOB: 'ask',
    WEBHOOK_SECRETS: JSON.stringify({ ci: SECRET }),
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url: DEPLOYS, secret: SECRET } }),
    WEBHOOK_URLS: JSON.stringify({ deploys: DEPLOYS }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  },
  script: answer,
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);

/** The way there would take minutes. */
const leave = async (account: QuotaAccount, messages: number) => {
  const { key, change } = takeWrite(
    'default',
    account,
    { messages: limitOf(account, 'messages') - messages },
    Date.now(),
  );
  await world.table.update(key, change);
};

const post = async (id: string) => {
  const [body, at] = [JSON.stringify({ type: 'push' }), new Date()];
  const response = await fetch(`${world.stack.url}/webhook/ci`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, body),
    },
    body,
  });
  return { status: response.status, body: await response.text(), retryAfter: response.headers.get('retry-after') };
};

const ownerSays = async (text: string) => {
  const update = world.telegram.sendText(OWNER, OWNER, text);
  await world.settled(signalIdOf(update));
};

describe('a member who floods', () => {
  it('is answered up to the bound, told once, and not heard after it; edits and taps count as well', async () => {
    await leave({ kind: 'person', name: `telegram:${MEMBER}` }, 3);
    const sent = Array.from({ length: 8 }, () => world.telegram.sendText(GROUP, MEMBER, '/help'));
    world.telegram.sendUpdate({ edited_message: { ...sent[0]?.message, text: '/help', edit_date: 1 } as never });
    const [first] = world.telegram.sent(GROUP);
    if (first !== undefined) world.telegram.tap(first.message_id, `d:${'0'.repeat(32)}`, MEMBER);
    const last = world.telegram.sendText(GROUP, MEMBER, '/status');
    await ownerSays('are you there?');
    await until('all is taken', () => !world.telegram.pending().includes(last.update_id));
    await until('four texts', () => textsTo(GROUP).length >= 4);
    expect(textsTo(OWNER)).toStrictEqual(['Fine.']);
    expect(textsTo(GROUP).filter((text) => text.startsWith('I am '))).toHaveLength(3);
    expect(textsTo(GROUP).filter((text) => text.startsWith('You have sent all'))).toHaveLength(1);
    expect(textsTo(GROUP)).toHaveLength(4);
    expect(
      (await world.scan()).filter(({ pk }) => pk === `signal#default#tg-${BOT_ID}-${last.update_id}`),
    ).toHaveLength(0);
  });

  it('leaves room for the owner’s card', async () => {
    const asked = Array.from({ length: QUOTAS.person.cards + 2 }, (_, n) =>
      world.telegram.sendText(GROUP, OTHER, `deploy m${n}`),
    );
    for (const update of asked) await world.settled(signalIdOf(update));
    const views = await Promise.all(asked.map((update) => world.signal(signalIdOf(update))));
    const states = views.map(({ effects }) => effects[0]?.state);
    expect(states.filter((state) => state === 'suspended')).toHaveLength(QUOTAS.person.cards);
    await ownerSays('deploy mine');
    expect(world.telegram.sent(OWNER).at(-1)?.reply_markup).toBeDefined();
    expect(textsTo(OWNER).at(-1)).toContain('"ref":"mine"');
  });
});

describe('a source that floods', () => {
  it('is answered 429 with a time once its events are spent, also for one that is sent again', async () => {
    await leave({ kind: 'source', name: 'webhook:ci' }, 1);
    expect((await post('one')).status).toBe(202);
    expect((await post('one')).status).toBe(202);
    const refused = await post('two');
    expect(refused).toMatchObject({
      status: 429,
      body: expect.stringContaining('this source has sent all 2000 events'),
    });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect((await post('three')).status).toBe(429);
    await ownerSays('still there?');
    expect(textsTo(OWNER).at(-1)).toBe('Fine.');
  });
});
