/**
 * An authorization server and an MCP server behind it, on 127.0.0.1, as the standards have them:
 * metadata (RFC 9728, RFC 8414), registration (RFC 7591), codes bound to client, address and PKCE
 * and used once, tokens for one resource (RFC 8707), refresh tokens that rotate, and of which a
 * second use ends the consent (OAuth 2.1), revocation (RFC 7009). Whoever comes to the page agrees.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tool } from './mcp-server.ts';

interface Grant {
  readonly client: string;
  readonly resource: string;
  readonly scope: string;
  isOver: boolean;
}

/** Says something else than the standards want; undefined for what they want. */
export type Deviates = (path: string, body: string, response: ServerResponse) => unknown;

export interface AuthorizationServer {
  readonly url: string;
  /** Of the MCP server. */
  readonly mcpUrl: string;
  /** Paths asked for, in order, with the kind of grant at the token endpoint. */
  readonly asked: string[];
  /** Refresh tokens that came a second time. */
  readonly reused: string[];
  /** Every token and code that was ever given. */
  readonly given: string[];
  /** Tokens that calls of the MCP server came with. */
  readonly shown: (string | undefined)[];
  /** Seconds that an access token holds. */
  expiresIn: number;
  deviates: Deviates;
  /** Scope without which a call is refused. */
  needs: string;
  /** Ends every consent, and each token at once. */
  readonly endConsent: () => void;
  readonly close: () => Promise<void>;
}

const json = (response: ServerResponse, status: number, body: object, headers = {}): ServerResponse =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const startAuthorizationServer = async (answer = () => 'the bike is blue'): Promise<AuthorizationServer> => {
  const [asked, reused, given, shown]: [string[], string[], string[], (string | undefined)[]] = [[], [], [], []];
  const clients = new Map<string, { redirect_uris: readonly string[] }>();
  const codes = new Map<string, { grant: Grant; redirect: string; challenge: string }>();
  const access = new Map<string, { grant: Grant; until: number }>();
  const refresh = new Map<string, { grant: Grant; isSpent: boolean }>();
  const grants: Grant[] = [];
  const fresh = (kind: string): string => {
    const made = `${kind}-${randomBytes(24).toString('base64url')}`;
    given.push(made);
    return made;
  };

  const tokensOf = (grant: Grant): object => {
    const [access_token, refresh_token] = [fresh('access'), fresh('refresh')];
    access.set(access_token, { grant, until: Date.now() + world.expiresIn * 1_000 });
    refresh.set(refresh_token, { grant, isSpent: false });
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: world.expiresIn, scope: grant.scope };
  };

  const takeCode = (form: URLSearchParams): object | undefined => {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      code !== undefined &&
      code.challenge === challenge &&
      code.redirect === form.get('redirect_uri') &&
      code.grant.client === form.get('client_id') &&
      code.grant.resource === form.get('resource');
    return fits ? tokensOf(code.grant) : undefined;
  };

  const takeRefresh = (form: URLSearchParams): object | undefined => {
    const token = form.get('refresh_token') ?? '';
    const one = refresh.get(token);
    if (one === undefined || one.grant.isOver || one.grant.client !== form.get('client_id')) return undefined;
    if (one.isSpent) {
      reused.push(token);
      one.grant.isOver = true;
      return undefined;
    }
    one.isSpent = true;
    return tokensOf(one.grant);
  };

  const metadata = (): object => ({
    issuer: world.url,
    authorization_endpoint: `${world.url}/authorize`,
    token_endpoint: `${world.url}/token`,
    registration_endpoint: `${world.url}/register`,
    revocation_endpoint: `${world.url}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  });

  const authorize = (query: URLSearchParams, response: ServerResponse): ServerResponse => {
    const [client, redirect] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
    if (!clients.get(client)?.redirect_uris.includes(redirect))
      return json(response, 400, { error: 'invalid_request' });
    const grant = { client, resource: query.get('resource') ?? '', scope: query.get('scope') ?? '', isOver: false };
    grants.push(grant);
    const code = fresh('code');
    codes.set(code, { grant, redirect, challenge: query.get('code_challenge') ?? '' });
    const location = new URL(redirect);
    location.search = new URLSearchParams({ code, state: query.get('state') ?? '', iss: world.url }).toString();
    return response.writeHead(302, { location: location.href }).end();
  };

  const mcp = (request: IncomingMessage, body: string, response: ServerResponse): ServerResponse => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    shown.push(token);
    const held = access.get(token ?? '');
    const holds =
      held !== undefined && !held.grant.isOver && held.until > Date.now() && held.grant.resource === world.mcpUrl;
    const where = `resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp"`;
    if (!holds) return json(response, 401, {}, { 'www-authenticate': `Bearer ${where}, scope="read"` });
    const rpc = body === '' ? {} : JSON.parse(body);
    if (rpc.method === 'tools/call' && !held.grant.scope.split(' ').includes(world.needs)) {
      const refusal = `Bearer error="insufficient_scope", scope="${world.needs}", ${where}`;
      return json(response, 403, {}, { 'www-authenticate': refusal });
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    if (rpc.id === undefined) return response.writeHead(202).end();
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': { tools: [tool('find', 'finds', { word: { type: 'string' } })] },
      'tools/call': { content: [{ type: 'text', text: answer() }] },
    };
    const result = results[rpc.method];
    const said = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
    return json(response, 200, { jsonrpc: '2.0', id: rpc.id, ...said });
  };

  const respond = (request: IncomingMessage, body: string, response: ServerResponse): ServerResponse => {
    const { pathname, searchParams } = new URL(request.url ?? '/', world.url);
    const form = new URLSearchParams(body);
    switch (pathname) {
      case '/mcp':
        return mcp(request, body, response);
      case '/.well-known/oauth-protected-resource/mcp':
        return json(response, 200, { resource: world.mcpUrl, authorization_servers: [world.url] });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, metadata());
      case '/register': {
        const client_id = `client-${clients.size + 1}`;
        clients.set(client_id, JSON.parse(body));
        return json(response, 201, { ...JSON.parse(body), client_id });
      }
      case '/authorize':
        return authorize(searchParams, response);
      case '/token': {
        const isRefresh = form.get('grant_type') === 'refresh_token';
        const tokens = isRefresh ? takeRefresh(form) : takeCode(form);
        return json(response, tokens === undefined ? 400 : 200, tokens ?? { error: 'invalid_grant' });
      }
      case '/revoke': {
        const grant = refresh.get(form.get('token') ?? '')?.grant;
        if (grant !== undefined) grant.isOver = true;
        return json(response, 200, {});
      }
      default:
        return json(response, 404, {});
    }
  };

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      if (pathname !== '/mcp') asked.push(`${pathname} ${new URLSearchParams(body).get('grant_type') ?? ''}`.trim());
      if (world.deviates(pathname, body, response) === undefined) respond(request, body, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world: AuthorizationServer = {
    ...{ url, mcpUrl: `${url}/mcp`, asked, reused, given, shown },
    expiresIn: 3_600,
    deviates: () => undefined,
    needs: 'read',
    endConsent: () => {
      for (const grant of grants) grant.isOver = true;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return world;
};
