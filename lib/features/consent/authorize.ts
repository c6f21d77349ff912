/**
 * Requests to those who vouch for a login, by the official SDK: who that is (RFC 9728, RFC 8414
 * and OpenID discovery), registration (client metadata document, one made by hand, RFC 7591), the
 * address for the browser (PKCE, RFC 8707), its answer (RFC 9207), tokens, renewal, revocation
 * (RFC 7009); as MCP 2026-07-28 has them. Built as a file of its own, read with the first login.
 * @throws ProtocolError in fixed words: a stranger's words are never a reason
 */
import {
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  registerClient,
  resourceUrlFromServerUrl,
  selectClientAuthMethod,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type { OutgoingFetch } from '../../core/http/outgoing.ts';
import { buildCheckedFetch, checkLoginUrl } from './checked-fetch.ts';
import { clientMetadata } from './client-metadata.ts';
import { Begun, type Client, Held, type Issuer, type OwnClient, type Wants } from './login-record.ts';

export interface Wanted {
  /** Address of the MCP server, canonical. */
  readonly url: string;
  /** The address to which the browser brings the answer: `http://127.0.0.1:<port>/callback`. */
  readonly redirect: string;
  /** Unguessable, of this one login. */
  readonly state: string;
  /** Requests of the server when it refused, and what was granted before. */
  readonly wants: Wants;
  /** Registered by hand, at one issuer. */
  readonly own?: OwnClient | undefined;
  /** Public https address of this stack's client metadata document, if it has one. */
  readonly clientUrl?: string | undefined;
}

const NO_ISSUER = 'the server names nobody who could vouch for a login';

/** Any failure becomes these words, but for those that are ours. */
const inWords = async <T>(words: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProtocolError ? error : new ProtocolError(words, { cause: error });
  }
};

/** Undefined of a server from before there was such a document (MCP 2025-03-26). */
const findResource = async (url: string, { metadata }: Wants, fetchFn: OutgoingFetch) => {
  try {
    const options = metadata === undefined ? {} : { resourceMetadataUrl: metadata };
    return await discoverOAuthProtectedResourceMetadata(url, options, fetchFn);
  } catch (error) {
    if (error instanceof ProtocolError || metadata !== undefined) throw error;
    return undefined;
  }
};

interface Vouching {
  readonly issuer: Issuer;
  readonly authorizationUrl: string;
  readonly registration?: string | undefined;
  readonly takesClientUrl: boolean;
  readonly resource: string;
  readonly scope?: string | undefined;
}

const findVouching = async (url: string, wants: Wants, fetchFn: OutgoingFetch): Promise<Vouching> => {
  const found = await inWords('what the server says of its login cannot be read', () =>
    findResource(url, wants, fetchFn),
  );
  const own = resourceUrlFromServerUrl(url);
  const resource = found?.resource ?? own.href;
  if (!checkResourceAllowed({ requestedResource: own, configuredResource: resource }))
    throw new ProtocolError('the server names another server as the one that a login would be for');
  const named = found?.authorization_servers?.[0] ?? (found === undefined ? new URL('/', url).href : undefined);
  if (named === undefined) throw new ProtocolError(NO_ISSUER);
  checkLoginUrl(url, named);
  const metadata = await inWords('what is said of who vouches for the login is wrong, or cannot be read', () =>
    discoverAuthorizationServerMetadata(named, { fetchFn }),
  );
  if (metadata === undefined) throw new ProtocolError(NO_ISSUER);
  // Absent, it is not supported (MCP 2026-07-28): a stolen code could be used.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw new ProtocolError('who vouches for the login does not bind a code to who asked for it (PKCE)');
  const asked = wants.scope ?? found?.scopes_supported?.join(' ');
  const keeps = asked !== undefined && metadata.scopes_supported?.includes('offline_access') === true;
  return {
    issuer: {
      issuer: metadata.issuer,
      authorization_endpoint: metadata.authorization_endpoint,
      token_endpoint: metadata.token_endpoint,
      response_types_supported: metadata.response_types_supported,
      ...defined({
        token_endpoint_auth_methods_supported: metadata.token_endpoint_auth_methods_supported,
        revocation_endpoint: 'revocation_endpoint' in metadata ? String(metadata.revocation_endpoint) : undefined,
      }),
      sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
    },
    authorizationUrl: checkLoginUrl(url, metadata.authorization_endpoint).href,
    registration: metadata.registration_endpoint,
    takesClientUrl: metadata.client_id_metadata_document_supported === true,
    resource,
    scope: keeps ? computeScopeUnion(asked, 'offline_access') : asked,
  };
};

const METHODS: readonly string[] = ['none', 'client_secret_basic', 'client_secret_post'];

/** One made by hand is of its issuer alone; the address of a document may be used everywhere. */
const findClient = async (
  { own, clientUrl, redirect }: Wanted,
  { issuer, registration, takesClientUrl, scope }: Vouching,
  fetchFn: OutgoingFetch,
): Promise<Client> => {
  if (own !== undefined) {
    if (own.issuer === issuer.issuer) return { client_id: own.client, ...defined({ client_secret: own.secret }) };
    throw new ProtocolError('the server names another issuer than the one in MCP_SERVERS');
  }
  if (takesClientUrl && clientUrl !== undefined) return { client_id: clientUrl };
  if (registration === undefined)
    throw new ProtocolError(
      'who vouches for the login knows no such client: register one there by hand, and put it into MCP_SERVERS',
    );
  const methods = issuer.token_endpoint_auth_methods_supported ?? [];
  const method = METHODS.find((one) => methods.includes(one)) ?? 'none';
  const registered = await inWords('who vouches for the login refused to register this client', () =>
    registerClient(issuer.issuer, {
      metadata: { ...issuer, registration_endpoint: registration },
      clientMetadata: { ...clientMetadata([redirect]), token_endpoint_auth_method: method },
      ...defined({ scope }),
      fetchFn,
    }),
  );
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return { client_id, ...defined({ client_secret, token_endpoint_auth_method }) };
};

