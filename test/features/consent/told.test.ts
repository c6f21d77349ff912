/** Logins on the real stack: who may, what a call says without one, and what is told once. */
import { afterAll, describe, expect, it } from 'vitest';
import { sealAnswer } from '../../../lib/features/consent/seal.ts';
import { startAuthorizationServer } from '../../support/authorization-server.ts';
import { call, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../../support/stack.ts';

const because = { explanation: 'the owner asked for exactly this' };
const server = await startAuthorizationServer();
const world = await startTestStack({
  script: (request) => {
    if (toolResultsOf(request).length > 0) return say('done');
    const asked = userTextOf(request);
    if (asked.startsWith('find')) return call('mcp-tracker-find', { word: 'bike', ...because });
    if (asked.startsWith('log in'))
      return call('log-in-mcp-server', {
        server: 'tracker',
        url: server.mcpUrl,
        redirect: 'http://127.0.0.1:1/callback',
        ...because,
      });
    return say('ok');
  },
  isPolling: false,
  environment: { ALLOW_LOOPBACK_WEBHOOKS: '1' },
});
afterAll(async () => {
  await world.stop();
  await server.close();
});

interface Listed {
  readonly approvals: readonly { readonly id: string; readonly signalId: string }[];
}

const approve = async (signalId: string) => {
  const { body } = await world.api<Listed>('GET', '/api/approvals', undefined, APPROVER_TOKEN);
  const card = body.approvals.find((one) => one.signalId === signalId);
  await world.api('POST', `/api/approvals/${card?.id}`, { decision: 'approve' }, APPROVER_TOKEN);
  return until('it ended', async () => {
    const view = await world.signal(signalId);
    return view.effects.every(({ state }) => state !== 'suspended' && state !== 'claimed') ? view : undefined;
  });
};

/** A change of an approver, with its yes. */
const change = async (verb: string, args: object) => {
  const { body } = await world.api<{ id: string }>('POST', `/api/mcp/${verb}`, args, APPROVER_TOKEN);
  const view = await world.settled(body.id);
  return view.state === 'suspended' ? approve(view.id) : view;
};

let talks = 0;
/** Each in a conversation of its own. */
const ask = async (text: string) => {
  talks += 1;
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: `talk-${talks}` });
  return world.settled(body.id);
};

const logIn = async () => {
  const begun = await change('login', { server: 'tracker', redirect: 'http://127.0.0.1:3000/callback' });
  const link = begun.effects[0]?.output?.split('\n').at(-1) ?? '';
  const { headers } = await fetch(link, { redirect: 'manual' });
  const state = new URL(link).searchParams.get('state') ?? '';
  const answer = sealAnswer(state, new URL(headers.get('location') ?? '').search.slice(1));
  return change('login', { server: 'tracker', answer });
};

describe('a login', () => {
  it('is asked for by nobody before an approver says yes, and never by the model', async () => {
    await change('add', { server: 'tracker', url: server.mcpUrl });
    expect((await ask('log in')).effects.every(({ actuator }) => actuator !== 'tool')).toBe(true);
    const { body } = await world.api<{ id: string }>(
      'POST',
      '/api/mcp/login',
      { server: 'tracker', redirect: 'http://127.0.0.1:3000/callback' },
      APPROVER_TOKEN,
    );
    expect((await world.settled(body.id)).state).toBe('suspended');
    expect(server.asked).toStrictEqual([]);
  });

  it('is for a terminal: a chat says so', async () => {
    const [reply] = (await ask('/mcp login tracker')).replies;
    expect(reply).toContain('in a terminal: npx passepartout mcp login tracker');
  });

  it('lets calls through, and a call that needs more says so', async () => {
    expect((await logIn()).effects).toMatchObject([{ state: 'done' }]);
    const added = await change('add', { server: 'tracker', url: server.mcpUrl });
    const [, offer = ''] = /mcp accept tracker ([0-9a-f]{12})/.exec(added.effects[0]?.output ?? '') ?? [];
    await change('accept', { server: 'tracker', offer });
    const called = await ask('find the bike');
    expect((await approve(called.id)).effects).toMatchObject([
      { state: 'done', output: expect.stringContaining('blue') },
    ]);
    server.needs = 'write';
    const refused = await approve((await ask('find the bike again')).id);
    expect(refused.effects).toMatchObject([
      {
        state: 'failed',
        reason: 'the MCP server wants a login; in a terminal: npx passepartout mcp login tracker; nothing was called',
      },
    ]);
    await logIn();
    expect((await approve((await ask('find the bike at last')).id)).effects).toMatchObject([{ state: 'done' }]);
  });

  it('that has ended is told once with its command, while each call fails', async () => {
    server.endConsent();
    const first = await approve((await ask('find one')).id);
    const second = await approve((await ask('find another')).id);
    const failed = {
      state: 'failed',
      reason: expect.stringContaining('has ended; in a terminal: npx passepartout mcp login'),
    };
    expect([first, second].map(({ effects }) => effects)).toMatchObject([[failed], [failed]]);
    const told = await world.settled(`${first.id}/login-0`);
    expect(told.replies).toStrictEqual([expect.stringContaining('in a terminal: npx passepartout mcp login tracker')]);
    const again = await world.api('GET', `/api/signals/${second.id}/login-0`, undefined, APPROVER_TOKEN);
    expect(again.status).toBe(404);
  });

  it('goes with its server, and is revoked', async () => {
    await logIn();
    await change('remove', { server: 'tracker' });
    expect(server.asked.at(-1)).toBe('/revoke');
    expect((await change('logout', { server: 'tracker' })).replies[0]).toContain('there is no MCP server tracker');
  });
});
