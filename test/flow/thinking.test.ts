/**
 * The large tier over the Responses API, on the real stack: it thinks and takes tools, its answers
 * are shown while they are written and held back as any other's, what it used is booked, and an
 * answer that reaches its limit says so.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { followStream, type StreamEvent } from '../support/follow-stream.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  startModelServer,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

const SENTENCE = 'The bike is blue and stands in the shed behind the house, as it has since spring. ';
const LONG = SENTENCE.repeat(8).trim();
const SECRET = `sk-${'proj-'}a7Q9xa7Q9xa7Q9xa7Q9xa7Q9x`;
const why = 'because the owner asked for exactly this';
const AHEAD_CHARS = 200;
let readChars = (): number => Number.POSITIVE_INFINITY;

const slowly = (text: string): ScriptedAnswer => ({
  kind: 'answer',
  text,
  pieceChars: 16,
  pieceMs: 40,
  isRead: (chars) => chars - AHEAD_CHARS <= readChars(),
});

const script = (request: ModelServerRequest): ScriptedAnswer => {
  const said = userTextOf(request);
  const isRejected = JSON.stringify(request.messages).includes('was rejected (attempt');
  if (said.includes('leak')) return slowly(`${SENTENCE}${SENTENCE}The key is ${SECRET} and that is it. ${SENTENCE}`);
  if (said.includes('write')) return slowly(LONG);
  if (said.includes('endless story')) return { kind: 'answer', text: 'Once upon a time', isCut: true };
  if (said.includes('endless call') && !isRejected)
    return { kind: 'answer', calls: [{ tool: 'remember', args: '{"text": "tea, ' }], isCut: true };
  if (said.includes('keep') && toolResultsOf(request).length === 0)
    return call('remember', { text: 'tea at five', explanation: why });
  return say('It was too long.');
};

let world: TestStack;
let fresh: () => readonly ModelServerRequest[];
beforeAll(async () => {
  const model = await startModelServer(script);
  const one = {
    baseUrl: model.baseUrl,
    model: 'small',
    reasoningModel: 'large',
    thinking: 'responses',
    contextTokens: 128_000,
    prices: { prompt: 1, completion: 2 },
    reasoningPrices: { prompt: 10, completion: 20 },
  };
  world = await startTestStack({
    model,
    isPolling: false,
    environment: { PROVIDERS: JSON.stringify({ one }), PROVIDER_CASCADE: 'one', OPENAI_BASE_URL: undefined },
  });
  let seen = 0;
  fresh = () => {
    const requests = world.model.requests.slice(seen);
    seen = world.model.requests.length;
    return requests;
  };
});
afterAll(async () => {
  await world?.stop();
  await world?.model.close();
});
afterEach(() => {
  readChars = () => Number.POSITIVE_INFINITY;
});

let sessions = 0;
const post = async (text: string): Promise<string> => {
  sessions += 1;
  fresh();
  return (await world.api<{ id: string }>('POST', '/api/messages', { text, session: `s${sessions}` })).body.id;
};
const follow = async (id: string) => {
  const events: StreamEvent[] = [];
  const shown = (): string => events.map(({ text }) => text ?? '').join('');
  readChars = () => shown().length;
  await followStream(world, id, events);
  return { shown: shown(), end: events.at(-1) };
};

describe('the large tier', () => {
  it('thinks over the Responses API, with tools, and the small one does neither', async () => {
    const id = await post('Compare the days and keep the time of tea.');
    expect((await world.settled(id)).turn).toBe('ended');
    const asked = fresh();
    expect(asked.map(({ path, model, body }) => [path, model, body.reasoning, body.max_output_tokens])).toStrictEqual([
      ['/v1/responses', 'large', { effort: 'medium' }, 16_384],
      ['/v1/responses', 'large', { effort: 'medium' }, 16_384],
    ]);
    expect(asked[1]?.messages.map(({ role }) => role).slice(-3)).toStrictEqual(['assistant', 'tool', 'user']);
    await world.settled(await post('Hello.'));
    const [small] = fresh();
    expect([small?.path, small?.model, small?.body.max_tokens]).toStrictEqual(['/v1/chat/completions', 'small', 4_096]);
  });

  it('answers a long message that is easy without thinking', async () => {
    await world.settled(await post(`This came by mail. ${SENTENCE.repeat(30)}`));
    const [asked] = fresh();
    expect([asked?.path, asked?.model, asked?.body.max_tokens]).toStrictEqual([
      '/v1/chat/completions',
      'large',
      16_384,
    ]);
    expect(asked?.body.reasoning).toBe(undefined);
  });

  it('is booked at what it used, its thinking among it', async () => {
    const id = await post('Compare tea and coffee.');
    await world.settled(id);
    const item = (await world.scan()).find(({ pk, sk }) => pk === `signal#default#${id}` && sk === 'decision');
    // 10 tokens of prompt and 5 of answer at $10 and $20 a million.
    expect(JSON.parse(String(item?.attempt))).toMatchObject({
      tier: 'reasoning',
      inputTokens: 10,
      outputTokens: 5,
      cost: { usd: 200, tokens: 15, isEstimated: false },
    });
  });

  it('is shown while it writes, as far as it may be', async () => {
    const id = await post('Compare your notes and write of my bike.');
    const { shown, end } = await follow(id);
    expect([LONG.startsWith(shown), shown.length > LONG.length / 2]).toStrictEqual([true, true]);
    expect(end).toMatchObject({ type: 'end', state: 'acted', replies: [LONG] });
  });

  it('shows nothing of a secret', async () => {
    const id = await post('Compare the keys and leak one.');
    const { shown, end } = await follow(id);
    expect(`${SENTENCE}${SENTENCE}The key is `.startsWith(shown)).toBe(true);
    expect(shown.length).toBeGreaterThan(80);
    expect(end?.replies?.join()).toMatch(/refused|could not/i);
  });
});

describe('an answer that reaches its limit', () => {
  it.each(['Tell me an endless story.', 'Compare them in an endless story.'])('says so: %s', async (text) => {
    const { replies } = await world.settled(await post(text));
    expect(replies).toStrictEqual([
      'Once upon a time\n\n(This answer ends here because it reached the length limit. Ask me to go on.)',
    ]);
  });

  it.each([
    ['Make an endless call.', 'It was too long.\n\n(Nothing was sent, booked or saved in this turn.)'],
    ['Compare them in an endless call.', 'It was too long.'],
  ])('calls nothing: %s', async (text, reply) => {
    const { replies, effects } = await world.settled(await post(text));
    expect([replies, effects.length]).toStrictEqual([[reply], 1]);
    expect(JSON.stringify(fresh().at(-1)?.messages)).toContain(
      'it reached the length limit, so its calls may be incomplete: do or say less at once',
    );
  });
});
