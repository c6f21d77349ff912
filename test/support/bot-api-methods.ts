/**
 * The methods that show something to a person: sendMessage, sendMessageDraft, the two edits,
 * answerCallbackQuery and sendChatAction, with the limits and the refusals of the documentation. A
 * method gives its result or throws `ApiRefusal`.
 */
import type { Chat, InlineKeyboardMarkup, Message, MessageEntity, User } from 'grammy/types';
import { detectEntities, FormatRefusal, type FormattedText, parseFormatted } from './bot-api-format.ts';
import { messageOf } from './bot-api-people.ts';
import { jsonParam, objectParam, type Params, textParam } from './bot-api-request.ts';

/** An answer with `ok: false`. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly code: number;
  readonly parameters: Params | undefined;
  constructor(code: number, description: string, parameters?: Params) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (problem: string): ApiRefusal => new ApiRefusal(400, `Bad Request: ${problem}`);

/** A text shown while it is being written. */
export interface ShownDraft {
  readonly chatId: number;
  /** Topic, if any. */
  readonly threadId?: number;
  readonly draftId: number;
  readonly text: string;
  /** Number of messages that the bot had sent by then. */
  readonly sentBefore: number;
}

/** State of the bot, its chats and their members. */
export interface BotState {
  readonly me: User;
  readonly chats: Map<number, Chat>;
  readonly blocked: Set<number>;
  /** Groups that became supergroups, with their new ids. */
  readonly moved: Map<number, number>;
  /** Topics in which somebody wrote, as `<chat>/<thread>`. */
  readonly topics: Set<string>;
  /** Sent by the bot, in order, as they look now. */
  readonly sent: Message[];
  /**
   * Drafts in the order they were shown; they last 30 seconds, or until a message comes to their
   * chat.
   */
  readonly drafts: ShownDraft[];
  /** Callback queries nobody answered yet. */
  readonly queries: Set<string>;
  nextMessageId: number;
}

const TEXT_UNITS_MAX = 4096;
const TEXT_BYTES_MAX = 32 * 1024;
const CALLBACK_DATA_BYTES_MAX = 64;
const CALLBACK_ANSWER_CHARS_MAX = 200;
const BUTTONS_MAX = 100;
/** Those a bot may give, of those that it gives. */
const ENTITY_TYPES: readonly MessageEntity['type'][] = [
  'bold',
  'italic',
  'code',
  'pre',
  'text_link',
  'blockquote',
  'expandable_blockquote',
  'date_time',
];
const CHAT_ACTIONS = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

const chatFor = (state: BotState, params: Params): Chat => {
  const id = textParam(params, 'chat_id');
  if (id === '') throw badRequest('chat_id is empty');
  const chat = state.chats.get(Number(id));
  if (chat === undefined) throw badRequest('chat not found');
  const movedTo = state.moved.get(chat.id);
  if (movedTo !== undefined)
    throw new ApiRefusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: movedTo,
    });
  if (state.blocked.has(chat.id)) {
    const words = chat.type === 'private' ? 'bot was blocked by the user' : `bot was kicked from the ${chat.type} chat`;
    throw new ApiRefusal(403, `Forbidden: ${words}`);
  }
  return chat;
};

/**
 * The topic that the call names. A chat without it refuses: a chain of replies in a plain group is
 * none.
 */
const topicFor = (state: BotState, chat: Chat, params: Params): Partial<Message> => {
  const thread = textParam(params, 'message_thread_id');
  if (thread === '') return {};
  if (!state.topics.has(`${chat.id}/${thread}`)) throw badRequest('message thread not found');
  return { message_thread_id: Number(thread), is_topic_message: true } as Partial<Message>;
};

/** Of two entities that overlap and do not nest, Telegram leaves out one. */
const isCrossing = (one: MessageEntity, all: readonly MessageEntity[]): boolean =>
  all.some(
    (other) =>
      other.offset < one.offset &&
      one.offset < other.offset + other.length &&
      one.offset + one.length > other.offset + other.length,
  );

