/**
 * What an action needs before it is done, and where it goes: cards, plans, places to act, and texts
 * that need no model. A person in Telegram, in the console and in a terminal.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startTarget } from '../../../support/target.ts';
import { callOf, OWNER, openPerson } from '../../support/person.ts';
import { telegramPerson } from '../../support/telegram-person.ts';

const FRIEND = 7002;

const target = await startTarget();
const { world, types, writes, waiting, decides, ...person } = await openPerson({
  isPolling: true,
  allowedChats: [OWNER, FRIEND],
  environment: target.environmentOf('deploys'),
});
afterAll(async () => {
  await person.close();
  target.close();
});

const owner = telegramPerson(world.telegram, OWNER);
const friend = telegramPerson(world.telegram, FRIEND);
const deploy = (ref: string) => callOf('call-webhook', { webhook: 'deploys', body: { ref } });
/** What was deployed, or sent to the address of a skill. */
const done = (path = '/hook') => target.posts.filter((post) => post.path === path).map(({ body }) => JSON.parse(body));
const asked = () => world.model.requests.length;

describe('Approvals', () => {
  it('an action that needs a yes waits, and the chat it came from is asked, by a short id', async () => {
    friend.says('hello');
    await friend.reads('hello');
    owner.says(deploy('v1'));
    const card = await owner.reads(/^Call the webhook deploys: ref “v1”/);
    const [, id = ''] = /^Or: \/approve ([0-9a-f]{6}), \/deny \1$/m.exec(card.text ?? '') ?? [];
    expect(owner.buttons(card)).toStrictEqual(['Approve', 'Deny', 'Allow similar…']);
    expect(friend.screen().join()).not.toContain('deploys');
    expect(await types(['signals'])).toMatch(/suspended +tg-\S+ +call call-webhook/);
    expect(done()).toStrictEqual([]);
    expect(await types(['approvals'])).toMatch(
      new RegExp(`^${id} {2}Call the webhook deploys: ref “v1” {3}expires in`),
    );
  });

  it('what waits is counted, and listed in each channel', async () => {
    expect((await writes('/status')).said).toContain('Approvals open: 1.');
    expect(await types(['status'])).toContain('Approvals open: 1.');
    owner.says('/approvals');
    await owner.reads(/^These wait for a yes:\n[0-9a-f]{6}: call webhook deploys, asked .* in telegram:7001/);
  });

  it('a yes has exactly that action performed, once, and its result goes on to the model', async () => {
    const card = await owner.reads(/^Call the webhook deploys/);
    const [approval] = await waiting();
    expect(await owner.taps(card, 'Approve')).toBe('');
    await owner.reads('{"status":202');
    expect(done()).toStrictEqual([{ ref: 'v1' }]);
    expect((await owner.reads(/^Call the webhook deploys/)).text).toMatch(/^APPROVED by telegram:7001 at .* Done\.$/m);
    const again = await world.api('POST', `/api/approvals/${approval?.id}`, { decision: 'approve' });
    expect(again.status).toBe(409);
    owner.says(deploy('v1'));
    await owner.reads(/waits for your yes/);
    expect(done()).toHaveLength(1);
  });

  it('a no has nothing performed, and the model is told', async () => {
    expect((await waiting()).map(({ sentence }) => sentence)).toStrictEqual(['Call the webhook deploys: ref “v1”']);
    await decides('deny');
    await owner.reads('a person denied it');
    expect(done()).toHaveLength(1);
    expect((await writes('/status')).said).toContain('Approvals open: 0.');
  });
});

describe('Flight plan', () => {
  it('each action that was asked about is a record, from PLAN to APPROVED or DENIED', async () => {
    await writes(deploy('v2'));
    expect((await waiting()).map(({ stage }) => stage)).toStrictEqual(['PLAN']);
    await decides('approve');
    const all = await types(['approvals', '--all']);
    expect(all).toMatch(/^[0-9a-f]{32} {2}Call the webhook deploys: ref “v2” {3}APPROVED .* by console-approver\n/);
    expect(all).toMatch(/^[0-9a-f]{32} {2}Call the webhook deploys: ref “v1” {3}DENIED /m);
    expect(all).toMatch(/^[0-9a-f]{32} {2}Call the webhook deploys: ref “v1” {3}APPROVED .* by telegram:7001\n/m);
  });

  it('a plan of several calls is one card, whose yes lets exactly these pass', async () => {
    const step = { tool: 'call-webhook', args: { webhook: 'deploys', body: { ref: 'p1' } } };
    await writes([callOf('propose-plan', { steps: [step] }), deploy('p1'), deploy('p2')].join('\n'));
    const [plan] = await waiting();
    expect(plan?.sentence).toBe('Let these pass in this task: 1. Call the webhook deploys: ref “p1”');
    await decides('approve');
    expect(done().slice(2)).toStrictEqual([{ ref: 'p1' }]);
    expect((await waiting()).map(({ sentence }) => sentence)).toStrictEqual(['Call the webhook deploys: ref “p2”']);
    await decides('deny');
  });
});

describe('Actuators', () => {
  it('a new place to act joins while it runs, and one that nobody serves is refused', async () => {
    const call = callOf('call-webhook', { webhook: 'builds', body: { ref: 'v3' } });
    const refused = await writes(call);
    expect(refused.said).toContain('call-webhook: no webhook of this name is configured (network)');
    mkdirSync(join(person.cli.folder, 'builder'));
    const write = (name: string, text: string) => writeFileSync(join(person.cli.folder, 'builder', name), text);
    write('SKILL.md', '---\nname: builder\ndescription: Builds.\n---\nBuild.\n');
    write('passepartout.yaml', `targets: [{ name: builds, url: "${target.url}/builds" }]\n`);
    await types(['skill', 'add', 'builder', '--mine']);
    await writes(call);
    await decides('approve');
    expect(done('/builds')).toStrictEqual([{ ref: 'v3' }]);
    expect((await writes(callOf('teleport', {}))).said).toContain('no tool or target of this name is registered');
  });

  it('a text goes to the chat it names, after a yes, and else to whoever asked', async () => {
    owner.says(`/chats name ${FRIEND} ann`);
    await owner.reads('is named ann');
    owner.says(callOf('send-message', { to: 'ann', text: 'dinner is at eight' }));
    const card = await owner.reads(/^Send this text to the Telegram chat 7002/);
    await owner.taps(card, 'Approve');
    await friend.reads(/^dinner is at eight$/);
    expect(owner.screen()).not.toContain('dinner is at eight');
    friend.says('when is dinner?');
    await friend.reads('You said: when is dinner?');
    expect(owner.screen().join()).not.toContain('when is dinner?');
    expect((await writes('and in the console?')).said).toBe('You said: and in the console?');
  });

  it('a text that was sent asks the model nothing more, and the result of a tool does', async () => {
    const before = asked();
    await writes('hello');
    expect(asked() - before).toBe(1);
    await writes(callOf('calculate', { expression: '6 * 7' }));
    expect(asked() - before).toBe(3);
  });

  it('a fixed message is said without a model', async () => {
    owner.says(callOf('schedule-job', { name: 'tea', every: '2h', steps: [{ say: 'drink tea' }] }));
    await owner.taps(await owner.reads(/say “drink tea”/), 'Approve');
    await owner.reads(/It gave: state: done\n.*tea/s);
    const before = asked();
    await types(['jobs', 'run', 'tea']);
    await owner.reads(/^drink tea$/);
    expect(asked()).toBe(before);
  });
});
