/**
 * Work that nobody asks for at the moment: hooks and timed jobs on the heartbeat, and the workers
 * that make notes of conversations and keep memory tidy. Results go to the owner's home chat.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { call, userTextOf } from '../../../support/model-server.ts';
import { until } from '../../../support/stack.ts';
import { startTarget } from '../../../support/target.ts';
import { callOf, OWNER, obedient, openPerson } from '../../support/person.ts';
import { telegramPerson } from '../../support/telegram-person.ts';

const target = await startTarget();
const isDistilling = (words: string): boolean => words.includes('Distil what will matter');

const { world, types, writes, ...person } = await openPerson({
  isPolling: true,
  allowedChats: [OWNER],
  environment: { MAINTENANCE: 'on', HOME_CHAT: String(OWNER), ...target.environmentOf('deploys') },
  script: (request) => {
    const words = userTextOf(request);
    if (!isDistilling(words)) return obedient(request);
    const [, n = 1] = /Turn (\d+)\nPerson: my bike is blue/.exec(words) ?? [];
    const text = JSON.stringify([{ text: 'The bike of the owner is blue', tags: ['bike'], from: [Number(n)] }]);
    return call('give-answer', { text, explanation: 'that is all there is to note' });
  },
});
afterAll(async () => {
  await person.close();
  target.close();
});

const owner = telegramPerson(world.telegram, OWNER);
const distilled = () => world.model.requests.filter((request) => isDistilling(userTextOf(request))).length;

describe('Hooks and timed jobs', () => {
  it('jobs run at their time on the heartbeat, and one that fails stops no other', async () => {
    for (const [name, words] of [
      ['broken', 'call teleport {}'],
      ['tea', 'is it time for tea?'],
    ] as const) {
      owner.says(`/jobs add ${name} at now: ${words}`);
      await owner.taps(await owner.reads(`(job ${name})`), 'Approve');
      await until('there is the job', async () => `\n${await types(['jobs', 'list'])}`.includes(`\n${name}: `));
    }
    await world.tick();
    await owner.reads('You said: is it time for tea?');
    await until('the other has failed', async () => /failed/.test(await types(['jobs', 'history', 'broken'])));
    expect(await types(['jobs', 'history', 'tea'])).toMatch(/ran on time/);
  });

  it('code of a skill hears of a turn and says something, and code that never ends stops nothing', async () => {
    mkdirSync(join(person.cli.folder, 'greeter'));
    const write = (name: string, text: string) => writeFileSync(join(person.cli.folder, 'greeter', name), text);
    write('SKILL.md', '---\nname: greeter\ndescription: Greets.\n---\nGreet.\n');
    const handlers = ['ever', 'hear'].map((name) => `{ name: ${name}, file: ${name}.js, on: [after-turn] }`);
    write('passepartout.yaml', `handlers: [${handlers.join()}]\n`);
    write('ever.js', 'function handler() { for (;;); }');
    write('hear.js', 'function handler({ event }) { return { do: [{ say: "heard of a " + event.sensor }] }; }');
    await types(['skill', 'add', 'greeter', '--mine']);
    const before = world.model.requests.length;
    owner.says('what now?');
    await owner.reads('You said: what now?');
    await owner.reads(/^heard of a chat-message$/);
    expect(world.model.requests.length - before).toBe(1);
    await types(['skill', 'remove', 'greeter']);
  });
});

describe('Delegation', () => {
  it('a helper works on a part of a task beside the conversation, and its answer comes back', async () => {
    owner.says(callOf('delegate', { words: 'is the shop open?' }));
    await owner.reads(/^It gave: [\s\S]*You said: is the shop open\?/);
  });
});

describe('Scribe', () => {
  it('makes notes of what was said, tells of them, and asks no model if nothing is new', async () => {
    await writes('/skill on scribe');
    await world.tick();
    expect(await types(['jobs', 'list'])).toMatch(/^scribe-hourly: active, next .* at most once an hour$/m);
    owner.says('my bike is blue');
    await owner.reads('You said: my bike is blue');
    const runs = async () => (await types(['jobs', 'history', 'scribe-hourly'])).match(/ran on time/g)?.length ?? 0;
    await types(['jobs', 'run', 'scribe-hourly']);
    await owner.reads(/^Noted from your conversations \(1\):\n• The bike of the owner is blue /);
    expect((await writes('/recall bike')).said).toMatch(/The bike of the owner is blue #scribe #bike$/);
    await until('the run has ended', async () => (await runs()) === 1);
    await types(['jobs', 'run', 'scribe-hourly']);
    await until('a second run has ended', async () => (await runs()) === 2);
    expect(distilled()).toBe(1);
  });
});

describe('Gardener', () => {
  it('finds links that lead nowhere once a day without a model, and mends them after a yes', async () => {
    expect(await types(['jobs', 'list'])).toMatch(/^gardener-daily: active, next .* 07:00; .* without a model/m);
    await writes(`/remember the lamp is in [[${'0'.repeat(32)}]]`);
    const before = world.model.requests.length;
    await types(['jobs', 'run', 'gardener-daily']);
    await owner.reads(/^Memory could be tidier\.[\s\S]*Links that lead nowhere \(1\):\n1\. the lamp is in/);
    const card = await owner.reads(/^Tidy memory up with 1 change/);
    await owner.taps(card, 'Approve');
    await until('it is mended', async () => !(await writes('/recall lamp')).said.includes('[['));
    expect(world.model.requests).toHaveLength(before);
  });
});

describe('Rules learned from decisions', () => {
  it('what was approved three times is offered as a rule with its evidence, which holds after a yes', async () => {
    const deploy = callOf('call-webhook', { webhook: 'deploys', body: { ref: 'v1' } });
    for (let n = 1; n <= 3; n += 1) {
      await writes(deploy);
      await person.decides('approve');
    }
    await types(['jobs', 'run', 'learning-daily']);
    const offer = await owner.reads(/^You approved this 3 times and never denied it\.\n[\s\S]*^Evidence: con-/m);
    await owner.taps(offer, 'Approve');
    await until('it is a grant', async () => (await types(['grants'])).includes('deploys'));
    await writes(deploy);
    expect(target.posts).toHaveLength(4);
  });
});
