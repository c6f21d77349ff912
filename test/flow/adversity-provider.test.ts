/**
 * Providers that misbehave, over real HTTP through the whole stack: survived, recorded, and said in
 * plain words.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  startModelServer,
  userTextOf,
} from '../support/model-server.ts';
import { startTestStack, until } from '../support/stack.ts';

const MIB = 1024 * 1024;
/** Longer than Reason keeps for itself by just what a hanging provider is waited for here. */
const FUNCTION_TIMEOUT_MS = 16_000;

const why = 'because the owner asked for exactly this';

/** The provider's failure and the record's line, by the word in the message. */
const failures: Readonly<Record<string, readonly [answer: ScriptedAnswer, recorded: RegExp]>> = {
  garbage: [{ kind: 'raw', body: 'lorem ipsum', contentType: 'text/plain' }, /something else than a chat completion/],
  brokenjson: [{ kind: 'raw', body: '{"choices": [' }, /broken JSON/],
  otherjson: [{ kind: 'raw', body: '{"hello": "world"}' }, /something else than a chat completion/],
  nobody: [{ kind: 'raw', body: '' }, /something else than a chat completion/],
  empty: [say(''), /empty answer/],
  huge: [{ kind: 'huge', bytes: 20 * MIB }, /larger than 1048576 bytes/],
  error500: [{ kind: 'status', status: 500 }, /500/],
  limit429: [{ kind: 'status', status: 429, retryAfterS: 60 }, /429/],
  quota429: [{ kind: 'status', status: 429, code: 'insufficient_quota' }, /no credit/],
  key401: [{ kind: 'status', status: 401 }, /refuses the key/],
  reset: [{ kind: 'reset' }, /not reachable/],
  redirect: [{ kind: 'redirect', to: 'http://127.0.0.1:9/' }, /redirect/],
};

/** Answers that arrive and cannot be used: they go back to the model, three times in all. */
const unusable: Readonly<Record<string, readonly [answer: ScriptedAnswer, recorded: RegExp]>> = {
  badargs: [call('remember', '{"text": "tea", '), /not valid JSON/],
  listargs: [call('remember', '["tea"]'), /must be an object/],
  unknowntool: [call('launch-missiles', { explanation: why }), /permissions/],
  noname: [call('', { explanation: why }), /names no tool/],
  toolong: [say('x'.repeat(100_000)), /larger than/],
  many: [
    { kind: 'answer', calls: Array.from({ length: 50 }, () => ({ tool: 'current-time', args: { explanation: why } })) },
    /50 calls/,
  ],
};

/** Failures that pass by themselves, and what the person is told; `isBack` says that they have. */
const TOLD: Readonly<Record<string, RegExp>> = {
  error500: /^The language model failed on its side\. I keep/,
  limit429: /^The language model limits how often it may be asked\. I keep/,
  reset: /^The language model is not reachable right now\. I keep/,
  hang: /^The language model did not answer in time\. I keep/,
};
const PASSING = Object.keys(TOLD);
let isBack = false;

const script = (request: ModelServerRequest): ScriptedAnswer => {
  const [who = '', what = ''] = userTextOf(request).split(' ');
  if (isBack) return say(`${request.model} answered ${what}`);
  if (who === 'both' || request.model === 'first') {
    const [answer] = failures[what] ?? unusable[what] ?? [];
    if (answer !== undefined) return answer;
    if (what === 'hang') return { kind: 'hang' };
  }
  return say(`${request.model} answered ${what}`);
};

const model = await startModelServer(script);
const world = await startTestStack({
  model,
  isPolling: false,
  environment: {
    OPENAI_MODEL: 'first',
    OLLAMA_BASE_URL: model.baseUrl,
    OLLAMA_CONTEXT_LENGTH: '32000',
    PROVIDER_CASCADE: 'custom:first,ollama:second',
  },
  overrides: { functionTimeoutMs: FUNCTION_TIMEOUT_MS },
});
afterAll(async () => {
  await world.stop();
  await world.model.close();
});

/** Every provider counts as well again: what one case did to them is not the next one's matter. */
const forgetHealth = async (): Promise<void> => {
  for (const item of await world.scan()) {
    const marks = Object.keys(item).filter((name) => name.startsWith('h_'));
    const key = { pk: String(item.pk), sk: String(item.sk) };
    if (marks.length > 0) await world.table.update(key, { remove: marks });
  }
};

const post = async (text: string): Promise<string> => {
  await forgetHealth();
  const session = text.replace(' ', '-');
  const { status, body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session });
  expect(status).toBe(202);
  return body.id;
};
const ask = async (text: string): Promise<SignalView> => world.settled(await post(text));

describe('a provider that fails', () => {
  it.each(Object.entries(failures))('is passed over for the next one: %s', async (name) => {
    const view = await ask(`first ${name}`);
    expect(view.state).toBe('acted');
    expect(view.replies[0]).toBe(`second answered ${name}`);
    expect(view.replies.slice(1).map((text) => text.split(' that ')[0])).toStrictEqual(
      name === 'key401'
        ? ['The provider custom refuses the key. I ask the others first until']
        : name === 'quota429'
          ? ['The provider custom has no credit left. I ask the others first until']
          : [],
    );
    // Booked to the provider that answered, not to the one that was asked first.
    expect(view.decision?.attempts.map(({ provider, model }) => ({ provider, model }))).toStrictEqual([
      { provider: 'ollama', model: 'second' },
    ]);
  });

  it.each(Object.entries(failures).filter(([name]) => !PASSING.includes(name)))(
    'leaves a record and a plain message where all fail: %s',
    async (name, [, recorded]) => {
      const view = await ask(`both ${name}`);
      expect(view.state).toBe('refused');
      expect(view.replies).toHaveLength(1);
      expect(view.replies[0]).toMatch(/^No language model could answer just now/);
      expect(view.decision?.reason).toMatch(/custom \(first\): .+; ollama \(second\): /);
      expect(view.decision?.reason).toMatch(recorded);
      expect(JSON.stringify(view)).not.toContain('body-secret-text');
      expect(view.effects.every(({ state }) => state === 'done')).toBe(true);
    },
  );

  it.each(PASSING)('is told once and asked again where all may come back: %s', async (name) => {
    const id = await post(`both ${name}`);
    await until('it is told', async () => (await world.signal(id)).replies.length > 0);
    isBack = true;
    const view = await world.settled(id);
    isBack = false;
    expect(world.log()).not.toContain('Task timed out');
    expect([view.state, view.replies]).toStrictEqual([
      'acted',
      [expect.stringMatching(TOLD[name] ?? /never/), expect.stringMatching(`^(first|second) answered ${name}$`)],
    ]);
  });

  it.each(Object.entries(unusable))(
    'is told what was wrong with its answer, and refused in the end: %s',
    async (name, [, recorded]) => {
      const before = world.model.requests.length;
      const view = await ask(`first ${name}`);
      expect(world.model.requests.length - before).toBe(3);
      expect(view.state).toBe('refused');
      expect(view.decision?.attempts).toHaveLength(3);
      expect(view.decision?.reason).toMatch(recorded);
      expect(view.replies).toHaveLength(1);
      expect(view.replies[0]).toMatch(/^I could not do that/);
      const second = world.model.requests[before + 1];
      expect(JSON.stringify(second?.messages)).toContain('rejected (attempt 1 of 3)');
    },
  );

  it('harms nobody else: the next message is answered', async () => {
    expect((await ask('first hello')).replies).toStrictEqual(['first answered hello']);
  });
});
