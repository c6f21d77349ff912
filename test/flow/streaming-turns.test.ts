/**
 * Answers that come after tool calls, shown while they are written, on the real stack: one sequence
 * of events at the console over the whole turn, one draft after the other in a private chat. What a
 * tool gave from outside is never streamed, nor a secret; a stop between two answers, or in the
 * second, ends it.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runChat } from '../../infra/cli/chat/run-chat.ts';
import { type Followed, followStream, type StreamEvent, shownAnswers } from '../support/follow-stream.ts';
import { type ModelServerRequest, type ScriptedAnswer, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, STOPPED, BETWEEN, FORWARDER] = [2101, 2102, 2103, 2104];
const BEGINNING =
  'Let me look at what is in your notes about it, since I do not know this by heart, as you may guess. ';
const FIRST = BEGINNING.repeat(3).trim();
const SENTENCE = 'The bike is blue and stands in the shed behind the house, as it has since spring. ';
const LONG = SENTENCE.repeat(6).trim();
const SECRET = `sk-${'proj-'}a7Q9xa7Q9xa7Q9xa7Q9xa7Q9x`;

/**
 * The model is never further ahead of who reads than this: on a slow machine, too, there is a
 * reader while it writes.
 */
const AHEAD_CHARS = 180;
/** Number of characters of an answer that readers have seen. */
let readChars = (_text: string): number => Number.POSITIVE_INFINITY;
const slowly = (text: string, changes: Partial<ScriptedAnswer & { kind: 'answer' }> = {}): ScriptedAnswer => ({
  kind: 'answer',
  text,
  pieceChars: 16,
  pieceMs: 40,
  isRead: (chars) => chars - AHEAD_CHARS <= readChars(text),
  ...changes,
});
const looking = (text?: string): ScriptedAnswer => {
  const calls = [{ tool: 'list-memory', args: { explanation: 'to see what is known of the bike' } }];
  return text === undefined ? { kind: 'answer', calls } : slowly(text, { calls });
};

const answerTo = (request: ModelServerRequest): ScriptedAnswer => {
  const said = userTextOf(request);
  const results = toolResultsOf(request).length;
  if (said.includes('keep this')) {
    const args = { text: 'A bike is green.', explanation: 'the owner asked to keep it' };
    return results > 0 ? slowly(LONG) : { kind: 'answer', calls: [{ tool: 'remember', args }] };
  }
  if (said.includes('twice') && results < 2) return looking(results === 0 ? undefined : FIRST);
  if (results === 0) return looking(said.includes('silently') ? undefined : FIRST);
  if (said.includes('leak')) return slowly(`${SENTENCE}${SENTENCE}The key is ${SECRET} and that is it. ${SENTENCE}`);
  return slowly(LONG);
};

const world = await startTestStack({ allowedChats: [OWNER, STOPPED, BETWEEN, FORWARDER], script: answerTo });
afterAll(world.stop);
afterEach(() => {
  readChars = () => Number.POSITIVE_INFINITY;
});

const longest = (text: string, shown: readonly string[]): number =>
  Math.max(0, ...shown.filter((one) => text.startsWith(one)).map(({ length }) => length));
/** The model writes no faster than all of them read. */
const readAs = (...readers: readonly (readonly StreamEvent[])[]): void => {
  readChars = (text) => Math.min(...readers.map((events) => longest(text, shownAnswers(events))));
};
const followOne = (id: string): Promise<Followed> => {
  const events: StreamEvent[] = [];
  readAs(events);
  return followStream(world, id, events);
};

const post = async (text: string, session = 'main'): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text, session })).body.id;
const draftsTo = (chat: number) => world.telegram.drafts().filter(({ chatId }) => chatId === chat);
const sentTo = (chat: number) => world.telegram.sent(chat).map(({ text }) => text);
const chunksOf = async (id: string) =>
  (await world.scan()).filter(({ pk, sk }) => pk === `signal#default#${id}` && String(sk).startsWith('stream#'));
const pathsOf = ({ ids }: Followed): readonly string[] => [...new Set(ids.map((id) => id.replace(/\d+$/, '')))];

