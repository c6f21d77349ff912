/**
 * The ways to the agent, all open at once on one stack: Telegram, a conversation in a terminal,
 * single commands, a client of the HTTP protocol, and the page.
 */
import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../../../lib/core/base/version.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import { say, userTextOf } from '../../../support/model-server.ts';
import { openScreen, type Screen } from '../../../support/screen.ts';
import { APPROVER_TOKEN } from '../../../support/stack.ts';
import { callOf, OWNER, obedient, openPerson } from '../../support/person.ts';
import { telegramPerson } from '../../support/telegram-person.ts';

const PROGRAM = new URL('../../../../infra/cli/passepartout.js', import.meta.url).pathname;

const SLACK_SECRET = 'the signing secret of a Slack app';

const { world, types, writes, cli, ...person } = await openPerson({
  isPolling: true,
  environment: { WEBHOOK_SECRETS: JSON.stringify({ team: { scheme: 'slack', secret: SLACK_SECRET } }) },
  script: (request) =>
    userTextOf(request).includes('how are the deploys')
      ? say('# Deploys\n\nThe **shop** runs `1.2`.')
      : obedient(request),
});
const screens: Screen[] = [];
const openChat = (): Screen => {
  const env = { ...CHILD_ENV, HOME: cli.folder, TERM: 'xterm', DATA_DIR: `${cli.folder}/data`, APPROVER_TOKEN };
  const screen = openScreen(PROGRAM, { folder: cli.folder, env });
  screens.push(screen);
  return screen;
};
afterAll(async () => {
  for (const screen of screens) await screen.end();
  await person.close();
});

const owner = telegramPerson(world.telegram, OWNER);

describe('Linking of channels', () => {
  it('a chat is served once a code pairs it, is listed, and is served no more once it is removed', async () => {
    const ann = telegramPerson(world.telegram, 7002);
    ann.says('hello');
    await ann.reads('serves only chats that are paired');
    const [line = ''] = /\/pair [0-9A-Z-]+/.exec(await types(['pair'])) ?? [];
    ann.says(line);
    await ann.reads(/^This chat is paired\./);
    expect(await types(['chats'])).toContain('7002');
    ann.says('hello again');
    await ann.reads('You said: hello again');
    await types(['chats', 'remove', '7002']);
    expect(world.model.requests.some((request) => userTextOf(request) === 'hello')).toBe(false);
  });
});

describe('Telegram', () => {
  it('a message of a paired chat is answered there, and Telegram is told that it was taken', async () => {
    const [line = ''] = /\/pair [0-9A-Z-]+/.exec(await types(['pair'])) ?? [];
    owner.says(line);
    await owner.reads(/^This chat is paired\./);
    owner.says('good morning');
    await owner.reads('You said: good morning');
    owner.says('and good night');
    await owner.reads('You said: and good night');
    expect(owner.screen().filter((text) => text.includes('good morning'))).toHaveLength(1);
  });
});

let chat: Screen;
describe('Terminal', () => {
  it('an answer is shown with its Markdown, and below it what the rules checked, its cost and its time', async () => {
    chat = openChat();
    await chat.shows('>');
    chat.type('how are the deploys?\r');
    await chat.shows(/The shop runs 1\.2\.\n+custom\/scripted · \d+ rules checked · \$\d+\.\d+ · \d+\.\d s · \/why/);
    expect(chat.styled('The shop runs', 'bold')).toBe('shop');
    expect(chat.styled('The shop runs', 'colour')).toBe('1.2');
    expect(chat.styled('rules checked', 'dim')).toContain('rules checked');
    // It comes there by itself, which is looked at last.
    await types(['jobs', 'add', 'tea', '--every', '2h', 'is it time for tea?']);
    await types(['jobs', 'run', 'tea']);
  });
});

