/**
 * The text of a message as pieces with an origin (I13). `owner` is only what an approver typed into this very message:
 * forwards, quotes, other members' words, names of people and of files are `outside` whatever they say, and what code
 * adds (notes, descriptions) is `agent`. Pure.
 */
import { defined } from '../../base/defined.ts';
import { SIGNAL_TEXT_CHARS_MAX } from '../../base/limits.ts';
import type { TextPiece } from '../../signal/signal.ts';
import { describeAttachment, fileNameOf } from './telegram-content.ts';
import type { TelegramMessage } from './telegram-schema.ts';

/** Quoted text shown beside a message: as long as one Telegram text. */
const TELEGRAM_QUOTE_CHARS_MAX = 4_096;
/** Display and file names: what a person still reads. */
const TELEGRAM_NAME_CHARS_MAX = 128;

/** Well-formed, without NUL, at most so many UTF-16 units, and no half character at the end. */
const cleanText = (text: string, charsMax: number): string => {
  const clean = text.replaceAll('\0', '\uFFFD').toWellFormed();
  const cut = clean.slice(0, charsMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

/** Whether the words were chosen elsewhere: forwarded, or put together by another bot. */
export const isBorrowed = (message: TelegramMessage): boolean => isForward(message) || message.via_bot !== undefined;

const isForward = (message: TelegramMessage): boolean =>
  message.forward_origin !== undefined || message.forward_date !== undefined || message.forward_from !== undefined;

/** What the sender typed into this message; empty where the words are somebody else's. */
export const typedText = (message: TelegramMessage): string =>
  isBorrowed(message) ? '' : cleanText(message.text ?? message.caption ?? '', SIGNAL_TEXT_CHARS_MAX).trim();

const isBlank = (text: string | undefined): text is undefined | '' => text === undefined || text.trim() === '';

const outside = (text: string | undefined, label: string, charsMax: number): readonly TextPiece[] =>
  isBlank(text) ? [] : [{ text: cleanText(text, charsMax), origin: 'outside', label }];

const note = (text: string, label = 'note'): TextPiece => ({ text, origin: 'agent', label });

/** Why words are not the owner's; undefined for the owner's own text. */
const labelOf = (message: TelegramMessage, isApprover: boolean): string | undefined => {
  if (message.text === undefined) return 'caption';
  if (isForward(message)) return 'forward';
  if (message.via_bot !== undefined) return 'via-bot';
  return isApprover ? undefined : 'member';
};

const mainPieces = (message: TelegramMessage, isApprover: boolean): readonly TextPiece[] => {
  const text = message.text ?? message.caption;
  if (isBlank(text)) return [];
  const label = labelOf(message, isApprover);
  const origin = isApprover && !isBorrowed(message) ? 'owner' : 'outside';
  const piece = {
    text: cleanText(text, SIGNAL_TEXT_CHARS_MAX),
    origin,
    ...defined({ label }),
  } as const;
  const isCut = text.length > SIGNAL_TEXT_CHARS_MAX;
  return isCut ? [piece, note(`[the text was cut here: it had ${text.length} characters]`)] : [piece];
};

const attachmentPieces = (message: TelegramMessage): readonly TextPiece[] => {
  const description = describeAttachment(message);
  if (description === undefined) return [];
  return [note(description, 'attachment'), ...outside(fileNameOf(message), 'file-name', TELEGRAM_NAME_CHARS_MAX)];
};

const quotePieces = ({ quote, reply_to_message: replied }: TelegramMessage): readonly TextPiece[] =>
  outside(quote?.text ?? replied?.text ?? replied?.caption, 'quote', TELEGRAM_QUOTE_CHARS_MAX);

/** Only groups need to say who is speaking. */
const namePieces = ({ chat, from, sender_chat: as }: TelegramMessage): readonly TextPiece[] => {
  if (chat.type === 'private') return [];
  const name = as?.title ?? [from?.first_name, from?.last_name].filter((part) => part !== undefined).join(' ');
  return outside(name, 'display-name', TELEGRAM_NAME_CHARS_MAX);
};

/** All pieces of a message, the sender's own words first. At least one, at most seven. */
export const buildTextPieces = (
  message: TelegramMessage,
  isApprover: boolean,
  isEdit: boolean,
): readonly TextPiece[] => [
  ...(isEdit ? [note('[an earlier message was edited; this is how it reads now]')] : []),
  ...mainPieces(message, isApprover),
  ...attachmentPieces(message),
  ...quotePieces(message),
  ...namePieces(message),
];
