/**
 * A Telegram Bot API server for tests, on 127.0.0.1 and a random port, that keeps to the documented
 * behaviour of the methods a chat bot needs: getMe, getUpdates, the three webhook methods,
 * sendMessage, sendMessageDraft, editMessageText, editMessageReplyMarkup, answerCallbackQuery,
 * sendChatAction, getFile and the files themselves. The other side (people who write, tap and block
 * the bot, networks that fail) is driven by the functions of `BotApiServer`. As on Telegram, a bot
 * can only write to chats it knows: somebody wrote there before (`sendText`), or the test opened it
 * (`openChat`).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Chat, Message, Update, User } from 'grammy/types';
import {
  ApiRefusal,
  answerCallbackQuery,
  type BotState,
  badRequest,
  editMessageReplyMarkup,
  editMessageText,
  type ShownDraft,
  sendChatAction,
  sendDocument,
  sendMessage,
  sendMessageDraft,
  sendVoice,
} from './bot-api-methods.ts';
import { chatOf, messageOf, type Person, type Place, userOf } from './bot-api-people.ts';
import { type ApiRequest, jsonParam, numberParam, type Params, parseApiRequest, textParam } from './bot-api-request.ts';
import {
  addUpdate,
  allowUpdates,
  buildUpdateQueue,
  closeUpdateQueue,
  pollUpdates,
  setWebhook,
  type UpdateQueue,
  webhookInfo,
} from './bot-api-updates.ts';

/** One call as it came, and what was answered. */
export interface ApiCall {
  /** As documented, whatever the spelling of the request: `sendMessage`. */
  readonly method: string;
  readonly params: Params;
  readonly via: 'http' | 'webhook-answer';
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined until answered. */
  outcome: 'ok' | number | undefined;
}

/**
 * A failure of the next call of a method.
 * - `lost-answer`:  performed, then the connection is cut
 * - `lost-request`: the connection is cut before anything is performed
 * - `no-answer`:    performed, and never answered
 * - `garbage`:      performed, answered 200 with a page instead of JSON
 * - a code:         refused with it, not performed; `retryAfterS` is what a 429 (its default 1)
 *   asks for
 */
export type FailureKind =
  | 'lost-answer'
  | 'lost-request'
  | 'no-answer'
  | 'garbage'
  | { readonly code: number; readonly description?: string; readonly retryAfterS?: number };

export interface BotApiServerOptions {
  readonly token: string;
  /** Length of one second of the webhook's back-off; 20 ms unless set. */
  readonly backoffUnitMs?: number;
}

