/**
 * Sends a text to a Telegram chat, as one message or several in order. `once`: a part whose outcome
 * nobody knows ends the delivery as `unknown`, and a sent part is never sent again: `retry` names
 * the sent ones, and the next try continues behind them. A model's text is shown with simple
 * markup; a text of code is shown character by character. Link previews are off: fetching one would
 * tell a stranger's server that the message was read.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { isRetryable, PassepartoutError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type { NoteOwn, Sender, SenderParts } from '../../core/channels/channel.ts';
import type { Action } from '../../core/signal/action.ts';
import type { Actuator, ActuatorContext, ActuatorResult } from '../../core/signal/actuator.ts';
import type { Because } from '../../core/signal/because.ts';
import { CHOSEN, isTelegramId, MAY_BE_LOST, VOICE_NOTE } from '../../core/signal/ids.ts';
import { buttonsOf, type DeliveryInput } from '../chats/buttons.ts';
import { buildWhole, cardFileOf, fileOf, type Sendable } from '../chats/files.ts';
import { cutUnits, formatText, splitText, TELEGRAM_TEXT_UNITS_MAX } from '../chats/format.ts';
import type { TelegramClient, TelegramClientConfig, TelegramOutcome } from './client.ts';
import { buildTelegramClient, isTokenRefused } from './client.ts';
import { fetchTelegramFile } from './fetch-file.ts';
import { sendVoice } from './voice.ts';

export { noteBotName } from './bot-name.ts';

/** Longest `retry_after` obeyed inside one invocation; a longer one goes back to the queue. */
const RETRY_AFTER_INLINE_MS_MAX = 5 * SECOND_MS;
/** Longest wait in all once the first part is out: a reply cut short is worse than a slow one. */
const TELEGRAM_MIDWAY_WAIT_MS_MAX = 20 * SECOND_MS;
/** Pause before a part without a connection is tried again. */
const TELEGRAM_RECONNECT_MS = 1 * SECOND_MS;

/** Resolves after so many milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

type Body = Readonly<Record<string, unknown>>;

type Told = Omit<DeliveryInput, 'isAsked'>;

/** Undefined without buttons. */
const keyboardOf = (action: Action, told: Told): unknown => {
  const rows = buttonsOf(action, { ...told, isAsked: isTelegramId });
  const shown = rows.map((row) =>
    row.map((button) => ('url' in button ? button : { text: button.text, callback_data: button.data })),
  );
  return rows.length === 0 ? undefined : { inline_keyboard: shown };
};

/** The outcome of one message; `retry` marks reasons that pass with time. */
type PartResult =
  | { readonly state: 'sent'; readonly messageId: number; readonly chat?: string }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string; readonly because?: Because }
  | {
      readonly state: 'retry';
      readonly reason: string;
      readonly because?: Because;
      readonly afterMs: number | undefined;
    };

/** Nobody reads what is sent there. */
const BOT_BLOCKED = {
  state: 'failed',
  reason: 'the person blocked the bot or left',
  because: { code: 'bot-blocked' },
} as const;
/** Why a text waits while Telegram refuses the bot. Health says what to do by it. */
const TOKEN_REFUSED = {
  state: 'retry',
  reason: 'Telegram refuses the token in TELEGRAM_BOT_TOKEN',
  because: { code: 'token-refused' },
} as const;

const ChatId = z.string().check(z.regex(/^-?\d{1,19}$/));
/** Stands for a message whose id Telegram did not say. */
const NO_MESSAGE = 0;
const SentMessage = z.looseObject({ message_id: z.int(), chat: z.optional(z.looseObject({ id: z.int() })) });
const Sent = z.object({ messageIds: z.array(z.int()), chat: z.optional(z.string()) });

const formatBody = (action: Action, text: string): Body => {
  const { entities, ...message } = formatText(action, text);
  const preview = { link_preview_options: { is_disabled: true } };
  return { ...message, ...(entities.length === 0 ? {} : { entities }), ...preview };
};

/** The parameters that name a chat and its topic. */
const addressOf = ({ to, topic }: Pick<Action, 'to' | 'topic'>): Body => ({
  chat_id: to,
  ...defined({ message_thread_id: topic }),
});

/** One message: a text, or a file. */
interface MessagePart {
  readonly body: Body;
  readonly file?: Sendable;
}

