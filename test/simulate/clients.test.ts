import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { newSpace } from '../flow/adversity-world.ts';
import { startDynamo } from '../support/dynamo.ts';
import { TAKES_ALL } from '../support/sample.ts';
import { CONFIG, HOME_CHAT } from './outside/config.ts';
import { buildOutside } from './outside/outside.ts';
import { buildSchedule, type Played, play } from './played-world.ts';
import type { CardAnswer, Sent, Step, Verb, WireAnswer, WireRequest } from './types.ts';
import { startClients } from './world/clients.ts';
import { buildRandom } from './world/random.ts';
import type { Door } from './world/sending.ts';
import { buildStory } from './world/story.ts';

const HOUR_MS = 3_600_000;

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const playSteps = (steps: readonly Step[], seed = 1) =>
  play(dynamo.table, newSpace(), steps, buildRandom(seed, 'test'));
const textsIn = ({ outside }: Played, chat: string): readonly string[] =>
  outside.received.flatMap(({ shown }) => (shown?.chat === chat && !shown.isEdit ? [shown.text] : []));
const countIn = (texts: readonly string[], part: string): number => texts.filter((text) => text.includes(part)).length;
const webhooksIn = ({ outside }: Played): readonly string[] =>
  outside.received.filter(({ server }) => server === 'webhook').map(({ request }) => request.body);

