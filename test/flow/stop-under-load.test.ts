/**
 * Stop, deny and approve on the running stack while more streams are asked for than the console takes requests, and health is
 * asked for in loops without a token: each is answered and in force. Streams beyond the bound end with their last event.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_HTTP_WAITING_MAX } from '../../lib/limits.ts';
import { loadKillSwitch } from '../../lib/pipeline/kill-switch.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, CONSOLE_TOKEN, signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const OWNER = 7;
/** As many as fill every place in which a request of one function runs or waits. */
const STREAMS = LOCAL_HTTP_WAITING_MAX + 60;
/** Streams of those that are told nothing, because they kept their place to the end, or were refused at the door. */
const OTHERS_MAX = STREAMS / 3;
const HEALTH_LOOPS = 20;
const because = { explanation: 'because the owner asked for exactly this' };

const thinking = Promise.withResolvers<void>();
const script = async (request: ModelServerRequest): Promise<ScriptedAnswer> => {
  const text = userTextOf(request);
  if (text.startsWith('run ')) return call('run-code', { language: 'javascript', code: text.slice(4), ...because });
  if (text === 'think') await thinking.promise;
  return say(`re ${text}`);
};

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({ script, allowedChats: [OWNER], approvers: [OWNER], isPolling: false });
});
afterAll(async () => {
  thinking.resolve();
  await world?.stop();
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
const isStopped = async (): Promise<boolean> => (await loadKillSwitch(world.table, 'default'))?.isStopped === true;

/** Asks for streams of a turn, all at once. */
const openStreams = (id: string): readonly Promise<string>[] =>
  Array.from({ length: STREAMS }, async () => {
    const answer = await fetch(`${world.stack.url}/api/signals/${id}/stream`, {
      headers: { authorization: `Bearer ${CONSOLE_TOKEN}` },
    });
    return `${answer.status} ${await answer.text()}`;
  });

describe('while streams and health take all they can get', () => {
  it('denies, approves and stops, at the console and over Telegram', async () => {
    const running = await post('think', 'streamed');
    const [denied, approved] = [await post('run 1', 'denied'), await post('run console.log(2 ** 10)', 'approved')];
    await until('both wait', async () => (await approvals()).length === 2);
    const idOf = new Map((await approvals()).map(({ id, signalId }) => [signalId, id]));
    let isOver = false;
    const loops = Array.from({ length: HEALTH_LOOPS }, async () => {
      for (const statuses = new Set<number>(); ; ) {
        statuses.add((await fetch(`${world.stack.url}/health`)).status);
        if (isOver) return [...statuses];
      }
    });
    const decide = (id: string, decision: string) =>
      world.api('POST', `/api/approvals/${idOf.get(id)}`, { decision }, APPROVER_TOKEN);

    const streams = openStreams(running);
    const answers = await Promise.all([decide(denied, 'deny'), decide(approved, 'approve')]);
    expect(answers.map(({ status }) => status)).toStrictEqual([202, 202]);
    const said = await until('it ran', async () => {
      const view = await world.signal(approved);
      return view.isTurnClosed && JSON.stringify(view);
    });
    expect(said).toContain('1024');

    const again = openStreams(running);
    expect((await world.api('POST', '/api/stop')).status).toBe(202);
    expect(await isStopped()).toBe(true);
    expect((await world.api('POST', '/api/resume', undefined, APPROVER_TOKEN)).status).toBe(202);
    await until('it goes on', async () => !(await isStopped()));

    const last = openStreams(running);
    const stop = world.telegram.sendText(OWNER, OWNER, 'STOP');
    expect((await world.postUpdate(stop)).status).toBe(200);
    expect(await isStopped()).toBe(true);

    const ends = await Promise.all([...streams, ...again, ...last]);
    const gaveWay = ends.filter((end) => end.startsWith('200') && end.includes('event: gave-way'));
    expect(ends.length - gaveWay.length).toBeLessThanOrEqual(3 * OTHERS_MAX);
    isOver = true;
    expect(new Set((await Promise.all(loops)).flat())).toStrictEqual(new Set([200]));
    await world.settled(signalIdOf(stop));
  });
});
