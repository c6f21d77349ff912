/**
 * Tokens of logins for the calls of an MCP server: at exactly the address they were given for,
 * renewed under a lock. A refresh token is spent once: whoever spends it has written so before, and
 * if the outcome of that is not known, the login counts as ended. Act alone has the key.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../core/base/defined.ts';
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type * as Authorize from './authorize.ts';
import { CONSENT_REQUEST_MS } from './checked-fetch.ts';
import {
  changeLogin,
  Held,
  type Login,
  type LoginTable,
  loadLogin,
  loginKey,
  type NewLogin,
  saveLogin,
  type Wants,
} from './login-record.ts';
import { buildKeepingKey, seal, unseal } from './seal.ts';

export type AuthorizePart = Pick<typeof Authorize, 'begin' | 'end' | 'renew' | 'revoke'>;

const URL_OF_PART = new URL(
  import.meta.url.endsWith('.ts') ? './authorize.ts' : './mcp-authorize.mjs',
  import.meta.url,
);

const isAuthorize = (part: unknown): part is AuthorizePart =>
  typeof part === 'object' && part !== null && 'begin' in part && 'renew' in part;

/** Loads the part that speaks OAuth: a file beside this one, or beside the bundle. */
export const loadAuthorize = async (): Promise<AuthorizePart> => {
  const part: unknown = await import(URL_OF_PART.href);
  if (!isAuthorize(part)) throw new Error('the part for logins is not what it should be');
  return part;
};

export interface LoginParts {
  readonly table: LoginTable;
  readonly space: string;
  /** The secret that Act alone holds. */
  readonly loadSecret: () => Promise<string | undefined>;
  readonly now: () => number;
  readonly newId: () => string;
}

export const keyOf = async ({ loadSecret }: Pick<LoginParts, 'loadSecret'>): Promise<Uint8Array> => {
  const secret = await loadSecret();
  if (secret === undefined) throw new ProtocolError('this stack has no secret to keep a login under');
  return buildKeepingKey(secret);
};

/** Tokens of another server, address or space do not open under this name. */
export const heldName = (space: string, server: string, url: string): string =>
  JSON.stringify(['login', space, server, url]);

export const openHeld = (key: Uint8Array, space: string, server: string, login: Login): Held | undefined => {
  const opened = unseal(key, heldName(space, server, login.url), login.sealed ?? '');
  return opened === undefined ? undefined : Held.safeParse(readJson(opened)).data;
};

/** The row of a login that holds. */
export const activeLogin = (
  key: Uint8Array,
  { space, server, url, by, at }: { space: string; server: string; url: string; by: string | undefined; at: number },
  held: Held,
): NewLogin => ({
  state: 'active',
  url,
  wants: {},
  at,
  issuer: held.issuer.issuer,
  ...defined({ by, scope: held.scope, until: held.until }),
  sealed: seal(key, heldName(space, server, url), JSON.stringify(held)),
});

/** The row of one that is over: what was sealed is gone. */
export const endedLogin = (
  { url, issuer, scope, wants, by }: Login,
  state: 'ended' | 'out',
  at: number,
  why?: Login['why'],
): NewLogin => ({ state, url, wants, at, ...defined({ issuer, scope, by, why }) });

/** An access token is renewed so long before it ends. */
const EARLY_MS = 30 * SECOND_MS;
/** Longer than a renewal can take: its request, and writing what came of it. */
const RENEWING_MS = 4 * CONSENT_REQUEST_MS;
/** A run waits so long for another one's renewal, and looks so often. */
const WAIT_MS = CONSENT_REQUEST_MS + 2 * SECOND_MS;
const LOOK_MS = 200;
/** The new tokens must be kept: the old one is spent. */
const KEEP_TRIES_MAX = 3;

/** The token for a call; `ended`: somebody has to log in again first. Undefined: no login. */
export type LoginToken = { readonly token: string } | 'ended' | undefined;

export interface Logins {
  /** @param spent a token that the server has refused @throws ProtocolError if none is known yet */
  readonly tokenOf: (server: string, url: string, spent?: string) => Promise<LoginToken>;
  /** Notes what a server asked for when it refused a call. */
  readonly noteWanted: (server: string, url: string, wants: Wants) => Promise<void>;
  readonly load: (server: string) => Promise<Login | undefined>;
  /** Revokes the tokens where they came from, and erases them. @returns undefined without any */
  readonly logOut: (server: string) => Promise<{ readonly isRevoked: boolean } | undefined>;
}