const buildParts = (action: Action, told: Told): readonly MessagePart[] => {
  const buttons = keyboardOf(action, told);
  const { texts, isWhole } = splitText(action.text ?? '', action.author === 'model');
  const address = addressOf(action);
  const parts = texts.map((text, index) => {
    const isLast = index === texts.length - 1;
    return {
      body: { ...address, ...formatBody(action, text), ...defined({ reply_markup: isLast ? buttons : undefined }) },
    };
  });
  return isWhole ? parts : [...parts, { body: address, file: buildWhole(action) }];
};

const parsePartResult = (outcome: TelegramOutcome): PartResult => {
  switch (outcome.kind) {
    case 'done': {
      const { message_id: messageId = NO_MESSAGE, chat } = SentMessage.safeParse(outcome.result).data ?? {};
      return { state: 'sent', messageId, ...defined({ chat: chat && String(chat.id) }) };
    }
    case 'unknown':
      return { state: 'unknown', reason: outcome.reason };
    case 'unreached':
      return { state: 'retry', reason: outcome.reason, afterMs: undefined };
    case 'refused': {
      if (outcome.code === 429) {
        return { state: 'retry', reason: 'Telegram asks to wait', afterMs: outcome.retryAfterMs };
      }
      if (isTokenRefused(outcome)) return { ...TOKEN_REFUSED, afterMs: undefined };
      if (outcome.code === 403) return BOT_BLOCKED;
      return { state: 'failed', reason: `Telegram refused the text (${outcome.code}): ${outcome.description}` };
    }
    default: {
      const never: never = outcome;
      return never;
    }
  }
};

/**
 * A group that became a supergroup gets its texts under the new id. An edit is not repeated there:
 * it names a message of the old group.
 */
const followMoved = (client: TelegramClient): TelegramClient => ({
  call: async (method, body, options) => {
    const outcome = await client.call(method, body, options);
    if (outcome.kind !== 'refused' || outcome.movedTo === undefined || method.startsWith('edit')) return outcome;
    return await client.call(method, { ...body, chat_id: outcome.movedTo }, options);
  },
});

/** Notes the name that the agent has on Telegram, without `@`. */
export type NoteName = (username: string) => Promise<void>;

const OwnMessage = z.looseObject({
  from: z.looseObject({ username: z.string() }),
  chat: z.looseObject({ type: z.string() }),
});

/** Learns the agent's name from its first message to a group. The message never fails for it. */
const learnName = (client: TelegramClient, noteName: NoteName): TelegramClient => {
  let isKnown = false;
  return {
    call: async (...call) => {
      const outcome = await client.call(...call);
      const own = isKnown || outcome.kind !== 'done' ? undefined : OwnMessage.safeParse(outcome.result).data;
      if (own?.chat.type.endsWith('group') === true) {
        isKnown = true;
        await noteName(own.from.username).catch((error: unknown) => {
          if (!(error instanceof PassepartoutError)) throw error;
          isKnown = false;
        });
      }
      return outcome;
    },
  };
};

const NO_TOPIC = /message thread not found|TOPIC_(?:CLOSED|DELETED)/i;

/** The description, if Telegram refused the request itself. */
const badRequestOf = (outcome: TelegramOutcome): string | undefined =>
  outcome.kind === 'refused' && outcome.code === 400 ? outcome.description : undefined;

const isUnchanged = (outcome: TelegramOutcome): boolean => /message is not modified/i.test(badRequestOf(outcome) ?? '');

/**
 * Sends a text, and if Telegram refuses it, once more as one monospaced block: without markup, and
 * still with no link to tap. A refusal sent nothing. If the topic is closed or gone, the group's
 * General gets it.
 */
const callWithText = async (client: TelegramClient, method: string, body: Body): Promise<TelegramOutcome> => {
  const outcome = await client.call(method, body);
  const { message_thread_id: topic, ...general } = body;
  if (topic !== undefined && outcome.kind === 'refused' && NO_TOPIC.test(outcome.description))
    return await callWithText(client, method, general);
  const { text, entities } = body;
  if (badRequestOf(outcome) === undefined || entities === undefined || isUnchanged(outcome)) return outcome;
  return await client.call(method, { ...body, entities: [{ type: 'pre', offset: 0, length: String(text).length }] });
};

