/**
 * The login at an MCP server as it is stored: one row for each server, whose tokens are sealed, and
 * a row for one that a browser has still to answer. Act alone writes both, each by a conditional
 * write that knows itself again if its answer was lost.
 */
import * as z from 'zod/mini';
import { ConditionError, RetryLaterError } from '../../core/base/errors.ts';
import { KIB, RETRY_BACKOFF_MS } from '../../core/base/limits.ts';
import { equals, IS_NEW } from '../../core/store/condition.ts';
import { type Key, mcpKey } from '../../core/store/keys.ts';
import type { Item, Table } from '../../core/store/table.ts';

/** Tokens that carry claims have some KB. */
const TOKEN_CHARS_MAX = 8 * KIB;
const URL_CHARS_MAX = 2_000;
const SCOPE_CHARS_MAX = 2_000;

const Address = z.string().check(z.maxLength(URL_CHARS_MAX));
/** Characters of a scope, and of a token in a header (RFC 6749, appendix A). */
export const Scope = z.string().check(z.maxLength(SCOPE_CHARS_MAX), z.regex(/^[\x21\x23-\x5b\x5d-\x7e ]*$/));
const Token = z.string().check(z.minLength(1), z.maxLength(TOKEN_CHARS_MAX), z.regex(/^[\x21-\x7e]+$/));
const Words = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50));

/** The one who vouches, by the names of RFC 8414; `sendsIssuer`: each browser's answer names it. */
export const Issuer = z.object({
  issuer: Address,
  authorization_endpoint: Address,
  token_endpoint: Address,
  revocation_endpoint: z.optional(Address),
  response_types_supported: Words,
  token_endpoint_auth_methods_supported: z.optional(Words),
  sendsIssuer: z.boolean(),
});
export type Issuer = z.infer<typeof Issuer>;

const Client = z.object({
  client_id: Address,
  client_secret: z.optional(Token),
  token_endpoint_auth_method: z.optional(z.string().check(z.maxLength(100))),
});
export type Client = z.infer<typeof Client>;

/** A client that the owner registered, in `MCP_SERVERS`. */
export interface OwnClient {
  readonly client: string;
  readonly secret?: string | undefined;
  readonly issuer: string;
}

const Base = { issuer: Issuer, client: Client, resource: Address, scope: z.optional(Scope) };

/** Kept until the browser's answer comes. */
export const Begun = z.object({ ...Base, verifier: Token, redirect: Address });
export type Begun = z.infer<typeof Begun>;

/** Tokens of a consent, for one resource. `until`: when the access token ends, epoch ms. */
export const Held = z.object({ ...Base, access: Token, refresh: z.optional(Token), until: z.optional(z.number()) });
export type Held = z.infer<typeof Held>;

/** Requests of a server that refused a call: untrusted. */
export const Wants = z.object({ metadata: z.optional(Address), scope: z.optional(Scope) });
export type Wants = z.infer<typeof Wants>;

/**
 * - `wanted`: the server wants a login, and there is none; `out`: somebody logged out
 * - `active`: tokens are kept; `ended`: the consent is over, or a renewal was lost (`why`)
 */
export const Login = z.object({
  schemaVersion: z.literal(1),
  round: z.int(),
  state: z.enum(['wanted', 'active', 'ended', 'out']),
  url: Address,
  wants: z._default(Wants, {}),
  why: z.optional(z.enum(['refused', 'unknown'])),
  issuer: z.optional(Address),
  scope: z.optional(Scope),
  until: z.optional(z.number()),
  by: z.optional(z.string()),
  at: z.int(),
  sealed: z.optional(z.string()),
  /** A run spends the refresh token now: nobody else may, and nobody later. */
  renewing: z.optional(z.object({ id: z.string(), until: z.int() })),
  /** The signal whose asker was told that the login ended. */
  told: z.optional(z.string()),
});
export type Login = z.infer<typeof Login>;

export const LOGIN_PREFIX = 'login#';
export const loginKey = (space: string, server: string): Key => ({
  ...mcpKey(space),
  sk: `${LOGIN_PREFIX}${server}`,
});
export const begunKey = (space: string, server: string): Key => ({ ...mcpKey(space), sk: `begun#${server}` });

/** @returns undefined if there is none, or this release cannot read it */
export const readLogin = (item: Item | undefined): Login | undefined => Login.safeParse(item).data;

export const loadLogin = async (
  table: Pick<Table, 'load'>,
  space: string,
  server: string,
): Promise<Login | undefined> => {
  const [item] = await table.load([loginKey(space, server)], { isConsistent: true });
  return readLogin(item);
};

export type LoginTable = Pick<Table, 'load' | 'put'>;
export type NewLogin = Omit<Login, 'schemaVersion' | 'round'>;

/** @returns the row as it stands then; undefined if another change came first */
export const saveLogin = async (
  table: LoginTable,
  key: Key,
  before: Login | undefined,
  login: NewLogin,
): Promise<Login | undefined> => {
  const round = before?.round ?? 0;
  const next: Login = { ...login, schemaVersion: 1, round: round + 1 };
  const isSame = { name: 'login is as it was read', holds: equals('round', round) };
  try {
    await table.put(key, next, round === 0 ? IS_NEW : isSame);
    return next;
  } catch (error) {
    if (error instanceof ConditionError) return undefined;
    throw error;
  }
};

/** Tries of a change that meets other changes. */
const TRIES_MAX = 5;

/** @param make gives undefined to leave it as it is @throws RetryLaterError on conflicts */
export const changeLogin = async (
  table: LoginTable,
  space: string,
  server: string,
  make: (login: Login | undefined) => NewLogin | undefined,
): Promise<Login | undefined> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await loadLogin(table, space, server);
    const next = make(before);
    if (next === undefined) return before;
    const saved = await saveLogin(table, loginKey(space, server), before, next);
    if (saved !== undefined) return saved;
  }
  throw new RetryLaterError('the MCP servers are being changed by others', RETRY_BACKOFF_MS[0]);
};