export interface BotApiServer {
  /** Address that the bot uses in place of `https://api.telegram.org`. */
  readonly root: string;
  readonly me: User;
  /** Every call with a valid token, in order of arrival. */
  readonly calls: readonly ApiCall[];
  /** The bot's messages as they look now, oldest first; of one chat where it is given. */
  readonly sent: (chatId?: number) => readonly Message[];
  /** Signs that the bot was writing, in order. */
  readonly drafts: () => readonly ShownDraft[];
  /** Ids of updates the bot has not confirmed. */
  readonly pending: () => readonly number[];
  /**
   * A person writes, in a group to the bot unless `entities` say otherwise. `extras` are further
   * fields of the message (or other values of them).
   */
  readonly sendText: (chat: Place, from: Person, text: string, extras?: Partial<Message>) => Update;
  /** A person sends something without text: a photo, a place … all fields in `extras`. */
  readonly sendMessage: (chat: Place, from: Person, extras: Partial<Message>) => Update;
  /** Any update; its id is filled in where it has none. One with an older id comes out of order. */
  readonly sendUpdate: (update: Partial<Update>) => Update;
  /** A person taps a button of a message the bot sent. */
  readonly tap: (messageId: number, data: string, from: Person) => Update;
  /**
   * Keeps a file that a person sends, of at most 20 MB for a bot; gives its `file_id`. `path`
   * stands in the answer of `getFile`, whatever it is; the bytes lie at `documents/<n>` unless told
   * otherwise.
   */
  readonly addFile: (bytes: Uint8Array, path?: string) => string;
  /** Addresses below `/file/` that were asked for, without the token. */
  readonly fetched: readonly string[];
  /** The same update once more, under the same id, however often it was confirmed. */
  readonly redeliver: (updateId: number) => void;
  /** Makes a chat known to the bot without a message. */
  readonly openChat: (chat: Place) => void;
  /** The person blocks the bot, or the group throws it out: sends are answered 403. */
  readonly blockChat: (chatId: number) => void;
  readonly unblockChat: (chatId: number) => void;
  /** A person makes a group a supergroup, and both chats say so. */
  readonly moveGroup: (from: number, to: number, person: Person) => void;
  /** The next call of the method that has no failure waiting yet; several wait in line. */
  readonly failNext: (method: string, failure: FailureKind) => void;
  /**
   * From now on every call ends so, with nothing performed: a gateway without its server. Without a
   * code all is well again.
   */
  readonly failAll: (code?: number) => void;
  /** Nothing listens until `acceptConnections`: connections are refused. */
  readonly refuseConnections: () => Promise<void>;
  readonly acceptConnections: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface World extends BotState {
  readonly token: string;
  readonly updates: UpdateQueue;
  readonly calls: ApiCall[];
  readonly failures: Map<string, FailureKind[]>;
  failingAll: number | undefined;
  readonly files: { readonly id: string; readonly path: string; readonly bytes: Uint8Array }[];
  readonly fetched: string[];
  /** What each scope is offered after "/". */
  readonly menus: Map<string, readonly unknown[]>;
  readonly history: Map<number, Update>;
  nextUpdateId: number;
}

type Method = (world: World, params: Params, signal: AbortSignal) => unknown;

/** Telegram ends a long poll after this. */
const POLL_TIMEOUT_S_MAX = 50;

const getUpdates: Method = async (world, params, signal) => {
  allowUpdates(world.updates, jsonParam(params, 'allowed_updates'));
  const answer = await pollUpdates(world.updates, {
    offset: numberParam(params, 'offset', 0, -100_000, Number.MAX_SAFE_INTEGER),
    limit: numberParam(params, 'limit', 100, 1, 100),
    timeoutMs: numberParam(params, 'timeout', 0, 0, POLL_TIMEOUT_S_MAX) * 1000,
    signal,
  });
  if ('conflict' in answer) throw new ApiRefusal(409, `Conflict: ${answer.conflict}`);
  return answer.updates;
};

/**
 * Telegram wants https; plain http is taken for loopback addresses only, as its own local server
 * does.
 */
const isWebhookUrl = (url: string): boolean => {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:') return true;
  return parsed?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(parsed.hostname);
};

const setWebhookMethod: Method = (world, params) => {
  const url = textParam(params, 'url');
  const secretToken = textParam(params, 'secret_token');
  if (url !== '' && !isWebhookUrl(url)) throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  if (secretToken.length > 256) throw badRequest('secret token is too long');
  if (!/^[A-Za-z0-9_-]*$/.test(secretToken)) throw badRequest('secret token contains unallowed characters');
  allowUpdates(world.updates, jsonParam(params, 'allowed_updates'));
  const maxConnections = numberParam(params, 'max_connections', 40, 1, 100);
  const isDropping = textParam(params, 'drop_pending_updates') === 'true' || params.drop_pending_updates === true;
  setWebhook(world.updates, url === '' ? undefined : { url, secretToken, maxConnections }, isDropping);
  return true;
};

/** Names of the documentation; a command is refused whole, as Telegram does. */
const setMyCommands: Method = ({ menus }, params) => {
  const commands = jsonParam(params, 'commands');
  if (!Array.isArray(commands)) throw badRequest('expected an Array of BotCommand');
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  for (const { command, description } of commands) {
    if (!/^[a-z0-9_]{1,32}$/.test(String(command))) throw badRequest('BOT_COMMAND_INVALID');
    if (String(description ?? '').length < 1 || String(description).length > 256)
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  if (!/^(?:[a-z]{2})?$/.test(textParam(params, 'language_code'))) throw badRequest('BOT_COMMAND_LANGUAGE_INVALID');
  menus.set(menuOf(params), commands);
  return true;
};

const menuOf = (params: Parameters<Method>[1]): string =>
  `${JSON.stringify(jsonParam(params, 'scope'))} ${textParam(params, 'language_code')}`;

const getMyCommands: Method = ({ menus }, params) => menus.get(menuOf(params)) ?? [];

const BOT_FILE_BYTES_MAX = 20_000_000;

const getFile: Method = ({ files }, params) => {
  const file = files.find(({ id }) => id === textParam(params, 'file_id'));
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.bytes.byteLength > BOT_FILE_BYTES_MAX) throw badRequest('file is too big');
  const { id, path, bytes } = file;
  return { file_id: id, file_unique_id: `u${id}`, file_size: bytes.byteLength, file_path: path };
};

const METHODS: Readonly<Record<string, Method>> = {
  getMe: ({ me }) => me,
  getUpdates,
  setWebhook: setWebhookMethod,
  deleteWebhook: (world, params, signal) => setWebhookMethod(world, { ...params, url: '' }, signal),
  getWebhookInfo: ({ updates }) => webhookInfo(updates),
  sendDocument,
  sendVoice,
  sendMessage,
  editMessageText,
  editMessageReplyMarkup,
  answerCallbackQuery,
  sendMessageDraft,
  sendChatAction,
  setMyCommands,
  getMyCommands,
  getFile,
};

const methodName = (spelling: string): string | undefined =>
  Object.keys(METHODS).find((name) => name.toLowerCase() === spelling.toLowerCase());

const refusalOf = (failure: Exclude<FailureKind, string>): ApiRefusal => {
  if (failure.code !== 429) return new ApiRefusal(failure.code, failure.description ?? `Failure ${failure.code}`);
  const seconds = failure.retryAfterS ?? 1;
  return new ApiRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
};

/** Performs one call and writes it down. @throws ApiRefusal */
const perform = async (world: World, call: ApiCall, signal: AbortSignal): Promise<unknown> => {
  world.calls.push(call);
  try {
    const method = METHODS[call.method];
    if (method === undefined) throw new ApiRefusal(404, 'Not Found: method not found');
    const result: unknown = await method(world, call.params, signal);
    call.outcome = 'ok';
    return result;
  } catch (error) {
    call.outcome = error instanceof ApiRefusal ? error.code : 500;
    throw error;
  }
};

const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const answerRefusal = (response: ServerResponse, error: unknown): void => {
  const { code, message, parameters } =
    error instanceof ApiRefusal ? error : new ApiRefusal(500, `Internal Server Error: ${String(error)}`);
  const extra = parameters === undefined ? {} : { parameters };
  answerJson(response, code, { ok: false, error_code: code, description: message, ...extra });
};

const finish = (response: ServerResponse, failure: FailureKind | undefined, result: unknown): void => {
  if (failure === 'lost-answer') response.socket?.destroy();
  else if (failure === 'garbage')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
  else if (failure !== 'no-answer') answerJson(response, 200, { ok: true, result });
};

const handleCall = async (world: World, request: ApiRequest, response: ServerResponse): Promise<void> => {
  if (request.token !== world.token) throw new ApiRefusal(401, 'Unauthorized');
  const method = methodName(request.method) ?? request.method;
  const call: ApiCall = { method, params: request.params, via: 'http', at: Date.now(), outcome: undefined };
  const failure =
    world.failingAll === undefined ? world.failures.get(method)?.shift() : ({ code: world.failingAll } as const);
  if (failure === 'lost-request' || typeof failure === 'object') {
    world.calls.push(call);
    if (failure === 'lost-request') {
      response.socket?.destroy();
      return;
    }
    call.outcome = failure.code;
    throw refusalOf(failure);
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  finish(response, failure, await perform(world, call, gone.signal));
};

/** `/file/bot<token>/<file_path>`; a failure of the method `file` ends it early, or with a code. */
const sendFile = (world: World, path: string, response: ServerResponse): void => {
  const [, token, name = ''] = /^\/file\/bot([^/]+)\/(.*)$/.exec(path) ?? [];
  if (token !== world.token) throw new ApiRefusal(401, 'Unauthorized');
  world.fetched.push(name);
  const file = world.files.find((one) => one.path === name);
  if (file === undefined) throw new ApiRefusal(404, 'Not Found');
  const failure = world.failures.get('file')?.shift();
  if (typeof failure === 'object') throw refusalOf(failure);
  const { bytes } = file;
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.byteLength });
  if (failure === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.byteLength / 2), () => response.socket?.destroy());
};

