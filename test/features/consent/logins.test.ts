/**
 * Tokens of a login: renewed under a lock, spent once whatever is lost, shown to one server at one
 * address. The authorization server ends a consent whose refresh token comes twice.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { embeddedDynamoClient } from '../../../lib/core/store/clients.ts';
import { buildTable } from '../../../lib/core/store/table.ts';
import { loadLogin, loginKey } from '../../../lib/features/consent/login-record.ts';
import { buildLogins } from '../../../lib/features/consent/logins.ts';
import type { PerformParts } from '../../../lib/features/consent/perform-login.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { losingWrite, startLosingProxy } from '../../support/losing-proxy.ts';
import { agree, begin, bring, logIn, partsOn } from './consent-world.ts';

let dynamo: TestDynamo;
let server: AuthorizationServer;
beforeAll(async () => {
  [dynamo, server] = await Promise.all([startDynamo(), startAuthorizationServer()]);
});
afterAll(async () => {
  await Promise.all([dynamo.stop(), server.close()]);
});
afterEach(() => {
  server.deviates = () => undefined;
});

let names = 0;
const newName = (): string => {
  names += 1;
  return `s${names}`;
};

/** An hour later each access token has ended, and the lock of whoever died is old. */
const HOUR_MS = 3_600_000;
const later = (parts: PerformParts): PerformParts => ({ ...parts, now: () => Date.now() + HOUR_MS });

const tokenOf = (parts: PerformParts, name: string, spent?: string) =>
  buildLogins(parts).tokenOf(name, server.mcpUrl, spent);

const loggedIn = async (): Promise<{ name: string; parts: PerformParts }> => {
  const [name, parts] = [newName(), partsOn(dynamo.table)];
  await logIn(parts, name, server.mcpUrl);
  return { name, parts };
};

const spentAt = (): number => server.asked.filter((one) => one === '/token refresh_token').length;

