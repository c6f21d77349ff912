/** The ways in which a provider could be added, or a key got, that no owner wanted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CARD_TEXT } from '../../../infra/cli/answers.ts';
import { call, say } from '../../support/model-server.ts';
import { startSecondProvider } from '../../support/second-provider.ts';
import { SCRIPT_TOKEN, startTestStack, until } from '../../support/stack.ts';

const KEY = 'sk-attack-9Zk3mQ7xW2vB8nR5tY1pL4cJ6hD0';
const [second, thief] = await Promise.all([startSecondProvider(KEY), startSecondProvider('another')]);
const proposal = { name: 'evil', url: `${thief.baseUrl}`, models: 'tiny-1', order: 'evil' };
const world = await startTestStack({
  environment: { PROVIDER_NAMES: 'custom/scripted' },
  script: ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('propose')
      ? call(JSON.stringify(messages).includes('local') ? 'add-local-provider' : 'add-provider', {
          ...proposal,
          explanation: 'The owner would like a cheaper model for everything.',
        })
      : say('ok'),
});
afterAll(async () => {
  await world.stop();
  await Promise.all([second.close(), thief.close()]);
});

const send = async (text: string) => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'main' });
  return world.settled(body.id);
};
const change = async (verb: string, args: object) => {
  const { body } = await world.api<{ id: string }>('POST', `/api/provider/${verb}`, args);
  return world.settled(body.id);
};
const giveKey = (name: string, baseUrl: string, key: string, token?: string) =>
  world.api('POST', '/api/provider-key', { name, baseUrl, key }, token);
const waiting = async () =>
  (await world.api<{ approvals: { id: string; signalId: string; state: string }[] }>('GET', '/api/approvals')).body
    .approvals;
const approve = async (signalId: string) => {
  const card = (await waiting()).find((one) => one.signalId === signalId);
  await world.api('POST', `/api/approvals/${card?.id}`, { decision: 'approve' });
  return until('the approved change has ended', async () => {
    const view = await world.signal(signalId);
    return view.replies.some((text) => text !== CARD_TEXT) && view.turn === 'ended' && view;
  });
};
const asked = async (): Promise<string> =>
  JSON.stringify((await world.api<{ lines: string[] }>('GET', '/api/provider/list')).body.lines);
const everything = async (): Promise<string> => JSON.stringify(await world.scan()) + world.log();

describe('a provider', () => {
  it.each(['propose it', 'propose it local'])('is never added by a model, whose call is blocked: %s', async (text) => {
    const { replies } = await send(text);
    expect(replies.join('\n')).toMatch(/refused|blocked|may not/i);
    expect(await waiting()).toStrictEqual([]);
    expect(thief.seen).toStrictEqual([]);
    expect(await asked()).not.toContain('evil');
  });

  it('asks with its address on the card, and nobody is asked before the yes', async () => {
    expect((await giveKey('second', second.baseUrl, KEY)).body).toStrictEqual({ name: 'second' });
    const typed = await send(`/provider add second ${second.baseUrl} tiny-1 grand-1`);
    expect(typed.turn).toBe('waiting');
    expect(second.seen).toStrictEqual([]);
    const { body } = await world.api('GET', '/api/approvals');
    expect(JSON.stringify(body)).toContain(new URL(second.baseUrl).port);
    const done = await approve(typed.id);
    expect(done.replies.join('\n')).toContain('second answers, with tiny-1. It is added.');
    expect(await asked()).toContain('2. second/tiny-1');
  });

  it('leaves its key in no record, log or answer', async () => {
    const { replies } = await change('try', { name: 'second' });
    expect(replies.join('\n')).toContain('It offers 2 models: tiny-1, grand-1');
    expect(await everything()).not.toContain(KEY.slice(4));
    expect(readFileSync(join(world.dataDir, 'vault.json'), 'utf8')).toContain(KEY);
  });

  it('has its key sent to no other address, though it is given one', async () => {
    const typed = await change('add', { name: 'second', url: thief.baseUrl, models: 'tiny-1' });
    const { replies } = await approve(typed.id);
    expect(replies.join('\n')).toContain('second refuses the key (401)');
    expect(thief.seen.map(({ key }) => key)).toStrictEqual(['']);
    expect(await asked()).toContain(second.baseUrl);
  });

  it('has its key sent to no address that it redirects to, when it is tried and when it is asked', async () => {
    const before = thief.seen.length;
    second.redirectTo = `${thief.baseUrl}/models`;
    const tried = await change('try', { name: 'second' });
    expect(tried.replies.join('\n')).toContain(
      'answered with a redirect (302), which is not followed; give the address that it leads to',
    );
    await approve((await change('order', { names: 'second' })).id);
    expect((await send('hello')).replies).toStrictEqual(['ok']);
    expect(second.seen.at(-1)?.what).toBe('POST /v1/chat/completions');
    expect(thief.seen).toHaveLength(before);
    second.redirectTo = undefined;
  });

  it('is refused at an address of the network, and at one that is not encrypted', async () => {
    const typed = await change('add', { name: 'inside', url: 'https://10.0.0.8/v1', models: 'm' });
    const { replies } = await approve(typed.id);
    expect(replies.join('\n')).toMatch(/address that may not be called/);
    for (const url of [
      'http://example.com/v1',
      'http://10.0.0.8/v1',
      'https://u:p@x.example/v1',
      'https://x.example/v1?key=1',
    ])
      expect((await world.api('POST', '/api/provider/add', { name: 'inside', url })).status).toBe(400);
    expect((await giveKey('inside', 'http://example.com/v1', KEY)).status).toBe(400);
    expect(await asked()).not.toContain('inside');
  });

  it('takes a key from an approver alone, in a form that fits a header', async () => {
    expect((await giveKey('second', second.baseUrl, 'new', SCRIPT_TOKEN)).status).toBe(403);
    expect((await giveKey('second', second.baseUrl, 'new', 'no-token')).status).toBe(401);
    const { status, body } = await giveKey('second', second.baseUrl, 'two words-7f3a');
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain('7f3a');
    expect(readFileSync(join(world.dataDir, 'vault.json'), 'utf8')).toContain(KEY);
  });

  it('has no key that was typed in a chat, in any spelling of the command', async () => {
    const typed = 'gsk_T7hR2kLm9Qx4Zw8Nv3Bp6Yc1';
    for (const text of [
      `/provider add x https://x.example/v1 m ${typed}`,
      `/PROVIDER add x ${typed}`,
      `/config set PROVIDER_KEYS {"x":"${typed}"}`,
    ])
      await send(text);
    const { body } = await world.api<{ id: string }>('POST', '/api/provider/add', {
      name: 'x',
      url: 'https://x.example/v1',
      models: typed,
    });
    expect((await world.settled(body.id)).replies.join('\n')).toContain('a key has no place in a chat');
    expect(await everything()).not.toContain(typed);
  });

  it('goes, and its key with it', async () => {
    const gone = await change('remove', { name: 'second' });
    const { replies } = await approve(gone.id);
    expect(replies.join('\n')).toContain('The provider second is removed');
    expect(await asked()).not.toContain('second');
    expect((await giveKey('second', second.baseUrl, '')).status).toBe(200);
    expect(readFileSync(join(world.dataDir, 'vault.json'), 'utf8')).not.toContain(KEY);
  });
});
