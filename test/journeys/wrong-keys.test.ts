/**
 * A person without a network, then with a wrong key and a wrong bot token, then with the right
 * ones: the start, `models`, `doctor`, the health of the page and the chat say which it is, and
 * where to change what. No output holds a secret.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { say, WRONG_KEY } from '../support/model-server.ts';
import { TAKES_MORE } from '../support/sample.ts';
import { type Home, openHome, type Program } from './support/home.ts';

const WRONG_TOKEN = '4242:AAwrongWRONGwrongWRONGwrongWRONGwro';

/** Whether the model server knows the models that it is asked for. */
let isKnown = true;
let home: Home;
let program: Program;
beforeAll(async () => {
  home = await openHome(() => (isKnown ? say('ok') : { kind: 'status', status: 404 }));
});
afterEach(() => program?.end());
afterAll(() => home.close());

const configure = (settings: Readonly<Record<string, string>>): void => {
  writeFileSync(join(home.folder, '.env'), 'PORT=0\n', { mode: 0o600 });
  home.set({ ...home.modelSettings, ...home.telegramSettings, ...settings });
};

/** All that the commands say about the running stack, and what health gives as its reasons. */
const look = async () => {
  const models = await home.run('npx passepartout models');
  const doctor = await home.run('npx passepartout doctor');
  const said = await home.run('npx passepartout send "/status"');
  return { models, doctor, status: said.out };
};

