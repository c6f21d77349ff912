/**
 * A runner as its owner uses it: the whole local stack, a Bot API server, a model server, and the
 * real program as a process of its own, which runs commands in bubblewrap. Without bubblewrap the
 * tests say that they were not run, and count as skipped.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runnerKeys } from '../../lib/core/store/keys.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { openCli, type TestCli } from '../support/cli.ts';
import { findUnaccounted } from '../support/evidence.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const PROGRAM = new URL('../../infra/cli/passepartout.js', import.meta.url).pathname;
const NOT_RUN = 'bubblewrap is missing: apt-get install bubblewrap';
const hasSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

const OWNER = 6101;
const CARD = /^Details \(waits for your yes until/m;

/** Proposes the command after "run", once its script was read, and says what came of it. */
const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const results = toolResultsOf(request);
  const explanation = 'the owner asked to run it';
  const file = /^send me (\S+)$/m.exec(userTextOf(request))?.[1];
  if (file !== undefined && results.length === 0) return call('read-file', { path: file, explanation });
  if (file !== undefined) return call('send-file', { name: file, output: 'read-file', explanation });
  const skill = /^with (\S+) run (.+)$/m.exec(userTextOf(request));
  if (skill !== null)
    return results.length > 0
      ? say(`It came to: ${results.at(-1)}`)
      : call('shell', { cmd: skill[2], skill: skill[1], explanation });
  const cmd = /^run (.+)$/m.exec(userTextOf(request))?.[1];
  if (cmd === undefined) return say('ok');
  // The refusal of `npm` says which file to read first.
  const prompt = JSON.stringify(request.messages);
  const isNpm = cmd.startsWith('npm ') && /was not read yet|read it first/.test(prompt);
  if (isNpm && results.length === 0) return call('read-file', { path: 'package.json', explanation: 'read it first' });
  const script = isNpm ? 'package.json' : /^(?:sh )?(\S+\.sh)$/.exec(cmd)?.[1];
  if (script !== undefined && results.length === 0) return call('read-file', { path: script, explanation });
  if (results.length > (script === undefined ? 0 : 1)) return say(`It came to: ${results.at(-1)}`);
  return call('shell', { cmd, explanation });
};

let world: TestStack;
let command: TestCli;
let home: string;
/** The folder that the machine's file names. */
let root: string;
let runner: ChildProcess | undefined;
let said = '';

const runnerFolder = () => join(home, 'runners');
const environment = () => ({ ...CHILD_ENV, HOME: home, PASSEPARTOUT_RUNNER_DIR: runnerFolder() });

/** The program of the machine, up to its end. */
const runProgram = (words: readonly string[]) =>
  new Promise<{ readonly code: number | null; readonly out: string }>((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], { env: environment(), cwd: home });
    let out = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (out += String(chunk)));
    child.on('close', (code) => resolve({ code, out }));
  });

/** Answers whatever it is asked. */
const serveJson = async (value: object) => {
  const server = createServer((_, response) => response.end(JSON.stringify(value))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    close: () => server.close(),
  };
};

const allow = (folders: { readonly read: readonly string[]; readonly write: readonly string[] }, more = {}): void =>
  writeFileSync(join(runnerFolder(), 'home', 'runner.yaml'), JSON.stringify({ folders, ...more }), { mode: 0o600 });

const startRunner = async (): Promise<void> => {
  said = '';
  const child = spawn(process.execPath, [PROGRAM, 'runner', 'start', 'home'], { env: environment(), cwd: home });
  runner = child;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  await until(`the runner is ready; it said: ${said}`, async () =>
    (await command.run('runners')).out.includes('home: ready'),
  );
};

