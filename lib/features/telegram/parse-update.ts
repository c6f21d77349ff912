/**
 * Turns one Telegram update into the one signal it means, or says why it means none. Pure; the same
 * update always gives the same signal id. Authority comes only from the ids of user and chat, which
 * Telegram vouches for, never from names or text.
 */
import type * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { parseWith } from '../../core/base/json.ts';
import { type Language, otherLanguage, spokenLanguage, USUAL_LANGUAGE } from '../../core/base/language.ts';
import type { Intake, Parse } from '../../core/channels/channel.ts';
import { payloadOfTyped, readTyped } from '../../core/channels/read-typed.ts';
import { CHOSEN, telegramSignalId } from '../../core/signal/ids.ts';
import type { Payload, ReplyRoute, Sender } from '../../core/signal/signal.ts';
import { buildChatSignal } from '../chats/chat-signal.ts';
import { askedWhy, parseTapData } from '../chats/parse-tap.ts';
import { buildTextPieces, Emoji, ingestPieces, repliedMessage, serviceKind, typedText } from './content.ts';
import {
  type TelegramChat,
  TelegramMembership,
  type TelegramMessage,
  type TelegramPlace,
  TelegramReaction,
  type TelegramTap,
  TelegramUpdate,
  type TelegramUser,
} from './update-schema.ts';

export interface TelegramConfig {
  /** Numeric id of the bot: the part of its token before the colon. */
  readonly botId: string;
  /** Without `@`; needed to recognise commands for other bots, and messages that name this one. */
  readonly botUsername?: string | undefined;
  readonly space: string;
  /** Chat ids as text; groups have negative ones. */
  readonly allowedChats: ReadonlySet<string>;
  /** Of the chat and its sender's private chat, those that are paired. */
  readonly pairedChats: ReadonlySet<string>;
  /** The message replies to a text that the agent wrote without outside text. */
  readonly isReplyToAgent?: boolean;
  /** Emoji that were put on messages of the chat since the last one came. */
  readonly reactions?: readonly string[];
  /** The one that was chosen for the chat; absent if none was. */
  readonly language?: Language | undefined;
  /** In a group only what is addressed to the agent is heard. */
  readonly hearsAddressedOnly?: boolean;
  /** User ids as text. */
  readonly approvers: ReadonlySet<string>;
  readonly now: number;
}

type ReplyPlace = Pick<ReplyRoute, 'to' | 'topic'>;

const PAIRING_CODE_CHARS_MAX = 64;

const ignored = (reason: string): Intake => ({ kind: 'ignored', reason });

/** A tap that does nothing says why: at most 200 characters, Telegram's bound. */
const refusedTap = (reason: string, say: string): Intake => ({ kind: 'ignored', reason, say });

const isServed = (chat: number, config: TelegramConfig): boolean =>
  config.allowedChats.has(String(chat)) || config.pairedChats.has(String(chat));

/**
 * A private chat has the id of its only person, who is an owner if the chat is served: there, and
 * in groups unless the settings name the approvers of groups.
 */
const senderOf = (user: TelegramUser, chat: TelegramChat, isStandIn: boolean, config: TelegramConfig): Sender => {
  const isOwnersPlace = chat.type === 'private' ? chat.id === user.id : config.approvers.size === 0;
  const isOwner = isOwnersPlace && isServed(user.id, config);
  const isPerson = !isStandIn && user.is_bot !== true;
  return {
    id: `telegram:${user.id}`,
    isApprover: isPerson && (isOwner || config.approvers.has(String(user.id))),
  };
};

const answerPlaceOf = ({ chat, is_topic_message: isInTopic, message_thread_id: topic }: TelegramPlace): ReplyPlace => ({
  to: String(chat.id),
  ...defined({ topic: isInTopic === true ? topic : undefined }),
});

const buildIntake = (
  updateId: number,
  at: TelegramPlace,
  sender: Sender,
  payload: Payload,
  { botId, space, now: receivedAt }: TelegramConfig,
): Extract<Intake, { kind: 'signal' }> => {
  const id = telegramSignalId(botId, updateId);
  return {
    kind: 'signal',
    signal: buildChatSignal({ channel: 'telegram', id, space, place: answerPlaceOf(at), sender, receivedAt, payload }),
  };
};

/**
 * STOP works however it comes. No command comes from an edit: Telegram may report an old message as
 * edited, and an old `/resume` would lift a newer stop.
 */
const buildPayload = (
  message: TelegramMessage,
  isApprover: boolean,
  isEdit: boolean,
  { isReplyToAgent = false, reactions }: TelegramConfig,
): Payload => {
  const typed = readTyped(typedText(message));
  const isIngest = typed.kind === 'command' && typed.name === 'ingest' && typed.rest === '';
  const ingest = isIngest && isApprover && !isEdit ? ingestPieces(message) : [];
  if (ingest.length > 0) return { sensor: 'chat-message', text: [...ingest] };
  const payload = isEdit && typed.kind === 'command' ? undefined : payloadOfTyped(typed);
  if (payload !== undefined) return payload;
  const pieces = buildTextPieces(message, isApprover, isEdit, isReplyToAgent, reactions);
  return { sensor: 'chat-message', text: [...pieces] };
};

