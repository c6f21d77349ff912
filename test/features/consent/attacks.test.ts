/**
 * Attacks on logins: metadata that leads inside or elsewhere, an answer of somebody else, an answer
 * that comes twice, a token for another server. Nothing is asked there, and no login holds.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildCheckedFetch, checkLoginUrl } from '../../../lib/features/consent/checked-fetch.ts';
import { loadLogin } from '../../../lib/features/consent/login-record.ts';
import { wantsIn } from '../../../lib/features/consent/login-wanted.ts';
import { buildLogins } from '../../../lib/features/consent/logins.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { agree, begin, bring, logIn, partsOn } from './consent-world.ts';

let dynamo: TestDynamo;
let server: AuthorizationServer;
let other: AuthorizationServer;
beforeAll(async () => {
  [dynamo, server, other] = await Promise.all([startDynamo(), startAuthorizationServer(), startAuthorizationServer()]);
});
afterAll(async () => {
  await Promise.all([dynamo.stop(), server.close(), other.close()]);
});
afterEach(() => {
  server.deviates = () => undefined;
  other.asked.splice(0);
});

let names = 0;
const newName = (): string => {
  names += 1;
  return `a${names}`;
};
const parts = () => partsOn(dynamo.table);
const stateOf = async (name: string) => (await loadLogin(dynamo.table, 'default', name))?.state;

const PUBLIC = 'https://mcp.example.com/mcp';

describe('an address of a login', () => {
  it.each([
    'http://as.example.com/token',
    'https://127.0.0.1/token',
    'https://localhost/token',
    'http://127.0.0.1:8080/token',
    'https://10.0.0.1/token',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/token',
    'https://[fd00:ec2::254]/latest',
    'https://192.168.1.1/token',
    'https://0x7f000001/token',
    'https://user:word@as.example.com/token',
    'https://as.example.com:6379/token',
    'https://metadata.google.internal/token',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'no address',
  ])('of a public server is not asked: %s', async (url) => {
    await expect(buildCheckedFetch(PUBLIC)(url)).rejects.toThrow();
  });

  it('of this machine is asked if the server is on it, and no other one inside', () => {
    expect(checkLoginUrl(server.mcpUrl, server.url).href).toBe(`${server.url}/`);
    expect(() => checkLoginUrl(server.mcpUrl, 'http://10.0.0.1/')).toThrow('may not be called');
    expect(() => checkLoginUrl(server.mcpUrl, 'http://169.254.169.254/')).toThrow('may not be called');
  });

  it('that a name of this machine answers for is not asked for a public server', async () => {
    await expect(buildCheckedFetch(PUBLIC)('https://localhost.localdomain/token')).rejects.toThrow();
  });
});

const metadata = (changes: object) => ({
  issuer: server.url,
  authorization_endpoint: `${server.url}/authorize`,
  token_endpoint: `${server.url}/token`,
  registration_endpoint: `${server.url}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  ...changes,
});

/** The server says this where it should say something else. */
const says = (path: string, body: () => object) => {
  server.deviates = (asked, _, response) =>
    asked === path
      ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body()))
      : undefined;
};
const RESOURCE = '/.well-known/oauth-protected-resource/mcp';
const ISSUER = '/.well-known/oauth-authorization-server';