const handle = async (world: World, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    if (request.url?.startsWith('/file/')) return sendFile(world, request.url, response);
    const parsed = await parseApiRequest(request);
    if (parsed === undefined) throw new ApiRefusal(404, 'Not Found');
    await handleCall(world, parsed, response);
  } catch (error) {
    if (!response.destroyed) answerRefusal(response, error);
  }
};

const buildWorld = ({ token, backoffUnitMs = 20 }: BotApiServerOptions): World => {
  const id = Number(token.split(':')[0]);
  const never = new AbortController().signal;
  const world: World = {
    token,
    me: { id, is_bot: true, first_name: 'Passepartout', username: 'passepartout_test_bot' },
    chats: new Map(),
    blocked: new Set(),
    moved: new Map(),
    topics: new Set(),
    sent: [],
    drafts: [],
    queries: new Set(),
    nextMessageId: 1,
    calls: [],
    failures: new Map(),
    failingAll: undefined,
    files: [],
    fetched: [],
    menus: new Map(),
    history: new Map(),
    nextUpdateId: 700_000_001,
    updates: buildUpdateQueue({
      backoffUnitMs,
      perform: (spelling, params) => {
        const method = methodName(spelling) ?? spelling;
        const call: ApiCall = { method, params, via: 'webhook-answer', at: Date.now(), outcome: undefined };
        perform(world, call, never).catch(() => undefined);
      },
    }),
  };
  return world;
};

