/**
 * Events of an MCP server, read by a job that an approver made: a real server of the official
 * library over HTTP, the real stack. Each event comes once, whatever is lost; what a server says
 * beyond what it was asked for comes not at all.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpKey } from '../../../lib/core/store/keys.ts';
import { type EventServer, startEventServer } from '../../support/event-server.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../../support/stack.ts';

const TOKEN = 'tk-5Vq8Zr2Lw9Xc4Nb7Mt1K';
let server: EventServer;
let other: EventServer;
let test: TestStack;

const script = (request: ModelServerRequest) => {
  if (userTextOf(request) !== 'read its events' || toolResultsOf(request).length > 0) return say('ok');
  const args = { server: 'tracker', url: server.url, events: 'issue.created' };
  return call('poll-mcp-events', { ...args, explanation: 'the owner asked for exactly this' });
};

beforeAll(async () => {
  server = await startEventServer(TOKEN);
  other = await startEventServer(TOKEN);
  test = await startTestStack({
    script,
    isPolling: false,
    environment: {
      ALLOW_LOOPBACK_WEBHOOKS: '1',
      MCP_SERVERS: JSON.stringify({ tracker: { url: server.url, token: TOKEN } }),
      EVENT_FORMS: JSON.stringify({ 'mcp-tracker': { 'issue.created': 'New issue {{data.title}}' } }),
    },
  });
});
afterAll(async () => {
  await test?.stop();
  await Promise.all([server?.close(), other?.close()]);
});

const post = async (text: string) => {
  const { body } = await test.api<{ id: string }>('POST', '/api/messages', { text, session: 'main' });
  return test.settled(body.id);
};

interface Listed {
  readonly approvals: readonly { readonly id: string; readonly signalId: string; readonly rest: readonly string[] }[];
}

/** Says a command that waits for a yes, and gives it. @returns its lines, and how it ended */
const command = async (text: string) => {
  const { id } = await post(text);
  const { body } = await test.api<Listed>('GET', '/api/approvals');
  const card = body.approvals.find(({ signalId }) => signalId === id);
  await test.api('POST', `/api/approvals/${card?.id}`, { decision: 'approve' });
  const view = await until('it ended', async () => {
    const found = await test.signal(id);
    return found.effects.every(({ state }) => state !== 'suspended' && state !== 'claimed') && found;
  });
  return { view, lines: card?.rest.join('\n') ?? '' };
};

interface Run {
  readonly signalId: string;
  readonly state: string;
  readonly why?: string;
  readonly closedAt?: number;
}

const runs = async () =>
  (await test.api<{ occurrences: Run[] }>('GET', '/api/jobs/history?name=events-tracker')).body.occurrences;

/** Runs the job once, to its end. */
const read = async () => {
  const [before] = await runs();
  await post('/jobs run events-tracker');
  const [run] = await until('the run ends', async () => {
    await test.tick();
    const all = await runs();
    return all[0]?.signalId !== before?.signalId && all[0]?.closedAt !== undefined && all;
  });
  return run;
};

interface Came {
  readonly id: string;
  readonly event: string;
  readonly text: string;
  readonly sender: string;
}

const events = async () =>
  (await test.api<{ signals: Came[] }>('GET', '/api/signals?source=webhook&limit=100')).body.signals;
const titles = async () => (await events()).map(({ text }) => text.replace('New issue ', '')).toSorted();

