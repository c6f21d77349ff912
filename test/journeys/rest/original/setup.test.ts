/**
 * Setting up and looking after the agent in a clean folder: values that are tried before they are
 * written, settings that change while it runs, and a doctor that says what is wrong and mends it.
 */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WRONG_KEY } from '../../../support/model-server.ts';
import { type Home, openHome, type Program } from '../../support/home.ts';

let home: Home;
beforeAll(async () => {
  home = await openHome();
  home.set({ DATA_DIR: join(home.folder, '.passepartout') });
});
afterAll(() => home?.close());

const envFile = () => join(home.folder, '.env');
const env = (): NodeJS.Dict<string> => parseEnv(readFileSync(envFile(), 'utf8'));
/** Looks every ten seconds, from before the start on. */
let watching: Program;

describe('Setup wizard and configuration', () => {
  it('values are tried before they are written, and one that fails changes nothing', async () => {
    const set = (key: string) =>
      Object.entries({ ...home.modelSettings, OPENAI_API_KEY: key })
        .map(([name, value]) => `--set ${name}=${value}`)
        .join(' ');
    const setup = (key: string) => home.run(`npx passepartout setup --only model ${set(key)}`);
    const before = env();
    expect(await setup(WRONG_KEY)).toMatchObject({ code: 1, out: expect.stringContaining('wrong  model') });
    expect(env()).toStrictEqual(before);
    const tried = await setup('sk-journey');
    expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('custom: reachable') });
    expect(tried.out).not.toContain('sk-journey');
    expect(env()).toMatchObject(home.modelSettings);
    expect(statSync(envFile()).mode & 0o777).toBe(0o600);
  });

  it('settings are shown without secrets, and change while it runs', async () => {
    watching = home.open('npx passepartout doctor --watch', true);
    await watching.prints('It can answer: no');
    await home.start();
    const listed = await home.paste('npx passepartout config list');
    expect(listed).toMatch(/^BUDGET_DAY_USD: 5 \(default\)$/m);
    expect(listed).not.toContain('sk-journey');
    await home.paste('npx passepartout config set BUDGET_DAY_USD 3');
    expect(await home.paste('npx passepartout config get BUDGET_DAY_USD')).toMatch(
      /^BUDGET_DAY_USD: 3 \(set by console-approver on /,
    );
    expect(await home.run('npx passepartout config set BUDGET_DAY_USD lots')).toMatchObject({
      code: 1,
      out: expect.stringContaining('Nothing was changed: BUDGET_DAY_USD must be US dollars such as 5'),
    });
  });
});

describe('Web page', () => {
  it('the page comes from the same address, and its data need a token', async () => {
    const page = await (await fetch(`${home.url()}/`)).text();
    expect(page).toMatch(/^<!doctype html>/i);
    expect((await fetch(`${home.url()}/api/signals`)).status).toBe(401);
  });
});

describe('Doctor', () => {
  it('it says whether the agent can answer, and what mends what is wrong', async () => {
    expect(await home.paste('npx passepartout doctor')).toMatch(
      /^It can answer: yes\.[\s\S]*^ok +model +custom: reachable$/m,
    );
    home.model.expireKeys(true);
    const { code, out } = await home.run('npx passepartout doctor');
    home.model.expireKeys(false);
    expect(code).toBe(1);
    expect(out).toMatch(/^It can answer: no, because of model: custom: refuses the key/);
    expect(out).toMatch(/^wrong +model [^\n]*\n +→ npx passepartout setup --only model, then start the stack again$/m);
  });

  it('it mends what does no harm, and tells what changes while it watches', async () => {
    chmodSync(envFile(), 0o644);
    expect((await home.run('npx passepartout doctor')).out).toContain('others on this machine may read');
    expect(await home.paste('npx passepartout doctor --fix')).toContain('for your account alone now');
    expect(statSync(envFile()).mode & 0o777).toBe(0o600);
    await watching.prints(/It can answer: no[\s\S]*It can answer: yes\./);
    await watching.end();
  });
});

describe('Service', () => {
  it('what starts the agent with the machine is printed', async () => {
    expect(await home.paste('npx passepartout service')).toMatch(/infra\/local\/start\.ts/);
  });
});