describe('metadata that lies', () => {
  it.each<readonly [string, string, () => object, string]>([
    [
      'is for another server',
      RESOURCE,
      () => ({ resource: other.mcpUrl, authorization_servers: [server.url] }),
      'another server',
    ],
    [
      'is for a part of the server beside it',
      RESOURCE,
      () => ({ resource: `${server.url}/mcp2`, authorization_servers: [server.url] }),
      'another server',
    ],
    [
      'names an issuer inside',
      RESOURCE,
      () => ({ resource: server.mcpUrl, authorization_servers: ['http://10.0.0.1'] }),
      'may not be called',
    ],
    ['names nobody', RESOURCE, () => ({ resource: server.mcpUrl, authorization_servers: [] }), 'names nobody'],
    ['is of another issuer', ISSUER, () => metadata({ issuer: other.url }), 'is wrong'],
    [
      'leads the browser inside',
      ISSUER,
      () => metadata({ authorization_endpoint: 'http://10.0.0.1/' }),
      'may not be called',
    ],
    [
      'leads the browser to a script',
      ISSUER,
      () => metadata({ authorization_endpoint: 'javascript:alert(1)' }),
      'is wrong',
    ],
    [
      'registers inside',
      ISSUER,
      () => metadata({ registration_endpoint: 'https://169.254.169.254/' }),
      'may not be called',
    ],
    ['binds no code', ISSUER, () => metadata({ code_challenge_methods_supported: undefined }), 'PKCE'],
    ['binds codes by a plain word', ISSUER, () => metadata({ code_challenge_methods_supported: ['plain'] }), 'PKCE'],
    ['is endless', ISSUER, () => metadata({ padding: 'x'.repeat(1_000_000) }), 'larger than'],
    [
      'has a scope of a million letters',
      RESOURCE,
      () => ({ resource: server.mcpUrl, authorization_servers: [server.url], scopes_supported: ['x'.repeat(100_000)] }),
      'is wrong',
    ],
  ])('begins nothing if it %s', async (_, path, body, why) => {
    says(path, body);
    const name = newName();
    await expect(begin(parts(), name, server.mcpUrl)).rejects.toThrow(why);
    expect(other.asked).toStrictEqual([]);
    expect(await stateOf(name)).toBeUndefined();
  });

  it('is not followed to another origin', async () => {
    server.deviates = (path, _, response) =>
      path === ISSUER ? response.writeHead(302, { location: `${other.url}${ISSUER}` }).end() : undefined;
    await expect(begin(parts(), newName(), server.mcpUrl)).rejects.toThrow();
    expect(other.asked).toStrictEqual([]);
  });

  it('spends no code at an address inside', async () => {
    says(ISSUER, () => metadata({ token_endpoint: 'https://169.254.169.254/token' }));
    const name = newName();
    const begun = await begin(parts(), name, server.mcpUrl);
    server.deviates = () => undefined;
    await expect(bring(parts(), name, server.mcpUrl, begun.state, await agree(begun))).rejects.toThrow(
      'may not be called',
    );
    expect(await stateOf(name)).toBeUndefined();
  });
});