/** https://core.telegram.org/bots/api#date-time-entity-formatting */
const isDateTime = (entity: Extract<MessageEntity, { type: 'date_time' }>): boolean =>
  Number.isSafeInteger(entity.unix_time) && /^(?:r|w?[dD]?[tT]?)$/.test(entity.date_time_format);

const parsed = (source: string, params: Params): FormattedText => {
  const mode = textParam(params, 'parse_mode');
  try {
    if (mode !== '') return parseFormatted(source, mode);
  } catch (error) {
    if (error instanceof FormatRefusal) throw badRequest(error.message);
    throw error;
  }
  const given = jsonParam(params, 'entities');
  const entities: readonly MessageEntity[] = Array.isArray(given) ? given : [];
  for (const entity of entities) {
    if (!ENTITY_TYPES.includes(entity.type)) throw badRequest("can't parse MessageEntity: Unsupported type specified");
    if (entity.type === 'date_time' && !isDateTime(entity)) throw badRequest('DATE_TIME_INVALID');
  }
  return { text: source, entities: entities.filter((entity) => !isCrossing(entity, entities)) };
};

/**
 * The text as shown: without surrounding white space, with what was marked and what Telegram marks
 * itself.
 */
const textFor = (params: Params): FormattedText => {
  const source = textParam(params, 'text');
  if (!source.isWellFormed()) throw badRequest('strings must be encoded in UTF-8');
  if (Buffer.byteLength(source) > TEXT_BYTES_MAX) throw badRequest('Text is too long');
  const { text: marked, entities } = parsed(source, params);
  const text = marked.trim();
  if (text === '') throw badRequest(source.trim() === '' ? 'message text is empty' : 'text must be non-empty');
  if (text.length > TEXT_UNITS_MAX) throw badRequest('message is too long');
  const start = marked.length - marked.trimStart().length;
  const moved = entities.map((entity) => ({ ...entity, offset: entity.offset - start }));
  return { text, entities: [...moved, ...detectEntities(text)].sort((a, b) => a.offset - b.offset) };
};

const checkButton = (button: unknown): void => {
  if (typeof button !== 'object' || button === null || !('text' in button) || button.text === '') {
    throw badRequest("can't parse inline keyboard button: Text is empty");
  }
  const data = 'callback_data' in button ? button.callback_data : undefined;
  if (data === undefined && !('url' in button)) {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 1;
  if (bytes < 1 || bytes > CALLBACK_DATA_BYTES_MAX) throw badRequest('BUTTON_DATA_INVALID');
};

const markupFor = (params: Params): InlineKeyboardMarkup | undefined => {
  if (params.reply_markup === undefined) return undefined;
  const markup = objectParam(params, 'reply_markup');
  if (markup === undefined) throw badRequest("can't parse reply keyboard markup JSON object");
  const rows = markup.inline_keyboard;
  if (rows === undefined) return undefined;
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) {
    throw badRequest('field "inline_keyboard" must be of type Array');
  }
  const buttons: readonly unknown[] = rows.flat();
  if (buttons.length > BUTTONS_MAX) throw badRequest('reply markup is too long');
  buttons.forEach(checkButton);
  return buttons.length === 0 ? undefined : { inline_keyboard: rows };
};

const shownFor = (params: Params): Partial<Message> => {
  const { text, entities } = textFor(params);
  const markup = markupFor(params);
  return {
    text,
    ...(entities.length === 0 ? {} : { entities: [...entities] }),
    ...(markup === undefined ? {} : { reply_markup: markup }),
  };
};

export const sendMessage = (state: BotState, params: Params): Message => {
  const chat = chatFor(state, params);
  const preview = objectParam(params, 'link_preview_options');
  const extras = {
    ...topicFor(state, chat, params),
    ...shownFor(params),
    ...(preview === undefined ? {} : { link_preview_options: preview }),
  };
  const message = messageOf(state.nextMessageId, chat, state.me, undefined, extras);
  state.nextMessageId += 1;
  state.sent.push(message);
  return message;
};

