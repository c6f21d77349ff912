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
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { VERSION } from '../../core/base/version.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../../core/http/outgoing.ts';
import { isOffered, type McpTool } from '../../core/tools/mcp-catalogue.ts';
import type { Wants } from '../consent/login-record.ts';
import { asOurs, LoginError, wantsIn } from '../consent/login-wanted.ts';
import type { LoginToken } from '../consent/logins.ts';
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
  /** The person's login there, without a configured token. */
  readonly login?: ServerLogin | undefined;
  readonly timeoutMs: number;
}

interface Failed {
  readonly kind: 'failed';
  readonly why: string;
  readonly wants?: Wants;
}

export interface ServerLogin {
  /** @param spent the token that the server has just refused */
  readonly tokenOf: (spent?: string) => Promise<LoginToken>;
  /** Notes the tokens that the server was shown: it may repeat them. */
  readonly shown: Map<string, string>;
}

/**
 * - `failed`: nothing was called; `why` in fixed words; `wants` if the server wants a login
 * - `changed`: nothing was called; `offered` is the server's present offer
 * - `refused`: the server answered with an error that proves that nothing ran
 * - `unknown`: it was called, and its outcome is not known
 */
export type McpOutcome =
  | { readonly kind: 'listed'; readonly offered: readonly McpTool[]; readonly count: number }
  | { readonly kind: 'done'; readonly text: string }
  | Failed
  | { readonly kind: 'changed'; readonly offered: readonly McpTool[] }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'unknown'; readonly why: string };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const causeOf = <T>(error: unknown, isIt: (one: unknown) => one is T): T | undefined => {
  for (let one: unknown = error; isRecord(one); one = one.cause) if (isIt(one)) return one;
  return undefined;
};

const isOfLogin = (error: unknown): error is LoginError => error instanceof LoginError;

/** Codes such as ECONNREFUSED. */
const isOfSocket = (error: unknown): error is { readonly code: string } =>
  isRecord(error) && typeof error.code === 'string' && /^E[A-Z]{2,30}$/.test(error.code);

const isOtherContent = (error: unknown): error is object =>
  isRecord(error) && error.code === 'CLIENT_HTTP_UNEXPECTED_CONTENT';

