/**
 * One short session with an MCP server, by the official SDK: connect, list the tools, call one if
 * the server still describes it as accepted. Built as a file of its own, read only if a server was
 * let in. Bounded in time and bytes. A server's own question (elicitation) is declined, and all its
 * other requests are refused as unknown.
 */
import {
  Client,
  type JsonSchemaValidatorResult,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { VERSION } from '../../core/base/version.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../../core/http/outgoing.ts';
import { isOffered, type McpTool } from '../../core/tools/mcp-catalogue.ts';
import { buildMcpTools } from './build-tools.ts';

/** Bytes taken from a server in one session, and pages of its list of tools. */
export const MCP_RESPONSE_BYTES_MAX = 1024 * KIB;
const MCP_PAGES_MAX = 4;
/** Streams of one session, and each that is taken up again after the server closed it. */
export const MCP_STREAMS_MAX = 16;
/** Time for telling the server that the session is over. */
const MCP_GOODBYE_MS = SECOND_MS;

export interface ServerAccess {
  readonly server: string;
  readonly url: string;
  /** Literal addresses the network gate judged. */
  readonly addresses: readonly string[];
  readonly token?: string | undefined;
  readonly timeoutMs: number;
}

/**
 * - `failed`: nothing was called; `why` in fixed words
 * - `changed`: nothing was called; `offered` is the server's present offer
 * - `refused`: the server answered with an error that proves that nothing ran
 * - `unknown`: it was called, and its outcome is not known
 */
export type McpOutcome =
  | { readonly kind: 'listed'; readonly offered: readonly McpTool[]; readonly count: number }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'changed'; readonly offered: readonly McpTool[] }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'unknown'; readonly why: string };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Fixed words: a server's own words are never a reason. */
export const wordsFor = (error: unknown, signal: AbortSignal): string => {
  for (let one: unknown = error; isRecord(one); one = one.cause) if (one instanceof ProtocolError) return one.problem;
  if (signal.aborted) return 'the MCP server took too long';
  // The library's code for an HTTP error says that the server cannot do HTTP.
  if (isRecord(error) && isRecord(error.data) && typeof error.data.status === 'number')
    return `the MCP server answered with the status ${error.data.status}`;
  const code = isRecord(error) ? String(error.code) : '';
  if (code === 'CLIENT_HTTP_UNEXPECTED_CONTENT') return 'something answers at that address, but it is no MCP server';
  // Codes of sockets, such as ECONNREFUSED.
  if (/^E[A-Z]{2,30}$/.test(code)) return `the connection to the MCP server failed (${code})`;
  return `the MCP server could not be worked with${/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : ''}`;
};

/**
 * Errors of a server that prove that the tool did not run: the request could not be parsed, is not
 * valid, names no method or tool, or has wrong arguments (the error object of JSON-RPC 2.0); its
 * headers, its version or the client's capabilities do not fit (MCP 2026-07-28). An internal error
 * (-32603) and every other code may come after the tool has run.
 */
const NOTHING_RAN: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602, -32020, -32021, -32022]);

const codeOf = (error: unknown): number | undefined =>
  isRecord(error) && Number.isInteger(error.code) ? Number(error.code) : undefined;

const partText = (part: unknown): string => {
  if (!isRecord(part)) return '(something that is no content)';
  if (part.type === 'text' && typeof part.text === 'string') return part.text;
  const { resource } = part;
  if (isRecord(resource) && typeof resource.text === 'string') return resource.text;
  if (part.type === 'resource_link' && typeof part.uri === 'string') return `(a resource: ${part.uri})`;
  return `(${part.type === 'image' ? 'an image' : part.type === 'audio' ? 'a sound' : 'a file'}, not shown)`;
};

