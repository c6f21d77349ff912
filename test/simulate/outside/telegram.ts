/**
 * Telegram's Bot API as documented, on the methods of `test/support/bot-api-methods.ts`: chats,
 * message ids, limits, refusals, buttons and their queries. A failure of its own is a 429 with
 * `retry_after`, a 403, or a 500 or 502 before or after the deed.
 */
import type { Message, Update } from 'grammy/types';
import {
  ApiRefusal,
  answerCallbackQuery,
  type BotState,
  badRequest,
  editMessageReplyMarkup,
  editMessageText,
  sendChatAction,
  sendMessage,
  sendMessageDraft,
} from '../../support/bot-api-methods.ts';
import { chatOf, messageOf, userOf } from '../../support/bot-api-people.ts';
import type { Random, ShownMessage, WireAnswer, WireRequest } from '../types.ts';
import type { Server, Taken } from './outside.ts';

type Params = Readonly<Record<string, unknown>>;

/** What people in the chats do, and what Telegram's sender of updates needs. */
export interface TelegramSide {
  /** A person writes in the private chat with the same id. */
  readonly write: (chat: string, text: string) => Omit<Update, 'update_id'>;
  /** A person sends files there, several of them as an album, with words at the first. */
  readonly sendFiles: (chat: string, words: string, files: readonly string[]) => readonly Omit<Update, 'update_id'>[];
  /** A person taps a button. */
  readonly tap: (card: ShownMessage, data: string) => Omit<Update, 'update_id'>;
  readonly befall: (chat: string, what: 'block' | 'unblock' | 'move') => void;
  /** Performs the method that a webhook named in its answer, if it named one. */
  readonly performAnswer: (answer: WireAnswer) => void;
}

export interface TelegramOptions {
  readonly now: () => number;
  readonly random: Random;
  readonly token: string;
  readonly botId: string;
  /** Whether it may refuse now. */
  readonly mayFail: () => boolean;
  /** Private chats that wrote to the bot before. */
  readonly chats: readonly string[];
  /** The ids that some of them get if they move. */
  readonly moved: Readonly<Record<string, string>>;
}

const isVoice = (file: string): boolean => file.startsWith('voice');
const isPicture = (file: string): boolean => file.includes('photo');

/** The head of a picture of one pixel, in letters that every encoding of text has. */
const PICTURE_HEAD = `RIFFsizeWEBPVP8L${'\0'.repeat(9)}`;

/** A recording, a picture or a text, by the name of the file. */
const bytesOf = (file: string): string =>
  `${isVoice(file) ? 'OggS' : isPicture(file) ? PICTURE_HEAD : ''}words of ${file}`;

/** What a message has of a file. A photo comes in several sizes, the largest last. */
const contentOf = (file: string): object => {
  const named = { file_id: file, file_unique_id: file };
  if (isVoice(file)) return { voice: { ...named, duration: 6, mime_type: 'audio/ogg' } };
  if (!isPicture(file)) return { document: { ...named, file_name: `${file}.txt` } };
  const small = { file_id: `small-${file}`, file_unique_id: `small-${file}` };
  return {
    photo: [
      { ...small, width: 90, height: 90 },
      { ...named, width: 800, height: 800 },
    ],
  };
};

const getFile = (_: BotState, { file_id: file }: Params): object => {
  if (String(file).startsWith('gone')) throw badRequest('wrong file_id or the file is temporarily unavailable');
  return { file_id: file, file_unique_id: file, file_path: `documents/${String(file)}` };
};

const METHODS: Readonly<Record<string, (state: BotState, params: Params) => unknown>> = {
  getMe: ({ me }) => me,
  sendMessage,
  editMessageText,
  editMessageReplyMarkup,
  answerCallbackQuery,
  sendMessageDraft,
  sendChatAction,
  getFile,
};
const SHOWING = new Set(['sendMessage', 'editMessageText', 'editMessageReplyMarkup']);

