/** Results of MCP tools as servers send them, files of `mcp/`, played through the real client. */
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildMcpTool } from '../../lib/features/mcp/build-tools.ts';
import { loadMcpSession } from '../../lib/features/mcp/servers.ts';
import { type StrangeServer, startStrangeServer } from '../support/mcp-server.ts';
import { readCases } from './read-cases.ts';

const Case = z.strictObject({
  by: z.string(),
  tool: z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal('object') }) }),
  /** Further members of the tool, as the server lists it. */
  listed: z.record(z.string(), z.unknown()).default({}),
  result: z.unknown().optional(),
  error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  /** A whole answer that an object cannot express. */
  raw: z.union([z.strictObject({ result: z.null() }), z.strictObject({ text: z.string() })]).optional(),
  expect: z.looseObject({ kind: z.enum(['done', 'refused', 'unknown', 'failed']) }),
});

const { callServerTool } = await loadMcpSession();

let server: StrangeServer | undefined;
afterEach(() => server?.close());

describe('an answer of an MCP server', () => {
  it.each(readCases('mcp', Case))('$name', async ({ tool, listed, result, error, raw, expect: expected }) => {
    server = await startStrangeServer((rpc, response) => {
      if (rpc.method === 'tools/list') return { tools: [{ ...tool, ...listed }] };
      if (rpc.method !== 'tools/call') return undefined;
      if (raw === undefined) return error === undefined ? Object(result) : { rpcError: error };
      const text = 'text' in raw ? raw.text : 'null';
      const body = `{"jsonrpc":"2.0","id":${JSON.stringify(rpc.id)},"result":${text}}`;
      return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const accepted = buildMcpTool('x', tool);
    if (accepted === undefined) throw new Error('the tool cannot be offered');
    const access = { server: 'x', url: new URL(server.url).href, addresses: ['127.0.0.1'], timeoutMs: 60_000 };
    expect(await callServerTool(access, accepted, {})).toMatchObject(expected);
  });
});
