/** How a turn is followed, over a console whose answers are given, and what is said of its end. */
import { describe, expect, it } from 'vitest';
import type { ConsoleAnswer, ConsoleRequest } from '../../../lib/features/door/tools.ts';
import { FOLLOW_MS_MAX, follow, type Shown, sayShown } from '../../../lib/features/responses/follow.ts';
import { streamChat, streamResponse, type Writing, writeResponse } from '../../../lib/features/responses/write.ts';

const shown = (further: Partial<Shown>): Shown => ({
  ...{ id: 'con-1', turn: 'ended', isTurnClosed: true, outcome: 'done', receivedAt: 0, words: 'done', calls: [] },
  ...{ usage: { input: 1, output: 2 }, conversation: 'v1-x', language: 'en' },
  ...further,
});
const text = (words: string, id: string): string =>
  `id: ${id}\nevent: text\ndata: ${JSON.stringify({ type: 'text', text: words })}\n\n`;
const event = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const events = (...all: readonly string[]): ConsoleAnswer => ({
  status: 200,
  value: undefined,
  text: `retry: 1\n\n${all.join('')}`,
});

/** @param streams and looks answer in their order; the last one stays */
const over = (streams: readonly ConsoleAnswer[], looks: readonly Shown[]) => {
  const asked: ConsoleRequest[] = [];
  const texts: string[] = [];
  let clock = 0;
  const count = (part: string) => asked.filter(({ path }) => path.includes(part)).length;
  const deps = {
    ask: async (request: ConsoleRequest): Promise<ConsoleAnswer> => {
      asked.push(request);
      clock += 4_000;
      if (request.path.endsWith('/stream')) return streams[Math.min(count('/stream'), streams.length) - 1] ?? events();
      return { status: 200, value: looks[Math.min(count('/responses/'), looks.length) - 1] };
    },
    now: () => clock,
    sleep: async (ms: number) => {
      clock += ms;
    },
  };
  return {
    deps,
    asked,
    texts,
    count,
    elapsed: () => clock,
    run: () => follow(deps, 'con-1', (one) => texts.push(one)),
  };
};

describe('follow', () => {
  it('gathers pieces over several looks, and answers after tools', async () => {
    const { run, texts, asked } = over(
      [
        events(text('One ', '1.0')),
        events(event('next', { replies: ['One more.'] }), text('Two', '2.1.0')),
        events(event('end')),
      ],
      [shown({ words: 'One more.\n\nTwo' })],
    );
    expect((await run()).words).toBe('One more.\n\nTwo');
    expect(texts).toStrictEqual(['One ', 'One more.\n\nTwo', 'One more.\n\nTwo']);
    expect(asked.map(({ lastEventId }) => lastEventId)).toStrictEqual([undefined, '1.0', '2.1.0', undefined]);
  });

  it('looks once more after a turn that a result may still go on with', async () => {
    const { run } = over([events(event('end'))], [shown({ isTurnClosed: false }), shown({ words: 'second' })]);
    expect((await run()).words).toBe('second');
  });

  it('leaves the streams to others for a while where its own gave way', async () => {
    const { run, count } = over([events(event('gave-way'))], [...Array(3).fill(shown({ turn: 'running' })), shown({})]);
    expect((await run()).words).toBe('done');
    expect(count('/stream')).toBeLessThan(3);
  });

  it('ends after its bound, and says what is still at work', async () => {
    const { run, elapsed } = over([events()], [shown({ turn: 'running', words: '' })]);
    const left = await run();
    expect(left.turn).toBe('running');
    expect(elapsed()).toBeGreaterThanOrEqual(FOLLOW_MS_MAX);
    expect(await sayShown(left, 'http://x/')).toMatch(/^I am still at work \(con-1\)/);
  });

  it('fails with the status of the console', async () => {
    const { deps } = over([], []);
    const ask = async () => ({ status: 404, value: undefined });
    await expect(follow({ ...deps, ask }, 'con-1', () => undefined)).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('sayShown', () => {
  it.each([
    [
      shown({ turn: 'waiting', words: 'I ask.' }),
      'I ask.\n\nDas wartet auf ein Ja, das nur auf der Seite, in einem Chat des Besitzers oder im Terminal zählt: http://x/ (con-1).',
    ],
    [
      shown({ turn: 'running', words: '' }),
      'Ich arbeite noch daran (con-1). Auf eine spätere Frage sage ich, was daraus wurde.',
    ],
    [shown({ outcome: 'refused', words: '' }), 'Es wurde abgelehnt.'],
    [shown({ words: '', calls: [{ name: 'f', arguments: '{}' }] }), ''],
  ])('says it in the language of the owner: %j', async (one, expected) => {
    expect(await sayShown({ ...one, language: 'de' }, 'http://x/')).toBe(expected);
  });
});

describe('writers', () => {
  const writing: Writing = { key: 'k', at: 0, now: () => 0, request: { echo: {}, hasUsage: false } };
  const ending = { text: 'other words', calls: [], usage: { input: 1, output: 2 }, isRunning: false };

  it.each([
    ['responses', streamResponse, /"output_text","text":"shown\\n\\nother words"/],
    ['chat', streamChat, /"content":"\\n\\nother words"/],
  ] as const)('of %s leave words that were taken back, and add the answer', (_, build, expected) => {
    const writer = build(writing);
    expect(writer.show('shown') + writer.show('taken back')).toContain('shown');
    expect(writer.end(ending)).toMatch(expected);
  });

  it('say that a turn is not over: a stream is incomplete, a whole response in progress', () => {
    const left = { ...ending, isRunning: true };
    expect(streamResponse(writing).end(left)).toContain('"type":"response.incomplete"');
    expect(JSON.parse(writeResponse(writing).end(left))).toMatchObject({ status: 'in_progress', completed_at: null });
  });
});