const message = (verb: Verb, answer?: CardAnswer, more: Partial<Extract<Step, { kind: 'message' }>> = {}): Step => ({
  kind: 'message',
  afterMs: 0,
  via: 'telegram',
  conversation: '1002',
  verb,
  marker: 'm7',
  ...(answer === undefined ? {} : { card: { answer, afterMs: 5_000 } }),
  ...more,
});
const command = (name: 'stop' | 'resume', via: 'telegram' | 'control', afterMs: number): Step => ({
  kind: 'command',
  afterMs,
  via,
  conversation: '1002',
  command: name,
  marker: `m${afterMs}`,
});
const CARD = expect.stringMatching(/^Details \(waits for your yes until[\s\S]*"marker":"m7"/m);
const REFUSED = expect.stringMatching(/^I could not do that: what I proposed was refused by the rules/);
const CALL = '{"marker":"m7"}';

describe('startClients, over the real ingress code and the three stages', () => {
  it.each([
    { verb: 'say', texts: ['m7 said'] },
    { verb: 'note', texts: ['m7 said'] },
    { verb: 'hook', answer: 'approve', texts: [CARD, expect.stringMatching(/^Approved/), 'm7 said'], calls: [CALL] },
    { verb: 'hook', answer: 'deny', texts: [CARD, expect.stringMatching(/^Denied/), 'm7 said'] },
    { verb: 'hook', answer: 'ignore', texts: [CARD] },
    { verb: 'bad', texts: [REFUSED] },
    { verb: 'mute', texts: [REFUSED] },
  ] as const)('plays $verb $answer', async (row) => {
    const played = await playSteps([message(row.verb, 'answer' in row ? row.answer : undefined)]);
    expect(textsIn(played, '1002')).toStrictEqual(row.texts);
    expect(webhooksIn(played)).toStrictEqual('calls' in row ? row.calls : []);
  });

  it('sends signed events, and the home chat hears of them', async () => {
    const played = await playSteps([{ kind: 'event', afterMs: 0, source: 'shop', marker: 'm9' }]);
    expect(textsIn(played, HOME_CHAT)).toStrictEqual(['m9 said']);
  });

  it('answers the card of a console message over the HTTP API', async () => {
    const steps = (['approve', 'deny'] as const).map((answer, n) =>
      message('hook', answer, { via: 'console', conversation: 'desk', marker: `m${n}` }),
    );
    const played = await playSteps(steps);
    expect(webhooksIn(played)).toStrictEqual(['{"marker":"m0"}']);
    expect(played.sent.filter(({ isCardAnswer }) => isCardAnswer).map(({ signalId }) => signalId)).toStrictEqual([
      expect.stringMatching(/^con-approval-/),
      expect.stringMatching(/^con-approval-/),
    ]);
  });

  it.each(['telegram', 'control'] as const)('stops and resumes over %s', async (via) => {
    const steps = [
      command('stop', via, 0),
      message('hook', 'approve', { afterMs: 1_000 }),
      command('resume', via, 60_000),
      message('say', undefined, { afterMs: 120_000, marker: 'm8' }),
    ];
    const played = await playSteps(steps);
    expect(webhooksIn(played)).toStrictEqual([]);
    expect(countIn(textsIn(played, '1002'), 'm8 said')).toBe(1);
  });

  it('gives every input the id that the ingress gives its signal', async () => {
    const played = await playSteps([
      message('say'),
      message('say', undefined, { via: 'console', conversation: 'desk', marker: 'm8' }),
      { kind: 'event', afterMs: 0, source: 'builds', marker: 'm9' },
      command('stop', 'control', 5_000),
    ]);
    const ids = played.sent.map(({ signalId = '' }) => signalId);
    const items = await dynamo.table.load(ids.map((id) => signalKeys.record(played.space, id)));
    expect(ids).toHaveLength(4);
    expect(items.filter((item) => item === undefined)).toStrictEqual([]);
  });

  it('plays random stories so that each marker ends as its verb promises', async () => {
    for (let seed = 0; seed < (TAKES_ALL ? 60 : 15); seed += 1) {
      const story = buildStory(buildRandom(seed, 'test'));
      // This small world splits no text, and a grant would answer later cards.
      const isPlayed = (step: Step): boolean => step.kind === 'message' && !['call', 'long'].includes(step.verb);
      if (!story.every((step) => step.kind === 'event' || isPlayed(step))) continue;
      const played = await playSteps(story, seed);
      const calls = webhooksIn(played);
      for (const step of story) {
        if (step.kind === 'command') continue;
        const verb = step.kind === 'event' ? 'say' : step.verb;
        const card = step.kind === 'event' ? undefined : step.card;
        const isInTime = card !== undefined && card.afterMs < HOUR_MS - 5_000;
        const isApproved = isInTime && card.answer === 'approve';
        const texts = Number(['say', 'note', 'both'].includes(verb)) + Number(isInTime && card.answer !== 'ignore');
        expect(countIn(calls, `"${step.marker}"`), `${seed} ${step.marker}`).toBe(isApproved ? 1 : 0);
        if (step.kind === 'message' && step.via === 'console') continue;
        const chat = step.kind === 'event' ? HOME_CHAT : step.conversation;
        const said = countIn(textsIn(played, chat), `${step.marker} said`);
        expect(said, `${seed} ${step.marker}`).toBe(texts);
      }
    }
  });
});

const OK: WireAnswer = { status: 202, headers: {}, body: '{"id":"con-1"}' };

interface Tried {
  readonly door: Door;
  readonly request: WireRequest;
  readonly at: number;
}

/** Plays a story against doors that only answer as told. */
const playAgainst = async (
  story: readonly Step[],
  answer: (tried: Tried, n: number) => WireAnswer | undefined,
  seed = 1,
): Promise<{ readonly sent: readonly Sent[]; readonly tried: readonly Tried[]; readonly startAt: number }> => {
  const schedule = buildSchedule();
  const startAt = schedule.now();
  const random = buildRandom(seed, 'test');
  const outside = buildOutside({ now: schedule.now, random, mayFail: () => false });
  const tried: Tried[] = [];
  const send = async (door: Door, request: WireRequest) => {
    const one = { door, request, at: schedule.now() };
    tried.push(one);
    return answer(one, tried.length - 1);
  };
  const { sent } = startClients({ ...schedule, story, outside, send, random, config: CONFIG });
  await schedule.runAll();
  return { sent, tried, startAt };
};

const secondsOf = ({ tried, startAt }: { readonly tried: readonly Tried[]; readonly startAt: number }) =>
  tried.map(({ at }) => (at - startAt) / 1_000);

describe('startClients, against doors that fail', () => {
  it('sends an update again with growing pauses, the same each time, until a 2xx', async () => {
    const played = await playAgainst([message('say')], (_, n) => (n < 4 ? undefined : { ...OK, status: 200 }));
    expect(secondsOf(played)).toStrictEqual([0, 0, 2, 6, 14]);
    expect(new Set(played.tried.map(({ request }) => JSON.stringify(request))).size).toBe(1);
    expect(played.sent.map(({ tries }) => tries.map(({ answer }) => answer?.status))).toStrictEqual([
      [undefined, undefined, undefined, undefined, 200],
    ]);
  });

  it('keeps the order of a chat, and lets other chats pass a waiting update', async () => {
    const story = [
      message('say', undefined, { marker: 'm1' }),
      message('say', undefined, { marker: 'm2' }),
      message('say', undefined, { marker: 'm3', conversation: '1003' }),
    ];
    const { tried } = await playAgainst(story, (_, n) => ({ ...OK, status: n < 2 ? 503 : 200 }));
    const order = tried.map(({ request }) => /say (m\d)/.exec(request.body)?.[1]);
    expect(order).toStrictEqual(['m1', 'm1', 'm3', 'm1', 'm2']);
  });

  it('signs each try of an event anew, under the same id', async () => {
    const story: readonly Step[] = [{ kind: 'event', afterMs: 0, source: 'shop', marker: 'm1' }];
    const { tried } = await playAgainst(story, (_, n) => (n < 3 ? { ...OK, status: 500 } : OK));
    const secret = JSON.parse(CONFIG.secrets.WEBHOOK_SECRETS ?? '').shop;
    for (const { request, at } of tried) {
      const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
      expect(Number(timestamp)).toBe(Math.floor(at / 1_000));
      expect(signature).toBe(new Webhook(secret).sign(id, new Date(at), request.body));
    }
    expect(new Set(tried.map(({ request }) => request.headers['webhook-id']))).toStrictEqual(new Set(['msg_m1']));
    expect(tried).toHaveLength(4);
  });

  it('repeats a console message until it is answered, and not one that was refused', async () => {
    const story = [message('say', undefined, { via: 'console', conversation: 'desk' })];
    expect(secondsOf(await playAgainst(story, (_, n) => (n === 0 ? undefined : OK)))).toStrictEqual([0, 0]);
    expect((await playAgainst(story, () => ({ ...OK, status: 400 }))).tried).toHaveLength(1);
  });

  it('names the signal of a control request only from its answer', async () => {
    const story = [command('stop', 'control', 0)];
    const answered = await playAgainst(story, (_, n) => (n === 0 ? undefined : OK));
    expect(answered.sent.map(({ signalId }) => signalId)).toStrictEqual(['con-1']);
    const silent = await playAgainst(story, () => undefined);
    expect(silent.sent.map(({ signalId }) => signalId)).toStrictEqual([undefined]);
  });

  it('gives up after an hour without an answer', async () => {
    for (const step of [message('say'), command('stop', 'control', 0)] as const) {
      const seconds = secondsOf(await playAgainst([step], () => undefined));
      expect(seconds.at(-1)).toBeGreaterThan(3_600);
      expect(seconds.at(-1)).toBeLessThan(3_700);
    }
  });

  it('sends in rare cases again what was taken', async () => {
    const story = [message('say'), { kind: 'event', afterMs: 0, source: 'shop', marker: 'm1' }] as const;
    const counts = await Promise.all(
      Array.from({ length: 200 }, async (_, seed) => (await playAgainst(story, () => OK, seed)).tried.length),
    );
    expect(Math.max(...counts)).toBeGreaterThan(2);
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(150);
  });
});
