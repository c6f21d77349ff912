/**
 * A Slack for tests, on 127.0.0.1 and a random port, that keeps to Slack's documents: the methods
 * that the channel calls (https://docs.slack.dev/reference/methods), with their bounds and errors,
 * and the payloads of events and interactions, over Socket Mode or signed to a request URL. A
 * payload without an acknowledgement comes again. People and networks that fail are
 * driven by the functions of `SlackServer`. `judge.test.ts` holds it to the makers' own client and
 * framework.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptSockets, type ServerSocket } from './web-socket-server.ts';

type Json = Record<string, unknown>;

export interface SlackMessageShown {
  readonly ts: string;
  readonly channel: string;
  readonly thread_ts?: string;
  readonly user?: string;
  readonly text: string;
  readonly blocks: readonly Json[];
}

export interface SlackView {
  readonly id: string;
  readonly user: string;
  readonly view: Json;
}

export interface ApiCall {
  readonly method: string;
  readonly params: Json;
  outcome: string;
}

export type Failure = 'lost-answer' | 'lost-request' | { readonly error: string } | { readonly retryAfterS: number };

export interface SlackServerOptions {
  /** Wait before a payload without an acknowledgement comes again. */
  readonly retryMs?: number;
}

export const TEAM = 'T0REFORM';
export const BOT = 'U0AGENT';
export const BOT_TOKEN = 'xoxb-0000-reform-club-of-the-tests';
export const APP_TOKEN = 'xapp-1-A0REFORM-0000-reform-club-of-the-tests';
export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5'.replace(/[^0-9a-f]/g, '0');

class Refusal extends Error {}
const refuse = (error: string): never => {
  throw new Refusal(error);
};

const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(record) : []);

/** The words that a person sees in the blocks of a message or view. */
export const wordsOf = (blocks: readonly Json[]): string =>
  blocks
    .flatMap((block) => {
      if (block.type === 'rich_text')
        return list(block.elements).map((part) =>
          list(part.elements)
            .map(({ text }) => text)
            .join(''),
        );
      return block.type === 'section' ? [String(record(block.text).text)] : [];
    })
    .join('\n');

export interface SlackButton {
  readonly words: string;
  readonly value: string | undefined;
  readonly url: string | undefined;
  readonly action: Json;
}

export const buttonsOf = (blocks: readonly Json[]): readonly SlackButton[] =>
  blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements, block_id }) =>
      list(elements).map((one) => ({
        words: String(record(one.text).text),
        value: one.value as string | undefined,
        url: one.url as string | undefined,
        action: { type: 'button', action_id: one.action_id, block_id, text: one.text, value: one.value },
      })),
    );

/** The bounds of Block Kit: https://docs.slack.dev/reference/block-kit */
const checkBlocks = (blocks: readonly Json[], max: number): void => {
  if (blocks.length > max) refuse('invalid_blocks');
  const ids = new Set<string>();
  for (const block of blocks) {
    const { block_id: id } = block;
    if (typeof id === 'string') {
      if (ids.has(id)) refuse('invalid_blocks');
      ids.add(id);
    }
    if (!['section', 'actions', 'rich_text', 'context', 'header'].includes(String(block.type)))
      refuse('invalid_blocks');
    if (block.type === 'section') {
      const { type, text } = record(block.text);
      if (!['plain_text', 'mrkdwn'].includes(String(type)) || typeof text !== 'string') refuse('invalid_blocks');
      if (String(text).length < 1 || String(text).length > 3_000) refuse('invalid_blocks');
    }
    if (block.type === 'rich_text')
      for (const part of list(block.elements)) {
        if (!/^rich_text_(?:section|preformatted|quote|list)$/.test(String(part.type))) refuse('invalid_blocks');
        for (const run of list(part.elements))
          if (!['text', 'link'].includes(String(run.type)) || (run.type === 'text' && !run.text))
            refuse('invalid_blocks');
      }
    if (block.type === 'actions') {
      const elements = list(block.elements);
      if (elements.length < 1 || elements.length > 25) refuse('invalid_blocks');
      const actions = elements.map(({ action_id }) => String(action_id));
      if (new Set(actions).size !== actions.length) refuse('invalid_blocks');
      for (const { text, value } of elements) {
        const words = String(record(text).text ?? '');
        if (words.length < 1 || words.length > 75 || String(value ?? '').length > 2_000) refuse('invalid_blocks');
      }
    }
  }
};

