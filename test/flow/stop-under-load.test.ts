/**
 * Stop, deny and approve on the running stack while more streams are asked for than are
 * held, and health is asked for in loops without a token: each is answered and in force.
 * Streams beyond the bound end with their last event.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { LOCAL_STREAMS_MAX } from '../../infra/local/http-front.ts';
import { STREAMS_HELD_MAX } from '../../lib/core/edge/console/stream.ts';
import { loadKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';

const OWNER = 7;
/** More than may wait at once. */
const STREAMS = LOCAL_STREAMS_MAX + 30;
/** Few keep their place to the end: so many each time that the others are through. */
const KEPT_MAX = 10 * STREAMS_HELD_MAX;
const HEALTH_LOOPS = 4;
const because = { explanation: 'because the owner asked for exactly this' };

const thinking = Promise.withResolvers<void>();
const script = async (request: ModelServerRequest): Promise<ScriptedAnswer> => {
  const text = userTextOf(request);
  if (text.startsWith('run ')) return call('run-code', { language: 'javascript', code: text.slice(4), ...because });
  if (text === 'think') await thinking.promise;
  return say(`re ${text}`);
};

const world = await startTestStack({ script, allowedChats: [OWNER], approvers: [OWNER], isPolling: false });
afterAll(async () => {
  thinking.resolve();
  await world.stop();
});

const post = async (text: string, session: string): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text, session })).body.id;
const approvals = async (): Promise<readonly { readonly id: string; readonly signalId: string }[]> =>
  (
    await world.api<{ approvals: { id: string; signalId: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    )
  ).body.approvals;
const stoppedBy = async (): Promise<string | undefined> => {
  const { isStopped = false, by } = (await loadKillSwitch(world.table, 'default')) ?? {};
  return isStopped ? by : undefined;
};

/** Asks for streams of a turn, all at once. */
const openStreams = (id: string): readonly Promise<string>[] =>
  Array.from({ length: STREAMS }, async () => {
    const answer = await fetch(`${world.stack.url}/api/signals/${id}/stream`, {
      headers: { authorization: `Bearer ${APPROVER_TOKEN}` },
    });
    return `${answer.status} ${await answer.text()}`;
  });

describe('while streams and health take all they can get', () => {
  it('denies, approves and stops, at the console and over Telegram', async () => {
    const running = await post('think', 'streamed');
    const [denied, approved] = [await post('run 1', 'denied'), await post('run 2', 'approved')];
    const waiting = await until('both wait', async () => {
      const found = await approvals();
      return found.length === 2 && new Map(found.map(({ id, signalId }) => [signalId, id]));
    });
    const decide = async (id: string, decision: string): Promise<number> =>
      (await world.api('POST', `/api/approvals/${waiting.get(id)}`, { decision }, APPROVER_TOKEN)).status;
    let isOver = false;
    const loops = Array.from({ length: HEALTH_LOOPS }, async () => {
      const statuses = new Set<number>();
      while (!isOver) statuses.add((await fetch(`${world.stack.url}/health`)).status);
      return [...statuses];
    });

    const streams = openStreams(running);
    expect(await decide(approved, 'approve')).toBe(202);
    expect(await decide(denied, 'deny')).toBe(202);
    expect((await world.api('POST', '/api/stop')).status).toBe(202);
    expect(await stoppedBy()).toBe('console-approver');
    const stop = world.telegram.sendText(OWNER, OWNER, 'STOP');
    expect((await world.postUpdate(stop)).status).toBe(200);
    expect(await stoppedBy()).toBe(`telegram:${OWNER}`);

    const ends = Object.groupBy(await Promise.all(streams), (end) =>
      end.includes('event: gave-way') ? 'gaveWay' : end.slice(0, 3),
    );
    const { gaveWay = [], 200: kept = [], 503: refused = [] } = ends;
    expect(gaveWay.length + kept.length + refused.length).toBe(STREAMS);
    expect(kept.length).toBeLessThanOrEqual(KEPT_MAX);
    expect(gaveWay.length).toBeGreaterThanOrEqual(LOCAL_STREAMS_MAX - KEPT_MAX);
    isOver = true;
    expect(new Set((await Promise.all(loops)).flat())).toStrictEqual(new Set([200]));
  });
});
