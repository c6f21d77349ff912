/**
 * A webhook that a skill brings, on the whole stack: its card names the address, nothing is called
 * before the yes to the skill and the yes to each call, and it is gone with the skill.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { call, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { startTestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

interface Waiting {
  readonly id: string;
  readonly lines: readonly string[];
  readonly notable?: readonly string[];
}

const target = await startTarget(({ path }) => ({
  ...(path === '/moved' && { status: 302, headers: { location: '/hooks/build' } }),
  body: '{"status":"ok"}',
}));
const root = target.url;
const own = { url: `${root}/own` };
const called = () =>
  target.posts.map(({ path, method, headers }) => ({ path, method, authorization: headers.authorization }));
const world = await startTestStack({
  script: (request) => {
    const [, name] = /^call (\S+)$/.exec(userTextOf(request)) ?? [];
    const args = { webhook: name ?? '', body: { version: 7 }, explanation: 'the owner asked for exactly this' };
    return name === undefined || toolResultsOf(request).length > 0 ? say('ok') : call('call-webhook', args);
  },
  environment: {
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    WEBHOOK_TARGETS: JSON.stringify({ own }),
    WEBHOOK_URLS: JSON.stringify({ own: own.url }),
  },
});
afterAll(async () => {
  await world.stop();
  target.close();
});

const approvals = async () => (await world.api<{ approvals: Waiting[] }>('GET', '/api/approvals')).body.approvals;
const send = async (text: string) => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'main' });
  return world.settled(body.id);
};
/** What came of the one that waits. */
const approve = async () => {
  const [card] = await approvals();
  const { body } = await world.api<{ id: string }>('POST', `/api/approvals/${card?.id}`, { decision: 'approve' });
  await world.settled(body.id);
};
const ask = async (url: string, name = 'build-hook') => {
  const files = [
    { path: 'SKILL.md', text: '---\nname: builds\ndescription: Starts builds.\n---\nCall it.\n' },
    { path: 'passepartout.yaml', text: `targets:\n  - { name: ${name}, url: "${url}" }\n` },
  ];
  const { body } = await world.api<{ id: string }>('POST', '/api/skill/add', { files, trust: 'outside' });
  return world.settled(body.id);
};
const add = async (url: string) => {
  await ask(url);
  await approve();
  await until('the skill is in force', async () => {
    const { body } = await world.api('GET', '/api/skill/list');
    return JSON.stringify(body).includes(`build-hook (POST ${url})`);
  });
};
/** Why the call was not even asked about. */
const whyBlocked = async (name: string): Promise<string> => {
  const { decision, replies } = await send(`call ${name}`);
  expect(await approvals()).toStrictEqual([]);
  return `${decision?.attempts.map(({ trace }) => trace.map(({ reason }) => reason).join()).join()} ${replies.join()}`;
};
const resultOf = async () => {
  const { id } = await send('call build-hook');
  await approve();
  const { effects } = await until('the call ends', async () => {
    const view = await world.settled(id);
    return view.effects.every(({ state }) => state !== 'suspended' && state !== 'claimed') && view;
  });
  return `${effects[0]?.state} ${effects[0]?.reason ?? ''}`;
};

describe('a webhook of a skill', () => {
  it('is nothing before the yes, and its card names the address in full', async () => {
    await ask(`${root}/hooks/build?team=a`);
    const [card] = await approvals();
    const line = `It brings the webhook build-hook: each call is a POST to ${root}/hooks/build?team=a`;
    expect(JSON.stringify(card)).toContain(line);
    await world.api('POST', `/api/approvals/${card?.id}`, { decision: 'deny' });
    await until('it is denied', async () => (await approvals()).length === 0);
    expect(await whyBlocked('build-hook')).toContain('no webhook of this name is configured');
  });

  it('is called without a credential, after a yes to each call', async () => {
    await add(`${root}/hooks/build`);
    expect(await resultOf()).toBe('done ');
    expect(await resultOf()).toBe('done ');
    const one = { path: '/hooks/build', method: 'POST', authorization: undefined };
    expect(called()).toStrictEqual([one, one]);
  });

  it('follows no redirect', async () => {
    await add(`${root}/moved`);
    expect(await resultOf()).toBe('unknown the webhook may have done it: it answered with the status 302');
    expect(called().at(-1)?.path).toBe('/moved');
  });

  it('is not called at another address than the card of the call showed', async () => {
    const before = target.posts.length;
    const { id } = await send('call build-hook');
    const [asked] = await approvals();
    await ask(`${root}/elsewhere`);
    const other = (await approvals()).find(({ id: one }) => one !== asked?.id);
    await world.api('POST', `/api/approvals/${other?.id}`, { decision: 'approve' });
    await until('the skill has changed', async () => {
      const { body } = await world.api('GET', '/api/skill/list');
      return JSON.stringify(body).includes('/elsewhere');
    });
    await world.api('POST', `/api/approvals/${asked?.id}`, { decision: 'approve' });
    await until('the call ends', async () => (await world.settled(id)).effects[0]?.state === 'refused');
    expect(target.posts).toHaveLength(before);
  });

  it.each(['https://10.0.0.1/hook', 'https://169.254.169.254/latest'])('never reaches %s', async (url) => {
    await add(url);
    expect(await whyBlocked('build-hook')).toContain('the host has an address that may not be called');
  });

  it.each([
    ['own', 'https://evil.example/x', 'your settings have a webhook own already'],
    ['b', 'http://evil.example/x', 'must be an https address'],
    ['b', 'https://me:secret@evil.example/x', 'must hold no user name, password, fragment or field'],
  ])('is refused in a sentence: %s at %s', async (name, url, words) => {
    const before = (await approvals()).length;
    const view = await ask(url, name);
    if ((await approvals()).length > before) await approve();
    const told = await until('it is told', async () => {
      const { replies } = await world.settled(view.id);
      return replies.length > 0 && replies.join();
    });
    expect(`${told}${JSON.stringify(view.decision)}`).toContain(words);
  });

  it('is gone while the skill is off, and once it is removed', async () => {
    await add(`${root}/hooks/build`);
    await send('/skill off builds');
    expect(await whyBlocked('build-hook')).toContain('no webhook of this name is configured');
    await send('/skill on builds');
    expect(await resultOf()).toBe('done ');
    await send('/skill remove builds');
    await approve();
    await until('it is gone', async () => {
      const { body } = await world.api('GET', '/api/skill/list');
      return !JSON.stringify(body).includes('build-hook');
    });
    expect(await whyBlocked('build-hook')).toContain('no webhook of this name is configured');
  });
});
