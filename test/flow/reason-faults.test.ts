/**
 * Tiers, wishes and faults of providers over the whole real stack: which model is asked, who is
 * left last, what a person hears, and what is charged. Two endpoints on one model server, each with
 * a small and a large model.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { spendKey } from '../../lib/core/money/day-spend.ts';
import { replayEvidence } from '../../lib/core/verbs/signals/replay-evidence.ts';
import type { Evidence } from '../../lib/core/verbs/signals/signal-evidence.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { passDayEnd } from '../support/day-end.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  startModelServer,
  toolResultsOf,
} from '../support/model-server.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, startTestStack, type TestStack } from '../support/stack.ts';

const why = 'because the owner asked for exactly this';
/** Answers by the model's name; `ok` unless set. */
const scripts = new Map<string, (request: ModelServerRequest) => ScriptedAnswer>();
const script = (request: ModelServerRequest): ScriptedAnswer =>
  scripts.get(request.model)?.(request) ?? say(`${request.model} says ok`);

let world: TestStack;
let asked: () => readonly string[];
beforeAll(async () => {
  await passDayEnd();
  const model = await startModelServer(script);
  const PROVIDERS = JSON.stringify({
    one: {
      baseUrl: model.baseUrl,
      model: 'one-small',
      reasoningModel: 'one-large',
      prices: { prompt: 1, cached: 0.5, completion: 2 },
      reasoningPrices: { prompt: 10, completion: 20 },
    },
    two: {
      baseUrl: model.baseUrl,
      model: 'two-small',
      reasoningModel: 'two-large',
      prices: { prompt: 1, completion: 2 },
      reasoningPrices: { prompt: 10, completion: 20 },
    },
  });
  world = await startTestStack({
    model,
    isPolling: false,
    environment: {
      PROVIDERS,
      PROVIDER_KEYS: '{"one": "key-of-one-123", "two": "key-of-two-123"}',
      PROVIDER_CASCADE: 'one,two',
      MODEL_RULES: JSON.stringify([
        { words: ['secret garden'], skip: ['one'] },
        { words: ['garden', 'orchard'], use: 'two/two-large' },
        { tier: 'reasoning', words: ['weather'], use: 'two' },
      ]),
      OPENAI_BASE_URL: undefined,
    },
  });
  let seen = 0;
  asked = () => {
    const fresh = world.model.requests.slice(seen).map((request) => request.model);
    seen = world.model.requests.length;
    return fresh;
  };
});
afterAll(async () => {
  await world?.stop();
  await world?.model.close();
});

const SPACE = 'default';
const spend = () => spendKey(SPACE, Date.now());
const marks = async () => {
  const [item] = await world.table.load([spend()], { isConsistent: true });
  return Object.entries(item ?? {}).filter(([name]) => name.startsWith('h_'));
};
beforeEach(async () => {
  scripts.clear();
  const names = (await marks()).map(([name]) => name);
  if (names.length > 0) await world.table.update(spend(), { remove: names });
  asked();
});

let conversations = 0;
const newSession = (): string => {
  conversations += 1;
  return `c${conversations}`;
};
const talk = async (text: string, session = newSession(), token?: string): Promise<SignalView> => {
  const { status, body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session }, token);
  expect(status).toBe(202);
  return world.settled(body.id);
};
const attemptsOf = (view: SignalView) =>
  view.decision?.attempts.map(({ provider, model, tier, tierBecause }) => [provider, model, tier, tierBecause]);