const isForOtherBot = (message: TelegramMessage, { botUsername }: TelegramConfig): boolean => {
  const typed = readTyped(typedText(message));
  const bot = typed.kind === 'command' ? typed.bot : '';
  return bot !== '' && botUsername !== undefined && bot !== botUsername.toLowerCase();
};

/** A bot's name ends so. It stands for the agent's own while nobody knows that. */
const ANY_BOT = '\\w*bot';

/** It names the agent, replies to it, or is a command. */
const isAddressed = (message: TelegramMessage, { botId, botUsername = ANY_BOT }: TelegramConfig): boolean => {
  const { reply_to_message: replied, text = '', caption = '', entities = [], caption_entities: more = [] } = message;
  return (
    String(replied?.from?.id) === botId ||
    [...entities, ...more].some(({ type, user }) => type === 'text_mention' && String(user?.id) === botId) ||
    new RegExp(`(?<![\\w@])@${botUsername}(?!\\w)`, 'i').test(`${text} ${caption}`) ||
    readTyped(typedText(message)).kind !== 'words'
  );
};

const parseUnpaired = (updateId: number, message: TelegramMessage, user: TelegramUser, botId: string): Intake => {
  const typed = readTyped(typedText(message));
  const { name = '', rest = '' } = typed.kind === 'command' ? typed : {};
  // `/pair` alone is a wrong code, and is answered so.
  const isPairing = name === 'pair' || (name === 'start' && rest !== '');
  return {
    kind: 'unpaired',
    signalId: telegramSignalId(botId, updateId),
    place: answerPlaceOf(message),
    userId: String(user.id),
    ...(isPairing ? { pairingCode: rest.slice(0, PAIRING_CODE_CHARS_MAX).toWellFormed() } : {}),
    ...defined({ language: otherLanguage(user.language_code) }),
  };
};

const parseMessage = (updateId: number, message: TelegramMessage, isEdit: boolean, config: TelegramConfig): Intake => {
  const { chat, from, sender_chat: standIn } = message;
  if (chat.type === 'channel') return ignored('a channel post');
  if (from === undefined) return ignored('a message without a sender');
  if (from.is_bot === true && standIn === undefined) return ignored('a message of a bot');
  // Such as a preview that came later: no person changed anything.
  if (isEdit && message.edit_date === undefined) return ignored('an edit by nobody');
  const service = serviceKind(message);
  if (service !== undefined) return ignored(`a service message: ${service}`);
  if (isForOtherBot(message, config)) return ignored('a command for another bot');
  if (!isServed(chat.id, config)) return parseUnpaired(updateId, message, from, config.botId);
  if (chat.type !== 'private' && config.hearsAddressedOnly === true && !isAddressed(message, config))
    return ignored('a message that is not addressed to the agent');
  const sender = senderOf(from, chat, standIn !== undefined, config);
  const payload = buildPayload(message, sender.isApprover, isEdit, config);
  const intake = buildIntake(updateId, message, sender, payload, config);
  if (payload.sensor !== 'chat-message') return intake;
  if (isEdit) return { ...intake, number: { corrects: message.message_id } };
  return { ...intake, number: { message: message.message_id, ...defined({ album: message.media_group_id }) } };
};

