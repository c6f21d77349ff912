/**
 * Answers shown while they are written, on the real stack: in a private chat as drafts, at the
 * console as events. What is shown is a beginning of what was stored and judged; secrets, groups,
 * outside text and short answers are never streamed; a stop ends it, and whatever becomes of a
 * draft the turn ends as it always does.
 */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Followed, followStream, type StreamEvent } from '../support/follow-stream.ts';
import { type ScriptedAnswer, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, STOPPED, BROKEN] = [2001, 2002, 2003];
const GROUP = -4001;
const SENTENCE = 'The bike is blue and stands in the shed behind the house, as it has since spring. ';
const LONG = SENTENCE.repeat(8).trim();
const SECRET = `sk-${'proj-'}a7Q9xa7Q9xa7Q9xa7Q9xa7Q9x`;
/**
 * The model is never further ahead of who reads than this: on a slow machine, too, there is a
 * reader while it writes.
 */
const AHEAD_CHARS = 200;
/** Number of characters of the answer that the reader has seen. */
let readChars = (): number => Number.POSITIVE_INFINITY;
const slowly = (text: string): ScriptedAnswer => ({
  kind: 'answer',
  text,
  pieceChars: 16,
  pieceMs: 40,
  isRead: (chars) => chars - AHEAD_CHARS <= readChars(),
});

const answerTo = (text: string): ScriptedAnswer => {
  if (text.includes('leak')) return slowly(`${SENTENCE}${SENTENCE}The key is ${SECRET} and that is it. ${SENTENCE}`);
  if (text.includes('short')) return slowly('Your bike is blue.');
  return slowly(LONG);
};

const world = await startTestStack({
  allowedChats: [OWNER, STOPPED, BROKEN, GROUP],
  script: (request) => answerTo(userTextOf(request)),
});
afterAll(world.stop);
afterEach(() => {
  readChars = () => Number.POSITIVE_INFINITY;
});

const follow = (id: string): Promise<Followed> => {
  const events: StreamEvent[] = [];
  readChars = () => shownOf(events).length;
  return followStream(world, id, events);
};
const post = async (text: string, session = 'main'): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text, session })).body.id;
const shownOf = (events: readonly StreamEvent[]): string => events.map(({ text }) => text ?? '').join('');
const draftsTo = (chat: number) => world.telegram.drafts().filter(({ chatId }) => chatId === chat);
const draftChars = (chat: number): number => Math.max(0, ...draftsTo(chat).map(({ text }) => text.length));
const chunksOf = async (id: string) =>
  (await world.scan()).filter(({ pk, sk }) => pk === `signal#default#${id}` && String(sk).startsWith('stream#'));

