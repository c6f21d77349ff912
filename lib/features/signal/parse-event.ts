/**
 * Turns one event of signal-cli into the one signal it means, or says why it means none. Pure; the
 * same message always gives the same signal id. Authority comes only from the ids of account and
 * group, which Signal vouches for. Signal marks neither forwards nor recordings of one's own, so
 * files are `outside` whoever sent them.
 */
import { createHash } from 'node:crypto';
import { defined } from '../../core/base/defined.ts';
import { parseWith } from '../../core/base/json.ts';
import { SIGNAL_TEXT_CHARS_MAX } from '../../core/base/limits.ts';
import type { Intake, Parse } from '../../core/channels/channel.ts';
import { payloadOfTyped, readTyped } from '../../core/channels/read-typed.ts';
import { Attachment } from '../../core/signal/attachment.ts';
import { buildAttachmentPiece } from '../../core/signal/attachment-piece.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { CORRECTION, type Payload, type Sender, type TextPiece } from '../../core/signal/signal.ts';
import { buildChatSignal, REACTION } from '../chats/chat-signal.ts';
import { parseTapData } from '../chats/parse-tap.ts';
import { groupName } from './channel.ts';
import { type Mention, type Message, SignalEvent, type SignalFile } from './event.ts';
import { fileNameOf } from './file-name.ts';

export interface SignalConfig {
  readonly space: string;
  /** Ids of chats and people, as Signal names them. */
  readonly allowedChats: ReadonlySet<string>;
  readonly approvers: ReadonlySet<string>;
  /** Of the chat and its sender's private chat, those that are paired. */
  readonly pairedChats: ReadonlySet<string>;
  /** The message replies to a text that the agent wrote without outside text. */
  readonly isReplyToAgent?: boolean;
  /** The buttons of the message that is replied to, by their numbers from 1. */
  readonly buttons?: readonly string[];
  readonly reactions?: readonly string[];
  readonly hearsAddressedOnly?: boolean;
  readonly now: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Quotes and names of others, as far as they are read. */
const QUOTE_CHARS_MAX = 4_096;
const NAME_CHARS_MAX = 128;
const PAIRING_CODE_CHARS_MAX = 64;
/** Files of one message; more are named in one line. */
const FILES_MAX = 8;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{M}|\u200d){1,16}$/u;

const ignored = (reason: string): Intake => ({ kind: 'ignored', reason });

/** Well-formed, without NUL, at most so many UTF-16 units. */
const clean = (text: string, charsMax = SIGNAL_TEXT_CHARS_MAX): string =>
  text.replaceAll('\0', '\uFFFD').slice(0, charsMax).toWellFormed();

const outside = (text: string, label: string, charsMax: number): readonly TextPiece[] =>
  text.trim() === '' ? [] : [{ text: clean(text, charsMax), origin: 'outside', label }];
const note = (text: string, label: string): TextPiece => ({ text, origin: 'agent', label });

/** One message as it is read: who wrote what, where. */
export interface Heard {
  readonly account: string;
  readonly person: string;
  readonly name: string;
  /** The chat's name in Signal. */
  readonly to: string;
  readonly isGroup: boolean;
  readonly message: Message;
  /** The number of the message that it corrects. */
  readonly corrects?: number;
}

/** @returns why it is none, in words that quote nothing @throws ProtocolError for another form */
export const readEvent = (given: unknown): Heard | string => {
  const { account, envelope } = parseWith('event of signal-cli', given, SignalEvent);
  const { sourceUuid, sourceNumber, sourceName, dataMessage, editMessage } = envelope;
  const message = editMessage?.dataMessage ?? dataMessage;
  if (message === undefined || message === null) return 'a receipt, a call or a sign of typing';
  const person = (sourceUuid ?? '').toLowerCase();
  if (!UUID.test(person)) return 'a message without an account id';
  if ([person, sourceNumber].includes(account)) return 'a message of the agent itself';
  const { groupInfo } = message;
  if (groupInfo !== undefined && groupInfo !== null && groupInfo.type !== 'DELIVER') return 'a change of a group';
  const isGroup = groupInfo !== undefined && groupInfo !== null;
  return {
    ...{ account, person, name: sourceName ?? '', isGroup, message },
    to: isGroup ? groupName(groupInfo.groupId) : person,
    ...defined({ corrects: editMessage?.targetSentTimestamp }),
  };
};