/** Fixed words: a server's own words are never a reason. */
export const wordsFor = (error: unknown, signal: AbortSignal): string => {
  const ours = causeOf(error, (one) => one instanceof ProtocolError);
  if (ours !== undefined) return ours.problem;
  if (signal.aborted) return 'the MCP server took too long';
  // The library's code for an HTTP error says that the server cannot do HTTP.
  if (isRecord(error) && isRecord(error.data) && typeof error.data.status === 'number')
    return `the MCP server answered with the status ${error.data.status}`;
  const code = isRecord(error) ? String(error.code) : '';
  if (causeOf(error, isOtherContent) !== undefined) return 'something answers at that address, but it is no MCP server';
  const socket = causeOf(error, isOfSocket);
  if (socket !== undefined) return `the connection to the MCP server failed (${socket.code})`;
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
 * null: read as absent. One that does not say what kind of result it is, is a whole one (SEP-2322).
 * What a tool answers in its structure stays as it is.
 */
export const readNullsAsAbsent = (transport: Transport): void => {
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if (!('result' in message)) return onmessage?.(message);
    const entries = Object.entries(message.result).flatMap(([name, value]): readonly [string, unknown][] =>
      value === null ? [] : [[name, isList(value) ? value.map(withoutNulls) : value]],
    );
    return onmessage?.({ ...message, result: { resultType: 'complete', ...Object.fromEntries(entries) } });
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

/** Sends with the token of the login, once more with a renewed one. @throws LoginError */
const withLogin = (send: OutgoingFetch, server: string, { tokenOf, shown }: ServerLogin): OutgoingFetch => {
  let token: string | undefined;
  const sendWith = async (input: Parameters<OutgoingFetch>[0], init: RequestInit, refused?: Response) => {
    if (token === undefined || refused !== undefined) {
      const login = await tokenOf(token).catch(asOurs);
      if (login === 'ended') throw new LoginError(server, 'ended', refused && wantsIn(refused));
      token = login?.token;
    }
    if (token === undefined) return send(input, init);
    shown.set(`the login at ${server}`, token);
    return send(input, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` },
    });
  };
  return async (input, init = {}) => {
    const first = await sendWith(input, init);
    const response = first.status === 401 && token !== undefined ? await sendWith(input, init, first) : first;
    const wants = wantsIn(response);
    if (wants !== undefined) throw new LoginError(server, 'wanted', wants);
    return response;
  };
};

/** A `fetch` for this one URL. Each GET asks for a stream: beyond its bound it gets 405. */
const buildServerFetch = ({ server, url, addresses, login }: ServerAccess, signal: AbortSignal): OutgoingFetch => {
  const bounds = { peer: 'the MCP server', addresses, bytesMax: MCP_RESPONSE_BYTES_MAX, areBytesShared: true };
  const sender = buildOutgoingFetch(bounds);
  const send = login === undefined ? sender : withLogin(sender, server, login);
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

/** Nothing ran: the server, or the lack of a login, says so. */
const failedFor = (error: unknown, signal: AbortSignal): Failed => ({
  kind: 'failed',
  why: wordsFor(error, signal),
  ...defined({ wants: causeOf(error, isOfLogin)?.wants }),
});

/** @param mode of finding the revision; without it the handshake of older ones, as on a pipe */
export const buildClient = (mode?: VersionNegotiationOptions['mode']): Client => {
  const client = new Client(
    { name: 'passepartout', version: VERSION },
    {
      capabilities: { elicitation: { form: {} } },
      ...(mode === undefined ? {} : { versionNegotiation: { mode } }),
      listMaxPages: MCP_PAGES_MAX,
      // Nothing a server wrote is compiled: results are text, whatever their schema says.
      jsonSchemaValidator: { getValidator: takeAnything },
    },
  );
  // Nobody is there to ask. A server that may ask gets an answer, and ends the call in its own way.
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  return client;
};

/** @param revision the only one that is spoken; that of the server if absent */
const withSession = async <Outcome>(
  access: ServerAccess,
  work: (session: Session) => Promise<Outcome>,
  revision?: string,
): Promise<Outcome | Failed> => {
  const { url, token, timeoutMs } = access;
  const ended = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ended.signal]);
  const client = buildClient(revision === undefined ? 'auto' : { pin: revision });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: buildServerFetch(access, signal),
    requestInit: { headers: defined({ authorization: token === undefined ? undefined : `Bearer ${token}` }) },
  });
  try {
    await client.connect(transport, { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs });
    readNullsAsAbsent(transport);
    return await work({ client, signal, timeoutMs });
  } catch (error) {
    return failedFor(error, signal);
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
    if (causeOf(error, isOfLogin) !== undefined) return failedFor(error, signal);
    const code = codeOf(error);
    if (code !== undefined && NOTHING_RAN.has(code)) return { kind: 'refused', code };
    const why = code === undefined ? wordsFor(error, signal) : `the MCP server answered with the error ${code}`;
    return { kind: 'unknown', why };
  }
};

export const callServerTool = (access: ServerAccess, tool: McpTool, args: JsonObject): Promise<McpOutcome> =>
  withSession(access, (session) => callIfOffered(session, access.server, tool, args));

/** Events are defined from this revision on (MCP Events, SEP-3415). */
const EVENTS_REVISION = '2026-07-28';
const EVENTS_EXTENSION = 'io.modelcontextprotocol/events';
/** Of a name, an id, and a cursor, which is sent back as it came. */
const EVENT_NAME_CHARS_MAX = 128;
const EVENT_ID_CHARS_MAX = 512;
const EVENT_CURSOR_CHARS_MAX = 4_096;

const text = (charsMax: number) => z.string().check(z.minLength(1), z.maxLength(charsMax));
const EventList = z.object({
  events: z.array(
    z.object({
      name: text(EVENT_NAME_CHARS_MAX),
      description: z.optional(z.string()),
      delivery: z.array(z.string()),
    }),
  ),
});
const Occurrence = z.object({
  eventId: text(EVENT_ID_CHARS_MAX),
  name: text(EVENT_NAME_CHARS_MAX),
  timestamp: z.string(),
  data: JsonObject,
});
export type ServerEvent = z.infer<typeof Occurrence>;
const EventPage = z.object({
  events: z.array(Occurrence),
  cursor: z.optional(text(EVENT_CURSOR_CHARS_MAX)),
  truncated: z.optional(z.boolean()),
  hasMore: z.optional(z.boolean()),
});
export type EventPage = z.infer<typeof EventPage>;

export interface EventServer {
  /** Those that can be polled. */
  readonly list: () => Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  /** @param cursor undefined begins now. @returns the code of an error in place of a page */
  readonly poll: (name: string, cursor: string | undefined, maxEvents: number) => Promise<EventPage | number>;
}

const NO_EVENTS: Failed = { kind: 'failed', why: 'the MCP server offers no events' };

/** Works with the events of a server, in one session within its bounds of time and bytes. */
export const withServerEvents = <Outcome>(
  access: ServerAccess,
  work: (server: EventServer) => Promise<Outcome>,
): Promise<Outcome | Failed> =>
  withSession<Outcome | Failed>(
    access,
    async ({ client, signal, timeoutMs }) => {
      if (client.getServerCapabilities()?.extensions?.[EVENTS_EXTENSION] === undefined) return NO_EVENTS;
      const options = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs };
      return work({
        list: async () => {
          const { events } = await client.request({ method: 'events/list' }, EventList, options);
          return events.filter(({ delivery }) => delivery.includes('poll'));
        },
        poll: async (name, cursor, maxEvents) => {
          const params = { name, arguments: {}, cursor: cursor ?? null, maxEvents };
          try {
            return await client.request({ method: 'events/poll', params }, EventPage, options);
          } catch (error) {
            const code = codeOf(error);
            if (code === undefined) throw error;
            return code;
          }
        },
      });
    },
    EVENTS_REVISION,
  );