describe('the tier of a question', () => {
  it('is the small model for an ordinary one, and the large one for what has to be thought through', async () => {
    expect(attemptsOf(await talk('hello'))).toStrictEqual([['one', 'one-small', 'cognition', 'nothing asks for more']]);
    expect(attemptsOf(await talk('Compare tea and coffee, please.'))).toStrictEqual([
      ['one', 'one-large', 'reasoning', 'the question asks to think it through'],
    ]);
    expect(asked()).toStrictEqual(['one-small', 'one-large']);
  });

  it('escalates after a rejected proposal, and stays there for the rest of the task', async () => {
    scripts.set('one-small', () => call('launch-missiles', { explanation: why }));
    scripts.set('one-large', (request) =>
      toolResultsOf(request).length === 0 ? call('remember', { text: 'tea', explanation: why }) : say('Kept.'),
    );
    const view = await talk('keep that I like tea');
    expect(attemptsOf(view)).toStrictEqual([
      ['one', 'one-small', 'cognition', 'nothing asks for more'],
      ['one', 'one-large', 'reasoning', 'the rules rejected the answer before'],
    ]);
    expect(asked()).toStrictEqual(['one-small', 'one-large', 'one-large']);
  });

  it("is an approver's by /model, shown in /why, and nobody else's", async () => {
    const session = 'wish';
    const byScript = await world.api('POST', '/api/messages', { text: '/model reasoning', session }, SCRIPT_TOKEN);
    expect(byScript.status).toBe(403);
    expect((await talk('/model two/two-large', session, APPROVER_TOKEN)).replies[0]).toMatch(/^From now on/);
    expect(attemptsOf(await talk('hello', session))).toStrictEqual([
      ['two', 'two-large', 'reasoning', 'an approver set it with /model'],
    ]);
    const [reply = ''] = (await talk('/why', session)).replies;
    expect(reply).toContain('Model: two/two-large (reasoning: an approver set it with /model)');
    await talk('/model auto', session, APPROVER_TOKEN);
    expect(attemptsOf(await talk('hello', session))?.[0]?.[1]).toBe('one-small');
  });

  it("is what the owner's rules say: named, by tier, or left out in every step of the task", async () => {
    expect(attemptsOf(await talk('the orchard'))).toStrictEqual([
      ['two', 'two-large', 'cognition', 'nothing asks for more; rule 2 asks two/two-large'],
    ]);
    expect(attemptsOf(await talk('the weather'))?.[0]?.[1]).toBe('one-small');
    expect(attemptsOf(await talk('compare the weather'))?.[0]?.slice(0, 2)).toStrictEqual(['two', 'two-large']);
    asked();
    scripts.set('two-large', (request) =>
      toolResultsOf(request).length === 0 ? call('recall', { query: 'roses', explanation: why }) : say('Nothing.'),
    );
    scripts.set('two-small', () => ({ kind: 'status', status: 500 }));
    const view = await talk('what is in the Secret Garden?');
    expect(view.replies).toStrictEqual(['Nothing.']);
    expect(asked()).toStrictEqual(['two-large', 'two-large']);
    expect(attemptsOf(view)?.[0]?.[3]).toBe('nothing asks for more; rule 1 leaves out one; rule 2 asks two/two-large');
  });

  it('is nobody where rules leave out all who could answer', async () => {
    scripts.set('two-large', () => ({ kind: 'status', status: 404 }));
    const view = await talk('the secret garden');
    expect(view.replies[0]).toMatch(/^No language model could answer just now/);
    expect(asked().filter((model) => model.startsWith('one'))).toStrictEqual([]);
  });

  it("gives way to an approver's /model", async () => {
    const session = 'wish-and-rule';
    await talk('/model one/one-large', session, APPROVER_TOKEN);
    scripts.set('one-large', () => ({ kind: 'status', status: 500 }));
    expect((await talk('the orchard', session)).decision?.attempts[0]?.model).toBe('two-large');
    expect(asked()).toStrictEqual(['one-large', 'two-large']);
  });

  it('shows in /cost what the small model saved', async () => {
    const session = 'costs';
    await talk('hello', session);
    await talk('hello again', session);
    // 10 and 5 tokens as the server counts: $0.00002 on the small model, $0.0002 on the large one.
    expect((await talk('/cost session', session)).replies[0]?.split('\n').slice(1)).toStrictEqual([
      'one/one-small: 2 calls, 30 tokens (0 % of the prompts from its cache), $0.00004',
      "Saved: $0.00036 (90 %) by asking small models, $0.00 (0 %) by the providers' caches.",
    ]);
    const { body } = await world.api<{ savedByTier: number; lines: string[] }>('GET', '/api/cost?period=week');
    expect(body.savedByTier).toBeGreaterThan(0);
    expect(body.lines).toHaveLength(9);
    expect((await world.api('GET', '/api/cost?period=year')).status).toBe(400);
  });
});

