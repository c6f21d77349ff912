/**
 * A person adds a second model provider to a stack that runs: its key is typed once, and within ten
 * seconds every part knows it. It answers, goes and comes back, over a restart. The key is nowhere.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SecondProvider, startSecondProvider } from '../../support/second-provider.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

const KEY = 'sk-second-7f3kQ9zLw2Xb8Rt5Vn1Yp4Mc6Hd';

let home: Home;
let stack: Program;
let second: SecondProvider;

beforeAll(async () => {
  [home, second] = await Promise.all([openHome(), startSecondProvider(KEY)]);
  stack = await home.start();
});
afterAll(async () => {
  await home.close();
  await second.close();
});

const token = (): string =>
  JSON.parse(readFileSync(join(home.folder, '.passepartout', 'tokens.json'), 'utf8')).approverToken;

/** The providers as /health names them, by which the page shows them too. */
const asked = async (): Promise<readonly string[]> => {
  const headers = { authorization: `Bearer ${token()}` };
  return JSON.parse(await (await fetch(new URL('/health', home.url()), { headers })).text()).checks.models;
};

/** What is promised; a test that waits for it looks far more often. */
const KNOWN_MS = 10_000;
const becomes = (...names: readonly string[]) =>
  expect.poll(asked, { timeout: KNOWN_MS, interval: 100 }).toStrictEqual(names);

/** Each function reads the settings itself: the console may know a change before Reason. */
const answers = (words: string, answer: string) =>
  expect
    .poll(() => home.paste(`npx passepartout send "${words}"`), { timeout: KNOWN_MS, interval: 500 })
    .toContain(answer);

/** All files below the folder of the stack but the vault. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'vault.json')
    .map((entry) => join(entry.parentPath, entry.name));

const holders = (): readonly string[] =>
  filesIn(join(home.folder, '.passepartout')).filter((file) => readFileSync(file).includes(KEY.slice(10)));

describe('a provider that comes while the stack runs', () => {
  it('is refused with a wrong key in plain words, which repeat no key', async () => {
    const { code, out } = await home.run(
      `npx passepartout provider add second ${second.baseUrl} tiny-1`,
      'sk-wrong-0123456789abcdef\n',
    );
    expect(code).toBe(1);
    expect(out).toContain(
      'second refuses the key (401); type a valid key in a terminal: npx passepartout provider key second',
    );
    expect(out).not.toContain('sk-wrong');
    expect(await home.paste('npx passepartout provider')).not.toContain('second');
  });

  it('is added with its key, which is typed once, and says its window and price', async () => {
    const out = await home.paste(`npx passepartout provider add second ${second.baseUrl} tiny-1`, `${KEY}\n`);
    expect(out).toContain('second answers, with tiny-1. It is added.');
    expect(out).toContain('It says its window: 64000 tokens.');
    expect(out).not.toContain(KEY);
    expect(statSync(join(home.folder, '.passepartout', 'vault.json')).mode & 0o077).toBe(0);
  });

  it('is known to /model, models, health and doctor within ten seconds, in the order in which they are asked', async () => {
    await becomes('demo/model', 'second/tiny-1');
    const model = await home.paste('npx passepartout model');
    const models = (await home.run('npx passepartout models')).out;
    const doctor = (await home.run('npx passepartout doctor')).out;
    expect(model).toContain('demo/model, second/tiny-1');
    expect(models).toMatch(/ok {5}second {2}http:\/\/127/);
    expect(models).toContain('cognition  tiny-1  64000 tokens  $1 in, $1 cached, $2 out for a million');
    expect(doctor).toMatch(/ok +model +second: reachable/);
    const all = (await home.run('npx passepartout models --all grand')).out;
    expect(all).toContain('grand-1  200000 tokens');
  });

  it('answers the next turn once it is asked first, and its window is what the prompt says', async () => {
    await home.paste('npx passepartout provider order second');
    await becomes('second/tiny-1', 'demo/model');
    await answers('who speaks?', 'the second one speaks');
    const asked = second.seen.findLast(({ what, body }) => what.startsWith('POST') && body.includes('who speaks?'));
    expect(asked?.key).toBe(KEY);
    expect(asked?.body).toContain('Window: 64000 tokens.');
    expect(asked?.body).not.toContain(KEY);
  });

  it('goes on after a restart, without its key anywhere but in the vault', async () => {
    await stack.end();
    stack = await home.start();
    expect(stack.output()).toMatch(/model {5}second\/tiny-1, then demo\/model/);
    expect(await home.paste('npx passepartout send "and now?"')).toContain('the second one speaks');
    expect(holders()).toStrictEqual([]);
    expect(stack.output()).not.toContain(KEY);
  });

  it('is asked no more while it is off, and again when it is on', async () => {
    await home.paste('npx passepartout provider off second');
    await becomes('demo/model');
    expect(await home.paste('npx passepartout provider')).toMatch(/off: second\/tiny-1/);
    await answers('hello there', '[demo model]');
    const on = await home.paste('npx passepartout provider on second');
    expect(on).toContain('Providers are asked in this order within ten seconds: demo, second');
  });

  it('takes no key in a chat, and stores none there', async () => {
    const { out } = await home.run(`npx passepartout send "/provider add third https://third.example/v1 m ${KEY}"`);
    expect(out).toContain('a key has no place in a chat');
    expect(holders()).toStrictEqual([]);
  });

  it('is gone with its key when it is removed', async () => {
    await home.paste('npx passepartout provider remove second');
    expect(readFileSync(join(home.folder, '.passepartout', 'vault.json'), 'utf8')).toBe('{}');
    await becomes('demo/model');
    expect(await home.paste('npx passepartout provider')).not.toContain('second');
  });
});