const sendUpdate = (world: World, partial: Partial<Update>): Update => {
  const update: Update = { ...partial, update_id: partial.update_id ?? world.nextUpdateId };
  const isLate = update.update_id < world.nextUpdateId;
  world.nextUpdateId = Math.max(world.nextUpdateId, update.update_id + 1);
  world.history.set(update.update_id, update);
  addUpdate(world.updates, update, isLate);
  return update;
};

/** In a group a person names the bot, unless the message has entities of its own. */
const naming = ({ me }: World, place: Place, extras: Partial<Message>): Partial<Message> =>
  chatOf(place, me).type === 'private' || extras.entities !== undefined
    ? extras
    : ({ ...extras, entities: [{ type: 'text_mention', offset: 0, length: 1, user: me }] } as Partial<Message>);

const writeMessage = (
  world: World,
  place: Place,
  person: Person,
  text: string | undefined,
  extras: Partial<Message>,
): Update => {
  const from = userOf(person);
  const chat: Chat = chatOf(place, from);
  world.chats.set(chat.id, chat);
  const message = messageOf(world.nextMessageId, chat, from, text, extras);
  if (message.is_topic_message === true) world.topics.add(`${chat.id}/${message.message_thread_id}`);
  world.nextMessageId += 1;
  return sendUpdate(world, { message } as Partial<Update>);
};

const tap = (world: World, messageId: number, data: string, person: Person): Update => {
  const message = world.sent.find(({ message_id }) => message_id === messageId);
  if (message === undefined) throw new Error(`the bot sent no message ${messageId}`);
  const id = `${world.me.id}${world.nextUpdateId}`;
  world.queries.add(id);
  const query = { id, from: userOf(person), message, chat_instance: `${message.chat.id}`, data };
  return sendUpdate(world, { callback_query: query });
};

const listen = async (world: World, port: number): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer((request, response) => void handle(world, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the Bot API server has no port');
  return { server, port: address.port };
};

const stop = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
};

export const startBotApiServer = async (options: BotApiServerOptions): Promise<BotApiServer> => {
  const world = buildWorld(options);
  let { server, port } = await listen(world, 0);
  return {
    root: `http://127.0.0.1:${port}`,
    me: world.me,
    calls: world.calls,
    sent: (chatId) => world.sent.filter(({ chat }) => chatId === undefined || chat.id === chatId),
    drafts: () => world.drafts,
    pending: () => world.updates.pending.map(({ update }) => update.update_id),
    sendText: (chat, from, text, extras = {}) => writeMessage(world, chat, from, text, naming(world, chat, extras)),
    sendMessage: (chat, from, extras) => writeMessage(world, chat, from, undefined, naming(world, chat, extras)),
    sendUpdate: (update) => sendUpdate(world, update),
    tap: (messageId, data, from) => tap(world, messageId, data, from),
    addFile: (bytes, path) => {
      const n = world.files.length;
      const id = `BQACAgIAAxkBAAI${n}-test_file`;
      world.files.push({ id, bytes, path: path ?? `documents/file_${n}` });
      return id;
    },
    fetched: world.fetched,
    redeliver: (updateId) => {
      const update = world.history.get(updateId);
      if (update === undefined) throw new Error(`there was no update ${updateId}`);
      addUpdate(world.updates, update, true);
    },
    openChat: (place) => {
      const chat = chatOf(place, userOf(typeof place === 'number' ? place : place.id));
      world.chats.set(chat.id, chat);
    },
    blockChat: (chatId) => void world.blocked.add(chatId),
    unblockChat: (chatId) => void world.blocked.delete(chatId),
    moveGroup: (from, to, person) => {
      world.moved.set(from, to);
      writeMessage(world, from, person, undefined, { migrate_to_chat_id: to });
      writeMessage(world, to, person, undefined, { migrate_from_chat_id: from });
    },
    failNext: (method, failure) => {
      const waiting = world.failures.get(method) ?? [];
      world.failures.set(method, [...waiting, failure]);
    },
    failAll: (code) => {
      world.failingAll = code;
    },
    refuseConnections: async () => await stop(server),
    acceptConnections: async () => {
      ({ server, port } = await listen(world, port));
    },
    close: async () => {
      closeUpdateQueue(world.updates);
      await stop(server);
    },
  };
};