describe('Command line and slash commands', () => {
  it('each client is equal: what one says and asks for, the others see and answer', async () => {
    await types(['send', 'remember the harbour']);
    await writes('and the lighthouse');
    const prompt = JSON.stringify(world.model.requests.at(-1)?.messages);
    expect(prompt).toContain('remember the harbour');
    expect(await types(['signals'])).toMatch(/and the lighthouse\n[\s\S]*remember the harbour\n[\s\S]*good morning\n/);
    owner.says(callOf('run-code', { language: 'javascript', code: '6 * 7' }));
    await owner.reads(/waits for your yes/);
    const [id = ''] = /^[0-9a-f]{6}/m.exec(await types(['approvals'])) ?? [];
    await types(['approve', id]);
    await owner.reads(/^It gave: state: done\n42/);
  });

  it('one command does one thing, by words or as JSON, and says by its exit code whether it did', async () => {
    expect((await writes('/help')).said).toContain('/approvals');
    expect((await writes('/status')).said).toContain('Messages waiting here: 0. Approvals open: 0.');
    expect(await types(['status'])).toContain('Messages waiting here: 0. Approvals open: 0.');
    expect(JSON.parse(await types(['budget', '--json']))).toBeTypeOf('object');
    expect(await types(['frobnicate'], 2)).toContain('npx passepartout help');
    expect(await types(['approve', 'abcdef'], 1)).not.toBe('');
    expect((await writes('/config')).said).not.toContain(APPROVER_TOKEN);
  });
});

describe('Protocol of clients and editors', () => {
  const url = (path: string) => `${world.stack.url}${path}`;
  const post = (body: string, token?: string) =>
    fetch(url('/api/messages'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body,
    });

  it('a client learns version and verbs, sends a message, and follows its answer while it is written', async () => {
    const { body: hello } = await world.api('GET', '/health');
    const capabilities = expect.arrayContaining(['approvals', 'memory', 'jobs']);
    expect(hello).toMatchObject({ release: { version: VERSION, api: expect.any(Number), capabilities } });
    const { id } = (await (await post('{"text":"hello there"}', APPROVER_TOKEN)).json()) as { id: string };
    const headers = { authorization: `Bearer ${APPROVER_TOKEN}` };
    const stream = await (await fetch(url(`/api/signals/${id}/stream`), { headers })).text();
    expect(stream).toMatch(/^event: end\ndata: .*You said: hello there/m);
  });

  it('a message that is none, too long or from a stranger is refused with words, and nothing stops', async () => {
    expect((await post('{"text":"hi"}')).status).toBe(401);
    expect((await post('{"text":', APPROVER_TOKEN)).status).toBe(400);
    expect((await post('[]', APPROVER_TOKEN)).status).toBe(400);
    expect((await post(`{"text":"${'x'.repeat(2_000_000)}"}`, APPROVER_TOKEN)).status).toBe(413);
    expect((await writes('still there?')).said).toBe('You said: still there?');
  });
});

describe('Matrix, Slack, Discord', () => {
  it('an event of Slack is taken if its signature fits, and nobody else’s', async () => {
    const event = { type: 'message', user: 'U1', channel: 'C1', text: 'the build is red' };
    const body = JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event });
    const at = `${Math.floor(Date.now() / 1000)}`;
    const send = (secret: string) =>
      fetch(`${world.stack.url}/webhook/team`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-slack-request-timestamp': at,
          'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`,
        },
        body,
      });
    expect((await send('a guess')).status).toBe(401);
    expect((await send(SLACK_SECRET)).status).toBe(202);
    expect(await types(['signals'])).toContain('U1 in C1: the build is red');
  });
});

describe('Terminal', () => {
  it('what comes by itself is shown, earlier lines come back, and /exit leaves the agent running', async () => {
    await chat.shows('You said: is it time for tea?');
    chat.type('/nonsense\r');
    await chat.shows(/> \/nonsense\n.*\/help[\s\S]*\n\(\d+ wait, \d+ learned\) >$/);
    chat.type('\u001b[A\u001b[A');
    await chat.shows(/> how are the deploys\?$/);
    chat.type('\u0015/exit\r');
    expect(await chat.ends()).toBe(0);
    expect((await writes('still there?')).said).toBe('You said: still there?');
  });
});