const isAgent = ({ account }: Heard, { uuid, number }: Pick<Mention, 'uuid' | 'number'>): boolean =>
  [uuid, number].includes(account);

/** The words with names in place of the characters that stand for mentions. */
const wordsOf = (heard: Heard): string => {
  const { message = '', mentions } = heard.message;
  return [...(mentions ?? [])]
    .sort((one, other) => other.start - one.start)
    .reduce((text, mention) => {
      const name = isAgent(heard, mention) ? '' : `@${UUID.exec(mention.uuid ?? '')?.[0] ?? 'somebody'}`;
      return `${text.slice(0, mention.start)}${name}${text.slice(mention.start + mention.length)}`;
    }, message ?? '')
    .trim();
};

const kindOf = (contentType = ''): Attachment['kind'] =>
  contentType.startsWith('image/') ? 'a photo' : contentType.startsWith('audio/') ? 'an audio file' : 'a file';

const filePieces = (heard: Heard, { id, contentType, filename, size }: SignalFile): readonly TextPiece[] => {
  const file = fileNameOf(heard, id ?? '');
  const kind = kindOf(contentType ?? '');
  const { data } = Attachment.safeParse({ kind, file, ...defined({ bytes: size ?? undefined }) });
  const piece =
    data === undefined ? note('[a file: it cannot be read]', 'attachment') : buildAttachmentPiece(data, 'outside');
  return [piece, ...outside(filename ?? '', 'file-name', NAME_CHARS_MAX)];
};

const contentPieces = (heard: Heard): readonly TextPiece[] => {
  const { attachments, viewOnce, sticker } = heard.message;
  const files = attachments ?? [];
  if (viewOnce === true) return [note('[something to be seen once: it is not read]', 'attachment')];
  if (sticker !== undefined && sticker !== null) return [note('[a sticker]', 'attachment')];
  return [
    ...files.slice(0, FILES_MAX).flatMap((file) => filePieces(heard, file)),
    ...(files.length > FILES_MAX ? [note(`[${files.length - FILES_MAX} more files: not read]`, 'attachment')] : []),
  ];
};

const quotePieces = ({ message: { quote } }: Heard, isOfAgent: boolean): readonly TextPiece[] => {
  const words = quote?.text ?? '';
  if (!isOfAgent || words.trim() === '') return outside(words, 'quote', QUOTE_CHARS_MAX);
  return [note(`[this answers your earlier message: ${clean(words, QUOTE_CHARS_MAX)}]`, 'quote')];
};

const piecesOf = (heard: Heard, isApprover: boolean, config: SignalConfig): readonly TextPiece[] => {
  const { isReplyToAgent = false, reactions = [] } = config;
  const text = wordsOf(heard);
  const who = isApprover
    ? [note(`[an approver wrote this: signal:${heard.person}]`, 'sender')]
    : outside(heard.name, 'display-name', NAME_CHARS_MAX);
  const words: TextPiece = {
    text: clean(text),
    origin: isApprover ? 'owner' : 'outside',
    ...(isApprover ? {} : { label: 'member' }),
  };
  return [
    ...(heard.corrects === undefined ? [] : [CORRECTION]),
    ...(text === '' ? [] : [words]),
    ...contentPieces(heard),
    ...quotePieces(heard, isReplyToAgent),
    ...(heard.isGroup ? who : []),
    ...(reactions.length === 0
      ? []
      : [note(`[since the last message, this person put ${reactions.join(', ')} on a message here]`, REACTION)]),
  ];
};

const isServed = (id: string, { allowedChats, pairedChats }: SignalConfig): boolean =>
  allowedChats.has(id) || pairedChats.has(id);

/** The person of a served private chat, unless the settings name the approvers of groups. */
const senderOf = ({ person, isGroup }: Heard, config: SignalConfig): Sender => {
  const isOwner = (!isGroup || config.approvers.size === 0) && isServed(person, config);
  return { id: `signal:${person}`, isApprover: isOwner || config.approvers.has(person) };
};