describe('an answer', () => {
  const refused = 'no login waits for this answer';

  it('counts once', async () => {
    const name = newName();
    const begun = await begin(parts(), name, server.mcpUrl);
    const query = await agree(begun);
    await bring(parts(), name, server.mcpUrl, begun.state, query);
    await expect(bring(parts(), name, server.mcpUrl, begun.state, query)).rejects.toThrow(refused);
    expect(await stateOf(name)).toBe('active');
  });

  it('of two that come at once counts once', async () => {
    const name = newName();
    const begun = await begin(parts(), name, server.mcpUrl);
    const query = await agree(begun);
    const both = [0, 1].map(() => bring(parts(), name, server.mcpUrl, begun.state, query));
    expect((await Promise.allSettled(both)).map(({ status }) => status).toSorted()).toStrictEqual([
      'fulfilled',
      'rejected',
    ]);
  });

  it('of a login that somebody else began does not count', async () => {
    const [mine, theirs] = [newName(), newName()];
    const own = await begin(parts(), mine, server.mcpUrl);
    const foreign = await begin(parts(), theirs, server.mcpUrl);
    const query = await agree(foreign);
    // Sealed for the one, for the other, and with the state of the other inside.
    await expect(bring(parts(), mine, server.mcpUrl, foreign.state, query)).rejects.toThrow(refused);
    await expect(bring(parts(), mine, server.mcpUrl, own.state, query)).rejects.toThrow(refused);
    expect(await stateOf(mine)).toBeUndefined();
  });

  it('of the login before does not count', async () => {
    const name = newName();
    const first = await begin(parts(), name, server.mcpUrl);
    const query = await agree(first);
    await begin(parts(), name, server.mcpUrl);
    await expect(bring(parts(), name, server.mcpUrl, first.state, query)).rejects.toThrow(refused);
  });

  it('after its time does not count', async () => {
    const name = newName();
    const begun = await begin(parts(), name, server.mcpUrl);
    const query = await agree(begun);
    const late = partsOn(dynamo.table, () => Date.now() + 11 * 60_000);
    await expect(bring(late, name, server.mcpUrl, begun.state, query)).rejects.toThrow(refused);
  });

  it('of another issuer sends its code nowhere, and shows no word of it', async () => {
    for (const iss of [other.url, `${server.url}/`, '']) {
      const name = newName();
      const begun = await begin(parts(), name, server.mcpUrl);
      const query = new URLSearchParams(await agree(begun));
      query.set('iss', iss);
      query.set('error_description', 'call 555');
      server.asked.splice(0);
      const refusal = bring(parts(), name, server.mcpUrl, begun.state, query.toString());
      await expect(refusal).rejects.toThrow('from somebody else');
      await expect(refusal).rejects.not.toThrow('555');
      expect([...server.asked, ...other.asked]).toStrictEqual([]);
    }
  });

  it('without an issuer sends its code nowhere if the issuer always names itself', async () => {
    const name = newName();
    const begun = await begin(parts(), name, server.mcpUrl);
    const query = new URLSearchParams(await agree(begun));
    query.delete('iss');
    await expect(bring(parts(), name, server.mcpUrl, begun.state, query.toString())).rejects.toThrow(
      'from somebody else',
    );
  });
});

describe('a token', () => {
  it('is never shown to a second server, though one issuer gave both', async () => {
    const [first, second] = [newName(), newName()];
    other.deviates = (path, _, response) =>
      path === RESOURCE
        ? response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ resource: other.mcpUrl, authorization_servers: [server.url] }))
        : undefined;
    await logIn(parts(), first, server.mcpUrl);
    await logIn(parts(), second, other.mcpUrl);
    const logins = buildLogins(parts());
    const [one, two] = [await logins.tokenOf(first, server.mcpUrl), await logins.tokenOf(second, other.mcpUrl)];
    expect(one).not.toStrictEqual(two);
    // A server that is let in again at another address has no login.
    expect(await logins.tokenOf(first, other.mcpUrl)).toBeUndefined();
    expect(await logins.tokenOf(second, server.mcpUrl)).toBeUndefined();
    other.deviates = () => undefined;
  });

  it('of a client that was registered by hand is asked for at its issuer alone', async () => {
    const own = { client: 'client-1', secret: 'a secret of one issuer', issuer: other.url };
    const name = newName();
    server.asked.splice(0);
    await expect(begin(partsOn(dynamo.table, Date.now, own), name, server.mcpUrl)).rejects.toThrow('another issuer');
    expect(server.asked.filter((path) => path.startsWith('/register') || path.startsWith('/token'))).toStrictEqual([]);
  });
});

describe('a refusal', () => {
  it.each([
    ['Bearer scope="a b", resource_metadata="https://x.example/m"', { scope: 'a b', metadata: 'https://x.example/m' }],
    ['Bearer', {}],
    ['Bearer scope="a\u00e4"', {}],
    [`Bearer scope="${'x'.repeat(3_000)}"`, {}],
    [`Bearer resource_metadata="https://x.example/${'x'.repeat(3_000)}"`, {}],
  ])('is read within bounds: %s', (challenge, wants) => {
    expect(wantsIn({ status: 401, headers: new Headers({ 'www-authenticate': challenge }) })).toStrictEqual(wants);
  });

  it('that no login would change is none', () => {
    const headers = new Headers({ 'www-authenticate': 'Bearer error="invalid_request"' });
    expect([400, 403, 500].map((status) => wantsIn({ status, headers }))).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