/** A topic that is closed or gone is left out, as for a text. */
const sendFile = async (client: TelegramClient, body: Body, file: Sendable): Promise<TelegramOutcome> => {
  const outcome = await client.call('sendDocument', body, { file: { field: 'document', ...file } });
  const { message_thread_id: topic, ...general } = body;
  const isClosed = topic !== undefined && outcome.kind === 'refused' && NO_TOPIC.test(outcome.description);
  return isClosed ? await sendFile(client, general, file) : outcome;
};

const sendPart = async (client: TelegramClient, { body, file }: MessagePart): Promise<PartResult> =>
  parsePartResult(
    file === undefined ? await callWithText(client, 'sendMessage', body) : await sendFile(client, body, file),
  );

/** @returns the wait before this part is tried again in this invocation; undefined if it is not */
const planRetry = (result: PartResult, sent: number, waitedMs: number): number | undefined => {
  if (result.state !== 'retry') return undefined;
  if (result.afterMs === undefined && sent === 0) return undefined;
  const ms = Math.max(result.afterMs ?? 0, TELEGRAM_RECONNECT_MS);
  const budgetMs = sent === 0 ? RETRY_AFTER_INLINE_MS_MAX : TELEGRAM_MIDWAY_WAIT_MS_MAX;
  return waitedMs + ms <= budgetMs ? ms : undefined;
};

const buildResult = (
  result: Exclude<PartResult, { state: 'sent' }>,
  sentIds: readonly number[],
  total: number,
): ActuatorResult => {
  const before = sentIds.length === 0 ? '' : `; ${sentIds.length} of ${total} messages were sent before`;
  const reason = `${result.reason}${before}`;
  if (result.state === 'unknown') return { state: 'unknown', reason };
  const code = defined({ because: result.because });
  if (result.state === 'failed') return { state: 'failed', reason, ...code };
  return {
    state: 'retry',
    reason,
    ...code,
    ...defined({ afterMs: result.afterMs }),
    ...(sentIds.length === 0 ? {} : { sentIds }),
  };
};

/** A repeat shows the same, so an unknown outcome is tried again; Telegram says "not modified". */
const editTelegram = async (client: TelegramClient, chatId: string, action: Action, message: number, told: Told) => {
  const buttons = keyboardOf(action, told);
  const place = { chat_id: chatId, message_id: message, ...defined({ reply_markup: buttons }) };
  const outcome =
    action.template === CHOSEN
      ? await client.call('editMessageReplyMarkup', place)
      : await callWithText(client, 'editMessageText', { ...place, ...formatBody(action, action.text ?? '') });
  const result = isUnchanged(outcome) ? ({ state: 'sent', messageId: message } as const) : parsePartResult(outcome);
  if (result.state === 'sent') return done([message]);
  if (result.state === 'unknown') return { state: 'retry', reason: result.reason } as const;
  return buildResult(result, [], 1);
};

/** @param chat the one that has the messages, if it is not the action's */
const done = (messageIds: readonly number[], chat?: string): ActuatorResult => ({
  state: 'done',
  output: JSON.stringify({ messageIds: messageIds.filter((id) => id !== NO_MESSAGE), ...defined({ chat }) }),
  origin: 'agent',
});

/** Whether Telegram answers at all: else the notice of a lost text would be lost as well. */
const findTrouble = async (client: TelegramClient): Promise<ActuatorResult | undefined> => {
  const outcome = await client.call('getMe', {});
  if (outcome.kind === 'done') return undefined;
  if (outcome.kind !== 'refused') return { state: 'retry', reason: outcome.reason };
  if (isTokenRefused(outcome)) return TOKEN_REFUSED;
  const { code, retryAfterMs: afterMs } = outcome;
  const reason = `Telegram refuses to say who I am (${code})`;
  return afterMs === undefined ? { state: 'retry', reason } : { state: 'retry', reason, afterMs };
};

