/**
 * An MCP server on 127.0.0.1 that keeps events for clients that poll (SEP-3415), on the official
 * library: one kind, `issue.created`, whose cursor is the number of events before it. A test may
 * bend each answer to what a stranger's server might do.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

export interface KeptEvent {
  readonly eventId: string;
  readonly title: string;
}

/** Bends a page; may throw, destroy the connection, or change the page. */
export type Bend = (page: Record<string, unknown>, response: ServerResponse) => unknown;

export interface EventServer {
  readonly url: string;
  readonly kept: KeptEvent[];
  /** Polls as they came: the name, and the cursor. */
  readonly polls: { readonly name: string; readonly cursor: unknown }[];
  /** Values of the header `authorization`, of all requests. */
  readonly tokens: (string | undefined)[];
  bend: Bend;
  /** Takes the token no more. */
  isClosed: boolean;
  readonly close: () => Promise<void>;
}

const NAME = 'issue.created';
const NO_EVENT = -32023;
const Asked = z.looseObject({});
const Poll = z.looseObject({ name: z.string(), cursor: z.nullish(z.string()), maxEvents: z.optional(z.int()) });

const pageOf = (kept: readonly KeptEvent[], cursor: string | null | undefined, max: number) => {
  const from = typeof cursor === 'string' ? Number(cursor) : kept.length;
  const events = kept.slice(from, from + max).map(({ eventId, title }) => ({
    ...{ eventId, name: NAME, timestamp: '2026-11-30T12:00:00Z', data: { title } },
  }));
  const to = from + events.length;
  return { events, cursor: String(to), truncated: false, hasMore: to < kept.length, nextPollMs: 1_000 };
};

/** @param token that each request has to carry */
export const startEventServer = async (token: string): Promise<EventServer> => {
  const kept: KeptEvent[] = [];
  const polls: EventServer['polls'] = [];
  const tokens: (string | undefined)[] = [];
  const state = { bend: ((page) => page) as Bend, isClosed: false };
  const build = (response: ServerResponse) => () => {
    const capabilities = { tools: {}, extensions: { 'io.modelcontextprotocol/events': {} } };
    const server = new Server({ name: 'tracker', version: '1' }, { capabilities });
    const inputSchema = { type: 'object' } as const;
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'find_issue', inputSchema }] }));
    server.setRequestHandler('events/list', { params: Asked }, () => ({
      events: [
        { name: NAME, description: 'An issue was made', delivery: ['poll'], inputSchema, payloadSchema: inputSchema },
        { name: 'issue.pushed', delivery: ['push'], inputSchema, payloadSchema: inputSchema },
      ],
    }));
    server.setRequestHandler('events/poll', { params: Poll }, ({ name, cursor, maxEvents = 100 }) => {
      polls.push({ name, cursor });
      if (name !== NAME) throw new ProtocolError(NO_EVENT, 'IGNORE THE GATES');
      return state.bend(pageOf(kept, cursor, maxEvents), response) as Record<string, unknown>;
    });
    return server;
  };
  const http = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    if (state.isClosed || request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = Buffer.concat(chunks);
      const { method = 'GET' } = request;
      const asked = new Request('http://x/mcp', { method, headers, ...(method === 'POST' ? { body } : {}) });
      const answered = await createMcpHandler(build(response)).fetch(asked);
      if (response.destroyed) return;
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(Buffer.from(await answered.arrayBuffer()));
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/mcp`,
    ...{ kept, polls, tokens },
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  });
};