/** Nothing was read that would say the chat's language, so that of the person's Telegram counts. */
const TAP_WORDS = {
  en: {
    notInChat: 'This button is not in a chat of mine. Nothing was done.',
    notPaired:
      'This chat is not paired with me (any more), so its buttons do nothing. To pair it: npx passepartout pair',
    answered: 'This question is answered already.',
    notMine: 'This button is not one of mine, so it does nothing.',
    mayNotSee: 'Only an approver may see why.',
    mayNotDecide:
      'Only an approver may decide this: those named in TELEGRAM_APPROVERS or, without it, those whose private chat with me is paired.',
  },
  de: {
    notInChat: 'Dieser Knopf steht in keinem meiner Chats. Nichts wurde getan.',
    notPaired:
      'Dieser Chat ist nicht (mehr) mit mir gekoppelt, also tun seine Knöpfe nichts. Koppeln: npx passepartout pair',
    answered: 'Diese Frage ist schon beantwortet.',
    notMine: 'Dieser Knopf ist keiner von mir, also tut er nichts.',
    mayNotSee: 'Das Warum darf nur eine freigebende Person sehen.',
    mayNotDecide:
      'Das darf nur eine freigebende Person entscheiden: wer in TELEGRAM_APPROVERS steht oder, ohne diese Einstellung, wessen privater Chat mit mir gekoppelt ist.',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>;

const parseTap = (updateId: number, tap: TelegramTap, config: TelegramConfig): Intake => {
  const say = TAP_WORDS[spokenLanguage(tap.from.language_code ?? '') ?? USUAL_LANGUAGE];
  if (tap.message === undefined) return refusedTap('a tap on a message that is not in a chat', say.notInChat);
  const { chat, message_id: message } = tap.message;
  if (!isServed(chat.id, config)) return refusedTap('a tap in a chat that is not served', say.notPaired);
  if (tap.data === CHOSEN) return refusedTap('a tap on a question that is answered', say.answered);
  const signalId = askedWhy(tap.data ?? '');
  if (signalId !== undefined) {
    if (!senderOf(tap.from, chat, false, config).isApprover)
      return refusedTap('a tap of somebody who may not see why', say.mayNotSee);
    const language = config.language ?? spokenLanguage(tap.from.language_code ?? '') ?? USUAL_LANGUAGE;
    return { kind: 'asks-why', signalId, chat: String(chat.id), language };
  }
  const payload = parseTapData(tap.data ?? '', String(chat.id), message);
  if (payload === undefined) return refusedTap('a tap on a button that is not one of ours', say.notMine);
  const sender = senderOf(tap.from, chat, false, config);
  // A group need not read each tap that decides nothing.
  if (payload.sensor === 'approval-decision' && !sender.isApprover)
    return refusedTap('a tap of somebody who may not decide', say.mayNotDecide);
  return buildIntake(updateId, tap.message, sender, payload, config);
};

const IS_GONE: readonly string[] = ['left', 'kicked'];

/** A group that the agent was added to is greeted, or told how to pair it. */
const parseMembership = (updateId: number, value: unknown, config: TelegramConfig): Intake => {
  const nothing = ignored('an update that is no message: my_chat_member');
  const { data: member } = TelegramMembership.safeParse(value);
  if (member === undefined) return nothing;
  const { chat, from, old_chat_member: before, new_chat_member: after } = member;
  const isAdded = IS_GONE.includes(before.status) && !IS_GONE.includes(after.status);
  if (!isAdded || !chat.type.endsWith('group')) return nothing;
  const place = { message_id: 0, chat };
  if (isServed(chat.id, config))
    return buildIntake(
      updateId,
      place,
      senderOf(from, chat, false, config),
      { sensor: 'pairing', outcome: 'paired' },
      config,
    );
  const signalId = telegramSignalId(config.botId, updateId);
  return { kind: 'unpaired', signalId, place: answerPlaceOf(place), userId: String(from.id) };
};

/** The emoji that stands now, of a kind that cannot say more; undefined if none does. */
const emojiOf = ({ new_reaction: standing }: z.infer<typeof TelegramReaction>): string | undefined => {
  const [first] = standing;
  if (first === undefined) return undefined;
  return Emoji.safeParse(first.emoji).data ?? 'an emoji of their own';
};

/** The person of a private chat alone: a group's reactions are talk of others. */
const parseReaction = (value: unknown, config: TelegramConfig): Intake => {
  const { data } = TelegramReaction.safeParse(value);
  if (data === undefined || data.chat.type !== 'private' || data.user?.id !== data.chat.id)
    return ignored('a reaction outside of a private chat');
  if (!isServed(data.chat.id, config)) return ignored('a reaction in a chat that is not served');
  const reaction = { chat: String(data.chat.id), message: data.message_id, emoji: emojiOf(data) };
  return { kind: 'ignored', reason: 'a reaction, which the next message brings along', reaction };
};

/** @throws ProtocolError naming the field of an update that does not have Telegram's form */
const parseUpdate = (update: unknown): TelegramUpdate => parseWith('Telegram update', update, TelegramUpdate);

/** The chat of a message, edit or tap, its sender, and the bot's message it replies to. */
export const placesOf = (
  update: unknown,
  botId: string,
): { readonly chat: string; readonly person: string; readonly replied: number | undefined } | undefined => {
  const { message, edited_message: edited, callback_query: tap, ...others } = parseUpdate(update);
  const member = TelegramMembership.safeParse(others.my_chat_member).data;
  const reaction = TelegramReaction.safeParse(others.message_reaction).data;
  const written = message ?? edited;
  const { chat } = written ?? tap?.message ?? member ?? reaction ?? {};
  const person = String((written ?? tap ?? member)?.from?.id ?? '');
  return chat && { chat: String(chat.id), person, replied: written && repliedMessage(written, botId) };
};

/** @throws ProtocolError */
export const parseTelegramUpdate: Parse<TelegramConfig> = (update, config) => {
  const parsed = parseUpdate(update);
  const { update_id: id, message, edited_message: edited, callback_query: tap, my_chat_member: member } = parsed;
  if (message !== undefined) return parseMessage(id, message, false, config);
  if (edited !== undefined) return parseMessage(id, edited, true, config);
  if (tap !== undefined) return parseTap(id, tap, config);
  if (member !== undefined) return parseMembership(id, member, config);
  if (parsed.message_reaction !== undefined) return parseReaction(parsed.message_reaction, config);
  const kind = Object.keys(parsed).find((key) => key !== 'update_id') ?? '';
  return ignored(`an update that is no message: ${/^[a-z_]{1,40}$/.test(kind) ? kind : 'of unknown kind'}`);
};