describe('tokenOf', () => {
  it('gives the token to the server at its address, and to nobody else', async () => {
    const { name, parts } = await loggedIn();
    const logins = buildLogins(parts);
    expect(await logins.tokenOf(name, server.mcpUrl)).toMatchObject({ token: expect.stringMatching(/^access-/) });
    expect(await logins.tokenOf(name, `${server.mcpUrl}/other`)).toBeUndefined();
    expect(await logins.tokenOf(newName(), server.mcpUrl)).toBeUndefined();
  });

  it('opens no row that was copied to another server, or under another secret', async () => {
    const { name, parts } = await loggedIn();
    const [copy] = [newName()];
    const [row] = await dynamo.table.load([loginKey('default', name)]);
    const { pk: _p, sk: _s, ...item } = row ?? {};
    await dynamo.table.put(loginKey('default', copy), item);
    expect(await tokenOf(parts, copy)).toBe('ended');
    expect(await tokenOf({ ...parts, loadSecret: async () => 'another secret' }, name)).toBe('ended');
    expect(JSON.stringify(row)).not.toMatch(/access-|refresh-/);
  });

  it('spends a refresh token once, however many runs want it at once', async () => {
    const { name, parts } = await loggedIn();
    const before = spentAt();
    const all = await Promise.all(Array.from({ length: 12 }, () => tokenOf(later(parts), name)));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(spentAt() - before).toBe(1);
    expect(server.reused).toStrictEqual([]);
  });

  it('renews a token that the server refuses, once for all that were refused', async () => {
    const { name, parts } = await loggedIn();
    const first = await tokenOf(parts, name);
    const spent = typeof first === 'object' ? first.token : '';
    const before = spentAt();
    const [one, two] = await Promise.all([tokenOf(parts, name, spent), tokenOf(parts, name, spent)]);
    expect(one).toStrictEqual(two);
    expect(one).not.toStrictEqual(first);
    expect(spentAt() - before).toBe(1);
  });

  it('spends it once whichever write loses its answer', async () => {
    await using proxy = await startLosingProxy(dynamo.endpoint);
    const table = buildTable(embeddedDynamoClient(proxy.endpoint, 'us-east-1', dynamo.credentials), dynamo.tableName);
    for (let k = 0; k < 2; k += 1) {
      const { name, parts } = await loggedIn();
      const before = spentAt();
      proxy.lose(losingWrite(k));
      const behind = { ...later(parts), table };
      expect(await tokenOf(behind, name)).toMatchObject({ token: expect.any(String) });
      expect(proxy.lost()).toHaveLength(1);
      expect(spentAt() - before).toBe(1);
      expect(await tokenOf(parts, name)).toMatchObject({ token: expect.any(String) });
    }
    expect(server.reused).toStrictEqual([]);
  });

  it.each([
    ['answer is lost', (response: { destroy: () => void }) => response.destroy()],
    [
      'answer says nothing',
      (response: { writeHead: (status: number) => { end: () => void } }) => response.writeHead(500).end(),
    ],
  ] as const)('spends none again whose %s', async (_, fail) => {
    const { name, parts } = await loggedIn();
    server.deviates = (path, body, response) => {
      if (path !== '/token' || !body.includes('refresh_token')) return undefined;
      fail(response);
      return 'failed';
    };
    const before = spentAt();
    expect(await tokenOf(later(parts), name)).toBe('ended');
    server.deviates = () => undefined;
    expect(await tokenOf(later(parts), name)).toBe('ended');
    expect(spentAt() - before).toBe(1);
    expect(await loadLogin(dynamo.table, 'default', name)).toMatchObject({ state: 'ended', why: 'unknown' });
  });

  it('spends none again whose run died with it', async () => {
    const { name, parts } = await loggedIn();
    const login = await loadLogin(dynamo.table, 'default', name);
    const renewing = { id: 'dead', until: Date.now() };
    await dynamo.table.put(loginKey('default', name), { ...login, renewing });
    const before = spentAt();
    expect(await tokenOf(later(parts), name)).toBe('ended');
    expect(spentAt()).toBe(before);
  });

  it.each([429, 503])('keeps a token that was proven not to be taken (%i)', async (status) => {
    const { name, parts } = await loggedIn();
    server.deviates = (path, body, response) =>
      path === '/token' && body.includes('refresh_token') ? response.writeHead(status).end() : undefined;
    await expect(tokenOf(later(parts), name)).rejects.toThrow('cannot be renewed now');
    server.deviates = () => undefined;
    expect(await tokenOf(later(parts), name)).toMatchObject({ token: expect.any(String) });
  });

  it('ends with the consent', async () => {
    const { name, parts } = await loggedIn();
    server.endConsent();
    expect(await tokenOf(later(parts), name)).toBe('ended');
    const row = await loadLogin(dynamo.table, 'default', name);
    expect(row).toMatchObject({ state: 'ended', why: 'refused' });
    expect(row?.sealed).toBeUndefined();
  });
});

describe('logOut', () => {
  it('revokes what it erases', async () => {
    const { name, parts } = await loggedIn();
    expect(await buildLogins(parts).logOut(name)).toStrictEqual({ isRevoked: true });
    expect(server.asked.at(-1)).toBe('/revoke');
    expect(await tokenOf(parts, name)).toBeUndefined();
    expect(await buildLogins(parts).logOut(name)).toBeUndefined();
  });

  it('says if nobody confirmed it', async () => {
    const { name, parts } = await loggedIn();
    server.deviates = (path, _, response) => (path === '/revoke' ? response.writeHead(500).end() : undefined);
    expect(await buildLogins(parts).logOut(name)).toStrictEqual({ isRevoked: false });
  });
});

describe('a login', () => {
  it('asks for what one call needs beside what was granted', async () => {
    const { name, parts } = await loggedIn();
    await buildLogins(parts).noteWanted(name, server.mcpUrl, { scope: 'write' });
    const { link } = await begin(parts, name, server.mcpUrl);
    expect(new URL(link).searchParams.get('scope')).toBe('write');
    await bring(
      parts,
      name,
      server.mcpUrl,
      new URL(link).searchParams.get('state') ?? '',
      await agree({ link, state: '' }),
    );
    await buildLogins(parts).noteWanted(name, server.mcpUrl, { scope: 'read' });
    expect(new URL((await begin(parts, name, server.mcpUrl)).link).searchParams.get('scope')).toBe('write read');
  });
});