/** Writes a row, again if the table does not answer. */
const keep = async (table: LoginTable, ...write: [Parameters<typeof saveLogin>[1], Login, NewLogin]) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await saveLogin(table, ...write);
    } catch (error) {
      if (tries === KEEP_TRIES_MAX || !(error instanceof UnavailableError)) throw error;
      await sleep(LOOK_MS);
    }
  }
};

/** Spends the refresh token, which this run alone may do now. */
const spend = async (parts: LoginParts, key: Uint8Array, server: string, own: Login, held: Held): Promise<void> => {
  const { table, space, now } = parts;
  const { renewing: _, ...rest } = own;
  const { renew, revoke } = await loadAuthorize();
  const renewal = await renew(own.url, held, now());
  const at = now();
  const next =
    typeof renewal === 'object'
      ? activeLogin(key, { space, server, url: own.url, by: own.by, at: own.at }, renewal.held)
      : renewal === 'unspent'
        ? rest
        : endedLogin(own, 'ended', at, renewal === 'ended' ? 'refused' : 'unknown');
  const kept = await keep(table, loginKey(space, server), own, { ...next, wants: own.wants });
  // Somebody logged out meanwhile, or in anew: what nobody keeps shall not count.
  if (kept === undefined && typeof renewal === 'object') await revoke(own.url, renewal.held);
  if (renewal === 'unspent') throw new ProtocolError('the login cannot be renewed now; try again later');
};

const tokenOf = async (parts: LoginParts, server: string, url: string, spent?: string): Promise<LoginToken> => {
  const { table, space, now, newId } = parts;
  const waitsUntil = now() + WAIT_MS;
  for (;;) {
    const login = await loadLogin(table, space, server);
    if (login === undefined || login.url !== url || login.state === 'wanted' || login.state === 'out') return undefined;
    if (login.state === 'ended') return 'ended';
    const row = loginKey(space, server);
    const key = await keyOf(parts);
    const held = openHeld(key, space, server, login);
    const isFresh =
      held !== undefined &&
      (spent === undefined ? (held.until ?? Number.POSITIVE_INFINITY) - now() > EARLY_MS : held.access !== spent);
    if (isFresh) return { token: held.access };
    const { renewing } = login;
    if (held?.refresh === undefined) await saveLogin(table, row, login, endedLogin(login, 'ended', now(), 'refused'));
    else if (renewing === undefined) {
      const lock = { ...login, renewing: { id: newId(), until: now() + RENEWING_MS } };
      const own = await saveLogin(table, row, login, lock);
      if (own !== undefined) await spend(parts, key, server, own, held);
    } else if (now() > renewing.until)
      // Its taker never said what came of it: a token that may be spent is not spent again.
      await saveLogin(table, row, login, endedLogin(login, 'ended', now(), 'unknown'));
    else if (now() > waitsUntil) throw new ProtocolError('the login is being renewed by another run; try again later');
    else await sleep(LOOK_MS);
  }
};

export const buildLogins = (parts: LoginParts): Logins => {
  const { table, space, now } = parts;
  return {
    tokenOf: (...asked) => tokenOf(parts, ...asked),
    load: (server) => loadLogin(table, space, server),
    noteWanted: async (server, url, wants) => {
      await changeLogin(table, space, server, (login) => {
        if (login === undefined || login.url !== url) return { state: 'wanted', url, wants, at: now() };
        return { ...login, wants: { ...login.wants, ...wants } };
      });
    },
    logOut: async (server) => {
      let before: Login | undefined;
      await changeLogin(table, space, server, (login) => {
        before = login;
        const isIn = login?.state === 'active' || login?.state === 'ended';
        return isIn ? { ...endedLogin(login, 'out', now()), wants: {} } : undefined;
      });
      if (before?.state === 'ended') return { isRevoked: false };
      if (before?.state !== 'active') return undefined;
      const held = openHeld(await keyOf(parts), space, server, before);
      return { isRevoked: held !== undefined && (await (await loadAuthorize()).revoke(before.url, held)) };
    },
  };
};
