/**
 * A person's server of tools is behind OAuth: it is let in, a browser asks, its tools are called,
 * and the consent ends, is renewed by one command, and is taken back. No token is in any file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.ts';
import { call, say, toolResultsOf } from '../../support/model-server.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

let home: Home;
let server: AuthorizationServer;

beforeAll(async () => {
  server = await startAuthorizationServer(() => `the bike is blue, and your token is ${server.shown.at(-1)}`);
  home = await openHome((request) => {
    const results = toolResultsOf(request);
    return results.length > 0
      ? say(`It said: ${results.join(' ')}`)
      : call('mcp-tracker-find', { word: 'bike', explanation: 'the owner asked for it' });
  });
  home.set({ ...home.modelSettings, ALLOW_LOOPBACK_WEBHOOKS: '1' });
  await home.start();
});
afterAll(async () => {
  await home.close();
  await server.close();
});

/** Types the command; the browser follows the printed address, or `paste` does. */
const logIn = async (agree: (program: Program, link: string) => Promise<unknown>): Promise<string> => {
  const program = home.open(`${process.execPath} infra/cli/passepartout.js mcp login tracker`);
  const [link = ''] = /http:\/\/\S+\/authorize\S+/.exec(await program.prints(/\/authorize\S+\n/)) ?? [];
  await agree(program, link);
  return program.prints(/To see what|could not be done/);
};

/** Each file of the stack, as bytes. */
const holders = (words: readonly string[]): readonly string[] =>
  readdirSync(join(home.folder, '.passepartout'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return words.some((word) => bytes.includes(word));
    });

describe('a server behind a login', () => {
  it('says on being added that it wants one, and with which command', async () => {
    const out = await home.paste(`npx passepartout mcp add tracker ${server.mcpUrl}`);
    expect(out).toContain('It wants a login. In a terminal: npx passepartout mcp login tracker');
    expect(server.asked).toStrictEqual([]);
  });

  it('is logged in at by a browser, and shows then what it offers', async () => {
    const out = await logIn(async (_, link) => expect((await fetch(link)).status).toBe(200));
    expect(out).toContain(`For tracker, “${server.url}” asks you in a browser, about “read”:`);
    const [, again = ''] = /To see what tracker offers: (.+)/.exec(out) ?? [];
    const offer = await home.paste(again);
    const [accept = ''] = /mcp accept tracker [0-9a-f]{12}/.exec(offer) ?? [];
    expect(await home.paste(`npx passepartout ${accept}`)).toContain('mcp-tracker-find (accepted)');
    expect(await home.paste('npx passepartout mcp list')).toContain('Logged in by');
  });

  it('is called with a yes; a token that it repeats is left out', async () => {
    const { out } = await home.run('npx passepartout send "find the bike"');
    const [approve = ''] = /npx passepartout approve \w+/.exec(out) ?? [];
    await home.paste(approve);
    await expect.poll(() => home.paste('npx passepartout output')).toContain('the answer is left out');
    expect(server.given).toContain(server.shown.at(-1));
  });

  it('takes the pasted address of a browser elsewhere', async () => {
    const out = await logIn(async (program, link) => {
      const { headers } = await fetch(link, { redirect: 'manual' });
      program.type('https://example.com/other');
      program.type(headers.get('location') ?? '');
    });
    expect(out).toContain('this is no answer of the login that was begun here');
    expect(out).toContain('Logged in by');
  });

  it('is asked with no token once the consent has ended, which doctor knows with its command', async () => {
    server.endConsent();
    const { code, out } = await home.run(`npx passepartout mcp add tracker ${server.mcpUrl}`);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Its login has ended.') });
    const command = 'npx passepartout mcp login tracker';
    expect((await home.run('npx passepartout doctor')).out).toContain(command);
    await logIn((_, link) => fetch(link));
    expect((await home.run('npx passepartout doctor')).out).not.toContain(command);
  });

  it('is logged out of: the consent is revoked there', async () => {
    expect(await home.paste('npx passepartout mcp logout tracker')).toContain('its tokens count no more');
    expect(server.asked.at(-1)).toBe('/revoke');
    expect(await home.paste('npx passepartout mcp list')).toContain('Logged out.');
  });

  it('leaves no token and no code in any file, log or line', () => {
    expect(server.given.length).toBeGreaterThan(6);
    expect(holders(server.given)).toStrictEqual([]);
  });
});