const json = (status: number, value: unknown): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const refused = (code: number, description: string, parameters?: Params): WireAnswer =>
  json(code, { ok: false, error_code: code, description, ...(parameters === undefined ? {} : { parameters }) });

const HTML: WireAnswer = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };
/** Failures before the deed. The bot waits for the shortest `retry_after`, not for the others. */
const EARLY = [
  refused(429, 'Too Many Requests: retry after 2', { retry_after: 2 }),
  refused(429, 'Too Many Requests: retry after 40', { retry_after: 40 }),
  refused(429, 'Too Many Requests: retry after 900', { retry_after: 900 }),
  refused(403, 'Forbidden: bot was blocked by the user'),
  refused(500, 'Internal Server Error'),
  HTML,
] as const;
const LATE = [refused(500, 'Internal Server Error'), HTML] as const;

/** Telegram asks bots for at most one message a second in a chat. */
const FLOOD_MS = 1_000;
const FLOOD_PROBABILITY = 0.25;
const FLOODED = [EARLY[1], EARLY[2]] as const;

/** In some runs a second message within a second is refused for long. */
const buildFlood = ({ now, random, mayFail }: TelegramOptions) => {
  const isOn = random.chance(FLOOD_PROBABILITY);
  const sentAt = new Map<string, number>();
  return (method: string, chat: string): boolean => {
    if (!isOn || method !== 'sendMessage') return false;
    const isTooSoon = now() - (sentAt.get(chat) ?? 0) < FLOOD_MS;
    sentAt.set(chat, now());
    return isTooSoon && mayFail();
  };
};

const showMessage = (message: Message, at: number): ShownMessage => ({
  at,
  chat: String(message.chat.id),
  messageId: message.message_id,
  isEdit: message.edit_date !== undefined,
  text: message.text ?? '',
  buttons: (message.reply_markup?.inline_keyboard ?? [])
    .flat()
    .flatMap((button) => ('callback_data' in button ? [{ text: button.text, data: button.callback_data }] : [])),
});

/** The bot in each chat: ids of messages count up there. */
const buildStates = ({ botId, chats, moved }: TelegramOptions): ReadonlyMap<string, BotState> => {
  const me = { id: Number(botId), is_bot: true, first_name: 'Passepartout', username: 'simulated_bot' };
  // A callback query belongs to the bot, not to a chat.
  const queries = new Set<string>();
  const stateOf = (chat: string): BotState => ({
    me,
    chats: new Map([[Number(chat), chatOf(Number(chat), userOf(Number(chat)))]]),
    blocked: new Set(),
    moved: new Map(),
    topics: new Set(),
    sent: [],
    drafts: [],
    queries,
    nextMessageId: 1,
  });
  return new Map([...chats, ...Object.values(moved)].map((chat) => [chat, stateOf(chat)]));
};

type Perform = (method: string, params: Params) => Taken;

const buildPerform = (options: TelegramOptions, states: ReadonlyMap<string, BotState>): Perform => {
  const [anyState] = states.values();
  const run = (method: string, params: Params): Taken => {
    const perform = METHODS[method];
    if (perform === undefined) throw new ApiRefusal(404, 'Not Found: method not found');
    const state = params.chat_id === undefined ? anyState : states.get(String(params.chat_id));
    if (state === undefined) throw badRequest('chat not found');
    const result = perform(state, params);
    if (!SHOWING.has(method)) return { answer: json(200, { ok: true, result }), isPerformed: true };
    const date = Math.floor(options.now() / 1000);
    const message = result as Message;
    const isNew = message.edit_date === undefined;
    const dated = isNew ? { ...message, date } : { ...message, edit_date: date };
    // The methods date messages by the real clock, and an edit repeats the date it finds.
    if (isNew) state.sent.splice(-1, 1, dated);
    return {
      answer: json(200, { ok: true, result: dated }),
      isPerformed: true,
      shown: showMessage(dated, options.now()),
    };
  };
  return (method, params) => {
    try {
      return run(method, params);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      return { answer: refused(error.code, error.message, error.parameters), isPerformed: false };
    }
  };
};

