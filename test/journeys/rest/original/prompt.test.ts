/**
 * The prompts of a running stack's model: their sections and order, the words that skills and the
 * owner add, how they keep within a window, and what a prompt says of a rejection.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../lib/core/base/estimate-tokens.ts';
import { ATTEMPTS_MAX } from '../../../../lib/core/base/limits.ts';
import { openCli } from '../../../support/cli.ts';
import { type ModelServerRequest, say, startModelServer, userTextOf } from '../../../support/model-server.ts';
import { startTestStack } from '../../../support/stack.ts';
import { talkTo } from './talk.ts';

const WINDOW_TOKENS = 12_000;
/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

const answer = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const isTold = JSON.stringify(request.messages.at(-1)).includes('was rejected');
  if (text === 'never learn' || (text === 'learn' && !isTold)) return say(`The key is ${SECRET}.`);
  return say(`re ${text.slice(0, 40)}`);
};
const model = await startModelServer(answer);
const world = await startTestStack({
  isPolling: false,
  model,
  environment: {
    OPENAI_BASE_URL: undefined,
    MEMEX_ASSISTANT: 'Jeeves',
    MEMEX_USER: 'Bertie',
    PROVIDERS: JSON.stringify({ one: { baseUrl: model.baseUrl, model: 'scripted', contextTokens: WINDOW_TOKENS } }),
    PROVIDER_KEYS: '{"one": "key-of-one-123"}',
    PROVIDER_CASCADE: 'one',
  },
});
const cli = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  await model.close();
  cli.remove();
});
const talk = talkTo(world);
const systemFor = (text: string) => talk.requestFor(text).messages[0]?.content ?? '';
const lastFor = (text: string) => talk.requestFor(text).messages.at(-1)?.content ?? '';
const addSkill = async (name: string, functions: string, files: Readonly<Record<string, string>>) => {
  mkdirSync(join(cli.folder, name));
  const front = `---\nname: ${name}\ndescription: Does ${name}.\n---\n`;
  for (const [path, text] of Object.entries({ 'SKILL.md': front, 'passepartout.yaml': functions, ...files }))
    writeFileSync(join(cli.folder, name, path), text);
  expect(await cli.run('skill', 'add', name, '--mine')).toMatchObject({ code: 0 });
};

describe('Prompt assembly', () => {
  it('puts the sections of each prompt in one order', async () => {
    await talk.answer('/remember my bike is a blue Gazelle');
    await talk.ask('hello');
    await talk.ask('what colour is my bike?');
    const system = systemFor('what colour is my bike?');
    expect(system.match(/^# .+$/gm)?.slice(0, 4)).toStrictEqual(['# TIME', '# CONFIG', '# IDENTITY', '# TOOLS']);
    const last = lastFor('what colour is my bike?');
    expect(last.match(/^(?:what colour.*|⟦.*⟧|# .+)$/gmu)).toStrictEqual([
      'what colour is my bike?',
      '⟦situation⟧',
      '# CONTEXT',
      '# LOGS',
      '⟦/situation⟧',
    ]);
    expect(last).toContain('my bike is a blue Gazelle');
  });

  it('tells the next attempt why the one before was rejected', async () => {
    const { decision, replies } = await talk.ask('learn', 'learn');
    expect([decision?.attempts.length, replies]).toStrictEqual([2, ['re learn']]);
    expect(lastFor('learn')).toMatch(
      /⟦rejected⟧\nYour proposal was rejected \(attempt 1 of 3\):\n- .*\nPropose something else/,
    );
    expect(talk.promptFor('learn')).not.toContain(SECRET);
  });

  it(`ends after ${ATTEMPTS_MAX} attempts with a text of code`, async () => {
    const before = model.requests.length;
    const { state, replies } = await talk.ask('never learn', 'never');
    expect(model.requests.length - before).toBe(ATTEMPTS_MAX);
    expect([state, replies.length]).toStrictEqual(['refused', 1]);
    expect(replies[0]).toMatch(/^I could not do that: what I proposed was refused by the rules\./);
  });
});

describe('Standing mandates', () => {
  it('of a skill’s code stand in every prompt, as long as they have words', async () => {
    await addSkill('evening', 'functions: [{ name: late, file: late.js, gives: mandate }]\n', {
      'late.js': 'function mandate({ channel }) { return channel === "console" ? "Propose no new work." : ""; }',
    });
    await talk.ask('hello there');
    expect(talk.promptFor('hello there')).toContain('Propose no new work.');
    await cli.run('skill', 'off', 'evening');
    await talk.ask('hello here');
    expect(talk.promptFor('hello here')).not.toContain('Propose no new work.');
  });
});

describe('Prompt generators of skills', () => {
  it('compute a text for the turn, beside the owner’s own words', async () => {
    await addSkill('day', 'functions: [{ name: day, file: day.js, gives: section }]\n', {
      'day.js': 'function section({ weekday, zone }) { return "Generated: " + weekday + " in " + zone; }',
    });
    await talk.ask('what is today?');
    expect(lastFor('what is today?')).toMatch(/^what is today\?$/m);
    expect(lastFor('what is today?')).toMatch(/⟦skill day⟧\nGenerated: [A-Z]\w+day in UTC\n⟦\/skill⟧/u);
    await cli.run('skill', 'off', 'day');
  });
});

describe('Identity', () => {
  it('comes from the settings, and from what the owner says of it', async () => {
    await talk.ask('who?');
    expect(systemFor('who?')).toContain('You are Jeeves, the personal and operations agent of Bertie.');
    await talk.answer('/identity name Butler');
    await talk.answer('/identity style Speak like a butler.');
    await talk.ask('who now?');
    expect(systemFor('who now?')).toContain('You are Butler, ');
    expect(systemFor('who now?')).toContain(' Speak like a butler.\n');
    for (const field of ['name', 'style']) await talk.answer(`/identity reset ${field}`);
  });
});

describe('Time and configuration', () => {
  it('stand in the prompt as they are now: day, clock, length of the session', async () => {
    await talk.ask('what time is it?', 'time');
    const now = new Date();
    const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(now);
    expect(systemFor('what time is it?')).toContain(`Today is ${day} ${now.toISOString().slice(0, 10)} (UTC).`);
    expect(lastFor('what time is it?')).toMatch(/It is \d\d:\d\d; this session began 0 min ago\./);
  });

  it('name version, providers, window, gates and rules in force', async () => {
    await talk.ask('what are you?');
    const config = /# CONFIG\n(.*)/.exec(systemFor('what are you?'))?.[1] ?? '';
    expect(config).toMatch(
      /^Passepartout \d+\.\d+\.\d+\. Providers: one.*\. Window: 12000 tokens\. A prompt takes at most 9000\. Gates active \(22, set [0-9a-f]{12}\): kill-switch, /,
    );
  });
});

describe('Context cache', () => {
  it('lets every prompt begin with the bytes of the one before, and shows a change of memory at once', async () => {
    await talk.ask('one thing', 'cache');
    await talk.ask('and another', 'cache');
    const front = (text: string) =>
      JSON.stringify(talk.requestFor(text).messages.slice(0, 1).concat()) + JSON.stringify(talk.requestFor(text).tools);
    expect(front('and another')).toBe(front('one thing'));
    const [, ...earlier] = talk.requestFor('and another').messages;
    expect(earlier[0]?.content).toContain('one thing');
    await talk.answer('/remember my bike has a red bell');
    await talk.ask('which bell has my bike?', 'cache');
    expect(lastFor('which bell has my bike?')).toContain('my bike has a red bell');
  });
});

describe('Token budget', () => {
  const tokensOf = (text: string) =>
    estimateTokens(JSON.stringify([talk.requestFor(text).messages, talk.requestFor(text).tools]));

  it('keeps every prompt within the window of its model: old turns go, the owner’s words stay', async () => {
    for (let n = 0; n < 4; n += 1) await talk.ask(`part ${n}: ${'word '.repeat(1_500)}`, 'long');
    const long = `the last: ${'end '.repeat(2_000)}`;
    await talk.ask(long.trim(), 'long');
    expect(tokensOf(long.trim())).toBeLessThan(WINDOW_TOKENS);
    expect(talk.promptFor(long.trim())).not.toContain('part 0');
  });

  it('says plainly that a message is too long for it', async () => {
    const { state, replies } = await talk.ask('much '.repeat(12_000), 'much');
    expect(state).toBe('refused');
    expect(replies.join()).toContain('too long for the model to read at once');
  });
});