describe('at the console', () => {
  it('each answer of a turn comes in pieces, one after the other, until the last reply is there', async () => {
    const id = await post('look at the note');
    const followed = await followOne(id);
    const [first = '', second = '', ...others] = shownAnswers(followed.events);
    expect([FIRST.startsWith(first), LONG.startsWith(second), others]).toStrictEqual([true, true, []]);
    expect([first.length >= 80, second.length >= 80]).toStrictEqual([true, true]);
    expect(followed.events.filter(({ type }) => type !== 'text')).toStrictEqual([
      { type: 'next', replies: [FIRST] },
      { type: 'end', state: 'acted', turn: 'ended', replies: [FIRST, LONG] },
    ]);
    expect(pathsOf(followed)).toStrictEqual(['1.', '1.1.']);
    const chunks = await chunksOf(`${id}/1`);
    expect(
      chunks
        .map(({ text }) => text)
        .join('')
        .startsWith(second),
    ).toBe(true);
    expect(chunks.every(({ expiresAt }) => Number(expiresAt) < Date.now() / 1000 + 3700)).toBe(true);
  });

  it('an answer streams after a call without a word, also where it is read alone', async () => {
    const id = await post('silently look', 'silent');
    const [wholeTold, ownTold]: [StreamEvent[], StreamEvent[]] = [[], []];
    readAs(wholeTold, ownTold);
    const own = until('the child', async () => (await world.signal(id)).children[0]).then((child) =>
      followStream(world, child, ownTold),
    );
    const followed = await followStream(world, id, wholeTold);
    expect(followed.events.filter(({ type }) => type !== 'text')).toMatchObject([
      { type: 'next', replies: [] },
      { type: 'end', replies: [LONG] },
    ]);
    const alone = await own;
    // Each sees as much as it came to read before the decision.
    for (const shown of [shownAnswers(alone.events).join(''), shownAnswers(followed.events).join('')])
      expect([LONG.startsWith(shown), shown.length > 80]).toStrictEqual([true, true]);
    expect(alone.events.filter(({ type }) => type !== 'text')).toMatchObject([{ type: 'end', replies: [LONG] }]);
    expect([pathsOf(followed), pathsOf(alone)]).toStrictEqual([['1.1.'], ['1.']]);
  });

  it('goes down as deep as tools are called', async () => {
    const followed = await followOne(await post('look twice', 'twice'));
    expect(pathsOf(followed)).toStrictEqual(['1.1.', '1/1.1.']);
    expect(shownAnswers(followed.events)).toHaveLength(3);
    expect(followed.events.at(-1)?.replies).toStrictEqual([FIRST, LONG]);
  });

  it('nothing of a secret in the second answer is shown, and the refusal takes the place of what was', async () => {
    const id = await post('silently leak the key', 'leak');
    const { events } = await followOne(id);
    const shown = shownAnswers(events).join('');
    expect(`${SENTENCE}${SENTENCE}The key is `.startsWith(shown)).toBe(true);
    expect(shown.length).toBeGreaterThan(80);
    expect(JSON.stringify(await chunksOf(`${id}/1`))).not.toContain(SECRET.slice(0, 4));
    expect(events.at(-1)?.replies?.join()).toMatch(/refused|could not/i);
  });
});

describe('in a private chat', () => {
  it('the next answer takes the draft of the one before, until its message comes', async () => {
    readChars = (text) =>
      longest(
        text,
        draftsTo(OWNER).map((draft) => draft.text),
      );
    const update = world.telegram.sendText(OWNER, OWNER, 'look at the note');
    await world.settled(signalIdOf(update));
    const drafts = draftsTo(OWNER);
    const sentBefore = world.telegram.sent().findIndex(({ chat, text }) => chat.id === OWNER && text === FIRST);
    const [first, second] = [FIRST, LONG].map((whole) => drafts.filter(({ text }) => whole.startsWith(text)));
    expect([first?.length !== 0, second?.length !== 0, drafts.length]).toStrictEqual([
      true,
      true,
      (first?.length ?? 0) + (second?.length ?? 0),
    ]);
    expect(new Set(drafts.map(({ draftId }) => draftId)).size).toBe(1);
    for (const draft of first ?? []) expect(draft.sentBefore).toBeLessThanOrEqual(sentBefore);
    for (const draft of second ?? []) expect(draft.sentBefore).toBeGreaterThan(sentBefore);
    expect(sentTo(OWNER)).toStrictEqual([FIRST, LONG]);
  });

  it('nothing is shown of an answer after a stop between the two', async () => {
    let isStopped = false;
    readChars = () => (isStopped ? LONG.length : 0);
    const update = world.telegram.sendText(BETWEEN, BETWEEN, 'look at the note');
    await until('a draft', () => draftsTo(BETWEEN).length > 0);
    await world.settled(signalIdOf(world.telegram.sendText(BETWEEN, BETWEEN, '/stop')));
    const shown = draftsTo(BETWEEN).length;
    isStopped = true;
    await world.settled(signalIdOf(update));
    expect([draftsTo(BETWEEN).length, await chunksOf(`${signalIdOf(update)}/1`)]).toStrictEqual([shown, []]);
    expect(sentTo(BETWEEN)).not.toContain(LONG);
    await world.settled(signalIdOf(world.telegram.sendText(BETWEEN, BETWEEN, '/resume')));
  });

  it('nothing more is shown of the second answer once it is stopped', async () => {
    let isStopped = false;
    readChars = () => (isStopped ? LONG.length : 0);
    const update = world.telegram.sendText(STOPPED, STOPPED, 'silently look');
    await until('a draft', () => draftsTo(STOPPED).length > 0);
    await world.settled(signalIdOf(world.telegram.sendText(STOPPED, STOPPED, '/stop')));
    const shown = draftsTo(STOPPED).length;
    isStopped = true;
    await world.settled(signalIdOf(update));
    expect([draftsTo(STOPPED).length, sentTo(STOPPED).includes(LONG)]).toStrictEqual([shown, false]);
    await world.settled(signalIdOf(world.telegram.sendText(STOPPED, STOPPED, '/resume')));
  });
});

