/**
 * Each way in which a model fails, over HTTP and the whole stack: the doctor, `models`, health,
 * `/status`, the chat and `/why` say the same sentence with its cure, and none says that it can
 * answer. Only what passes by itself is tried again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendKey } from '../../lib/core/money/day-spend.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { runCli } from '../cli/cli-world.ts';
import { type ScriptedAnswer, say } from '../support/model-server.ts';
import { APPROVER_TOKEN, LOG_SIGNING_KEY, startTestStack, type TestStack, until } from '../support/stack.ts';

const GOOD = say('ready');
let answer: ScriptedAnswer = GOOD;
let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    script: () => answer,
    isPolling: false,
    environment: { PROVIDER_NAMES: 'custom/scripted' },
  });
});
afterAll(() => world?.stop());

const cli = async (...words: readonly string[]): Promise<string> =>
  (await runCli(words, world.dataDir, { env: { APPROVER_TOKEN, LOG_SIGNING_KEY } })).out;
/** Each in a conversation of its own: a summary of an older one would be another question. */
let sessions = 0;
const post = async (text: string): Promise<string> => {
  sessions += 1;
  return (await world.api<{ id: string }>('POST', '/api/messages', { text, session: `s${sessions}` })).body.id;
};
const ask = async (text: string): Promise<SignalView> => world.settled(await post(text));
const health = async (): Promise<string> =>
  (await world.api<{ reasons: readonly string[] }>('GET', '/health')).body.reasons.join('\n');
/** As on a day on which no question was asked yet. */
const forgetQuestions = () => world.table.update(spendKey('default', Date.now()), { remove: ['tokens'] });
const mend = async (): Promise<void> => {
  answer = GOOD;
  expect((await ask('and now?')).replies).toStrictEqual(['ready']);
  expect(await cli('doctor')).toMatch(/^It can answer: yes\.$/m);
  expect(await health()).toBe('');
};

const status = (code: number, more: object = {}): ScriptedAnswer => ({ kind: 'status', status: code, ...more });
const SETUP = 'npx passepartout setup --only model';

/** Each stays until a person changes something. */
const LASTING: readonly (readonly [string, ScriptedAnswer, string, string])[] = [
  ['wrong key', status(401), 'refuses the key', 'put a valid one in OPENAI_API_KEY'],
  ['no permission', status(403), 'does not permit this, though it knows the key', 'project and region'],
  ['no such model', status(404), 'knows no such model at this address', 'choose one that it has'],
  ['no tools', status(400, { message: 'scripted does not support tools' }), 'takes no tools', 'that takes tools'],
  ['no credit', status(402), 'has no credit left', 'add credit to its account'],
  ['no quota', status(429, { code: 'insufficient_quota' }), 'has no credit left', 'add credit to its account'],
  ['refusal', status(400), 'refused the request', SETUP],
];
/** They depend on the question: a small one that is answered does not take them back. */
const OF_QUESTION: typeof LASTING = [
  ['too long', status(400, { code: 'context_length_exceeded' }), 'says the prompt is too long', 'context window'],
  ['empty answer', say(''), 'gave an empty answer', 'choose another model'],
  ['page', { kind: 'raw', body: '<html>', contentType: 'text/html' }, 'answers in another format', 'ends in /v1'],
  ['no JSON', { kind: 'raw', body: '{"choices": [' }, 'answers in another format', 'ends in /v1'],
];

describe('a model that fails until a person changes something', () => {
  it.each([...LASTING, ...OF_QUESTION])('is told the same everywhere: %s', async (_, failing, says, cure) => {
    answer = failing;
    const sentence = `the model provider custom (scripted) ${says}`;
    const { id, replies } = await ask('hello');
    expect(replies).toStrictEqual([expect.stringContaining(`Attention: ${sentence}: `)]);
    expect([replies[0], await cli('why', id), await health(), await cli('send', '/status')]).toStrictEqual(
      Array(4).fill(expect.stringContaining(cure)),
    );
    expect(replies[0]).not.toContain('try again in a while');
    expect(await health()).toContain(sentence);
    expect(await cli('send', '/doctor')).toContain(`It can answer: no, because ${sentence}`);
    const doctor = await cli('doctor');
    expect(doctor).toMatch(/^It can answer: no, because /);
    expect(doctor).toContain(sentence);
    await mend();
  });

  it.each(LASTING)('is found by one small question before anybody asked: %s', async (_, failing, says, cure) => {
    await forgetQuestions();
    answer = failing;
    const before = world.model.requests.length;
    const doctor = await cli('doctor');
    expect(world.model.requests.length - before).toBe(1);
    expect(world.model.requests.at(-1)?.tools).toHaveLength(1);
    expect(doctor).toContain(`It can answer: no, because of model: custom: ${says}`);
    expect(await health()).toContain(`the model provider custom (scripted) ${says}`);
    expect(await cli('models')).toMatch(new RegExp(`^wrong +custom .*${says}.*${cure}`, 'm'));
    await mend();
  });

  it.each(OF_QUESTION)('is believed though a small question is answered: %s', async (_, failing, says) => {
    answer = failing;
    await ask('hello');
    answer = GOOD;
    expect(await cli('doctor')).toMatch(new RegExp(`^It can answer: no, because the model provider custom .*${says}`));
    await mend();
  });

  it('is named by the doctor if its server is odd, and answers all the same', async () => {
    answer = { kind: 'raw', body: '{"choices": [{"message": {"content": "<think>a</think>hello"}}]}' };
    expect((await ask('hello')).replies).toStrictEqual(['hello']);
    const says = 'says no reason for the end of an answer; answers whole where a stream was asked for; does not count';
    const line = `^ok {5}model {8}custom \\(scripted\\) ${says} .*; leaves thoughts in the text`;
    expect(await cli('doctor')).toMatch(new RegExp(line, 'm'));
    await mend();
  });

  it('is asked nothing by a doctor while real questions are answered', async () => {
    const before = world.model.requests.length;
    await cli('doctor');
    await cli('models');
    expect(world.model.requests.length).toBe(before);
  });
});

describe('a model that fails for a while', () => {
  it.each<readonly [string, ScriptedAnswer, string]>([
    ['rate limit', status(429), 'limits how often it may be asked'],
    ['server error', status(500), 'failed on its side'],
    ['too slow', status(408), 'did not answer in time'],
  ])('is asked again, and called what it is: %s', async (_, failing, says) => {
    answer = failing;
    const id = await post('hello');
    await until('it is told', async () => (await world.signal(id)).replies.length > 0);
    expect(await health()).toContain(`the model provider custom (scripted) ${says}`);
    expect(await health()).not.toContain('reachable');
    expect(await cli('doctor')).toMatch(/^It can answer: no, because /);
    answer = GOOD;
    expect((await world.settled(id)).replies).toStrictEqual([
      expect.stringMatching(`^The language model ${says}\\. I keep trying until`),
      'ready',
    ]);
    await mend();
  });

  it('is called away only if nobody can be reached', async () => {
    await world.model.refuseConnections();
    const id = await post('hello');
    await until('it is told', async () => (await world.signal(id)).replies.length > 0);
    expect(await health()).toContain('no language model has been reachable since');
    expect(await cli('doctor')).toMatch(/^It can answer: no, because .*is not reachable: it is tried again by itself/);
    await world.model.acceptConnections();
    expect((await world.settled(id)).replies.at(-1)).toBe('ready');
    await mend();
  });
});
