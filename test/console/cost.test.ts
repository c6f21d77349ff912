import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionKey } from '../../lib/aws/keys.ts';
import { entryName, jobName, spendKey } from '../../lib/budget/day-spend.ts';
import { startConsole, type TestConsole } from './console-server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
  const put = (days: number, usd: number, jobs: Readonly<Record<string, number>>) =>
    world.dynamo.table.put(spendKey('default', world.deps.now() - days * DAY_MS), {
      schemaVersion: 1,
      usd,
      tokens: 1_000,
      savedByTier: 600_000,
      savedByCache: 100_000,
      ...Object.fromEntries(Object.entries(jobs).map(([name, cost]) => [jobName(name), cost])),
    });
  await put(0, 300_000, { tidy: 40_000, 'the weekly report': 2_000 });
  await put(2, 500_000, { tidy: 10_000 });
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
    expect((await world.ask('GET', '/api/cost?period=job&job=tidy')).body).toStrictEqual({
      period: 'job',
      ...nothing,
      usd: 50_000,
      lines: ['The job tidy today: $0.04', '2023-11-12: $0.01', 'All 7 days: $0.05'],
    });
    expect((await world.ask('GET', '/api/cost?period=job')).body).toStrictEqual({
      period: 'job',
      ...nothing,
      usd: 52_000,
      lines: ['Jobs today (2; /cost job <name> for one): $0.042', '2023-11-12: $0.01', 'All 7 days: $0.052'],
    });
    expect((await world.ask('GET', '/api/cost?period=job&job=unknown')).body).toMatchObject({ usd: 0 });
  });

  it('sums a conversation over the days it has lasted, also of tasks it does not remember', async () => {
    const session = 'console:long';
    const now = world.deps.now();
    const { table } = world.dynamo;
    await table.put(sessionKey('default', session), { schemaVersion: 1, startedAt: now - 5 * DAY_MS });
    for (const [days, usd] of [
      [0, 7_000],
      [2, 1_000],
      [5, 20_000],
      [6, 400_000],
    ] as const) {
      const entry = JSON.stringify({ turn: 't', turnUsd: 0, usd });
      await table.update(spendKey('default', now - days * DAY_MS), {
        set: { schemaVersion: 1, [entryName(session)]: entry },
      });
    }
    const { body } = await world.ask('GET', `/api/cost?period=session&session=${session}`);
    expect(body).toMatchObject({ conversationUsd: 28_000, since: '2023-11-09', usd: 0 });
    expect((body as { lines: string[] }).lines[0]).toBe(
      'This conversation today: $0.007; all of it since 2023-11-09: $0.028. By model, its last 0 tasks:',
    );
  });

  it.each(['?period=year', '?period=session'])('refuses %s', async (query) => {
    expect((await world.ask('GET', `/api/cost${query}`)).status).toBe(400);
  });

  it('needs a token', async () => {
    expect((await world.ask('GET', '/api/cost', { token: null })).status).toBe(401);
  });
});
