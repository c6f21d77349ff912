import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryName, formatEntry, jobSession, spendKey, storedText } from '../../../../lib/core/money/day-spend.ts';
import { sessionKey } from '../../../../lib/core/store/keys.ts';
import { startConsole, type TestConsole } from './console-server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
  const put = (days: number, usd: number, jobs: { readonly jobs: number; readonly jobsUsd: number }) =>
    world.dynamo.table.put(spendKey('default', world.deps.now() - days * DAY_MS), {
      schemaVersion: 1,
      usd,
      tokens: 1_000,
      savedByTier: 600_000,
      savedByCache: 100_000,
      ...jobs,
    });
  await put(0, 300_000, { jobs: 2, jobsUsd: 42_000 });
  await put(2, 500_000, { jobs: 1, jobsUsd: 10_000 });
});
afterAll(() => world.stop());

describe('GET /api/cost', () => {
  it('says what a day cost, and which share of what it would have cost was saved', async () => {
    expect((await world.ask('GET', '/api/cost')).body).toStrictEqual({
      period: 'day',
      usd: 300_000,
      tokens: 1_000,
      savedByTier: 600_000,
      savedByCache: 100_000,
      lines: [
        '2023-11-14: $0.30, 1000 tokens',
        "Saved: $0.60 (60 %) by asking small models, $0.10 (10 %) by the providers' caches.",
      ],
    });
  });

  it('says what one job cost, or all of them', async () => {
    const nothing = { tokens: 0, savedByTier: 0, savedByCache: 0 };
    const { table } = world.dynamo;
    const entry = formatEntry({ turn: 't', turnUsd: 0, usd: 10_000 });
    const spend = { day: '2023-11-14', entry, beforeUsd: 1_000, since: '2023-11-12' };
    await table.put(sessionKey('default', jobSession('tidy')), { schemaVersion: 1, startedAt: 1, spend });
    expect((await world.ask('GET', '/api/cost?period=job&name=tidy')).body).toStrictEqual({
      period: 'job',
      ...nothing,
      usd: 11_000,
      lines: ['The job tidy today: $0.01', 'All of it since 2023-11-12: $0.011'],
    });
    expect((await world.ask('GET', '/api/cost?period=job')).body).toStrictEqual({
      period: 'job',
      ...nothing,
      usd: 52_000,
      lines: ['Jobs today (2; /cost job <name> for one): $0.042', '2023-11-12: $0.01', 'All 7 days: $0.052'],
    });
    const unknown = await world.ask('GET', '/api/cost?period=job&name=unknown');
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('no job unknown') } },
    });
  });

  it('sums a conversation over the days it has lasted, also of tasks it does not remember', async () => {
    const session = 'console:long';
    const now = world.deps.now();
    const { table } = world.dynamo;
    const spend = {
      day: '2023-11-12',
      entry: formatEntry({ turn: 't', turnUsd: 0, usd: 1_000 }),
      beforeUsd: 20_000,
      since: '2023-11-09',
    };
    await table.put(sessionKey('default', session), { schemaVersion: 1, startedAt: now - 6 * DAY_MS, spend });
    const today = storedText(session, { turn: 't', turnUsd: 0, usd: 7_000 });
    await table.update(spendKey('default', now), { set: { schemaVersion: 1, [entryName(session)]: today } });
    const { body } = await world.ask('GET', `/api/cost?period=session&name=${session}`);
    expect(body).toMatchObject({ conversationUsd: 28_000, since: '2023-11-09', usd: 0 });
    expect((body as { lines: string[] }).lines[0]).toBe(
      'This conversation today: $0.007; all of it since 2023-11-09: $0.028. By model, its last 0 tasks:',
    );
  });

  it.each(['?period=year', '?period=day&name=tidy'])('refuses %s', async (query) => {
    expect((await world.ask('GET', `/api/cost${query}`)).status).toBe(400);
  });

  it('needs a token', async () => {
    expect((await world.ask('GET', '/api/cost', { token: null })).status).toBe(401);
  });
});
