/** How far an added skill reaches, on the whole local stack, added by the real command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDecision, parseEffect } from '../../lib/core/ledger/ledger.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { openCli } from '../support/cli.ts';
import { type ScriptedAnswer, say, startModelServer } from '../support/model-server.ts';
import { startTestStack, until } from '../support/stack.ts';

let answer: () => ScriptedAnswer = () => say('ok');
const model = await startModelServer(() => answer());
const one = { baseUrl: model.baseUrl, model: 'scripted', prices: { prompt: 1, completion: 0 } };
const environment = {
  OPENAI_BASE_URL: undefined,
  PROVIDERS: JSON.stringify({ one }),
  PROVIDER_KEYS: '{"one": "key-of-one-123"}',
  PROVIDER_CASCADE: 'one',
  // Room for a usual prompt, and none for a long one.
  BUDGET_TURN_USD: '0.012',
};
const world = await startTestStack({ model, isPolling: false, environment });
const command = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  await model.close();
  command.remove();
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
let talks = 0;
/** Says it in a conversation of its own. */
const talk = async (text: string): Promise<SignalView> => {
  talks += 1;
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: `talk-${talks}` });
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

describe('a function for the prompt', () => {
  const prompts = () =>
    model.requests.map(({ messages }) => JSON.stringify(messages)).filter((one) => one.includes('evening-'));
  const originOf = async (text: string): Promise<unknown> => {
    const { id } = await talk(text);
    const [item] = await world.table.load([signalKeys.decision('default', id)], { isConsistent: true });
    return parseDecision(id, item ?? {}).actions[0]?.facts[0]?.origin;
  };

  it('gives a mandate and a section of facts; of a skill from outside only with its text, as outside text', async () => {
    const functions =
      'functions: [{ name: now, file: now.js, gives: mandate }, { name: day, file: day.js, gives: section }, { name: broken, file: broken.js, gives: section }]\n';
    const files = {
      'now.js':
        'function mandate({ time, channel, usdLeft }) { return /^..:..$/.test(time) && usdLeft > 0 ? "evening-mandate on " + channel : ""; }',
      'day.js':
        'function section({ weekday, date, zone, skill }) { return "evening-section " + weekday + " " + date + " " + zone + " " + skill; }',
      'broken.js': 'function section() { for (;;); }',
    };
    write('evening', functions, files);
    await add('evening', '--mine');
    const at = prompts().length;
    expect(await originOf('hello')).toBe('owner');
    const [whole = ''] = prompts().slice(at);
    expect(whole).toContain('- Mandate for now: evening-mandate on console\\n⟦skill evening⟧\\nevening-section ');
    expect(whole).toMatch(/evening-section [A-Z][a-z]+day \d{4}-\d{2}-\d{2} UTC\\n⟦\/skill⟧/);

    await add('evening');
    const before = prompts().length;
    expect(await originOf('hello')).toBe('owner');
    expect(
      prompts()
        .slice(before)
        .filter((one) => one.includes('evening-section')),
    ).toStrictEqual([]);
    expect(await originOf('evening, please')).toBe('outside');
    expect(prompts().at(-1)).toMatch(
      /⟦outside skill evening⟧.*evening-mandate on console.*evening-section .* evening.*⟦\/outside⟧/,
    );
    // Half of its turns and more failed, as every turn did in which its broken function ran.
    for (let n = 0; n < 3; n += 1) await talk('evening, please');
    expect((await command.run('doctor')).out).toContain('the skill evening failed 5 times in 5 turns');
    expect(await command.run('skill', 'remove', 'evening')).toMatchObject({ code: 0 });
  });

  it('is tried by examples', async () => {
    write('tried', 'functions: [{ name: late, file: late.js, gives: mandate }]\n', {
      'late.js': 'function mandate({ time }) { return time > "19:00" ? "Propose no new work." : null; }',
      'examples.yaml':
        'examples: [{ function: late, given: { time: "19:30" }, expect: Propose no new work. }, { function: late, given: { time: "08:00" }, expect: "" }]\n',
    });
    const passed = expect.stringMatching(/, 1 function, [\s\S]*\nall 2 examples pass\n/);
    expect(await command.run('skill', 'test', 'tried')).toMatchObject({ code: 0, out: passed });
  });
});

