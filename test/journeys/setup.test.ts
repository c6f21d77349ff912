/**
 * From a clean folder to a first approved webhook in one `setup`: a refused key is typed again, the
 * bot says its name, a receiver takes a test call, the agent answers, a chat is paired, and one
 * card is approved there. Then without questions, with a wrong key, a taken port and a stack that
 * runs.
 */
import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inSandbox } from '../features/runner/machine.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf, WRONG_KEY } from '../support/model-server.ts';
import { type Home, openHome } from './support/home.ts';
import { telegramPerson } from './support/telegram-person.ts';

const OWNER = 7001;
const calls: unknown[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  calls.push(JSON.parse(body));
  response.writeHead(200).end('{}');
});

const script = (request: ModelServerRequest) =>
  /call the webhook deploy/.test(userTextOf(request)) && toolResultsOf(request).length === 0
    ? call('call-webhook', { webhook: 'deploy', body: { ref: 'main' }, explanation: 'it was asked for' })
    : say('I am your agent.');

let home: Home;
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  home = await openHome(script);
});
afterAll(async () => {
  await home.close();
  receiver.close();
});

const env = (): NodeJS.Dict<string> => parseEnv(readFileSync(join(home.folder, '.env'), 'utf8'));

describe('setup', () => {
  it('goes from nothing to an approved webhook, and shows no secret', async () => {
    const { OPENAI_BASE_URL: address = '' } = home.modelSettings;
    const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: root = '' } = home.telegramSettings;
    home.set({ '# a comment of mine': '', TELEGRAM_API_ROOT: root });
    const program = home.open('npx passepartout setup --plain');
    const begun = Date.now();
    const answers: readonly (readonly [string, string])[] = [
      ['Which model shall answer?', '7'],
      ['Its address, such as', address],
      ['Its model', 'scripted'],
      ['Its key', WRONG_KEY],
      ['custom: refuses the key (“Incorrect API key provided', '1'],
      ['Which model shall answer?', '7'],
      ['(Enter for http', ' '],
      ['Its model (Enter for scripted)', ' '],
      ['Its key', 'sk-journey'],
      ["The bot's token", token],
      ['@passepartout_test_bot: reachable.', ''],
    ];
    let seen = 0;
    for (const [question, answer] of answers) {
      await program.prints(new RegExp(`^[\\s\\S]{${seen}}[\\s\\S]*${question.replace(/[.?()[\]]/g, '\\$&')}`));
      seen = program.output().length - 1;
      if (answer !== '') program.type(answer);
    }
    const { port } = receiver.address() as AddressInfo;
    await program.prints('Its address (https://…)');
    program.type(`http://127.0.0.1:${port}/deploy`);
    await program.prints('A name for it');
    program.type('deploy');
    await program.prints('How does it know that a call is yours?');
    program.type('1');
    await program.prints('Send one test call');
    program.type('y');
    await program.prints('It took the test call.');
    await program.prints('Which service, empty for none');
    program.type('');
    await program.prints('US dollars (Enter for 5)');
    program.type('3');
    await program.prints('Time zone (Enter for');
    program.type('new york');
    await program.prints('There is no time zone new york; one is America/New_York.');
    program.type('Europe/Lisbon');
    await program.prints('Write the default rules into policy.cedar');
    program.type('n');
    await program.prints('It answers: I am your agent.');
    await program.prints('Pair a Telegram chat now?');
    program.type('y');
    const [line] = /\/pair \w{4}-\w+/.exec(await program.prints(/\/pair \w{4}-\w+/)) ?? [];
    const owner = telegramPerson(home.telegram, OWNER);
    owner.says(line ?? '');
    await program.prints(`The chat ${OWNER} is paired.`);
    await program.prints('Try one action that needs your yes');
    program.type('y');
    await program.prints('call the webhook deploy');
    owner.says('call the webhook deploy');
    const card = await owner.reads('deploy');
    await owner.taps(card, 'Approve');
    await program.prints('It ended: done.');
    await program.prints('Make one now, passepartout.backup?');
    program.type('n');
    await program.prints('Set up. "npm start" starts it');
    // Answers are typed at once, so this is what a person waits: infra/setup-transcript.md.
    const waited = `Waited ${((Date.now() - begun) / 1000).toFixed(0)} s in all.`;
    if (process.env.TRANSCRIPT !== undefined) writeFileSync(process.env.TRANSCRIPT, `${program.output()}${waited}\n`);
    expect(calls).toStrictEqual([
      { test: true, from: 'the set-up of passepartout', text: 'A test of passepartout.' },
      { ref: 'main' },
    ]);
    expect(env()).toMatchObject({
      OPENAI_API_KEY: 'sk-journey',
      TELEGRAM_BOT_TOKEN: token,
      BUDGET_DAY_USD: '3',
      TIME_ZONE: 'Europe/Lisbon',
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    });
    const file = join(home.folder, '.env');
    expect(readFileSync(file, 'utf8')).toContain('# a comment of mine');
    expect([file, `${file}.before`].map((path) => statSync(path).mode & 0o777)).toStrictEqual([0o600, 0o600]);
    expect(program.output()).toContain('.env.before is the .env of before; it holds keys too.');
    for (const secret of [WRONG_KEY, 'sk-journey', token]) expect(program.output()).not.toContain(secret);
  });

  it('tries without questions, and writes nothing that is refused', async () => {
    const before = env();
    const refused = await home.run(`npx passepartout setup --only model --set OPENAI_API_KEY=${WRONG_KEY}`);
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('wrong  model') });
    expect(env()).toStrictEqual(before);
    const wrong = await home.run('npx passepartout setup --set TIME_ZONE=Mars/One');
    expect(wrong).toMatchObject({ code: 2, out: expect.stringContaining('TIME_ZONE: must be a time zone') });
    expect(env()).toStrictEqual(before);
    mkdirSync(join(home.folder, '.env.new'));
    const unwritable = await home.run('npx passepartout setup --only budget --set BUDGET_DAY_USD=4');
    rmdirSync(join(home.folder, '.env.new'));
    expect(unwritable).toMatchObject({ code: 1, out: expect.stringContaining('.env cannot be written: ') });
    const misspelt = await home.run('npx passepartout setup --set BUDGET_DAY_USDD=1');
    expect(misspelt).toMatchObject({ code: 2, out: expect.stringContaining('did you mean BUDGET_DAY_USD?') });
    expect(await home.paste('npx passepartout setup --only budget --set BUDGET_DAY_USD=4')).toContain('4 US dollars.');
    expect(env().BUDGET_DAY_USD).toBe('4');
  });

  it('connects a known service by its preset, with a test as that service takes it', async () => {
    const { port } = receiver.address() as AddressInfo;
    calls.length = 0;
    const program = home.open('npx passepartout setup --plain --only webhook');
    for (const [question, answer] of [
      ['Its address (https://…), or a service such as slack', 'slack'],
      ['A name for it, such as deploy', 'team'],
      ['Its address: your app, Incoming Webhooks', `http://127.0.0.1:${port}/services/T0/B0/aZ3kQ9xW7pLm2Rt5Vb8N`],
      ['Send one test call to it now?', 'y'],
      ['It took the test call.', ''],
      ['Newly possible after your yes to each call: the webhook team (POST to 127.0.0.1:', ''],
    ] as const) {
      await program.prints(question);
      if (answer !== '') program.type(answer);
    }
    await program.prints('Set up.');
    await program.end();
    expect(calls).toStrictEqual([{ text: 'A test of passepartout.' }]);
    expect(JSON.parse(env().WEBHOOK_TARGETS ?? '{}')).toMatchObject({
      deploy: { secret: expect.any(String) },
      team: { preset: 'slack', url: expect.stringContaining('/services/T0/') },
    });
  });

  it('replaces a value of before where it draws its questions, too', async () => {
    const screen = home.openScreen('npx passepartout setup --only budget');
    await screen.shows('US dollars (Enter for 4)');
    screen.type('7\r');
    await screen.shows('Set up.');
    expect(env().BUDGET_DAY_USD).toBe('7');
  });

  it('says that nobody is reachable without a network', async () => {
    home.set(home.modelSettings);
    await home.model.refuseConnections();
    const away = await home.run('npx passepartout setup --only model --non-interactive');
    await home.model.acceptConnections();
    expect(away).toMatchObject({ code: 1, out: expect.stringContaining('custom: is not reachable') });
    expect(await home.paste('npx passepartout setup --only model --non-interactive')).toContain('custom: reachable');
  });

  inSandbox('says before anything else that the disk is full, and so does the start', async () => {
    const disk = join(home.folder, 'disk');
    mkdirSync(disk);
    const on = `bwrap --dev-bind / / --size 300000 --tmpfs ${disk} --setenv DATA_DIR ${disk}/data`;
    const full = {
      out: expect.stringContaining(`the disk of ${disk}/data has 0 MB free; make room for at least 32 MB`),
    };
    for (const line of ['npx passepartout setup --only machine --non-interactive', 'npm start'])
      expect(await home.run(`${on} ${line}`), line).toMatchObject(full);
  });

  it.each(['', ' --plain'])('ends at Ctrl-C while it works: setup%s', async (form) => {
    const program = home.open(`npx passepartout setup --only answer${form}`, true);
    await program.prints('Starting it');
    expect(await program.end()).toBe(1);
    expect(program.output()).toContain('the set-up was ended');
    expect((await home.run('npx passepartout doctor')).out).toMatch(/^It can answer: no, because of stack/);
  });

  it('mends one wrong setting after the other', async () => {
    const broken = { ...home.modelSettings, BUDGET_DAY_USD: 'abc', TIME_ZONE: 'Mars/One' };
    home.set(broken);
    const mended = await home.run('npx passepartout setup --only budget --set BUDGET_DAY_USD=4');
    expect(mended.code).toBe(0);
    await home.paste('npx passepartout setup --only zone --set TIME_ZONE=Europe/Lisbon');
    expect(env()).toMatchObject({ BUDGET_DAY_USD: '4', TIME_ZONE: 'Europe/Lisbon' });
  });

  it('names a port that is taken, and a stack that runs with older settings', async () => {
    const { port } = receiver.address() as AddressInfo;
    const taken = await home.run(`PORT=${port} npx passepartout setup --only machine --non-interactive`);
    expect(taken).toMatchObject({ code: 1, out: expect.stringContaining(`Port ${port} is taken`) });
    const program = await home.start();
    const running = await home.run('npx passepartout setup --only answer --non-interactive');
    expect(running).toMatchObject({ code: 1, out: expect.stringContaining('A stack runs already') });
    expect(await home.paste('npx passepartout setup --only budget --non-interactive')).toContain(
      'The stack that runs takes it at its next start',
    );
    await program.end();
    expect(await home.run('npx passepartout setup --only nothing')).toMatchObject({
      code: 2,
      out: expect.stringContaining('there are: machine, model, keys, telegram'),
    });
  });
});