describe('in a terminal', () => {
  /** Gives the written lines, in order, without cursor movements. */
  const talk = async (line: string, isOver: (written: readonly string[]) => boolean): Promise<readonly string[]> => {
    const written: string[] = [];
    const input = new PassThrough();
    const output = Object.assign(new PassThrough(), { isTTY: true });
    output.on('data', (chunk: Buffer) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
      written.push(chunk.toString().replace(/\u001b\[[0-9;]*[A-Z]/g, ''));
    });
    const leaving = once(input, 'end');
    readChars = (text) => written.filter((one) => one.length > 20 && text.includes(one)).join('').length;
    const access = { url: world.stack.url, approverToken: APPROVER_TOKEN };
    const chat = runChat({ access, input, output, session: 'terminal' });
    input.write(`${line}\n`);
    await until('the turn is over', () => isOver(written));
    input.end('/exit\n');
    await Promise.all([chat, leaving]);
    return written;
  };

  it('each answer is written as it comes, and its reply finishes it', async () => {
    const written = await talk('look at the note', (all) => all.join('').includes(LONG));
    const text = written.join('');
    expect([text.split(FIRST).length, text.split(LONG).length, text.includes('taken back')]).toStrictEqual([
      2,
      2,
      false,
    ]);
    expect(text.indexOf(`${FIRST}\n`)).toBeLessThan(text.indexOf(LONG));
    expect(text.indexOf(FIRST)).toBeGreaterThan(-1);
    for (const whole of [FIRST, LONG])
      expect(
        written.filter((one) => one.length > 20 && one.length < whole.length && whole.includes(one)).length,
      ).toBeGreaterThan(1);
  });
});

describe('after an approval', () => {
  const setPolicy = (text: string) => world.api('POST', '/api/policy', { text }, APPROVER_TOKEN);

  it('the answer to what was approved streams, also where nothing else is going on', async () => {
    await setPolicy('@ask("") permit(principal, action == Action::"list-memory", resource);');
    const id = await post('look at the note', 'approved');
    const waiting = await followStream(world, id);
    expect([FIRST.startsWith(shownAnswers(waiting.events).join('')), waiting.events.at(-1)]).toMatchObject([
      true,
      { type: 'end', state: 'suspended', turn: 'waiting' },
    ]);
    const { body } = await world.api<{ approvals: { id: string; signalId: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    const approval = body.approvals.find(({ signalId }) => signalId === id);
    const events: StreamEvent[] = [];
    readAs(events);
    await world.api('POST', `/api/approvals/${approval?.id}`, { decision: 'approve' }, APPROVER_TOKEN);
    await until('it goes on', async () => (await world.signal(id)).turn === 'running');
    const followed = await followStream(world, id, events);
    await setPolicy('');
    expect(pathsOf(followed)).toStrictEqual(['r1.1.']);
    const shown = shownAnswers(followed.events).join('');
    expect([shown.length > 80, LONG.startsWith(shown)]).toStrictEqual([true, true]);
    expect(followed.events.at(-1)).toMatchObject({ type: 'end', turn: 'ended' });
    expect(followed.events.at(-1)?.replies?.at(-1)).toBe(LONG);
  });
});

/** Last: what is kept here from outside is in memory from then on. */
describe('with something from outside', () => {
  it('no answer is streamed that was made from a forward, nor from what a tool gave of it', async () => {
    const forward_origin = { type: 'user', sender_user: { id: 9, is_bot: false, first_name: 'Eve' }, date: 1 } as const;
    const kept = world.telegram.sendText(FORWARDER, FORWARDER, 'keep this', { forward_origin });
    await world.settled(signalIdOf(kept));
    const id = await post('silently look', 'outside');
    const { events } = await followStream(world, id);
    expect(events).toMatchObject([{ type: 'end', turn: 'ended', replies: [LONG] }]);
    const stored = await Promise.all([`${signalIdOf(kept)}/1`, `${id}/1`].map(chunksOf));
    const noted = `${LONG}\n\n(A note was kept of outside text, apart from yours: /forget <id>)`;
    const sent = sentTo(FORWARDER).map((text) => text?.replace(/[0-9a-f]{8}/, '<id>'));
    expect([stored, draftsTo(FORWARDER), sent]).toStrictEqual([[[], []], [], [noted]]);
    const { body } = await world.api<{ decision: { actions: { facts: { origin: string }[] }[] } }>(
      'GET',
      `/api/signals/${id}/1/evidence`,
    );
    expect(body.decision.actions[0]?.facts[0]?.origin).toBe('outside');
  });
});