describe('a tool of a skill', () => {
  const FUNCTIONS = `functions:
  - { name: vat, file: vat.js, gives: tool, description: Works out the VAT., args: { type: object, properties: { amount: { type: number }, country: { enum: [DE, FR] } }, required: [amount] } }
  - { name: stuck, file: stuck.js, gives: tool, description: Never ends., args: { type: object } }
`;
  const CODE = {
    'vat.js': 'function tool({ amount, country = "DE" }) { return { vat: amount * (country === "DE" ? 0.19 : 0.2) }; }',
    'stuck.js': 'function tool() { for (;;); }',
  };
  /** The model makes this one call, then says ok. @returns the decision and what came of it */
  const call = async (args: Readonly<Record<string, unknown>>) => {
    let isFirst = true;
    answer = () => {
      const given: ScriptedAnswer = isFirst
        ? {
            kind: 'answer',
            calls: [{ tool: 'run-skill', args: { explanation: 'The owner asked how much it is.', ...args } }],
          }
        : say('ok');
      isFirst = false;
      return given;
    };
    const { id } = await talk('how much is it?');
    const keys = [signalKeys.decision('default', id), signalKeys.effect('default', id, 0)];
    const [decision, effect] = await world.table.load(keys, { isConsistent: true });
    const { outcome, trace } = parseDecision(id, decision ?? {}).actions[0] ?? {};
    const { state, output, outputOrigin, reason } = effect === undefined ? {} : parseEffect(id, effect);
    return { outcome, gates: trace?.length, state, output, outputOrigin, reason };
  };

  it('works out its answer after all gates, with the trust of the skill; faults are told in fixed words', async () => {
    write('taxes', FUNCTIONS, CODE);
    await add('taxes', '--mine');
    const done = { outcome: 'pass', state: 'done', output: '{"vat":19}', reason: undefined };
    expect(await call({ skill: 'taxes', tool: 'vat', args: { amount: 100 } })).toMatchObject({
      ...done,
      outputOrigin: 'owner',
    });
    const [prompt = '', tools = ''] = [model.requests.at(-1)?.messages, model.requests.at(-1)?.tools].map((part) =>
      JSON.stringify(part),
    );
    expect(prompt).toContain('- run-skill taxes vat: Works out the VAT. Its args: {');
    expect(tools).toContain('"run-skill"');
    const failures: readonly (readonly [object, string])[] = [
      [
        { tool: 'vat', args: { amount: 'much', country: 'XX' } },
        'the arguments do not fit vat: amount must be a number; country is none of its choices',
      ],
      [{ tool: 'stuck' }, 'the function stuck of the skill taxes took too many steps and was ended'],
      [{ tool: 'gone' }, 'the skill has no such tool; it has vat, stuck'],
    ];
    for (const [args, reason] of failures)
      expect(await call({ skill: 'taxes', ...args })).toMatchObject({ outcome: 'pass', state: 'failed', reason });

    await add('taxes');
    expect(await call({ skill: 'taxes', tool: 'vat', args: { amount: 100 } })).toMatchObject({
      ...done,
      outputOrigin: 'outside',
    });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('Works out the VAT');
    await command.run('skill', 'off', 'taxes');
    expect(await call({ skill: 'taxes', tool: 'vat', args: { amount: 100 } })).toMatchObject({
      state: 'failed',
      reason: 'there is no added skill taxes, or it is off',
    });
    expect(await command.run('skill', 'remove', 'taxes')).toMatchObject({ code: 0 });
  });

  it('is refused without its declaration', async () => {
    write(
      'bare',
      'functions: [{ name: vat, file: vat.js, gives: tool }, { name: day, file: vat.js, gives: section, args: { type: array } }]\n',
      CODE,
    );
    const { out } = await command.run('skill', 'test', 'bare');
    expect(out).toContain('functions.1.args must be a JSON schema of the type object');
    write('bare', 'functions: [{ name: vat, file: vat.js, gives: tool }]\n', CODE);
    expect((await command.run('skill', 'test', 'bare')).out).toContain(
      'passepartout.yaml line 1: a tool has a description and args, and nothing else has',
    );
  });
});