const buildSide = (
  options: TelegramOptions,
  states: ReadonlyMap<string, BotState>,
): Omit<TelegramSide, 'performAnswer'> => {
  let queryId = 0;
  const stateOf = (chat: string): BotState => {
    const state = states.get(chat);
    if (state === undefined) throw new Error(`there is no chat ${chat}`);
    return state;
  };
  const messageIn = (chat: string, id: number, text: string, isByBot: boolean): Message => {
    const person = userOf(Number(chat));
    const from = isByBot ? stateOf(chat).me : person;
    return messageOf(id, chatOf(Number(chat), person), from, text, { date: Math.floor(options.now() / 1000) });
  };
  return {
    befall: (chat, what) => {
      const { blocked, moved } = stateOf(chat);
      if (what === 'block') blocked.add(Number(chat));
      if (what === 'unblock') blocked.delete(Number(chat));
      if (what === 'move') moved.set(Number(chat), Number(options.moved[chat]));
    },
    write: (chat, text) => {
      const state = stateOf(chat);
      const message = messageIn(chat, state.nextMessageId, text, false);
      state.nextMessageId += 1;
      return { message } as Omit<Update, 'update_id'>;
    },
    sendFiles: (chat, words, files) =>
      files.map((file, n) => {
        const state = stateOf(chat);
        const { text: _text, ...message } = messageIn(chat, state.nextMessageId, '', false) as Message.TextMessage;
        state.nextMessageId += 1;
        const album = files.length === 1 ? {} : { media_group_id: `album of ${files[0]}` };
        return {
          message: { ...message, ...album, ...contentOf(file), ...(n === 0 ? { caption: words } : {}) },
        } as never;
      }),
    tap: ({ chat, messageId, text }, data) => {
      queryId += 1;
      const id = `q${queryId}`;
      stateOf(chat).queries.add(id);
      const message = messageIn(chat, messageId, text, true);
      return { callback_query: { id, from: userOf(Number(chat)), message, chat_instance: chat, data } };
    },
  };
};

export const buildTelegram = (options: TelegramOptions) => {
  const states = buildStates(options);
  const perform = buildPerform(options, states);
  const isFlood = buildFlood(options);
  const root = `https://telegram.test/bot${options.token}/`;
  const fileRoot = `https://telegram.test/file/bot${options.token}/documents/`;
  const server: Server = {
    name: 'telegram',
    takesMs: [20, 600],
    take: (request, fails) => {
      if (request.url.startsWith(fileRoot)) {
        const file = request.url.slice(fileRoot.length);
        return { answer: fails ? HTML : { status: 200, headers: {}, body: bytesOf(file) }, isPerformed: !fails };
      }
      if (!request.url.startsWith(root)) return { answer: refused(401, 'Unauthorized'), isPerformed: false };
      const isEarly = fails && options.random.chance(0.6);
      if (isEarly) return { answer: options.random.pick(EARLY), isPerformed: false };
      const params = request.body === '' ? {} : (JSON.parse(request.body) as Params);
      const method = request.url.slice(root.length);
      if (isFlood(method, String(params.chat_id))) return { answer: options.random.pick(FLOODED), isPerformed: false };
      const taken = perform(method, params);
      return fails && taken.isPerformed ? { ...taken, answer: options.random.pick(LATE) } : taken;
    },
  };
  /** @returns the request that has the same effect, and what was done; undefined for no method */
  const performAnswer = (answer: WireAnswer): { readonly request: WireRequest; readonly taken: Taken } | undefined => {
    const { method, ...params } = JSON.parse(answer.body || '{}') as { readonly method?: string };
    if (method === undefined) return undefined;
    const request = { method: 'POST', url: `${root}${method}`, headers: {}, body: JSON.stringify(params) };
    return { request, taken: perform(method, params) };
  };
  return { server, side: buildSide(options, states), performAnswer };
};