/** Up to 50 MB, as a part of the form; `text` is the content, for tests. */
export const sendDocument = (state: BotState, params: Params): Message => {
  const chat = chatFor(state, params);
  const document = objectParam(params, 'document');
  if (document === undefined || textParam(document, 'text') === '') throw badRequest('file must be non-empty');
  const { text: _content, ...shown } = document;
  const extras = { ...topicFor(state, chat, params), document: { file_id: 'sent', file_unique_id: 'sent', ...shown } };
  const message = messageOf(state.nextMessageId, chat, state.me, undefined, extras as Partial<Message>);
  state.nextMessageId += 1;
  state.sent.push(message);
  return message;
};

/** Ogg Opus, as a part of the form; `text` is the content, for tests. */
export const sendVoice = (state: BotState, params: Params): Message => {
  const chat = chatFor(state, params);
  const voice = objectParam(params, 'voice');
  if (voice === undefined || !textParam(voice, 'text').startsWith('OggS')) throw badRequest('file must be non-empty');
  const { text: _content, ...shown } = voice;
  const extras = {
    ...topicFor(state, chat, params),
    voice: { file_id: 'sent', file_unique_id: 'sent', duration: 1, ...shown },
  };
  const message = messageOf(state.nextMessageId, chat, state.me, undefined, extras as Partial<Message>);
  state.nextMessageId += 1;
  state.sent.push(message);
  return message;
};

/** Private chats only; 0-4096 characters, of which none is a message. */
export const sendMessageDraft = (state: BotState, params: Params): true => {
  const chat = chatFor(state, params);
  if (chat.type !== 'private') throw badRequest('the method is available only for private chats');
  const draftId = Number(textParam(params, 'draft_id'));
  if (!Number.isSafeInteger(draftId) || draftId === 0) throw badRequest('invalid draft_id specified');
  const text = textParam(params, 'text') === '' ? '' : textFor(params).text;
  const { message_thread_id: threadId } = topicFor(state, chat, params);
  state.drafts.push({
    chatId: chat.id,
    ...(threadId === undefined ? {} : { threadId }),
    draftId,
    text,
    sentBefore: state.sent.length,
  });
  return true;
};

/**
 * Replaces a message of the bot; what the edit does not name of text and buttons is as `keep` says.
 */
const edit = (state: BotState, params: Params, shown: Partial<Message>, keep: readonly (keyof Message)[]): Message => {
  const chat = chatFor(state, params);
  const id = Number(textParam(params, 'message_id'));
  const index = state.sent.findIndex((message) => message.chat.id === chat.id && message.message_id === id);
  const before = state.sent[index];
  if (before === undefined) throw badRequest('message to edit not found');
  const kept = Object.fromEntries(keep.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]])));
  const after = messageOf(id, chat, state.me, undefined, { ...kept, ...shown, date: before.date });
  const look = (message: Message): string => JSON.stringify([message.text, message.entities, message.reply_markup]);
  if (look(before) === look(after)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current ' +
        'content and reply markup of the message',
    );
  }
  const edited = { ...after, edit_date: Math.floor(Date.now() / 1000) };
  state.sent[index] = edited;
  return edited;
};

const TOPIC = ['message_thread_id', 'is_topic_message'] as const;

export const editMessageText = (state: BotState, params: Params): Message =>
  edit(state, params, shownFor(params), ['link_preview_options', ...TOPIC]);

export const editMessageReplyMarkup = (state: BotState, params: Params): Message => {
  const markup = markupFor(params);
  return edit(state, params, markup === undefined ? {} : { reply_markup: markup }, [
    'text',
    'entities',
    'link_preview_options',
    ...TOPIC,
  ]);
};

export const answerCallbackQuery = (state: BotState, params: Params): true => {
  if (textParam(params, 'text').length > CALLBACK_ANSWER_CHARS_MAX) throw badRequest('MESSAGE_TOO_LONG');
  if (!state.queries.delete(textParam(params, 'callback_query_id'))) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  return true;
};

export const sendChatAction = (state: BotState, params: Params): true => {
  topicFor(state, chatFor(state, params), params);
  if (!CHAT_ACTIONS.has(textParam(params, 'action').toLowerCase())) {
    throw badRequest('wrong parameter action in request');
  }
  return true;
};