describe('a person whose providers do not answer', () => {
  it.runIf(TAKES_MORE)('reads without a network that nobody is reachable, and the start goes on', async () => {
    await home.model.refuseConnections();
    configure({ TELEGRAM_API_ROOT: new URL(home.model.baseUrl).origin });
    program = await home.start();
    expect(program.output()).toMatch(/custom: (is not reachable|did not answer in time): it is tried again by itself/);
    expect(program.output()).toContain('Telegram: not reachable (it is tried again by itself)');
    const { models, doctor, status } = await look();
    await home.model.acceptConnections();
    expect(models.out).toMatch(/^wrong +custom .* is not reachable: it is tried again by itself/m);
    expect(doctor.out).toMatch(/no language model has been reachable since \d{4}-\d\d-\d\d \d\d:\d\d(?! UTC)/);
    expect(status).toMatch(
      /^Attention: no language model has been reachable since \d{4}-\d\d-\d\d \d\d:\d\d UTC; \d+ conversations? waits? \(infra\/troubleshooting\.md#the-model\)\.$/m,
    );
    expect(doctor.out).toContain('Telegram: no updates: Telegram could not be reached');
    expect(`${program.output()}${models.out}${doctor.out}`).not.toMatch(/refuse/);
  });

  it.runIf(TAKES_MORE)(
    'reads in the terminal, after a start with a network, the answer to what was asked without one',
    async () => {
      await home.model.refuseConnections();
      configure({});
      program = home.open('npm start', true);
      await program.prints('Type a message');
      program.type('is anybody there?');
      await program.prints('not reachable right now');
      await program.end();
      await home.model.acceptConnections();
      program = home.open('npm start', true);
      expect(await program.prints(/(?:^|> )ok\r?$/m)).toContain('1 message is taken up again.');
    },
  );

  it('is told of a wrong key and a wrong token by the start, models, doctor, health and /status, and where to change them', async () => {
    configure({ OPENAI_API_KEY: WRONG_KEY, TELEGRAM_BOT_TOKEN: WRONG_TOKEN });
    program = await home.start();
    const key =
      'custom: refuses the key (“Incorrect API key provided: …. You can find your API key at the provider”): put a valid one in OPENAI_API_KEY in line 3 of .env (npx passepartout setup --only model, then start again)';
    const token = 'Telegram: refuses the token: change TELEGRAM_BOT_TOKEN in line 5 of .env and start again';
    expect(program.output()).toContain(key);
    expect(program.output()).toContain(token);
    const { models, doctor, status } = await look();
    expect(models.code).toBe(1);
    expect(models.out).toMatch(
      /^wrong +custom .* refuses the key .*: put a valid one in OPENAI_API_KEY in line 3 of \.env/m,
    );
    expect(doctor.out).toMatch(/^It can answer: no, because of model: custom: refuses the key/);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain(key);
    expect(doctor.out).toContain(token);
    expect(doctor.out).toMatch(
      /health +degraded: the model provider custom \(scripted\) refuses the key \(asked at \d{4}-\d\d-\d\d \d\d:\d\d\): put a valid one in OPENAI_API_KEY \(npx passepartout setup --only model, then start again\); Telegram: the token in TELEGRAM_BOT_TOKEN is refused/,
    );
    expect(status).toContain('Attention: the model provider custom (scripted) refuses the key');
    const hello = (await home.run('npx passepartout send "hello"')).out;
    expect(hello).toContain(
      'nothing was done. Attention: the model provider custom (scripted) refuses the key: put a valid one in OPENAI_API_KEY (npx passepartout setup --only model, then start again).',
    );
    expect(hello).not.toContain('refuses my key');
    expect((await home.run('npx passepartout pair')).out).toContain(`No bot answers now: ${token}`);
    for (const text of [program.output(), models.out, doctor.out, status])
      for (const secret of [WRONG_KEY, WRONG_TOKEN, 'AAwrong']) expect(text).not.toContain(secret);
  });

  it('is told of a misspelt model by the start, before anything is asked, and by setup', async () => {
    isKnown = false;
    configure({ OPENAI_MODEL: 'scriptd' });
    const setup = await home.run('npx passepartout setup --only model --non-interactive');
    program = await home.start();
    isKnown = true;
    const says = 'knows no such model at this address';
    expect(setup).toMatchObject({ code: 1, out: expect.stringContaining(`custom: ${says} (404)`) });
    expect(program.output()).toContain(
      `custom: ${says} (404) (does not list scriptd: set OPENAI_MODEL, for example to scripted): choose one`,
    );
    expect(program.output()).toMatch(
      new RegExp(`^ {2}doctor {4}it can answer: no, because the model provider custom \\(scriptd\\) ${says}`, 'm'),
    );
  });

  it.runIf(TAKES_MORE)(
    'is told when a key expires while it runs, and by setup, and goes on with it once it is valid',
    async () => {
      configure({});
      program = await home.start();
      expect(await home.paste('npx passepartout send "hello"')).toContain('ok');
      home.model.expireKeys(true);
      const refused = 'the model provider custom (scripted) refuses the key';
      expect((await home.run('npx passepartout send "and now?"')).out).toContain(refused);
      const { models, doctor, status } = await look();
      expect(models.out).toContain('refuses the key (“Your API key has expired. Make a new one at the provider”)');
      expect(doctor.out).toMatch(/^It can answer: no, because of model: custom: refuses the key/);
      expect(status).toContain(`Attention: ${refused}`);
      const setup = await home.run('npx passepartout setup --only model --non-interactive');
      home.model.expireKeys(false);
      expect(setup).toMatchObject({ code: 1, out: expect.stringContaining('Your API key has expired') });
      expect(await home.paste('npx passepartout send "and again?"')).toContain('ok');
      expect((await look()).doctor.out).toMatch(/^It can answer: yes\.$/m);
    },
  );

  it.runIf(TAKES_MORE)('is told of a refused key for voice answers, and which command mends it', async () => {
    configure({ SPEECH_MODEL: 'scripted', TRANSCRIPTION_API_KEY: WRONG_KEY });
    program = await home.start();
    const { out } = await home.run('npx passepartout doctor');
    const [mend = ''] = /npx passepartout setup --only keys/.exec(out) ?? [];
    expect(out).toMatch(/^wrong +model +voice answers: refuses the key/m);
    await program.end();
    const setup = home.open(`${mend} --plain`);
    await setup.prints('TRANSCRIPTION_API_KEY for SPEECH_MODEL');
    setup.type('sk-right');
    await setup.prints('Set up.');
    await setup.end();
    program = await home.start();
    expect(await home.paste('npx passepartout doctor')).toMatch(/^ok +model +voice answers: reachable$/m);
  });

  it.runIf(TAKES_MORE)('reads nothing of a provider whose key was taken out', async () => {
    writeFileSync(join(home.folder, '.env'), 'PORT=0\n', { mode: 0o600 });
    home.set(home.telegramSettings);
    program = await home.start();
    const { doctor, status } = await look();
    expect(doctor.out).toMatch(/^ok +health +healthy$/m);
    expect(status).not.toContain('Attention');
  });

  it.runIf(TAKES_MORE)(
    'reads which setting names an unlisted model, which key is empty, and that both still work',
    async () => {
      configure({ OPENAI_MODEL: 'gpt-6-luna', ANTHROPIC_API_KEY: '' });
      program = await home.start();
      const unlisted = 'custom: does not list gpt-6-luna: set OPENAI_MODEL, for example to scripted';
      expect(program.output()).toContain(unlisted);
      expect(program.output()).toMatch(/^ANTHROPIC_API_KEY in line 7 of \.env is empty$/m);
      expect(await home.paste('npx passepartout send "hello"')).toContain('ok');
      expect(await home.paste('npx passepartout models')).toMatch(/^ok +custom .*set OPENAI_MODEL, for example/m);
      const doctor = await home.paste('npx passepartout doctor');
      expect(doctor).toContain(unlisted);
      expect(doctor).not.toContain('wrong');
    },
  );

  it('reads with the right ones which bot and which model it has, and all is green', async () => {
    configure({});
    program = await home.start();
    expect(program.output()).toMatch(/^ {2}telegram {2}@\w+, long polling$/m);
    expect(program.output()).toMatch(/^ {2}model {5}custom\/scripted$/m);
    const { models, doctor, status } = await look();
    expect(models.out).toMatch(/^ok +custom .* reachable$/m);
    expect(models.code).toBe(0);
    expect(doctor.out).toMatch(/^ok +health +healthy$/m);
    expect(doctor.out).toMatch(/^ok +telegram +@\w+: reachable$/m);
    expect(doctor.out).not.toContain('wrong');
    expect(status).not.toContain('Attention');
    expect(await home.paste('npx passepartout send "hello"')).toContain('ok');
    await home.paste('npx passepartout evidence export --out before.jsonl');
  });

  it.runIf(TAKES_MORE)(
    'reads without tokens.json why the evidence log stands still, and an export does not wait for it',
    async () => {
      const tokens = join(home.folder, '.passepartout', 'tokens.json');
      writeFileSync(tokens, 'damaged');
      expect((await home.run('npm start')).out).toContain(
        'tokens.json is not what was written there: put a copy of it back, or restore a backup. Without it the evidence log cannot go on',
      );
      rmSync(tokens);
      program = await home.start();
      await home.paste('npx passepartout send "/status"');
      const exported = await home.run('npx passepartout evidence export --out after.jsonl');
      const why = 'the evidence log stands still: LOG_SIGNING_KEY is not the key that signed this log so far';
      expect(exported).toMatchObject({ code: 1, out: expect.stringContaining(why) });
      const doctor = await home.run('npx passepartout doctor');
      expect(doctor.out).toContain(`health       degraded: ${why}`);
      expect(doctor.code).toBe(1);
    },
  );
});