describe('a provider that fails', () => {
  it('is asked last by everybody for ten minutes, then tried once, and well again when it answers', async () => {
    scripts.set('one-small', () => ({ kind: 'status', status: 500 }));
    const view = await talk('first');
    expect(view.replies).toStrictEqual(['two-small says ok']);
    expect(view.decision?.attempts[0]?.failures).toStrictEqual(['one (one-small): failed on its side (500)']);
    const [mark] = await marks();
    expect(Number(mark?.[1]) - Date.now()).toBeGreaterThan(9 * 60_000);
    asked();
    await talk('second');
    expect(asked()).toStrictEqual(['two-small']);

    // Its time is over: one call tries it, and it fails again.
    await world.table.update(spend(), { set: { [mark?.[0] ?? '']: Date.now() - 1 } });
    await talk('third');
    expect(asked()).toStrictEqual(['one-small', 'two-small']);
    expect(Number((await marks())[0]?.[1]) - Date.now()).toBeGreaterThan(9 * 60_000);

    scripts.clear();
    await world.table.update(spend(), { set: { [mark?.[0] ?? '']: Date.now() - 1 } });
    await talk('fourth');
    expect(asked()).toStrictEqual(['one-small']);
    expect(await marks()).toStrictEqual([]);
  });

  it('writes nothing about health while all is well', async () => {
    await talk('hello');
    expect(await marks()).toStrictEqual([]);
  });

  it('is waited for where it says for how short a time', async () => {
    let count = 0;
    scripts.set('one-small', () => {
      count += 1;
      return count === 1 ? { kind: 'status', status: 429, retryAfterS: 1 } : say('one again');
    });
    expect((await talk('hello')).replies).toStrictEqual(['one again']);
    expect(asked()).toStrictEqual(['one-small', 'one-small']);
  });

  it('gets a shorter prompt where it says that this one is too long, once', async () => {
    const session = 'long';
    for (const text of ['one', 'two', 'three']) await talk(`${text} ${'words of the history '.repeat(60)}`, session);
    let count = 0;
    scripts.set('one-small', () => {
      count += 1;
      return count === 1 ? { kind: 'status', status: 400, code: 'context_length_exceeded' } : say('short enough');
    });
    const before = world.model.requests.length;
    const view = await talk('and now?', session);
    expect(view.replies).toStrictEqual(['short enough']);
    const [long, short] = world.model.requests.slice(before).map(({ body }) => JSON.stringify(body).length);
    expect(short).toBeLessThan(long ?? 0);
    expect(asked()).toHaveLength(5);
  });

  it('that refuses what a question is about ends it: no other is asked for the same', async () => {
    scripts.set('one-small', () => ({ kind: 'status', status: 400, code: 'content_filter' }));
    const view = await talk('hello');
    expect(asked()).toStrictEqual(['one-small']);
    expect(view.state).toBe('refused');
    expect(view.replies).toStrictEqual([
      `The language model's provider refuses to answer this because of what it is about, so nothing was done. Details: /why ${view.id}`,
    ]);
  });

  it('and whose key is refused is told once, beside the answer of the next one, with nothing of the key', async () => {
    scripts.set('one-small', () => ({ kind: 'status', status: 401 }));
    const first = await talk('hello');
    expect(first.replies).toStrictEqual([
      'two-small says ok',
      `The provider one refuses the key. I ask the others first until that is mended; you are told once a day. Details: /why ${first.id}`,
    ]);
    await world.table.update(spend(), { remove: (await marks()).map(([name]) => name) });
    expect((await talk('hello')).replies).toStrictEqual(['two-small says ok']);
    expect(`${JSON.stringify(await world.scan())}${world.log()}`).not.toContain('key-of-one');
    // The text of our own beside the model's is judged and replayed like it.
    const { body } = await world.api<Evidence>('GET', `/api/signals/${first.id}/evidence`);
    expect(replayEvidence(GATE_SET, body).map(({ where, kind }) => [where, kind])).toStrictEqual([
      ['action 0', 'identical'],
      ['action 1', 'identical'],
      ['effect 0', 'identical'],
      ['effect 1', 'identical'],
    ]);
  });

  it('leaves a plain sentence with the id where nobody answers', async () => {
    for (const model of ['one-small', 'two-small']) scripts.set(model, () => ({ kind: 'status', status: 404 }));
    const view = await talk('hello');
    expect(view.state).toBe('refused');
    const said = (name: string): string =>
      `Attention: the model provider ${name} (${name}-small) knows no such model at this address: choose one that it has, or mend the address (PROVIDERS in infra/README.md#settings).`;
    expect(view.replies).toStrictEqual([
      `No language model could answer just now, so nothing was done. ${said('one')} ${said('two')} Details: /why ${view.id}`,
    ]);
  });
});
