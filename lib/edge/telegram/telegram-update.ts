/**
 * Turns one Telegram update into the one signal it means, or says why it means none. Pure: who may talk to the bot comes
 * in as sets, the time as a number, and the same update always gives the same signal id. Authority comes only from ids
 * Telegram vouches for (user, chat), never from names or text. Malformed updates are a ProtocolError naming the field.
 */
import * as z from 'zod/mini';
import { parseSimilarData } from '../../approvals/similar.ts';
import { parseWith } from '../../base/json.ts';
import { doubtedBy } from '../../signal/doubt.ts';
import { telegramSignalId } from '../../signal/ids.ts';
import { buildResume } from '../../signal/resume.ts';
import { type Payload, type Sender, SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import { isStop, parseCommand } from './telegram-command.ts';
import { serviceKind } from './telegram-content.ts';
import {
  type TelegramChat,
  type TelegramMessage,
  type TelegramTap,
  TelegramUpdate,
  type TelegramUser,
} from './telegram-schema.ts';
import { buildTextPieces, typedText } from './telegram-text.ts';

export interface TelegramIntakeConfig {
  /** Numeric id of the bot: the part of its token before the colon. */
  readonly botId: string;
  /** Without `@`; needed to tell commands for other bots apart, and for `addressed`. */
  readonly botUsername?: string;
  readonly space: string;
  /** Chat ids as text; groups have negative ones. */
  readonly allowedChats: ReadonlySet<string>;
  readonly pairedChats: ReadonlySet<string>;
  /** User ids as text. */
  readonly approvers: ReadonlySet<string>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Which messages of an allowed group are served: all unless set, or only mentions, replies to the bot and commands. */
  readonly groupMessages?: 'all' | 'addressed';
}

/**
 * - `signal`:   accept it
 * - `unpaired`: a person in a chat that is not served; `pairingCode` where they sent one. `signalId` is what a notice
 *               about it is made under.
 * - `ignored`:  nothing to answer; `reason` for the log holds no text of others
 */
export type TelegramIntake =
  | { readonly kind: 'signal'; readonly signal: Signal }
  | {
      readonly kind: 'unpaired';
      readonly signalId: string;
      readonly chatId: string;
      readonly userId: string;
      readonly pairingCode?: string;
    }
  | { readonly kind: 'ignored'; readonly reason: string };

const PAIRING_CODE_CHARS_MAX = 64;
const DECISION = /^([adgb]):([0-9a-f]{32})$/;

/** Letters of the buttons; what is not named here is a no. */
const DECISIONS: Readonly<Record<string, 'approve' | 'show-similar' | 'hide-similar'>> = {
  a: 'approve',
  g: 'show-similar',
  b: 'hide-similar',
};

const ignored = (reason: string): TelegramIntake => ({ kind: 'ignored', reason });

const isServed = (chat: TelegramChat, config: TelegramIntakeConfig): boolean =>
  config.allowedChats.has(String(chat.id)) || config.pairedChats.has(String(chat.id));

/** In a served chat. A private chat has the id of its only person: whoever was let in there is an owner. */
const senderOf = (user: TelegramUser, chat: TelegramChat, isStandIn: boolean, config: TelegramIntakeConfig): Sender => {
  const isOwnersChat = chat.type === 'private' && chat.id === user.id;
  const isPerson = !isStandIn && user.is_bot !== true;
  return {
    id: `telegram:${user.id}`,
    isApprover: isPerson && (isOwnersChat || config.approvers.has(String(user.id))),
  };
};

const buildSignal = (
  updateId: number,
  chat: TelegramChat,
  sender: Sender,
  payload: Payload,
  config: TelegramIntakeConfig,
): TelegramIntake => {
  const id = telegramSignalId(config.botId, updateId);
  return {
    kind: 'signal',
    signal: {
      schemaVersion: SIGNAL_SCHEMA_VERSION,
      id,
      type: payload.sensor === 'chat-message' ? 'EVENT' : 'REQUEST',
      source: 'telegram',
      space: config.space,
      session: `telegram:${chat.id}`,
      root: id,
      depth: 0,
      receivedAt: config.now,
      sender,
      reply: { target: 'telegram', to: String(chat.id) },
      payload,
    },
  };
};

const NOT_BY_EDIT: readonly string[] = ['resume', 'memory'];

/**
 * STOP must work however it comes. Resuming, and opening a group for memory, must not come from an
 * edit: Telegram may report an old message as edited, and an old `/resume` would lift a newer stop.
 */
const buildPayload = (message: TelegramMessage, isApprover: boolean, isEdit: boolean): Payload => {
  const typed = typedText(message);
  const command = parseCommand(typed);
  if (isStop(typed) || command?.name === 'stop') return { sensor: 'interrupt' };
  if (command === undefined || (isEdit && NOT_BY_EDIT.includes(command.name))) {
    return { sensor: 'chat-message', text: [...buildTextPieces(message, isApprover, isEdit)] };
  }
  if (command.name === 'resume') return buildResume(command.rest);
  return { sensor: 'command', name: command.name, rest: command.rest };
};

const isForOtherBot = (message: TelegramMessage, { botUsername }: TelegramIntakeConfig): boolean => {
  const bot = parseCommand(typedText(message))?.bot ?? '';
  return bot !== '' && botUsername !== undefined && bot !== botUsername.toLowerCase();
};

/** Whether a message of a group speaks to the bot. STOP always does. */
const isAddressed = (message: TelegramMessage, { botId, botUsername }: TelegramIntakeConfig): boolean => {
  const typed = typedText(message);
  if (typed.startsWith('/') || isStop(typed)) return true;
  if (String(message.reply_to_message?.from?.id ?? '') === botId) return true;
  if (botUsername === undefined) return false;
  return [...typed.matchAll(/@\w+/g)].some(([name]) => name.toLowerCase() === `@${botUsername.toLowerCase()}`);
};

const parseUnpaired = (
  updateId: number,
  message: TelegramMessage,
  user: TelegramUser,
  botId: string,
): TelegramIntake => {
  const command = parseCommand(typedText(message));
  const isPairing = command !== undefined && ['pair', 'start'].includes(command.name) && command.rest !== '';
  return {
    kind: 'unpaired',
    signalId: telegramSignalId(botId, updateId),
    chatId: String(message.chat.id),
    userId: String(user.id),
    ...(isPairing ? { pairingCode: command.rest.slice(0, PAIRING_CODE_CHARS_MAX).toWellFormed() } : {}),
  };
};

const parseMessage = (
  updateId: number,
  message: TelegramMessage,
  isEdit: boolean,
  config: TelegramIntakeConfig,
): TelegramIntake => {
  const { chat, from, sender_chat: standIn } = message;
  if (chat.type === 'channel') return ignored('a channel post');
  if (from === undefined) return ignored('a message without a sender');
  if (from.is_bot === true && standIn === undefined) return ignored('a message of a bot');
  const service = serviceKind(message);
  if (service !== undefined) return ignored(`a service message: ${service}`);
  if (!isServed(chat, config)) return parseUnpaired(updateId, message, from, config.botId);
  if (isForOtherBot(message, config)) return ignored('a command for another bot');
  const isQuietGroup = chat.type !== 'private' && config.groupMessages === 'addressed';
  if (isQuietGroup && !isAddressed(message, config)) return ignored('a message of a group that is not for the bot');
  const sender = senderOf(from, chat, standIn !== undefined, config);
  return buildSignal(updateId, chat, sender, buildPayload(message, sender.isApprover, isEdit), config);
};

const parseTap = (updateId: number, tap: TelegramTap, config: TelegramIntakeConfig): TelegramIntake => {
  if (tap.message === undefined) return ignored('a tap on a message that is not in a chat');
  const { chat, message_id: message } = tap.message;
  if (!isServed(chat, config)) return ignored('a tap in a chat that is not served');
  const doubted = tap.data?.startsWith('r:') === true ? doubtedBy(tap.data.slice(2)) : undefined;
  if (doubted !== undefined) {
    const again: Payload = { sensor: 'send-again', ...doubted, chat: String(chat.id), message };
    return buildSignal(updateId, chat, senderOf(tap.from, chat, false, config), again, config);
  }
  const card = { chat: String(chat.id), message };
  const sender = senderOf(tap.from, chat, false, config);
  const chosen = parseSimilarData(tap.data ?? '');
  if (chosen !== undefined) {
    const { approvalId, ...choice } = chosen;
    const payload: Payload = { sensor: 'approval-decision', approvalId, decision: 'allow-similar', choice, card };
    return buildSignal(updateId, chat, sender, payload, config);
  }
  const [, letter = '', approvalId] = DECISION.exec(tap.data ?? '') ?? [];
  if (approvalId === undefined) return ignored('a tap on a button that is not one of ours');
  const decision = DECISIONS[letter] ?? 'deny';
  const payload: Payload = { sensor: 'approval-decision', approvalId, decision, card };
  return buildSignal(updateId, chat, sender, payload, config);
};

/** @throws ProtocolError naming what is wrong with an update that does not have Telegram's form. */
export const parseTelegramUpdate = (update: unknown, config: TelegramIntakeConfig): TelegramIntake => {
  const parsed = parseWith('Telegram update', update, TelegramUpdate);
  const { update_id: id, message, edited_message: edited, callback_query: tap } = parsed;
  if (message !== undefined) return parseMessage(id, message, false, config);
  if (edited !== undefined) return parseMessage(id, edited, true, config);
  if (tap !== undefined) return parseTap(id, tap, config);
  const kind = Object.keys(parsed).find((key) => key !== 'update_id') ?? '';
  return ignored(`an update that is no message: ${/^[a-z_]{1,40}$/.test(kind) ? kind : 'of unknown kind'}`);
};

/** A Bot API method with its parameters, as the answer of a webhook: performed by Telegram, its result shown to nobody. */
export type TelegramAnswer =
  | { readonly method: 'sendChatAction'; readonly chat_id: string; readonly action: 'typing' }
  | { readonly method: 'answerCallbackQuery'; readonly callback_query_id: string };

const Tapped = z.looseObject({ callback_query: z.looseObject({ id: z.string() }) });

/** "typing" for what will be reasoned about, the end of the waiting mark for a tap, nothing for all else. */
export const typingAnswer = (update: unknown, intake: TelegramIntake): TelegramAnswer | undefined => {
  const tapped = Tapped.safeParse(update);
  if (tapped.success) return { method: 'answerCallbackQuery', callback_query_id: tapped.data.callback_query.id };
  if (intake.kind !== 'signal' || intake.signal.payload.sensor !== 'chat-message') return undefined;
  return { method: 'sendChatAction', chat_id: intake.signal.reply.to, action: 'typing' };
};