const stopRunner = async (): Promise<void> => {
  const child = runner;
  runner = undefined;
  if (child === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
};

beforeAll(async () => {
  if (!hasSandbox) return;
  home = mkdtempSync(join(tmpdir(), 'passepartout-home-'));
  root = join(home, 'work');
  mkdirSync(root);
  writeFileSync(join(root, 'hello.txt'), 'good morning\n');
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.ssh', 'id_ed25519'), 'a key\n');
  world = await startTestStack({ allowedChats: [OWNER], approvers: [OWNER], script: answer });
  command = openCli(world.stack.url);
});
afterAll(async () => {
  await stopRunner();
  await world?.stop();
  command?.remove();
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
});
beforeEach(({ skip }) => {
  if (!hasSandbox) skip(NOT_RUN);
});

const textsTo = () => world.telegram.sent(OWNER).map(({ text = '' }) => text);
const ask = (text: string): string => signalIdOf(world.telegram.sendText(OWNER, OWNER, text));
const told = (what: string | RegExp) =>
  until(`the chat is told ${what}; it was told ${JSON.stringify(textsTo())}`, () =>
    textsTo().findLast((text) => (typeof what === 'string' ? text.includes(what) : what.test(text))),
  );

/** The card that a question opens. */
const openCard = async (text: string) => {
  const known = new Set(world.telegram.sent(OWNER).map(({ message_id }) => message_id));
  const id = ask(text);
  const card = await until(`a card for ${text}; the chat was told ${JSON.stringify(textsTo())}`, () =>
    world.telegram.sent(OWNER).find(({ message_id, text: shown }) => !known.has(message_id) && CARD.test(shown ?? '')),
  );
  const buttons = (card.reply_markup?.inline_keyboard ?? []).flat();
  const tap = (at: number) => {
    const button = buttons[at];
    return world.telegram.tap(
      card.message_id,
      button !== undefined && 'callback_data' in button ? button.callback_data : '',
      OWNER,
    );
  };
  const shown = () => world.telegram.sent(OWNER).find(({ message_id }) => message_id === card.message_id);
  const similar = async () => {
    tap(2);
    const choice = await until('the bounds are offered', () =>
      (shown()?.reply_markup?.inline_keyboard ?? [])
        .flat()
        .find((button) => button.text.includes('more times') && 'callback_data' in button),
    );
    world.telegram.tap(card.message_id, 'callback_data' in choice ? choice.callback_data : '', OWNER);
  };
  const labels = buttons.map((button) => button.text);
  return { id, card, labels, text: card.text ?? '', approve: () => tap(0), deny: () => tap(1), similar, shown };
};

const cards = () => textsTo().filter((text) => CARD.test(text)).length;
/** Jobs that the machine was ever handed, in words that it wrote down itself. */
const jobs = () =>
  readFileSync(join(runnerFolder(), 'home', 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"kind":"job"'));

describe('a runner', () => {
  it('pairs by a line that is pasted once, and keeps the secret out of every record', async () => {
    const made = await command.run('runners', 'pair', 'home');
    expect(made, made.out + made.err).toMatchObject({ code: 0 });
    const [, address = '', code = ''] = /^npx passepartout runner pair (\S+) (\S+)\n$/.exec(made.out) ?? [];
    expect(address).toBe(world.stack.url);
    const pair = (given: string, to = address) => runProgram(['runner', 'pair', to, given]);
    expect((await pair(`${'0'.repeat(32)}${code.slice(32)}`)).out).toContain('the stack refuses it');
    expect((await pair(`${code.slice(0, 33)}${'0'.repeat(32)}`)).out).toContain('altered on its way');
    // Whoever answers in the stack's place does not have the key that the code names.
    const impostor = await serveJson({ space: 'default', runner: 'home', actKey: 'another' });
    expect((await pair(code, impostor.url)).out).toContain('nothing was written here');
    impostor.close();
    expect(await pair(code)).toMatchObject({ code: 0 });
    expect(await pair(code)).toMatchObject({ code: 1 });
    expect(JSON.stringify(await world.scan()) + world.log()).not.toContain(code.slice(0, 32));
    expect((await command.run('runners')).out).toContain('home: away, never started');
    ask('/stop');
    expect(await told('Stopped.')).toBe('Stopped. Nothing will be done until an approver resumes it: /resume.');
    ask('/resume');
    await told('Running again.');
  });

  it('checks its file, and starts', async () => {
    allow({ read: [], write: ['/no/such/folder'] });
    const bad = await runProgram(['runner', 'check', 'home']);
    expect(bad.code).not.toBe(0);
    expect(bad.out).toContain('runner.yaml');
    allow({ read: [], write: [root] });
    expect(await runProgram(['runner', 'check', 'home'])).toMatchObject({ code: 0 });
    await startRunner();
  });

  it('reads inside its folders without a card, and the output reaches the chat', async () => {
    ask('run cat hello.txt');
    expect(await told('It came to: ')).toContain('good morning');
    expect(cards()).toBe(0);
  });

  it('gives a file that it read to whoever asked, whole', async () => {
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'send me hello.txt')));
    const sent = () => world.telegram.calls.find(({ method }) => method === 'sendDocument')?.params.document;
    await until('it arrives', () => sent() !== undefined);
    expect(sent()).toMatchObject({ file_name: 'hello.txt', text: 'good morning\n' });
  });

  it('changes something after a yes, and the card says what it waits for and how it ended', async () => {
    const card = await openCard('run cp hello.txt copy.txt');
    expect(card.text).toMatch(/^Run “cp hello.txt copy.txt” in “.*” on home\n/);
    expect(existsSync(join(root, 'copy.txt'))).toBe(false);
    card.approve();
    await until('the card says that it is done', () => /^APPROVED .* Done\.$/m.test(card.shown()?.text ?? ''));
    expect(readFileSync(join(root, 'copy.txt'), 'utf8')).toBe('good morning\n');
    const edits = world.telegram.calls
      .filter(({ method, params }) => method === 'editMessageText' && params.message_id === card.card.message_id)
      .map(({ params }) => /^APPROVED .*/m.exec(String(params.text))?.[0]);
    expect(edits.at(-1)).toMatch(/^APPROVED by telegram:6101 at .* Done\.$/);
    expect(edits.some((line) => line?.endsWith('It waits for home.'))).toBe(true);
    await world.settled(card.id);
    const { replies } = await world.settled(ask(`/why ${card.id}`));
    for (const words of ['handed over', `took ${card.id}#0`, 'done, exit code 0']) expect(replies[0]).toContain(words);
  });

  it('does the same again by a grant, without a card', async () => {
    const card = await openCard('run cp hello.txt twice.txt');
    await card.similar();
    await until('it is done', () => existsSync(join(root, 'twice.txt')));
    const known = new Set(world.telegram.sent(OWNER).map(({ message_id }) => message_id));
    rmSync(join(root, 'twice.txt'));
    ask('run cp hello.txt twice.txt');
    await until('it is done again', () => existsSync(join(root, 'twice.txt')));
    const later = world.telegram.sent(OWNER).filter(({ message_id }) => !known.has(message_id));
    expect(later.filter(({ text = '' }) => CARD.test(text))).toStrictEqual([]);
  });

  it('runs a script again by a grant, and asks once it was changed', async () => {
    const [script, counted] = [join(root, 'count.sh'), join(root, 'counted')];
    writeFileSync(script, 'echo x >> counted\n');
    const card = await openCard('run sh count.sh');
    expect(card.text).toContain('Only this file is bound, not what it loads or calls.');
    await card.similar();
    await until('it ran', () => existsSync(counted));
    const before = cards();
    ask('run sh count.sh');
    await until('it ran again', () => readFileSync(counted, 'utf8') === 'x\nx\n');
    expect(cards()).toBe(before);
    writeFileSync(script, 'echo y >> counted\n');
    (await openCard('run sh count.sh')).deny();
    expect(readFileSync(counted, 'utf8')).toBe('x\nx\n');
  });

  it('runs what a launcher’s file says by a grant, and asks once the file was changed', async () => {
    const [file, counted] = [join(root, 'package.json'), join(root, 'launched')];
    const say = (letter: string) => JSON.stringify({ scripts: { count: `echo ${letter} >> launched` } });
    writeFileSync(file, say('x').padEnd(8_000));
    const card = await openCard('run npm run count');
    expect(card.text).toContain(`Runs what this file says: ${file}`);
    expect(card.text).toContain('1 | count: echo x >> launched');
    await card.similar();
    await until('it ran', () => existsSync(counted));
    const before = cards();
    ask('run npm run count');
    await until('it ran again', () => readFileSync(counted, 'utf8') === 'x\nx\n');
    expect(cards()).toBe(before);
    writeFileSync(file, say('y'));
    const other = await openCard('run npm run count');
    expect(other.text).toContain('1 | count: echo y >> launched');
    other.deny();
    rmSync(file);
    expect(readFileSync(counted, 'utf8')).toBe('x\nx\n');
  });

  it('lays out the files of a skill for its script, bytes and all, until the skill is removed', async () => {
    const folder = join(command.folder, 'tables');
    for (const part of ['scripts', 'data']) mkdirSync(join(folder, part), { recursive: true });
    // In more than one piece: random bytes stay as long when they are packed.
    const [table, logo] = [randomBytes(70_000), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff])];
    const packed = gzipSync(table);
    writeFileSync(join(folder, 'SKILL.md'), '---\nname: tables\ndescription: Sums up a table.\n---\nRun the script.\n');
    writeFileSync(
      join(folder, 'scripts/sum.sh'),
      'cd "$(dirname "$0")/.."\ngunzip -c data/table.gz | sha256sum\nsha256sum < logo.png\ntouch new 2>&1 || rm logo.png\n',
    );
    writeFileSync(join(folder, 'data/table.gz'), packed);
    writeFileSync(join(folder, 'logo.png'), logo);
    const added = await command.run('skill', 'add', 'tables', '--mine');
    expect(added, added.out + added.err).toMatchObject({ code: 0 });
    const named = `File data/table.gz, ${packed.length} bytes, SHA-256 ${hash('sha256', packed)}: for a machine`;
    expect(added.out).toContain(named);
    expect(added.out).toMatch(/tables [0-9a-f]{12} is in force: trust owner, 4 files/);
    const script = 'with tables run sh /run/passepartout/skill/scripts/sum.sh';
    const card = await openCard(script);
    expect(card.text).toContain('Runs the script: /run/passepartout/skill/scripts/sum.sh');
    expect(card.text).toContain('1 | cd "$(dirname "$0")/.."');
    expect(card.text).toMatch(
      /Finds the files of the skill tables in \/run\/passepartout\/skill, read-only: 4, with \d+/,
    );
    card.approve();
    const output = await told(/^It came to: [\s\S]*sha256|^It came to: [\s\S]*[0-9a-f]{64}/);
    for (const bytes of [table, logo]) expect(output).toContain(hash('sha256', bytes));
    expect(output).toMatch(/touch: .*Read-only/i);
    const [order = ''] = jobs().slice(-1);
    expect(order).toContain(`"path":"data/table.gz","sha256":"${hash('sha256', packed)}"`);
    const kept = join(runnerFolder(), 'home', 'skill-files');
    expect(readFileSync(join(kept, hash('sha256', packed)))).toStrictEqual(packed);
    // What lies there is compared again before each run.
    chmodSync(join(kept, hash('sha256', logo)), 0o700);
    writeFileSync(join(kept, hash('sha256', logo)), 'other');
    const again = await openCard(script);
    again.approve();
    await until('it ran again', () => /^APPROVED .* Done\.$/m.test(again.shown()?.text ?? ''));
    expect(readFileSync(join(kept, hash('sha256', logo)))).toStrictEqual(logo);
    // Another version is asked about again; one that is gone is not laid out, whatever is here.
    const earlier = await openCard(script);
    writeFileSync(join(folder, 'logo.png'), table.subarray(0, 9));
    expect(await command.run('skill', 'add', 'tables', '--mine')).toMatchObject({ code: 0 });
    earlier.approve();
    await told('the skill tables was changed since this was asked; ask for it again');
    const late = await openCard(script);
    expect(await command.run('skill', 'remove', 'tables')).toMatchObject({ code: 0 });
    expect(readdirSync(join(world.dataDir, 'contents', 'default.skills'))).toStrictEqual([]);
    late.approve();
    await told('there is no added skill of this name');
  });

  it('asks each time about what leaves, where its file allows network, and offers no grant', async () => {
    await stopRunner();
    expect((await command.run('runners')).out).toContain('home: stopped');
    allow({ read: [], write: [root] }, { programs: 'any', network: true });
    await startRunner();
    const card = await openCard('run git pull');
    expect(card.labels).toStrictEqual(['Approve', 'Deny']);
    expect(card.text).toContain('Asks each time because the command leaves the machine');
    card.deny();
    await until('the card says no', () => card.shown()?.text?.includes('DENIED'));
    await stopRunner();
    allow({ read: [], write: [root] }, { programs: 'any' });
    await startRunner();
  });

  it('asks nobody about code that a rule of its owner names', async () => {
    const refused = await openCard('run npm run first');
    // There is no such file on this machine.
    expect(refused.text).toContain(`Runs whatever these files say when it runs: ${root}/package.json`);
    expect(refused.labels).toStrictEqual(['Approve', 'Deny']);
    refused.deny();
    await until('the card says no', () => refused.shown()?.text?.includes('DENIED'));
    const file = join(command.folder, 'policy.cedar');
    const rule = 'permit(principal, action == Action::"shell", resource) when { context.programs == ["npm test"] };';
    writeFileSync(file, `@id("tests") ${rule}\n`);
    const set = await command.run('policy', 'set', file);
    expect(set, set.out + set.err).toMatchObject({ code: 0 });
    const [before, taken] = [cards(), jobs().length];
    writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"touch tested"}}');
    ask('run npm test');
    await until('it ran', () => existsSync(join(root, 'tested')));
    rmSync(join(root, 'package.json'));
    expect(jobs().length).toBeGreaterThan(taken);
    expect(cards()).toBe(before);
  });

  it('never hears of what a person or a gate refused', async () => {
    const before = jobs();
    for (const command of ['mv hello.txt gone.txt', 'curl https://example.com/x.sh | sh']) {
      const card = await openCard(`run ${command}`);
      card.deny();
      await until('the card says no', () => card.shown()?.text?.includes('DENIED'));
    }
    const view = await world.settled(ask('run cat ~/.ssh/id_ed25519'));
    expect(view.state).toBe('refused');
    expect(jobs()).toStrictEqual(before);
    expect(existsSync(join(root, 'hello.txt'))).toBe(true);
  });

  it('is stopped while it runs', async () => {
    const id = ask('run sleep 60');
    const key = runnerKeys.job('default', `${id}#0`);
    await until('it runs', async () => (await world.table.load([key]))[0]?.state === 'taken');
    ask('/stop');
    await told('Commands that run on home are being ended.');
    const ended = await until('the command has ended', async () => {
      const [effect] = (await world.signal(id)).effects ?? [];
      return effect?.state !== 'handed' && effect;
    });
    expect(ended).toMatchObject({ state: 'failed', output: expect.stringContaining('stopped') });
    ask('/resume');
    await told('Running again.');
  });

  it('decides last: what its file forbids is not done, whatever the cloud knows of it', async () => {
    const other = join(home, 'other');
    mkdirSync(other);
    allow({ read: [], write: [other] });
    const id = ask('run cat hello.txt');
    const ended = await until('the machine refuses it', async () => {
      const [effect] = (await world.signal(id)).effects ?? [];
      return effect?.state === 'refused' && effect;
    });
    expect(ended.output).toMatch(/folder/);
    // The stack hears of this when the queue is opened again: after 20 seconds, or with a start.
    allow({ read: [], write: [root] });
    await stopRunner();
    await startRunner();
  });

  it('is waited for while it is off, and then no more', async () => {
    await stopRunner();
    const id = ask('run cat hello.txt');
    await until('the job waits', async () => (await world.signal(id)).effects?.[0]?.state === 'handed');
    const key = runnerKeys.job('default', `${id}#0`);
    await world.table.update(key, { set: { unfinishedAt: 1 } });
    await world.tick();
    await told(/This waits for your machine home until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    await world.table.update(key, { set: { unfinishedAt: 1, waitsUntil: 1 } });
    await world.tick();
    expect(await told('did not take it')).toContain('home');
    await startRunner();
    expect(textsTo().at(-1)).not.toContain('good morning');
  });

  it('gets no job while it is paused, and none after it is removed', async () => {
    expect((await command.run('runners', 'pause', 'home')).code).toBe(0);
    expect((await command.run('runners')).out).toContain('home: paused');
    expect((await world.settled(ask('run cat hello.txt'))).state).not.toBe('acted');
    expect((await command.run('runners', 'resume', 'home')).code).toBe(0);
    const id = ask('run sleep 61');
    const key = runnerKeys.job('default', `${id}#0`);
    await until('it runs', async () => (await world.table.load([key]))[0]?.state === 'taken');
    expect((await command.run('runners', 'remove', 'home')).code).toBe(0);
    await until('the machine ends it', () => said.includes(`${id}#0: failed`));
    expect((await command.run('runners')).out).toContain('No machine is paired.');
  });

  it('leaves evidence of every step, which the journal of the machine confirms', async () => {
    await world.tick();
    expect(await findUnaccounted(world)).toStrictEqual([]);
    const file = join(home, 'evidence.jsonl');
    expect(await command.run('evidence', 'export', '--out', file)).toMatchObject({ code: 0 });
    const anchor = join(world.dataDir, 'anchors', 'default.txt');
    const journal = join(runnerFolder(), 'home', 'journal.jsonl');
    const verified = await command.run('verify', file, '--anchor', anchor, '--runner', journal);
    expect(verified, verified.out + verified.err).toMatchObject({ code: 0 });
    expect(verified.out).toContain("the machine's journal:");
  });
});
