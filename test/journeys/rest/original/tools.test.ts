/**
 * Tools as a person and the model see them: what is offered, what comes back, programs that keep
 * their variables, and commands and files of a machine within its folders. The machine's program
 * runs commands in bubblewrap; without it these tests say that they were not run.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../../cli/cli-world.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import { until } from '../../../support/stack.ts';
import { callOf, openPerson } from '../../support/person.ts';

const { world, types, writes, waiting, decides, ...person } = await openPerson();
afterAll(person.close);

const program = (code: string) => callOf('run-code', { language: 'javascript', code });
const offered = () => world.model.requests.at(-1)?.tools.map((tool) => tool.function) ?? [];

describe('Tool registry and tool actuator', () => {
  it('the model is offered each tool with its description and arguments, and none that is off', async () => {
    await writes('hello');
    const recall = offered().find(({ name }) => name === 'recall');
    expect(recall).toMatchObject({
      description: expect.stringMatching(/^Find notes that were remembered earlier/),
      parameters: { required: ['query', 'explanation'] },
    });
    expect(String(world.model.requests.at(-1)?.messages[0]?.content)).toMatch(/^# TOOLS\n.*\brecall, .*calculate/m);
    await writes('/skill off notes');
    await writes('hello');
    expect(offered().map(({ name }) => name)).not.toContain('recall');
    expect((await writes(callOf('recall', { query: 'bike' }))).said).toContain('refused by the rules');
    await writes('/skill on notes');
    await writes('hello');
    expect(offered().map(({ name }) => name)).toContain('recall');
  });

  it('what a tool gives, and why one failed, goes back to the model, which goes on', async () => {
    const both = [callOf('calculate', { expression: '1 +' }), callOf('calculate', { expression: '6 * 7' })];
    const { said } = await writes(both.join('\n'));
    expect(said).toContain('It gave: state: done\n42');
    const results = world.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => content)).toStrictEqual([
      'state: failed\nthe script does not parse (line 1)',
      'state: done\n42',
    ]);
  });

  it('results are told to a person in plain words', async () => {
    expect((await writes('/remember my bike is blue')).said).toMatch(/^Remembered as [0-9a-f]{32}\.$/);
    expect((await writes('/recall bike')).said).toMatch(/^[0-9a-f]{8} {2}my bike is blue$/);
    const { id } = await writes(callOf('recall', { query: 'bike' }));
    expect(await types(['why', id])).toMatch(/^Look in memory for “bike”: this was done\.$/m);
  });
});

describe('Code validation', () => {
  it('the model is told the fault and its line in a program that does not parse, and no person is asked', async () => {
    const { said } = await writes(program('const a = 1;\nlet x = ;'));
    expect(said).toContain('run-code: the javascript would be broken: it does not parse (line 2)');
    expect(await waiting()).toStrictEqual([]);
  });
});

describe('Interactive evaluation', () => {
  const run = async (code: string): Promise<string> => {
    await writes(program(code));
    const { said } = await decides('approve');
    return said.split('It gave: state: done\n')[1] ?? said;
  };

  it('programs give their value and what they print, keep their variables, list them, and say their errors', async () => {
    expect(await run('console.log("set"); state.rate = 1.19')).toBe('set\n1.19');
    expect(await run('(100 * state.rate).toFixed(2)')).toBe('119.00');
    expect(await run('Object.entries(state).join()')).toBe('rate,1.19');
    expect(await run('nothing.here')).toBe("It ended with an error. ReferenceError: 'nothing' is not defined");
  });

  it('code of the model reaches nothing of the agent, and runs only after a yes', async () => {
    const reached = '[typeof process, typeof require, typeof fetch, typeof Date.now === "function" && Date.now()]';
    await writes(program(reached));
    expect((await waiting()).map(({ sentence }) => sentence)).toStrictEqual([
      expect.stringMatching(/^Run this program in the sandbox: /),
    ]);
    const { said } = await decides('approve');
    expect(said).toContain('[\n "undefined",\n "undefined",\n "undefined",');
  });
});

const NOT_RUN = 'bubblewrap is missing: apt-get install bubblewrap';
const hasSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
const PROGRAM = new URL('../../../../infra/cli/passepartout.js', import.meta.url).pathname;

const home = mkdtempSync(join(tmpdir(), 'passepartout-home-'));
const root = join(home, 'work');
const notes = join(root, 'notes.txt');
const places = { HOME: home, PASSEPARTOUT_RUNNER_DIR: join(home, 'runners') };
let machine: ChildProcess | undefined;

beforeAll(async () => {
  if (!hasSandbox) return;
  mkdirSync(root);
  writeFileSync(notes, 'good morning\n');
  writeFileSync(join(home, 'private.txt'), 'a diary\n');
  const [, url = '', code = ''] = /runner pair (\S+) (\S+)/.exec(await types(['runners', 'pair', 'home'])) ?? [];
  expect(await runCli(['runner', 'pair', url, code], world.dataDir, { env: places })).toMatchObject({ code: 0 });
  const allowed = JSON.stringify({ folders: { read: [], write: [root] } });
  writeFileSync(join(home, 'runners', 'home', 'runner.yaml'), allowed, { mode: 0o600 });
  machine = spawn(process.execPath, [PROGRAM, 'runner', 'start', 'home'], { env: { ...CHILD_ENV, ...places } });
  await until('the machine is ready', async () => (await types(['runners'])).includes('home: ready'));
});
afterAll(async () => {
  const ended = new Promise((resolve) => machine?.once('close', resolve));
  if (machine?.kill('SIGTERM') === true) await ended;
  rmSync(home, { recursive: true, force: true });
});

describe('Shell and file tools', () => {
  beforeEach(({ skip }) => {
    if (!hasSandbox) skip(NOT_RUN);
  });

  it('a command that only reads runs at once on the paired machine, and its output comes back', async () => {
    expect((await writes(callOf('shell', { cmd: 'cat notes.txt' }))).said).toContain('good morning');
    expect(await waiting()).toStrictEqual([]);
  });

  it('a command that changes something waits for a yes, and one that destroys says so', async () => {
    await writes(callOf('shell', { cmd: 'cp notes.txt copy.txt' }));
    expect(existsSync(join(root, 'copy.txt'))).toBe(false);
    await decides('approve');
    expect(readFileSync(join(root, 'copy.txt'), 'utf8')).toBe('good morning\n');
    await writes(callOf('shell', { cmd: 'rm -rf .' }));
    const [card] = await waiting();
    expect(card?.destroys).toBe(true);
    await decides('deny');
    expect(existsSync(notes)).toBe(true);
  });
});

describe('Path confinement', () => {
  beforeEach(({ skip }) => {
    if (!hasSandbox) skip(NOT_RUN);
  });

  it('no file is read or written outside of the folders that the machine names', async () => {
    const diary = join(home, 'private.txt');
    const tried = [
      callOf('read-file', { path: join(root, '../private.txt') }),
      callOf('write-file', { path: join(home, 'new.txt'), content: 'x' }),
      callOf('shell', { cmd: `cat ${diary}` }),
    ];
    for (const call of tried)
      expect((await writes(call)).said).toMatch(/outside the folders this machine names for that \(confinement\)/);
    expect([await waiting(), existsSync(join(home, 'new.txt'))]).toStrictEqual([[], false]);
    // The machine looks again: a link leads out of its folder, which nobody else can see.
    symlinkSync(diary, join(root, 'link.txt'));
    expect((await writes(callOf('read-file', { path: join(root, 'link.txt') }))).said).not.toContain('a diary');
  });
});

describe('Structural editing', () => {
  beforeEach(({ skip }) => {
    if (!hasSandbox) skip(NOT_RUN);
  });

  it('a piece of a file that was read is replaced after a yes to the difference', async () => {
    const edit = callOf('edit-file', { path: notes, find: 'good morning', replace: 'good evening' });
    expect((await writes(edit)).said).toContain('nobody read this file yet');
    await writes(`${callOf('read-file', { path: notes })}\n${edit}`);
    const [card] = await waiting();
    expect(card?.rest.join('\n')).toContain('\n- good morning\n+ good evening\n');
    await decides('approve');
    expect(readFileSync(notes, 'utf8')).toBe('good evening\n');
  });

  it('a file of broken code is not written, and nobody is asked', async () => {
    const { said } = await writes(callOf('write-file', { path: join(root, 'a.ts'), content: 'const a = {;\n' }));
    expect(said).toContain('the typescript would be broken: it does not parse (line 1)');
    expect([await waiting(), existsSync(join(root, 'a.ts'))]).toStrictEqual([[], false]);
  });
});

describe('Browser tool', () => {
  it('a page is opened only after a yes to its address, and none of this machine or its network', async () => {
    await writes(callOf('fetch-url', { url: 'https://example.org/news' }));
    expect((await waiting())[0]?.sentence).toContain('https://example.org/news');
    expect((await decides('deny')).said).toContain('a person denied it');
    for (const url of ['https://127.0.0.1/', 'https://localhost/', 'https://192.168.1.1/', 'http://example.org/'])
      expect((await writes(callOf('fetch-url', { url }))).said).toContain('refused by the rules');
    expect(await waiting()).toStrictEqual([]);
  });
});