const checkView = (view: Json, type: 'modal' | 'home'): void => {
  if (view.type !== type) refuse('invalid_arguments');
  checkBlocks(list(view.blocks), 100);
  if (type === 'home') return;
  for (const name of ['title', 'submit', 'close']) {
    const { text = name === 'title' ? '' : 'x' } = record(view[name]);
    if (String(text).length < 1 || String(text).length > 24) refuse('invalid_arguments');
  }
  if (String(view.private_metadata ?? '').length > 3_000) refuse('invalid_arguments');
};

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Structured arguments are JSON in a form. */
const paramsOf = (body: string, type: string): Json => {
  if (type.includes('json')) return record(JSON.parse(body));
  const read = (value: string): unknown => {
    if (!/^[[{]/.test(value)) return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  };
  return Object.fromEntries([...new URLSearchParams(body)].map(([name, value]) => [name, read(value)]));
};

export type SlackServer = Awaited<ReturnType<typeof startSlackServer>>;

export const startSlackServer = async ({ retryMs = 300 }: SlackServerOptions = {}) => {
  const messages: SlackMessageShown[] = [];
  const ephemerals: { readonly user: string; readonly channel: string; readonly text: string }[] = [];
  const views: SlackView[] = [];
  const homes = new Map<string, Json>();
  const calls: ApiCall[] = [];
  const failures = new Map<string, Failure[]>();
  const files = new Map<string, { readonly bytes: Buffer; readonly name: string }>();
  const shared: {
    readonly channel: string;
    readonly thread_ts?: string;
    readonly name: string;
    readonly bytes: Buffer;
  }[] = [];
  const sockets = new Set<ServerSocket>();
  const acknowledged = new Map<string, unknown>();
  const triggers = new Map<string, { readonly at: number; readonly user: string }>();
  const tickets = new Set<string>();
  const waits = new Set<NodeJS.Timeout>();
  let requestUrl: string | undefined;
  let secret = SIGNING_SECRET;
  let clock = Date.now() * 1_000;
  let counter = 0;
  let root = '';

  const nextTs = (): string => {
    clock = Math.max(clock + 1, Date.now() * 1_000);
    const digits = String(clock);
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  };
  const newId = (prefix: string): string => {
    counter += 1;
    return `${prefix}${String(counter).padStart(4, '0')}${randomBytes(3).toString('hex').toUpperCase()}`;
  };
  /** A direct message has the number of its person. */
  const directOf = (user: string): string => `D${user.slice(1)}`;
  const hasChannel = (id: string): boolean => /^[CDG][A-Z0-9]+$/.test(id);

  const methods: Readonly<Record<string, (params: Json) => Json>> = {
    'auth.test': () => ({
      url: `${root}/`,
      team: 'Reform Club',
      user: 'passepartout',
      team_id: TEAM,
      user_id: BOT,
      bot_id: 'B0AGENT',
    }),
    'conversations.open': ({ users }) => {
      if (!/^[UW][A-Z0-9]+$/.test(String(users))) refuse('user_not_found');
      return { channel: { id: directOf(String(users)) } };
    },
    'chat.postMessage': ({ channel, text = '', blocks, thread_ts }) => {
      if (!hasChannel(String(channel))) refuse('channel_not_found');
      if (text === '' && blocks === undefined) refuse('no_text');
      if (String(text).length > 40_000) refuse('msg_too_long');
      checkBlocks(list(blocks), 50);
      const message = {
        ...{ ts: nextTs(), channel: String(channel), user: BOT, text: String(text), blocks: list(blocks) },
        ...(thread_ts === undefined ? {} : { thread_ts: String(thread_ts) }),
      };
      messages.push(message);
      return { channel, ts: message.ts, message };
    },
    'chat.update': ({ channel, ts, text, blocks }) => {
      const at = messages.findIndex((one) => one.channel === channel && one.ts === ts);
      const old = messages[at];
      if (old === undefined) return refuse('message_not_found');
      checkBlocks(list(blocks), 50);
      messages[at] = {
        ...old,
        text: String(text ?? old.text),
        blocks: blocks === undefined ? old.blocks : list(blocks),
      };
      return { channel, ts, text };
    },
    'conversations.history': ({ channel, latest }) => ({
      messages: messages.filter((one) => one.channel === channel && one.ts === latest),
    }),
    'chat.postEphemeral': ({ channel, user, text, blocks }) => {
      checkBlocks(list(blocks), 50);
      ephemerals.push({
        user: String(user),
        channel: String(channel),
        text: [String(text), wordsOf(list(blocks))].join('\n'),
      });
      return { message_ts: nextTs() };
    },
    'views.open': ({ trigger_id, view }) => {
      const trigger = triggers.get(String(trigger_id));
      if (trigger === undefined) return refuse('invalid_trigger_id');
      triggers.delete(String(trigger_id));
      if (Date.now() - trigger.at > 3_000) refuse('expired_trigger_id');
      checkView(record(view), 'modal');
      const opened = { id: newId('V'), user: trigger.user, view: record(view) };
      views.push(opened);
      return { view: { id: opened.id, ...opened.view } };
    },
    'views.publish': ({ user_id, view }) => {
      checkView(record(view), 'home');
      homes.set(String(user_id), record(view));
      return { view };
    },
    'files.info': ({ file }) => {
      const found = files.get(String(file));
      if (found === undefined) return refuse('file_not_found');
      return {
        file: {
          id: file,
          name: found.name,
          size: found.bytes.length,
          url_private_download: `${root}/files-pri/${file}`,
        },
      };
    },
    'files.getUploadURLExternal': ({ filename, length }) => {
      if (!(Number(length) > 0)) refuse('invalid_arguments');
      const id = newId('F');
      files.set(id, { bytes: Buffer.alloc(0), name: String(filename) });
      return { upload_url: `${root}/upload/${id}`, file_id: id };
    },
    'files.completeUploadExternal': ({ files: given, channel_id, thread_ts }) => {
      for (const { id } of list(given)) {
        const found = files.get(String(id));
        if (found === undefined) return refuse('file_not_found');
        shared.push({
          channel: String(channel_id),
          ...found,
          ...(thread_ts === undefined ? {} : { thread_ts: String(thread_ts) }),
        });
      }
      return { files: given };
    },
    'assistant.threads.setStatus': ({ channel_id, thread_ts }) =>
      channel_id && thread_ts ? {} : refuse('invalid_arguments'),
    'apps.connections.open': () => {
      const ticket = randomBytes(8).toString('hex');
      tickets.add(ticket);
      return { url: `${root.replace('http', 'ws')}/link/?ticket=${ticket}` };
    },
  };

  const answerCall = async (method: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await readBody(request)).toString('utf8');
    const params = paramsOf(body, String(request.headers['content-type'] ?? ''));
    const given = String(request.headers.authorization ?? '').replace('Bearer ', '') || String(params.token ?? '');
    const call: ApiCall = { method, params, outcome: '' };
    calls.push(call);
    const failure = failures.get(method)?.shift();
    if (failure === 'lost-request') return void request.socket.destroy();
    if (typeof failure === 'object' && 'retryAfterS' in failure) {
      call.outcome = 'ratelimited';
      response.writeHead(429, { 'retry-after': String(failure.retryAfterS) }).end();
      return;
    }
    let answer: Json;
    try {
      if (typeof failure === 'object') refuse(failure.error);
      const wanted = method === 'apps.connections.open' ? APP_TOKEN : BOT_TOKEN;
      if (given !== wanted) refuse('invalid_auth');
      answer = { ok: true, ...(methods[method] ?? (() => refuse('unknown_method')))(params) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = { ok: false, error: error.message };
    }
    call.outcome = answer.ok === true ? 'ok' : String(answer.error);
    if (failure === 'lost-answer') return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const [, kind = '', id = ''] = path.split('/');
    if (kind === 'api') return await answerCall(id, request, response);
    const file = files.get(id);
    if (kind === 'files-pri') {
      const isKnown = request.headers.authorization === `Bearer ${BOT_TOKEN}` && file !== undefined;
      response.writeHead(isKnown ? 200 : 404).end(isKnown ? file?.bytes : '');
      return;
    }
    if (kind === 'upload' && file !== undefined) {
      files.set(id, { ...file, bytes: await readBody(request) });
      response.writeHead(200).end('OK');
      return;
    }
    response.writeHead(404).end();
  });
  acceptSockets(server, (socket, path) => {
    const ticket = new URL(path, 'http://x').searchParams.get('ticket') ?? '';
    if (!tickets.delete(ticket)) return undefined;
    sockets.add(socket);
    socket.send(
      JSON.stringify({ type: 'hello', num_connections: sockets.size, connection_info: { app_id: 'A0REFORM' } }),
    );
    return (text) => {
      const { envelope_id: id, payload } = record(JSON.parse(text));
      acknowledged.set(String(id), payload);
    };
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Signed as https://docs.slack.dev/authentication/verifying-requests-from-slack says. */
  const sign = (body: string, at = Date.now()): Readonly<Record<string, string>> => {
    const time = String(Math.floor(at / 1_000));
    const hash = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
    return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${hash}` };
  };
  const bodyOf = (type: string, payload: Json): string =>
    type === 'interactive'
      ? new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
      : JSON.stringify(payload);

  const answers = new Map<string, unknown>();
  const deliver = async (type: string, payload: Json, key: string, attempt = 0): Promise<void> => {
    const again = (): void => {
      if (attempt >= 3) return;
      const wait = setTimeout(
        () => {
          waits.delete(wait);
          void deliver(type, payload, key, attempt + 1);
        },
        retryMs * 4 ** attempt,
      );
      waits.add(wait);
    };
    if (requestUrl !== undefined) {
      const body = bodyOf(type, payload);
      const contentType = type === 'interactive' ? 'application/x-www-form-urlencoded' : 'application/json';
      try {
        const response = await fetch(requestUrl, {
          method: 'POST',
          headers: { 'content-type': contentType, ...sign(body) },
          body,
        });
        const text = await response.text();
        if (response.ok) answers.set(key, text === '' ? undefined : JSON.parse(text));
        else if (type === 'events_api') again();
      } catch {
        if (type === 'events_api') again();
      }
      return;
    }
    const socket = [...sockets].findLast((one) => one.isOpen());
    socket?.send(
      JSON.stringify({
        envelope_id: key,
        type,
        payload,
        accepts_response_payload: type === 'interactive',
        retry_attempt: attempt,
      }),
    );
    const check = setTimeout(() => {
      waits.delete(check);
      if (!acknowledged.has(key)) again();
    }, 3_000);
    waits.add(check);
  };

  const eventOf = (event: Json, more: Json = {}): Json => ({
    ...{ token: 'legacy', team_id: TEAM, api_app_id: 'A0REFORM', type: 'event_callback', event_id: newId('Ev') },
    ...{ event_time: Math.floor(Date.now() / 1_000), is_ext_shared_channel: false, event_context: '4-none' },
    authorizations: [{ enterprise_id: null, team_id: TEAM, user_id: BOT, is_bot: true, is_enterprise_install: false }],
    event,
    ...more,
  });
  const send = (payload: Json): Json => {
    void deliver('events_api', payload, String(payload.event_id));
    return payload;
  };
  const personOf = (user: string): Json => ({
    id: user,
    username: user.toLowerCase(),
    name: user.toLowerCase(),
    team_id: TEAM,
  });
  const interactionOf = (user: string, more: Json): Json => ({
    ...{ team: { id: TEAM, domain: 'reform' }, user: personOf(user), api_app_id: 'A0REFORM', token: 'legacy' },
    ...{ enterprise: null, is_enterprise_install: false, ...more },
  });

  /** The payload of a message, in a channel with a mention in it. */
  const messageOf = (channel: string, user: string, text: string, extras: Json = {}): Json => {
    const ts = nextTs();
    const isDirect = channel.startsWith('D');
    return eventOf({
      ...{ type: isDirect ? 'message' : 'app_mention', user, text, ts, channel, event_ts: ts, team: TEAM },
      ...(isDirect ? { channel_type: 'im' } : {}),
      ...extras,
    });
  };
  const tapOf = (message: SlackMessageShown, action: Json, user: string): Json => {
    const trigger_id = `${newId('1')}.${randomBytes(4).toString('hex')}`;
    triggers.set(trigger_id, { at: Date.now(), user });
    const { ts, thread_ts } = message;
    return interactionOf(user, {
      ...{ type: 'block_actions', trigger_id, channel: { id: message.channel, name: 'directmessage' } },
      container: {
        type: 'message',
        message_ts: ts,
        channel_id: message.channel,
        is_ephemeral: false,
        ...(thread_ts === undefined ? {} : { thread_ts }),
      },
      message: { ...message, type: 'message', bot_id: 'B0AGENT' },
      response_url: `${root}/response`,
      actions: [{ ...action, action_ts: nextTs() }],
    });
  };
  const submissionOf = ({ id, view, user }: SlackView): Json =>
    interactionOf(user, {
      type: 'view_submission',
      view: { id, team_id: TEAM, ...view, state: { values: {} }, hash: '1.a', app_id: 'A0REFORM', bot_id: 'B0AGENT' },
    });

  const interact = (payload: Json): string => {
    const key = newId('I');
    void deliver('interactive', payload, key);
    return key;
  };

  return {
    /** In place of `https://slack.com/api`. */
    apiRoot: `${root}/api`,
    calls,
    /** The agent's messages as they look now; of one channel if it is given. */
    sent: (channel?: string) => messages.filter((one) => channel === undefined || one.channel === channel),
    ephemerals,
    views,
    homes,
    shared,
    directOf,
    sign,
    bodyOf,
    eventOf,
    messageOf,
    tapOf,
    submissionOf,
    /** Payloads go there from now on, signed; over the socket otherwise. */
    useUrl: (url: string | undefined, signedWith = SIGNING_SECRET) => {
      requestUrl = url;
      secret = signedWith;
    },
    send,
    says: (channel: string, user: string, text: string, extras: Json = {}) =>
      send(messageOf(channel, user, text, extras)),
    taps: (message: SlackMessageShown, button: SlackButton, user: string) =>
      interact(tapOf(message, button.action, user)),
    submits: (view: SlackView) => interact(submissionOf(view)),
    /** The answer to a tap or submission; undefined if there is none yet, or an empty one. */
    answerTo: (key: string) => answers.get(key) ?? acknowledged.get(key),
    isAcknowledged: (key: string) => answers.has(key) || acknowledged.has(key),
    addFile: (bytes: Uint8Array, name = 'a.bin'): string => {
      const id = newId('F');
      files.set(id, { bytes: Buffer.from(bytes), name });
      return id;
    },
    failNext: (method: string, failure: Failure) =>
      void failures.set(method, [...(failures.get(method) ?? []), failure]),
    /** As before maintenance: the app is to open a new connection. */
    disconnect: () => {
      for (const socket of sockets) {
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
        sockets.delete(socket);
      }
    },
    connections: () => [...sockets].filter((one) => one.isOpen()).length,
    close: async () => {
      for (const wait of waits) clearTimeout(wait);
      for (const socket of sockets) socket.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