describe('at the console', () => {
  it('an answer comes in pieces that join to a beginning of the reply, and ends with it', async () => {
    const id = await post('tell me of my bike');
    const { events, answers } = await follow(id);
    expect(events.length).toBeGreaterThan(3);
    expect(answers).toBeGreaterThan(2);
    expect(LONG.startsWith(shownOf(events))).toBe(true);
    expect(shownOf(events).length).toBeGreaterThan(LONG.length / 2);
    expect(events.at(-1)).toMatchObject({ type: 'end', state: 'acted', turn: 'ended', replies: [LONG] });
    expect(events.slice(0, -1).map(({ chars }) => chars)).toStrictEqual(
      events.slice(0, -1).map((_, index) => shownOf(events.slice(0, index + 1)).length),
    );
    const chunks = await chunksOf(id);
    const why = await post(`/why ${id}`, 'why');
    expect((await world.settled(why)).replies[0]).toContain(id);
    expect(chunks.every(({ expiresAt }) => Number(expiresAt) < Date.now() / 1000 + 3700)).toBe(true);
  });

  it('nothing of a secret is shown, and the refusal takes the place of what was', async () => {
    const id = await post('leak the key', 'leak');
    const { events } = await follow(id);
    expect(`${SENTENCE}${SENTENCE}The key is `.startsWith(shownOf(events))).toBe(true);
    expect(shownOf(events).length).toBeGreaterThan(80);
    expect(JSON.stringify(await chunksOf(id))).not.toContain(SECRET.slice(0, 4));
    expect(events.at(-1)?.replies?.join()).toMatch(/refused|could not/i);
  });

  it('a short answer stores nothing', async () => {
    const id = await post('short please', 'short');
    const { events } = await follow(id);
    expect([events.length, await chunksOf(id)]).toStrictEqual([1, []]);
  });

  it('nobody reads it without the token, and there is none of what is not there', async () => {
    const at = (path: string, token: string) =>
      fetch(`${world.stack.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await at('/api/signals/con-x/stream', 'wrong')).status).toBe(401);
    expect((await at('/api/signals/con-nobody/stream', APPROVER_TOKEN)).status).toBe(404);
  });
});

describe('in a private chat', () => {
  it('drafts under one id grow until the message takes their place', async () => {
    readChars = () => draftChars(OWNER);
    const update = world.telegram.sendText(OWNER, OWNER, 'tell me of my bike');
    const view = await world.settled(signalIdOf(update));
    const drafts = draftsTo(OWNER);
    expect(drafts.length).toBeGreaterThan(0);
    expect(new Set(drafts.map(({ draftId }) => draftId)).size).toBe(1);
    for (const { text } of drafts) expect(LONG.startsWith(text)).toBe(true);
    expect(drafts.map(({ text }) => text.length)).toStrictEqual(
      drafts.map(({ text }) => text.length).sort((a, b) => a - b),
    );
    expect(world.telegram.sent(OWNER).map(({ text }) => text)).toStrictEqual([LONG]);
    const before = world.telegram.sent().findIndex(({ chat }) => chat.id === OWNER);
    for (const { sentBefore } of drafts) expect(sentBefore).toBeLessThanOrEqual(before);
    expect(view.effects.map(({ state, actuator }) => [state, actuator])).toStrictEqual([['done', 'telegram']]);
  });

  it('nothing more is shown once it is stopped', async () => {
    let isStopped = false;
    readChars = () => (isStopped ? LONG.length : Math.min(AHEAD_CHARS, draftChars(STOPPED)));
    const update = world.telegram.sendText(STOPPED, STOPPED, 'tell me of my bike');
    await until('a draft', () => draftsTo(STOPPED).length > 0);
    const stop = world.telegram.sendText(STOPPED, STOPPED, '/stop');
    await world.settled(signalIdOf(stop));
    const shown = draftsTo(STOPPED).length;
    // It writes on after the resume, and its reply is refused.
    await world.settled(signalIdOf(world.telegram.sendText(STOPPED, STOPPED, '/resume')));
    isStopped = true;
    await world.settled(signalIdOf(update));
    const why = `A stop came while I worked on this, so I did not answer. Ask again if you still want it. Details: /why ${signalIdOf(update)}`;
    await until('it is told', () => world.telegram.sent(STOPPED).some(({ text }) => text === why));
    expect([
      draftsTo(STOPPED).length,
      world.telegram
        .sent(STOPPED)
        .map(({ text }) => text)
        .includes(LONG),
    ]).toStrictEqual([shown, false]);
  });

  it('what becomes of a draft is nothing to the turn', async () => {
    world.telegram.failNext('sendMessageDraft', { code: 400 });
    world.telegram.failNext('sendMessageDraft', 'lost-answer');
    const update = world.telegram.sendText(BROKEN, BROKEN, 'tell me of my bike');
    const view = await world.settled(signalIdOf(update));
    expect([view.state, world.telegram.sent(BROKEN).map(({ text }) => text)]).toStrictEqual(['acted', [LONG]]);
    expect((await world.scan()).filter(({ pk }) => String(pk).startsWith('dead-letter#'))).toStrictEqual([]);
  });

  it('an answer to what somebody else wrote is not streamed', async () => {
    const before = draftsTo(OWNER).length;
    const forward_origin = { type: 'user', sender_user: { id: 9, is_bot: false, first_name: 'Eve' }, date: 1 } as const;
    const update = world.telegram.sendText(OWNER, OWNER, 'tell me of my bike', { forward_origin });
    await world.settled(signalIdOf(update));
    expect([draftsTo(OWNER).length, await chunksOf(signalIdOf(update))]).toStrictEqual([before, []]);
  });

  it('a group is shown no drafts', async () => {
    const update = world.telegram.sendText(GROUP, OWNER, 'tell me of my bike');
    await world.settled(signalIdOf(update));
    expect([draftsTo(GROUP), await chunksOf(signalIdOf(update))]).toStrictEqual([[], []]);
  });
});