describe('events of an MCP server', () => {
  it('are named to an approver, and read once a card with all of it was approved', async () => {
    expect((await post('/mcp events tracker')).replies.join()).toContain('there is no MCP server tracker');
    await command(`/mcp add tracker ${server.url}`);
    const [{ output } = { output: '' }] = (await post('/mcp events tracker')).effects;
    expect(output).toBe('It has these events:\n  issue.created: “An issue was made”');
    const { view, lines } = await command('/mcp events tracker issue.created');
    expect(view.effects, JSON.stringify([view.effects, lines, view])).toMatchObject([{ state: 'done' }]);
    expect(lines).toContain('issue.created');
    expect(lines.replaceAll('hxxp', 'http').replaceAll('[.]', '.')).toContain(server.url);
  });

  it('come from now on, as outside words in the form of the owner, each once', async () => {
    server.kept.push({ eventId: 'old', title: 'old' });
    expect(await read()).toMatchObject({ state: 'fired' });
    expect(await titles()).toStrictEqual([]);
    server.kept.push({ eventId: 'a', title: 'one' }, { eventId: 'b', title: 'two' });
    await read();
    await read();
    expect(await titles()).toStrictEqual(['one', 'two']);
    const [first] = (await events()).filter(({ text }) => text === 'New issue one');
    expect(first).toMatchObject({ event: 'issue.created', sender: 'webhook:mcp-tracker' });
    expect((await test.signal(first?.id ?? '')).text).toMatchObject([{ text: 'New issue one', origin: 'outside' }]);
    expect(server.tokens.every((token) => token === `Bearer ${TOKEN}`)).toBe(true);
  });

  it('start jobs that wait for them, like those of a webhook', async () => {
    const steps = [{ say: 'An issue came.' }];
    const made = await test.api<{ id: string }>('POST', '/api/jobs/add', {
      ...{ name: 'tell', event: 'mcp-tracker/issue.created', steps, to: ['console:main'] },
    });
    const { body } = await test.api<Listed>('GET', '/api/approvals');
    await until('the card is there', async () => (await test.settled(made.body.id)).turn === 'waiting');
    const card = (await test.api<Listed>('GET', '/api/approvals')).body.approvals.find(
      ({ signalId }) => signalId === made.body.id,
    );
    expect(body).toBeDefined();
    await test.api('POST', `/api/approvals/${card?.id}`, { decision: 'approve' });
    await until('the job is made', async () => (await test.api('GET', '/api/jobs/show?name=tell')).status === 200);
    server.kept.push({ eventId: 'c', title: 'three' });
    await read();
    const history = await until('the job runs', async () => {
      await test.tick();
      const path = '/api/jobs/history?name=tell';
      const found = (await test.api<{ occurrences: Run[] }>('GET', path)).body.occurrences;
      return found[0]?.closedAt !== undefined && found;
    });
    expect(history).toMatchObject([{ state: 'fired' }]);
  });

  it('come once if an answer is lost, and if Act dies before it stores the cursor', async () => {
    server.kept.push({ eventId: 'd', title: 'four' });
    server.bend = (page, response) => {
      response.destroy();
      return page;
    };
    expect(await read()).toMatchObject({ state: 'failed' });
    server.bend = (page) => page;
    const key = { ...mcpKey('default'), sk: 'events#tracker' };
    const [before] = await test.table.load([key]);
    await read();
    expect(await titles()).toStrictEqual(['four', 'one', 'three', 'two']);
    await test.table.put(key, before ?? {});
    await read();
    expect(server.polls.slice(-2).map(({ cursor }) => cursor)).toStrictEqual(['4', '4']);
    expect((await titles()).length).toBe(4);
  });

  it.each([
    ['more than were asked for', (page: object) => ({ ...page, events: flood(500, 'issue.created') }), 'other or more'],
    ['other names', (page: object) => ({ ...page, events: flood(1, 'payment.made') }), 'other or more'],
    ['what is no event', (page: object) => ({ ...page, events: [{ eventId: 7 }] }), 'could not be worked with'],
    ['no place to go on from', ({ cursor: _, ...page }: Record<string, unknown>) => page, 'keeps no events'],
    ['a megabyte', (page: object) => ({ ...page, padding: 'x'.repeat(1_100_000) }), ''],
  ])('are not taken from a server that gives %s', async (_, bend, words) => {
    server.kept.push({ eventId: `e${server.kept.length}`, title: 'five' });
    server.bend = bend;
    const before = await titles();
    const run = await read();
    server.bend = (page) => page;
    expect(run).toMatchObject({ state: 'failed' });
    expect(JSON.stringify(run)).toContain(words);
    expect(await titles()).toStrictEqual(before);
    await read();
  });

  it('pass over one that cannot be stored, and not over those behind it', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    server.kept.push({ eventId: 'deep', title: deep }, { eventId: 'after', title: 'after' });
    expect(await read()).toMatchObject({ state: 'fired' });
    expect(await titles()).toContain('after');
  });

  it('come without their data if they repeat the token that the server was shown', async () => {
    server.kept.push({ eventId: 'echo', title: `the key is ${TOKEN}` }, { eventId: 'later', title: 'later' });
    await read();
    expect(await titles()).toContain('later');
    expect(JSON.stringify(await test.scan())).not.toContain(TOKEN);
  });

  it('end with the job, of which a person is told, if they are gone or the token is refused', async () => {
    await command('/mcp events tracker issue.moved');
    expect(await read()).toMatchObject({ state: 'failed', why: expect.stringContaining('has no such event') });
    await command('/mcp events tracker issue.created');
    server.isClosed = true;
    const show = async () => (await test.api<{ state: string }>('GET', '/api/jobs/show?name=events-tracker')).body;
    while ((await show()).state === 'active') expect(await read()).toMatchObject({ state: 'failed' });
    server.isClosed = false;
    expect((await show()).state).toBe('paused');
    expect(JSON.stringify(await test.api('GET', '/api/status'))).toContain('events-tracker');
    await post('/jobs resume events-tracker');
    expect(await read()).toMatchObject({ state: 'fired' });
  });

  it('are read by no call of a model, nor from another address', async () => {
    const polls = server.polls.length;
    const view = await post('read its events');
    expect(view.effects.filter(({ actuator }) => actuator === 'tool')).toStrictEqual([]);
    expect(server.polls.length).toBe(polls);
    await command('/mcp remove tracker');
    await command(`/mcp add tracker ${other.url}`);
    expect(await read()).toMatchObject({ state: 'failed' });
    expect(server.polls.length).toBe(polls);
    expect(other.polls).toStrictEqual([]);
    expect(other.tokens.every((token) => token === undefined)).toBe(true);
  });
});

const flood = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => ({ eventId: `f${n}`, name, timestamp: '', data: { title: 'flood' } }));
