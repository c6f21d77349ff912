/**
 * Vectors on the real stack: made in the background, used by the next question, gone with what is
 * forgotten; and all goes on without the endpoint.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { openCli } from '../support/cli.ts';
import { call, type ModelServerRequest, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

/** Texts about one thing, whatever they call it, have one direction. */
const TOPICS = [/bicycle|velo/i, /tax|fiscal/i, /key/i];
const vectorOf = (text: string): readonly number[] => TOPICS.map((topic) => (topic.test(text) ? 1 : 0.01));

let isDown = false;
let isRefusing = false;
const asked: string[][] = [];
const server = await startTarget(({ method, body }) => {
  if (method === 'GET') return { status: isRefusing ? 401 : 200, body: '{"data":[{"id":"topics"}]}' };
  const { input } = JSON.parse(body) as { input: string[] };
  asked.push(input);
  if (isRefusing) return { status: 401, body: 'wrong key sk-hidden' };
  if (isDown) return { status: 503, body: '' };
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
  return { body: JSON.stringify({ data, usage: { prompt_tokens: 3 } }) };
});
const world = await startTestStack({
  isPolling: false,
  environment: {
    EMBEDDING_MODEL: 'topics',
    EMBEDDING_BASE_URL: `${server.url}/v1`,
  },
  script: (request) => {
    const text = userTextOf(request);
    const isDone = request.messages.some(({ role }) => role === 'tool');
    return text.startsWith('note: ') && !isDone
      ? call('remember', { text: text.slice(6), explanation: 'The owner asked to keep this.' })
      : say('ok');
  },
});
afterAll(async () => {
  await world.stop();
  server.close();
});

const ask = async (text: string) => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text }, APPROVER_TOKEN);
  return world.settled(body.id);
};
const embed = () => world.stack.invoke('embed', { scheduledAt: new Date(0).toISOString() });
const lastPrompt = (): string => {
  const request: ModelServerRequest | undefined = world.model.requests.at(-1);
  return String(request?.messages.at(-1)?.content ?? '');
};
const vectorBytes = async (): Promise<number> =>
  (await world.scan())
    .filter(({ pk, sk }) => String(pk).startsWith('vector#') && String(sk).startsWith('segment#'))
    .reduce((sum, { bytes }) => sum + (bytes instanceof Uint8Array ? bytes.length : 0), 0);

describe('vectors', () => {
  it('are made in the background once, and bring up what the question means', async () => {
    expect(await embed()).toStrictEqual({ embedded: 0, removed: 0, waiting: 0 });
    await ask('note: my bicycle is a blue Gazelle');
    await ask('note: fiscal papers lie in the drawer');
    await ask('note: diary of my velo @personal');
    expect(await embed()).toStrictEqual({ embedded: 2, removed: 0, waiting: 0 });
    expect(asked.flat().filter((text) => text.includes('diary'))).toStrictEqual([]);
    const before = asked.length;
    expect(await embed()).toStrictEqual({ embedded: 0, removed: 0, waiting: 0 });
    expect(asked.length).toBe(before);
    const view = await ask('what of the velo?');
    expect(asked.slice(before)).toStrictEqual([['what of the velo?']]);
    expect(lastPrompt()).toMatch(/close 1\.00\): my bicycle is a blue Gazelle/);
    expect(lastPrompt()).not.toMatch(/fiscal|diary/);
    expect(view.decision?.memory).toStrictEqual({ commit: 3 });
    expect(view.decision?.seen).toHaveLength(1);
  });

  it('are not waited for: without the endpoint words alone find what they can', async () => {
    isDown = true;
    await ask('what about the blue Gazelle?');
    expect(lastPrompt()).toContain('my bicycle is a blue Gazelle');
    await ask('and the velo?');
    expect(lastPrompt()).not.toContain('Gazelle');
    await ask('note: the key is under the pot');
    expect(await embed()).toMatchObject({ embedded: 0, waiting: 1, stopped: 'endpoint' });
    expect(await embed()).toMatchObject({ stopped: 'backing-off' });
    isDown = false;
  });

  it('go with what is forgotten', async () => {
    const bytes = await vectorBytes();
    const { decision } = await ask('what about the blue Gazelle?');
    const id = decision?.seen?.[0]?.id ?? '';
    await ask(`/forget ${id}`);
    await ask('what about the blue Gazelle?');
    expect(lastPrompt()).not.toContain('my bicycle');
    const [state] = (await world.scan()).filter(({ pk, sk }) => String(pk).startsWith('vector#') && sk === 'state');
    await world.table.update({ pk: String(state?.pk), sk: 'state' }, { set: { retryAt: 0 } });
    expect(await embed()).toMatchObject({ embedded: 1, removed: 1 });
    expect(await vectorBytes()).toBe(bytes);
  });

  it('tell the owner once of a key that is refused, and doctor, until it is taken', async () => {
    const told = 'The embeddings endpoint refuses my key';
    isRefusing = true;
    await ask('note: the shed has no lock');
    expect(await embed()).toMatchObject({ embedded: 0, waiting: 1, stopped: 'key-refused' });
    expect(await embed()).toMatchObject({ stopped: 'backing-off' });
    const [first, second] = [await ask('hello'), await ask('hello again')];
    expect(first.replies).toStrictEqual(['ok', expect.stringContaining(told)]);
    expect(first.replies.join()).toContain('set EMBEDDING_API_KEY');
    expect(second.replies).toStrictEqual(['ok']);
    const command = openCli(world.stack.url);
    const looked = await command.run('doctor');
    expect(looked.out).toContain(
      'degraded: the embeddings endpoint refuses its key: npx passepartout setup --only keys',
    );
    isRefusing = false;
    const [state] = (await world.scan()).filter(({ pk, sk }) => String(pk).startsWith('vector#') && sk === 'state');
    await world.table.update({ pk: String(state?.pk), sk: 'state' }, { set: { retryAt: 0 } });
    expect(await embed()).toMatchObject({ embedded: 1 });
    expect((await command.run('doctor')).out).toContain('embeddings: reachable');
    command.remove();
    expect(JSON.stringify(await world.scan())).not.toContain('sk-hidden');
  });
});
