/** Events of this agent for clients that poll, over a console whose answers are given. */
import { describe, expect, it } from 'vitest';
import { pollEvents, REPLAY_MS_MAX, SETTLE_MS } from '../../../lib/features/door/events.ts';
import type { ConsoleRequest } from '../../../lib/features/door/tools.ts';

const NOW = 1_800_000_000_000;
const PAGE = 'https://agent.example/';

const over = (answer: (request: ConsoleRequest) => unknown, status = 200) => {
  const asked: ConsoleRequest[] = [];
  const deps = {
    now: () => NOW,
    page: PAGE,
    ask: async (request: ConsoleRequest) => {
      asked.push(request);
      return { status, value: answer(request) };
    },
  };
  return { deps, asked };
};

const waiting = (signalId: string, createdAt: number) => ({
  ...{ id: 'secret-of-the-card', signalId, n: 0, createdAt, sentence: 'words of others' },
  action: { tool: 'call-webhook', target: 'webhook', args: { body: 'words of others' } },
});

const approvals = (...all: readonly object[]) => over(() => ({ approvals: all, role: 'script' }));
const poll = (deps: Parameters<typeof pollEvents>[0], further: object = {}) =>
  pollEvents(deps, { name: 'approval.waiting', cursor: `${NOW - 60_000} `, ...further });

describe('pollEvents', () => {
  it('begins now, with nothing of before, and asks nobody', async () => {
    const { deps, asked } = approvals(waiting('con-1', NOW - 30_000));
    expect(await poll(deps, { cursor: null })).toStrictEqual({
      ...{ events: [], cursor: `${NOW} `, truncated: false, hasMore: false, nextPollMs: 30_000 },
    });
    expect(asked).toStrictEqual([]);
  });

  it("tells what waits and where an approver decides, and neither the approval's id nor anybody's words", async () => {
    const { deps } = approvals(waiting('con-1', NOW - 30_000));
    const { events, cursor } = await poll(deps);
    expect(events).toStrictEqual([
      {
        eventId: `con-1/0/${NOW - 30_000}`,
        name: 'approval.waiting',
        timestamp: new Date(NOW - 30_000).toISOString(),
        data: { id: 'con-1', n: 0, does: 'call-webhook', page: PAGE },
      },
    ]);
    expect((await poll(deps, { cursor })).events).toStrictEqual([]);
  });

  it('gives each once, also those of one moment, in parts', async () => {
    const at = NOW - 30_000;
    const { deps } = approvals(...['b', 'a', 'c', 'e', 'd'].map((id) => waiting(id, at)));
    const seen: string[] = [];
    let cursor: string = `${NOW - 60_000} `;
    for (let more = true; more; ) {
      const told = await poll(deps, { cursor, maxEvents: 2 });
      seen.push(...told.events.map(({ data }) => String('id' in data && data.id)));
      ({ cursor, hasMore: more } = told);
    }
    expect(seen).toStrictEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('leaves what may not be in its place yet for the next poll', async () => {
    const { deps } = approvals(waiting('con-1', NOW - SETTLE_MS));
    const { events, cursor } = await poll(deps);
    expect(events).toStrictEqual([]);
    const later = { ...deps, now: () => NOW + 1 };
    expect((await poll(later, { cursor })).events).toHaveLength(1);
  });

  it.each([
    ['a client that was away for long', {}, `${NOW - 2 * REPLAY_MS_MAX} `, NOW - REPLAY_MS_MAX],
    ['a client that wants no more than a minute', { maxAgeMs: 60_000 }, `${NOW - 120_000} `, NOW - 60_000],
  ])('says to %s that it missed something', async (_, further, cursor, from) => {
    const { deps, asked } = over(() => ({ signals: [] }));
    expect(await poll(deps, { name: 'job.missed', cursor, ...further })).toMatchObject({ truncated: true });
    expect(asked[0]?.query).toMatchObject({ outcome: 'missed', from: `${from}`, to: `${NOW - SETTLE_MS}` });
  });

  it('reads a bounded number of pages, and says that it left some', async () => {
    const { deps, asked } = over(() => ({ signals: [], cursor: 'further' }));
    expect(await poll(deps, { name: 'job.missed' })).toMatchObject({ truncated: true });
    expect(asked.length).toBe(4);
  });

  it('tells of runs that ended', async () => {
    const run = { runbook: 'deploy', startedAt: NOW - 90_000, changedAt: NOW - 30_000 };
    const { deps } = over(() => ({
      runs: [
        { ...run, id: 'run-2', state: 'running' },
        { ...run, id: 'run-1', state: 'failed' },
      ],
    }));
    expect((await poll(deps, { name: 'run.ended' })).events).toMatchObject([
      { eventId: 'run-1', data: { id: 'run-1', runbook: 'deploy', state: 'failed' } },
    ]);
  });

  it.each([
    ['an event that does not exist', { name: 'everything' }, 200, -32023],
    ['a token that may not look', {}, 403, -32024],
    ['a console that is away', {}, 503, -32603],
    ['arguments that it does not take', { arguments: { state: 'all' } }, 200, -32602],
    ['a forged cursor', { cursor: 'x' }, 200, -32602],
    ['a cursor with a query in it', { cursor: `${NOW}&state=all ` }, 200, -32602],
  ])('refuses %s', async (_, further, status, code) => {
    const { deps } = over(() => ({ approvals: [] }), status);
    await expect(poll(deps, further)).rejects.toMatchObject({ code });
  });

  it('gives nothing at a moment to come', async () => {
    const { deps, asked } = approvals(waiting('con-1', NOW - 30_000));
    expect(await poll(deps, { cursor: `${NOW + 1e9} ` })).toMatchObject({ events: [] });
    expect(asked).toStrictEqual([]);
  });
});