/** @returns the address for the browser, and what is kept until its answer comes */
export const begin = async (wanted: Wanted): Promise<{ link: string; begun: Begun }> => {
  const fetchFn = buildCheckedFetch(wanted.url);
  const vouching = await findVouching(wanted.url, wanted.wants, fetchFn);
  const { issuer, resource, scope } = vouching;
  const client = await findClient(wanted, vouching, fetchFn);
  const { authorizationUrl, codeVerifier } = await inWords(NO_ISSUER, () =>
    startAuthorization(issuer.issuer, {
      metadata: issuer,
      clientInformation: client,
      state: wanted.state,
      redirectUrl: wanted.redirect,
      resource,
      ...defined({ scope }),
    }),
  );
  const { redirect } = wanted;
  const begun = Begun.safeParse({ issuer, client, verifier: codeVerifier, redirect, resource, ...defined({ scope }) });
  if (!begun.success) throw new ProtocolError('what is said of who vouches for the login is wrong, or cannot be read');
  return { link: authorizationUrl.href, begun: begun.data };
};

/** Tokens, with what is needed to renew and revoke them. */
const heldOf = (
  { issuer, client, resource, scope }: Omit<Begun, 'verifier' | 'redirect'>,
  tokens: Awaited<ReturnType<typeof refreshAuthorization>>,
  now: number,
): Held => {
  if (tokens.token_type.toLowerCase() !== 'bearer')
    throw new ProtocolError('who vouches for the login gives tokens of another kind');
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = tokens;
  const until = seconds === undefined ? undefined : now + seconds * SECOND_MS;
  const held = Held.safeParse({
    ...{ issuer, client, resource, access },
    ...defined({ refresh, until, scope: tokens.scope ?? scope }),
  });
  if (!held.success) throw new ProtocolError('who vouches for the login gave no usable token');
  return held.data;
};

/**
 * @param url of the MCP server @param query that of the address to which the browser was sent
 * @throws ProtocolError before the code is sent anywhere if another issuer answers
 */
export const end = async (url: string, begun: Begun, query: URLSearchParams, now: number): Promise<Held> => {
  const { issuer, client, verifier, redirect, resource } = begun;
  const iss = query.get('iss') ?? undefined;
  await inWords('the answer of the browser is from somebody else than was asked', async () =>
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: issuer.issuer,
      issParameterSupported: issuer.sendsIssuer,
    }),
  );
  const code = query.get('code');
  if (code === null)
    throw new ProtocolError(
      query.get('error') === 'access_denied' ? 'consent was refused in the browser' : 'the login was refused there',
    );
  const tokens = await inWords('who vouches for the login did not take its code', () =>
    exchangeAuthorization(issuer.issuer, {
      metadata: { ...issuer, authorization_response_iss_parameter_supported: issuer.sendsIssuer },
      clientInformation: client,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirect,
      resource,
      fetchFn: buildCheckedFetch(url),
      ...defined({ iss }),
    }),
  );
  return heldOf(begun, tokens, now);
};

/**
 * - `ended`: the consent is over; `unspent`: proven that the token was not taken
 * - `unknown`: it may have been taken, so nobody spends it again
 */
export type Renewal = { readonly held: Held } | 'ended' | 'unspent' | 'unknown';

/** Codes of sockets and names before anything was sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
]);
/** Answers by which a server says that it did not look at the request (RFC 6585, RFC 9110). */
const NOT_TAKEN: readonly number[] = [429, 503];
const OVER: readonly string[] = [
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
];

export const renew = async (url: string, held: Held, now: number): Promise<Renewal> => {
  const { issuer, client, refresh, resource } = held;
  if (refresh === undefined) return 'ended';
  const fetchFn = buildCheckedFetch(url);
  let status: number | undefined;
  const watched: OutgoingFetch = async (...request) => {
    const response = await fetchFn(...request);
    ({ status } = response);
    return response;
  };
  try {
    const tokens = await refreshAuthorization(issuer.issuer, {
      metadata: issuer,
      clientInformation: client,
      refreshToken: refresh,
      resource,
      fetchFn: watched,
    });
    return { held: heldOf(held, tokens, now) };
  } catch (error) {
    if (status !== undefined && NOT_TAKEN.includes(status)) return 'unspent';
    if (error instanceof OAuthError && OVER.includes(error.code)) return 'ended';
    const isOurs = error instanceof ProtocolError && status === undefined;
    const isUnsent = error instanceof Error && 'code' in error && NOT_SENT.has(error.code);
    return isOurs || isUnsent ? 'unspent' : 'unknown';
  }
};

/** @returns whether who vouches said that the token counts no more */
export const revoke = async (url: string, { issuer, client, access, refresh }: Held): Promise<boolean> => {
  const { revocation_endpoint: endpoint } = issuer;
  if (endpoint === undefined) return false;
  const { client_id, client_secret = '' } = client;
  const method = selectClientAuthMethod(client, issuer.token_endpoint_auth_methods_supported ?? []);
  const isBasic = method === 'client_secret_basic';
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const body = new URLSearchParams({
    token: refresh ?? access,
    token_type_hint: refresh === undefined ? 'access_token' : 'refresh_token',
    ...(isBasic ? {} : { client_id }),
    ...(method === 'client_secret_post' ? { client_secret } : {}),
  });
  try {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: `Basic ${basic}` } : {}),
    };
    return (await buildCheckedFetch(url)(endpoint, { method: 'POST', headers, body })).status === 200;
  } catch {
    return false;
  }
};
