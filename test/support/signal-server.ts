/**
 * A daemon of signal-cli as its manual (signal-cli-jsonrpc(5)) and `HttpServerHandler` describe it:
 * JSON-RPC at /api/v1/rpc, events at /api/v1/events with ids and the last thousand kept, a host
 * header that is pinned. Messages, edits and files of one account.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export const ACCOUNT = '+4915550100';
export const ACCOUNT_ID = 'aaaaaaaa-0000-4000-8000-000000000001';

export interface SignalMessage {
  readonly timestamp: number;
  readonly to: string;
  readonly message: string;
  readonly textStyle: readonly string[];
  readonly attachments: readonly string[];
}

type Next = 'arrives' | 'is-lost' | { readonly waitS: number };

const CHARS = /^(?:[^\0])*$/s;
const EVENTS_KEPT = 1_000;

export const startSignalServer = async () => {
  let clock = 1_790_000_000_000;
  let next: Next = 'arrives';
  let lastId = 0;
  const messages: SignalMessage[] = [];
  const files = new Map<string, Buffer>();
  const kept: { readonly id: number; readonly data: string }[] = [];
  const streams = new Set<ServerResponse>();
  const typing: string[] = [];

  const tick = (): number => {
    clock += 1;
    return clock;
  };
  const write = (stream: ServerResponse, { id, data }: (typeof kept)[number]): void =>
    void stream.write(`id:${id}\nevent:receive\ndata:${data}\n\n`);

  const placeOf = ({ recipient, groupId }: Record<string, unknown>): string => String(recipient ?? `group ${groupId}`);

  const send = (params: Record<string, unknown>) => {
    const { message = '', textStyle, attachment, editTimestamp } = params;
    const attachments = attachment === undefined ? [] : [attachment].flat().map(String);
    if (message === '' && attachments.length === 0) throw { code: -1, message: 'Sending empty message is not allowed' };
    if (!CHARS.test(String(message))) throw { code: -32_602, message: 'invalid' };
    const sentAt = tick();
    const to = placeOf(params);
    const shown = { to, message: String(message), textStyle: [textStyle ?? []].flat().map(String), attachments };
    const edited = messages.findIndex((one) => one.timestamp === editTimestamp && one.to === to);
    if (editTimestamp !== undefined && edited < 0) throw { code: -1, message: 'Failed to send message' };
    if (editTimestamp === undefined) messages.push({ timestamp: sentAt, ...shown });
    else messages[edited] = { timestamp: Number(editTimestamp), ...shown };
    return { timestamp: sentAt, results: [{ recipientAddress: { uuid: to }, type: 'SUCCESS' }] };
  };

  const methods: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
    send,
    version: () => ({ version: '0.14.0' }),
    sendTyping: (params) => {
      typing.push(placeOf(params));
      return { timestamp: clock };
    },
    getAttachment: ({ id, recipient, groupId }) => {
      if (recipient === undefined && groupId === undefined) throw { code: -1, message: 'one of them is required' };
      const file = files.get(String(id));
      if (file === undefined) throw { code: -1, message: `Could not find attachment with ID: ${id}` };
      return { data: file.toString('base64') };
    },
  };

  const readBody = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };

  const answerRpc = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (request.headers['content-type']?.startsWith('application/json') !== true)
      return void response.writeHead(415).end();
    const { id, method, params = {} } = JSON.parse(await readBody(request));
    const answer = (body: object): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    const trouble = method === 'send' ? next : 'arrives';
    if (method === 'send') next = 'arrives';
    if (typeof trouble === 'object')
      return answer({
        error: {
          code: -5,
          message: 'rate limit',
          data: { response: { results: [{ retryAfterSeconds: trouble.waitS }] } },
        },
      });
    const call = methods[method];
    if (call === undefined) return answer({ error: { code: -32_601, message: 'Method not implemented', data: null } });
    try {
      const result = call(params);
      if (trouble === 'is-lost') return void request.socket.destroy();
      answer({ result });
    } catch (error) {
      answer({ error: { data: null, ...(error as object) } });
    }
  };

  const openEvents = (request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const given = request.headers['last-event-id'];
    const at = kept.findIndex(({ id }) => String(id) === given);
    if (given !== undefined) for (const event of kept.slice(at + 1)) write(response, event);
    streams.add(response);
    response.once('close', () => streams.delete(response));
  };

  const server = createServer((request, response) => {
    const { port } = server.address() as { port: number };
    if (!['127.0.0.1', 'localhost'].map((host) => `${host}:${port}`).includes(request.headers.host ?? ''))
      return void response.writeHead(421).end();
    if (request.url === '/api/v1/events') return openEvents(request, response);
    if (request.url === '/api/v1/check') return void response.writeHead(200).end();
    if (request.url === '/api/v1/rpc') return void answerRpc(request, response).catch(() => response.destroy());
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  /** What a person's app sends, as signal-cli tells it; null where it has nothing. */
  const eventOf = (person: string, fields: Record<string, unknown>, timestamp = tick()) => ({
    account: ACCOUNT,
    envelope: {
      source: person,
      sourceNumber: null,
      sourceUuid: person,
      sourceName: 'Ada',
      sourceDevice: 1,
      timestamp,
      serverReceivedTimestamp: timestamp,
      serverDeliveredTimestamp: timestamp,
      dataMessage: { timestamp, message: null, expiresInSeconds: 0, ...fields },
    },
  });
  const tell = (event: object): void => {
    lastId += 1;
    const told = { id: lastId, data: JSON.stringify(event) };
    kept.push(told);
    if (kept.length > EVENTS_KEPT) kept.shift();
    for (const stream of streams) write(stream, told);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    messages: (to?: string) => messages.filter((one) => to === undefined || one.to === to),
    typing: () => typing,
    eventOf,
    tell,
    /** @returns the number of the message */
    say: (person: string, message: string, fields: Record<string, unknown> = {}): number => {
      const event = eventOf(person, { message, ...fields });
      tell(event);
      return event.envelope.timestamp;
    },
    addFile: (bytes: Uint8Array, id = `file${files.size}.bin`): string => {
      files.set(id, Buffer.from(bytes));
      return id;
    },
    failNext: (trouble: Next): void => {
      next = trouble;
    },
    listeners: () => streams.size,
    /** Breaks the streams of events, as a restart of a proxy would. */
    cut: (): void => {
      for (const stream of streams) stream.destroy();
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export type SignalServer = Awaited<ReturnType<typeof startSignalServer>>;