/** @returns for `done` the JSON `{"messageIds":[…]}`, in order; `chat` if the group has moved */
export const deliverTelegram = async (
  client: TelegramClient,
  action: Action,
  wait: Wait = sleep,
  told: Told = { signalId: '' },
  file: Sendable | undefined = undefined,
  cardFile: Sendable | undefined = undefined,
): Promise<ActuatorResult> => {
  const { sentIds = [] } = told;
  const chatId = ChatId.safeParse(action.to);
  if (!chatId.success) return { state: 'failed', reason: 'the recipient is not a Telegram chat id' };
  if (action.edits !== undefined) return await editTelegram(client, chatId.data, action, action.edits.message, told);
  const body = addressOf(action);
  // The text comes last: its buttons are what a later change of the card edits.
  const before: readonly MessagePart[] = cardFile === undefined ? [] : [{ body, file: cardFile }];
  const parts = file === undefined ? [...before, ...buildParts(action, told)] : [{ body, file }];
  if (parts.length === 0) return { state: 'failed', reason: 'there is no text to send' };
  const trouble = action.template === MAY_BE_LOST ? await findTrouble(client) : undefined;
  if (trouble !== undefined) return trouble;
  const messageIds = [...sentIds];
  let chat = action.to;
  let waitedMs = 0;
  for (const part of parts.slice(sentIds.length)) {
    const sent = messageIds.length;
    let result = await sendPart(client, part);
    for (let ms = planRetry(result, sent, waitedMs); ms !== undefined; ms = planRetry(result, sent, waitedMs)) {
      await wait(ms);
      waitedMs += ms;
      result = await sendPart(client, part);
    }
    if (result.state !== 'sent') return buildResult(result, messageIds, parts.length);
    messageIds.push(result.messageId);
    chat = result.chat;
  }
  return done(messageIds, chat === action.to ? undefined : chat);
};

/** Notices and cards show words of others too: only a text of the model is noted. */
const noteOwn = async (note: NoteOwn, action: Action, { origin, now }: ActuatorContext, output = ''): Promise<void> => {
  if (action.author !== 'model' || origin === 'outside') return;
  const { messageIds, chat = action.to ?? '' } = Sent.parse(JSON.parse(output));
  try {
    await Promise.all(messageIds.map((id) => note(chat, id, now)));
  } catch (error) {
    // The text is sent. Without the note a quote of it counts as outside.
    if (!(error instanceof PassepartoutError)) throw error;
  }
};

/** Nothing was sent. */
const asResult = (error: unknown): ActuatorResult => {
  if (!(error instanceof PassepartoutError)) throw error;
  return { state: isRetryable(error) ? 'retry' : 'failed', reason: error.message };
};

/** The options of a message besides its text. */
export type TelegramWays = Pick<SenderParts, 'sayAloud' | 'loadFile' | 'loadCard'> &
  Pick<Told, 'page'> & { readonly noteName: NoteName };

export const buildTelegramActuator = (
  client: TelegramClient,
  note: NoteOwn = async () => undefined,
  wait: Wait = sleep,
  ways: Partial<TelegramWays> = {},
): Actuator => ({
  kind: 'once',
  deliver: async (action, context) => {
    if (action.template === VOICE_NOTE && ways.sayAloud !== undefined)
      return sendVoice(client, addressOf(action), action.text ?? '', ways.sayAloud);
    const file = await fileOf(action, ways.loadFile).catch(asResult);
    if (file !== undefined && 'state' in file) return file;
    const cardFile = await cardFileOf(action, ways.loadCard).catch(asResult);
    if (cardFile !== undefined && 'state' in cardFile) return cardFile;
    const told = { ...context, ...defined({ page: ways.page }) };
    const result = await deliverTelegram(client, action, wait, told, file, cardFile);
    if (result.state === 'done') await noteOwn(note, action, context, result.output);
    return result;
  },
});

/** A draft or a sign of typing is tried once, for a short time. */
const DRAFT_SHOW_TIMEOUT_MS = 3 * SECOND_MS;

export const openTelegramSender = (config: TelegramClientConfig, note: NoteOwn, ways: TelegramWays): Sender => {
  const client = learnName(followMoved(buildTelegramClient(config)), ways.noteName);
  return {
    ...buildTelegramSender(client, note, ways),
    fetchFile: (...file) => fetchTelegramFile(config, client, ...file),
  };
};

const buildTelegramSender = (client: TelegramClient, note: NoteOwn, ways?: TelegramWays): Sender => {
  const show = async (method: string, body: Body) => {
    await client.call(method, body, { timeoutMs: DRAFT_SHOW_TIMEOUT_MS });
  };
  return {
    actuator: buildTelegramActuator(client, note, sleep, ways),
    // A draft goes by itself after some 30 seconds, or when the message comes.
    sendDraft: (place, draftId, text) =>
      show('sendMessageDraft', {
        ...addressOf(place),
        draft_id: draftId,
        text: cutUnits(text, TELEGRAM_TEXT_UNITS_MAX),
      }),
    // Telegram shows it for five seconds, or until a message comes.
    sendTyping: (place) => show('sendChatAction', { ...addressOf(place), action: 'typing' }),
  };
};