/** A result without content is told by its structure, or by members of old servers. */
const resultText = (result: unknown): string => {
  if (!isRecord(result)) return '';
  const { content, structuredContent, isError, _meta, resultType, ...others } = result;
  const parts = Array.isArray(content) ? content.map(partText) : [];
  const rest = structuredContent ?? (Object.keys(others).length > 0 ? others : undefined);
  const whole = parts.length === 0 && rest !== undefined ? [JSON.stringify(rest)] : parts;
  return [...(isError === true ? ['The tool says that it failed.'] : []), ...whole].join('\n').toWellFormed();
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const withoutNulls = (value: unknown): unknown =>
  isRecord(value) && !isList(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value;

/**
 * Servers write null for what they leave out of a result, its parts and tools, where MCP has no
 * null: read as absent. What a tool answers in its structure stays as it is.
 */
export const readNullsAsAbsent = (transport: Transport): void => {
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if (!('result' in message)) return onmessage?.(message);
    const entries = Object.entries(message.result).flatMap(([name, value]): readonly [string, unknown][] =>
      value === null ? [] : [[name, isList(value) ? value.map(withoutNulls) : value]],
    );
    return onmessage?.({ ...message, result: Object.fromEntries(entries) });
  };
};

const isAnything = <T>(_value: unknown): _value is T => true;

/** Accepts every value. */
const takeAnything =
  <T>() =>
  (input: unknown): JsonSchemaValidatorResult<T> =>
    isAnything<T>(input)
      ? { valid: true, data: input, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: '' };

export interface Session {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export const listAll = async ({ client, signal, timeoutMs }: Session, server: string) => {
  const { tools } = await client.listTools(undefined, { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs });
  return { offered: buildMcpTools(server, tools), tools };
};

/** Ends the session on the server's side, without waiting for a slow server. */
const sayGoodbye = async (transport: StreamableHTTPClientTransport, signal: AbortSignal): Promise<void> => {
  if (transport.sessionId === undefined || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MCP_GOODBYE_MS);
  await Promise.race([transport.terminateSession().catch(() => undefined), promise]);
  clearTimeout(timer);
};

/** A `fetch` for this one URL. Each GET asks for a stream: beyond its bound it gets 405. */
const buildServerFetch = (url: string, addresses: readonly string[], signal: AbortSignal): OutgoingFetch => {
  const bounds = { peer: 'the MCP server', addresses, bytesMax: MCP_RESPONSE_BYTES_MAX, areBytesShared: true };
  const send = buildOutgoingFetch(bounds);
  let streams = 0;
  return async (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input);
    if (href !== url) throw new ProtocolError('the MCP server led to another address');
    const isStream = (init?.method ?? 'GET') === 'GET';
    if (isStream) streams += 1;
    if (isStream && streams > MCP_STREAMS_MAX) return new Response(null, { status: 405 });
    return send(href, { ...init, signal });
  };
};

export const buildClient = (): Client => {
  const client = new Client(
    { name: 'passepartout', version: VERSION },
    {
      capabilities: { elicitation: { form: {} } },
      listMaxPages: MCP_PAGES_MAX,
      // Nothing a server wrote is compiled: results are text, whatever their schema says.
      jsonSchemaValidator: { getValidator: takeAnything },
    },
  );
  // Nobody is there to ask. A server that may ask gets an answer, and ends the call in its own way.
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  return client;
};

const withSession = async (
  { url, addresses, token, timeoutMs }: ServerAccess,
  work: (session: Session) => Promise<McpOutcome>,
): Promise<McpOutcome> => {
  const ended = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ended.signal]);
  const client = buildClient();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: buildServerFetch(url, addresses, signal),
    requestInit: { headers: defined({ authorization: token === undefined ? undefined : `Bearer ${token}` }) },
  });
  try {
    await client.connect(transport, { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs });
    readNullsAsAbsent(transport);
    return await work({ client, signal, timeoutMs });
  } catch (error) {
    return { kind: 'failed', why: wordsFor(error, signal) };
  } finally {
    await sayGoodbye(transport, signal);
    ended.abort();
    await client.close().catch(() => undefined);
  }
};

export const listServerTools = (access: ServerAccess): Promise<McpOutcome> =>
  withSession(access, async (session) => {
    const { offered, tools } = await listAll(session, access.server);
    return { kind: 'listed', offered, count: tools.length };
  });

/** Calls the tool if the server still describes it as accepted. @param accepted of that server */
export const callIfOffered = async (
  session: Session,
  server: string,
  accepted: Pick<McpTool, 'remote' | 'name' | 'hash' | 'passes'>,
  args: JsonObject,
): Promise<McpOutcome> => {
  const { client, signal, timeoutMs } = session;
  const { offered, tools } = await listAll(session, server);
  if (!isOffered(accepted, offered)) return { kind: 'changed', offered };
  try {
    // Without the schema of its results: a tool that answers in another form has still run.
    const listed = tools.find(({ name }) => name === accepted.remote);
    const toolDefinition = listed && { ...listed, outputSchema: undefined };
    const options = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs, ...defined({ toolDefinition }) };
    const result: unknown = await client.callTool({ name: accepted.remote, arguments: { ...args } }, options);
    return { kind: 'done', text: resultText(result) };
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && NOTHING_RAN.has(code)) return { kind: 'refused', code };
    const why = code === undefined ? wordsFor(error, signal) : `the MCP server answered with the error ${code}`;
    return { kind: 'unknown', why };
  }
};

export const callServerTool = (access: ServerAccess, tool: McpTool, args: JsonObject): Promise<McpOutcome> =>
  withSession(access, (session) => callIfOffered(session, access.server, tool, args));