/** A reply to a card or question that is nothing but a number, which stands below it. */
const tapOf = (heard: Heard, isApprover: boolean, { buttons = [] }: SignalConfig): Payload | undefined => {
  const [number = ''] = /^[1-9]$/.exec(wordsOf(heard)) ?? [];
  const { [Number(number) - 1]: data } = buttons;
  const { quote } = heard.message;
  if (data === undefined || quote === undefined || quote === null || heard.corrects !== undefined) return undefined;
  const payload = parseTapData(data, chatOf({ target: 'signal', to: heard.to }), quote.id);
  return payload?.sensor === 'approval-decision' && !isApprover ? undefined : payload;
};

/** No command comes from a correction: an old `/resume` would lift a newer stop. */
const payloadOf = (heard: Heard, isApprover: boolean, config: SignalConfig): Payload => {
  const typed = readTyped(wordsOf(heard));
  const isOldCommand = heard.corrects !== undefined && typed.kind === 'command';
  const payload = tapOf(heard, isApprover, config) ?? (isOldCommand ? undefined : payloadOfTyped(typed));
  return payload ?? { sensor: 'chat-message', text: [...piecesOf(heard, isApprover, config)] };
};

const isAddressed = (heard: Heard): boolean => {
  const { mentions, quote } = heard.message;
  return (
    (mentions ?? []).some((mention) => isAgent(heard, mention)) ||
    (quote !== undefined && quote !== null && isAgent(heard, { uuid: quote.authorUuid, number: quote.authorNumber })) ||
    readTyped(wordsOf(heard)).kind !== 'words'
  );
};

/** Only the person of a private chat: a group's reactions are talk of others. */
const readReaction = ({ message: { reaction }, isGroup, to }: Heard, config: SignalConfig): Intake => {
  if (reaction === undefined || reaction === null || isGroup || !isServed(to, config))
    return ignored('a reaction outside of a private chat that is served');
  const { emoji, targetSentTimestamp: message, isRemove } = reaction;
  return {
    kind: 'ignored',
    reason: 'a reaction, which the next message brings along',
    reaction: {
      chat: chatOf({ target: 'signal', to }),
      message,
      emoji: isRemove ? undefined : EMOJI.test(emoji) ? emoji : 'an emoji of their own',
    },
  };
};

/** @throws ProtocolError for what is no event of signal-cli */
export const parseSignalEvent: Parse<SignalConfig> = (event, config) => {
  const heard = readEvent(event);
  if (typeof heard === 'string') return ignored(heard);
  const { account, person, to, isGroup, message, corrects } = heard;
  if (message.reaction !== undefined && message.reaction !== null) return readReaction(heard, config);
  const named = [account, to, person, message.timestamp].join('\n');
  const id = `sig-${createHash('sha256').update(named).digest('hex').slice(0, 40)}`;
  if (!isServed(to, config)) {
    const typed = readTyped(wordsOf(heard));
    const { name = '', rest = '' } = typed.kind === 'command' ? typed : {};
    // In a group that it does not serve, the agent answers those who speak to it.
    if (isGroup && !isAddressed(heard)) return ignored('a message of a group that is not served');
    return {
      ...{ kind: 'unpaired', signalId: id, place: { to }, userId: person },
      ...(name === 'pair' ? { pairingCode: rest.slice(0, PAIRING_CODE_CHARS_MAX).toWellFormed() } : {}),
    };
  }
  if (isGroup && config.hearsAddressedOnly === true && !isAddressed(heard))
    return ignored('a message that is not addressed to the agent');
  const sender = senderOf(heard, config);
  const payload = payloadOf(heard, sender.isApprover, config);
  if (payload.sensor === 'chat-message' && payload.text.length === 0) return ignored('a message without words');
  const { space, now: receivedAt } = config;
  const signal = buildChatSignal({ channel: 'signal', id, space, place: { to }, sender, receivedAt, payload });
  if (payload.sensor !== 'chat-message') return { kind: 'signal', signal };
  return { kind: 'signal', signal, number: corrects === undefined ? { message: message.timestamp } : { corrects } };
};
