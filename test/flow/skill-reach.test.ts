/** How far an added skill reaches, on the whole local stack, added by the real command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignalView } from '../../lib/wings/signals/view.ts';
import { openCli, type TestCli } from '../support/cli.ts';
import { type ModelServer, type ScriptedAnswer, say, startModelServer } from '../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../support/stack.ts';

let world: TestStack;
let model: ModelServer;
let command: TestCli;
let answer: () => ScriptedAnswer = () => say('ok');
beforeAll(async () => {
  model = await startModelServer(() => answer());
  const one = { baseUrl: model.baseUrl, model: 'scripted', prices: { prompt: 1, completion: 0 } };
  const environment = {
    OPENAI_BASE_URL: undefined,
    PROVIDERS: JSON.stringify({ one }),
    PROVIDER_KEYS: '{"one": "key-of-one-123"}',
    PROVIDER_CASCADE: 'one',
    // Room for a usual prompt, and none for a long one.
    BUDGET_TURN_USD: '0.012',
  };
  world = await startTestStack({ model, isPolling: false, environment });
  command = openCli(world.stack.url);
});
afterAll(async () => {
  await world?.stop();
  await model?.close();
  command?.remove();
});
beforeEach(() => {
  answer = () => say('ok');
});

/** Writes the folder of a skill. */
const write = (name: string, extension: string, files: Readonly<Record<string, string>> = {}) => {
  mkdirSync(join(command.folder, name), { recursive: true });
  const front = `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it well.\n`;
  for (const [path, text] of Object.entries({ 'SKILL.md': front, 'passepartout.yaml': extension, ...files }))
    writeFileSync(join(command.folder, name, path), text);
};
const add = async (name: string, ...flags: string[]) =>
  expect(await command.run('skill', 'add', name, ...flags)).toMatchObject({ code: 0 });
const talk = async (text: string): Promise<SignalView> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  return world.settled(body.id);
};

describe('a handler of errors', () => {
  /** What it said, as JSON, of the event. */
  const heard = (id: string) =>
    until('the handler says what it heard', async () => {
      const { status, body } = await world.api<SignalView>('GET', `/api/signals/${id}/he0`);
      const text = status === 200 ? JSON.stringify(body).match(/HEARD (\{.*?\}) END/)?.[1] : undefined;
      return text === undefined ? undefined : (JSON.parse(text.replaceAll('\\"', '"')) as unknown);
    });

  it('hears which providers failed how, and which cap had no room, with what remained', async () => {
    write('alarm', 'handlers: [{ name: tell, file: tell.js, on: ["error:llm", "error:budget"] }]\n', {
      'tell.js':
        'function handler({ event: { failure, said, attempts, providers = [], ...rest } }) { const { provider, fault } = providers[0] ?? {}; return { do: [{ say: "HEARD " + JSON.stringify({ failure, attempts, provider, fault, cap: rest.cap, left: rest.left }) + " END" }] }; }',
    });
    await add('alarm', '--mine');
    answer = () => ({ kind: 'status', status: 401 });
    const refused = await talk('hello');
    expect(await heard(refused.id)).toStrictEqual({ failure: 'llm', attempts: 0, provider: 'one', fault: 'auth' });
    answer = () => ({ kind: 'answer', calls: [{ tool: 'remember', args: '{ broken' }] });
    const unreadable = await talk('hello?');
    expect(await heard(unreadable.id)).toStrictEqual({ failure: 'llm', attempts: 3, provider: 'one', fault: 'answer' });
    const over = await talk('and now? '.repeat(2_000));
    expect(await heard(over.id)).toStrictEqual({ failure: 'budget', attempts: 0, cap: 'turn', left: 12_000 });
  });

  it('names every kind if a file names one that does not exist', async () => {
    write('wrong', 'handlers: [{ name: tell, file: tell.js, on: ["error:money"] }]\n', { 'tell.js': '' });
    const { code, out } = await command.run('skill', 'test', 'wrong');
    expect(code).toBe(1);
    expect(out).toContain(
      'error:<kind> with one of later, unavailable, race, llm, gate, protocol, pipeline, stored-item, config, unexpected, silent, budget',
    );
  });
});
