/**
 * MCP servers on 127.0.0.1: a well-behaved one (aimock's, over streamable HTTP) and one that
 * answers whatever a test wants, for everything a stranger's server might do.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MCPMock } from '@copilotkit/aimock/mcp';

export { MCPMock };

export interface RpcRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

export interface StrangeServer {
  readonly url: string;
  /** Methods asked for, in order. */
  readonly asked: readonly string[];
  readonly headers: IncomingMessage['headers'][];
  readonly close: () => Promise<void>;
}

/** Gives the answer; `undefined` leaves it to `respond`, which may do anything. */
export type Strange = (request: RpcRequest, response: ServerResponse) => unknown;

export const tool = (name: string, description = `does ${name}`, properties: object = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

/** The same, declared to read only. */
export const reading = (...given: Parameters<typeof tool>) => ({
  ...tool(...given),
  annotations: { readOnlyHint: true },
});

const INITIALIZED = {
  protocolVersion: '2025-03-26',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
};

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

/** @param answer result of each method; of `initialize` only where it is not undefined. */
export const startStrangeServer = async (answer: Strange): Promise<StrangeServer> => {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      headers.push(request.headers);
      const rpc: RpcRequest = body === '' ? { method: request.method ?? '' } : JSON.parse(body);
      asked.push(rpc.method);
      const given = answer(rpc, response);
      if (given === response) return;
      // Most servers offer no stream for their own requests.
      if (rpc.method === 'GET') return response.writeHead(405).end();
      const result = given ?? (rpc.method === 'initialize' ? INITIALIZED : {});
      if (rpc.id === undefined) return response.writeHead(202).end();
      const sent = { jsonrpc: '2.0', id: rpc.id, ...(isError(result) ? { error: result.rpcError } : { result }) };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const isError = (result: unknown): result is { readonly rpcError: object } =>
  typeof result === 'object' && result !== null && 'rpcError' in result;
