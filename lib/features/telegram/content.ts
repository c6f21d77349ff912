/**
 * The content of a Telegram message, as pieces of text with an origin (I13). `owner` is only what
 * an approver typed into this very message. Forwards, quotes of others, words and names of other
 * members, and names of files are `outside`. Notes that code adds are `agent`, and so is a quote of
 * what the agent wrote without outside text. Pure.
 */
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { SIGNAL_TEXT_CHARS_MAX } from '../../core/base/limits.ts';
import { Attachment, INGEST_LABEL } from '../../core/signal/attachment.ts';
import { buildAttachmentPiece } from '../../core/signal/attachment-piece.ts';
import { CORRECTION, type TextPiece } from '../../core/signal/signal.ts';
import { REACTION } from '../chats/chat-signal.ts';
import { ButtonTarget, richWords, targetOfButton } from './rich-words.ts';
import { TelegramChat, type TelegramEntity, TelegramMessage, TelegramUser } from './update-schema.ts';

const TELEGRAM_SHORT_CHARS_MAX = 2_048;
const Point = z.looseObject({ latitude: z.number(), longitude: z.number() });
const pointOf = ({ latitude, longitude }: z.infer<typeof Point>): string =>
  `latitude ${latitude}, longitude ${longitude}`;
const Venue = z.looseObject({ title: z.string(), address: z.string(), location: Point });
const Contact = z.looseObject({
  first_name: z.string(),
  last_name: z.optional(z.string()),
  phone_number: z.string(),
});
/** With what joins and colours it. */
export const Emoji = z
  .string()
  .check(z.regex(/^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{M}|\u200d){1,16}$/u));

const PollOption = z.looseObject({ text: z.string(), voter_count: z._default(z.int(), 0) });
const optionWords = ({ text, voter_count: votes }: z.infer<typeof PollOption>): string =>
  votes === 0 ? `- ${text}` : `- ${text}: ${votes === 1 ? '1 vote' : `${votes} votes`}`;

const Checklist = z.looseObject({
  title: z.string(),
  tasks: z.array(z.looseObject({ text: z.string(), completion_date: z.optional(z.unknown()) })),
});

/** Reads a value as words; undefined if it has another form. */
const short =
  <T>(schema: z.ZodMiniType<T>, words: (value: T) => string) =>
  (value: unknown): string | undefined => {
    const { data } = schema.safeParse(value);
    return data === undefined ? undefined : words(data);
  };

interface ContentKind {
  /** In a person's words; of a file the kind of `Attachment`. */
  readonly name: string;
  /** Reads it as a few words. They may be anybody's: `outside`. */
  readonly read?: (value: unknown) => string | undefined;
  /** Longest words that are read of it; else those of a short one. */
  readonly charsMax?: number;
  /** The words that are read of it are nobody else's. */
  readonly isWordless?: true;
  /** It is a file that is read. In an `own` one an approver in private speaks himself. */
  readonly file?: 'own' | 'outside';
}

const titleWords = short(z.looseObject({ title: z.string(), description: z.string() }), ({ title, description }) =>
  [title, description].join('\n'),
);

/**
 * Every kind of content other than text, by its field. One without `read` and `file` cannot be read
 * yet. Earlier rows win: an animation also comes as a document, a venue as a location.
 */
const KINDS: Readonly<Record<string, ContentKind>> = {
  animation: { name: 'an animation' },
  live_photo: { name: 'a live photo' },
  photo: { name: 'a photo', file: 'outside' },
  voice: { name: 'a voice message', file: 'own' },
  video_note: { name: 'a video message', file: 'own' },
  video: { name: 'a video' },
  audio: { name: 'an audio file', file: 'outside' },
  document: { name: 'a file', file: 'outside' },
  sticker: {
    name: 'a sticker',
    isWordless: true,
    read: short(z.looseObject({ emoji: Emoji }), ({ emoji }) => emoji),
  },
  venue: {
    name: 'a place',
    read: short(Venue, (venue) => [venue.title, venue.address, pointOf(venue.location)].join(', ')),
  },
  location: { name: 'a location', isWordless: true, read: short(Point, (point) => `location: ${pointOf(point)}`) },
  contact: {
    name: 'a contact',
    read: short(Contact, (one) =>
      [one.first_name, one.last_name ?? '', one.phone_number].filter((part) => part !== '').join(' '),
    ),
  },
  poll: {
    name: 'a poll',
    read: short(z.looseObject({ question: z.string(), options: z.array(PollOption) }), (poll) =>
      [poll.question, ...poll.options.map(optionWords)].join('\n'),
    ),
  },
  checklist: {
    name: 'a checklist',
    read: short(Checklist, ({ title, tasks }) =>
      [title, ...tasks.map((task) => `- ${task.text}${task.completion_date === undefined ? '' : ': done'}`)].join('\n'),
    ),
  },
  dice: {
    name: 'a dice',
    isWordless: true,
    read: short(z.looseObject({ value: z.int() }), ({ value }) => `a dice shows ${value}`),
  },
  game: { name: 'a game', read: titleWords },
  story: { name: 'a story' },
  paid_media: { name: 'paid media' },
  rich_message: {
    name: 'a richly formatted message',
    charsMax: SIGNAL_TEXT_CHARS_MAX,
    read: (value) => richWords(value) || undefined,
  },
  invoice: { name: 'an invoice', read: titleWords },
};
const amount = z.optional(z.number());
const TelegramFile = z.looseObject({ file_id: z.string(), duration: amount, file_size: amount });

/** Service messages: Telegram writes them into a chat by itself, and nobody answers them. */
const SERVICE_FIELDS: readonly string[] = [
  'new_chat_members',
  'left_chat_member',
  'new_chat_title',
  'new_chat_photo',
  'delete_chat_photo',
  'group_chat_created',
  'supergroup_chat_created',
  'channel_chat_created',
  'message_auto_delete_timer_changed',
  'migrate_to_chat_id',
  'migrate_from_chat_id',
  'pinned_message',
  'successful_payment',
  'refunded_payment',
  'users_shared',
  'chat_shared',
  'connected_website',
  'write_access_allowed',
  'passport_data',
  'proximity_alert_triggered',
  'boost_added',
  'chat_background_set',
  'chat_owner_left',
  'chat_owner_changed',
  'checklist_tasks_done',
  'checklist_tasks_added',
  'community_chat_joined',
  'community_chat_added',
  'community_chat_removed',
  'direct_message_price_changed',
  'paid_message_price_changed',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'general_forum_topic_hidden',
  'general_forum_topic_unhidden',
  'gift',
  'gift_upgrade_sent',
  'unique_gift',
  'giveaway',
  'giveaway_created',
  'giveaway_winners',
  'giveaway_completed',
  'managed_bot_created',
  'poll_option_added',
  'poll_option_deleted',
  'suggested_post_info',
  'suggested_post_approved',
  'suggested_post_approval_failed',
  'suggested_post_declined',
  'suggested_post_paid',
  'suggested_post_refunded',
  'video_chat_scheduled',
  'video_chat_started',
  'video_chat_ended',
  'video_chat_participants_invited',
  'web_app_data',
];

/** The field of a service message; undefined for a person's message. */
export const serviceKind = (message: TelegramMessage): string | undefined =>
  SERVICE_FIELDS.find((field) => message[field] !== undefined);

/** Kinds of content that the message has. */
const kindsIn = (message: TelegramMessage): readonly (readonly [field: string, kind: ContentKind])[] =>
  Object.entries(KINDS).filter(([field]) => message[field] !== undefined);

/** Describes content other than text, so that the person gets an answer. */
const describeAttachment = (message: TelegramMessage): string | undefined => {
  const [found] = kindsIn(message);
  if (found !== undefined) return `[${found[1].name}: it cannot be read yet]`;
  const hasText = (message.text ?? message.caption ?? '').trim() !== '';
  return hasText ? undefined : '[content of an unknown kind: it cannot be read yet]';
};

const fileNameOf = (message: TelegramMessage): string | undefined =>
  [message.animation, message.document, message.audio, message.video].find((file) => file?.file_name !== undefined)
    ?.file_name;

/** A quote is as long as one Telegram text. */
const TELEGRAM_QUOTE_CHARS_MAX = 4_096;
/** Display and file names, as far as a person reads them. */
const TELEGRAM_NAME_CHARS_MAX = 128;

/** Well-formed, without NUL, at most so many UTF-16 units, and no half character at the end. */
const cleanText = (text: string, charsMax: number): string => {
  const clean = text.replaceAll('\0', '\uFFFD').toWellFormed();
  const cut = clean.slice(0, charsMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

/** Whether somebody else chose the words: forwarded, or put together by another bot. */
const isBorrowed = (message: TelegramMessage): boolean => isForward(message) || message.via_bot !== undefined;

const isForward = (message: TelegramMessage): boolean =>
  message.forward_origin !== undefined || message.forward_date !== undefined || message.forward_from !== undefined;

/** The text that the sender typed; empty if the words are somebody else's. */
export const typedText = (message: TelegramMessage): string =>
  isBorrowed(message) ? '' : cleanText(message.text ?? message.caption ?? '', SIGNAL_TEXT_CHARS_MAX).trim();

const isBlank = (text: string | undefined): text is undefined | '' => text === undefined || text.trim() === '';

const outside = (text: string | undefined, label: string, charsMax: number): readonly TextPiece[] =>
  isBlank(text) ? [] : [{ text: cleanText(text, charsMax), origin: 'outside', label }];

const note = (text: string, label = 'note'): TextPiece => ({ text, origin: 'agent', label });

/** Says why the words are not the owner's; undefined for the owner's own text. */
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

const shortPiece = (message: TelegramMessage, isApprover: boolean): TextPiece | undefined => {
  for (const [label, { read, isWordless, charsMax = TELEGRAM_SHORT_CHARS_MAX }] of kindsIn(message)) {
    const text = read?.(message[label]);
    if (text === undefined) continue;
    const origin = isWordless === true && isApprover && !isBorrowed(message) ? 'owner' : 'outside';
    return { text: cleanText(text, charsMax), origin, label };
  }
  return undefined;
};

/** The place of a file; undefined if the message has none that is read. */
const filePiece = (message: TelegramMessage, isApprover: boolean): TextPiece | undefined => {
  const [[field = '', kind] = []] = kindsIn(message);
  if (kind?.file === undefined) return undefined;
  // A photo comes in several sizes, the largest last.
  const given = message[field];
  const { data } = TelegramFile.safeParse(Array.isArray(given) ? given.at(-1) : given);
  const numbers = defined({ seconds: data?.duration, bytes: data?.file_size });
  const { data: attachment } = Attachment.safeParse({ kind: kind.name, file: data?.file_id, ...numbers });
  const isOwners = kind.file === 'own' && isApprover && message.chat.type === 'private' && !isBorrowed(message);
  return attachment && buildAttachmentPiece(attachment, isOwners ? 'owner' : 'outside');
};

const attachmentPieces = (message: TelegramMessage, isApprover: boolean): readonly TextPiece[] => {
  const words = shortPiece(message, isApprover);
  if (words !== undefined) return [words];
  const file = filePiece(message, isApprover);
  if (file !== undefined) return [file, ...outside(fileNameOf(message), 'file-name', TELEGRAM_NAME_CHARS_MAX)];
  const description = describeAttachment(message);
  if (description === undefined) return [];
  return [note(description, 'attachment'), ...outside(fileNameOf(message), 'file-name', TELEGRAM_NAME_CHARS_MAX)];
};

/** An address of one line: a line of its own would look like another one's. */
const addressOf = (url: string): string => url.replace(/\s/g, ' ');

const linksIn = (text = '', entities: readonly TelegramEntity[] = []): readonly string[] =>
  entities.flatMap(({ offset, length, url }) =>
    url === undefined
      ? []
      : [`“${text.slice(Math.max(0, offset), Math.max(0, offset + length))}” leads to ${addressOf(url)}`],
  );

/** Members without a name of their own. Telegram vouches for the id; the agent knows itself. */
const mentionPieces = ({ entities, caption_entities: more }: TelegramMessage): readonly TextPiece[] => {
  const users = (entities ?? more ?? []).flatMap(({ user }) =>
    user === undefined || user.is_bot === true ? [] : [user],
  );
  const ids = [...new Set(users.map(({ id }) => `telegram:${id}`))];
  return ids.length === 0 ? [] : [note(`[the text names the member ${ids.join(', ')}]`)];
};

const Buttons = z.looseObject({
  inline_keyboard: z.array(z.array(z.looseObject({ text: z.catch(z.string(), ''), ...ButtonTarget }))),
});
const Preview = z.looseObject({ url: z.string() });

const buttonsOf = (message: TelegramMessage): readonly string[] =>
  (Buttons.safeParse(message.reply_markup).data?.inline_keyboard ?? []).flat().flatMap((button) => {
    const target = targetOfButton(button);
    return target === undefined ? [] : [`the button “${button.text}” leads to ${addressOf(target)}`];
  });

/** The address of a preview, if the text does not show it. */
const previewOf = ({ link_preview_options: preview, text = '' }: TelegramMessage): readonly string[] => {
  const url = Preview.safeParse(preview).data?.url;
  return url === undefined || text.includes(url) ? [] : [`its preview shows ${addressOf(url)}`];
};

/**
 * Addresses that stand behind words. Nobody sees them before a tap, and a text that was
 * copied brings them along, so they are `outside` whoever sent it.
 */
const linkPieces = (message: TelegramMessage): readonly TextPiece[] => {
  const { text, caption, entities, caption_entities: more, quote, reply_to_message: replied } = message;
  const answered = quote ?? {
    text: replied?.text ?? replied?.caption,
    entities: replied?.entities ?? replied?.caption_entities,
  };
  const links = [
    ...linksIn(text ?? caption, entities ?? more),
    ...linksIn(answered.text, answered.entities),
    ...buttonsOf(message),
    ...previewOf(message),
  ];
  return outside(links.join('\n'), 'links', TELEGRAM_QUOTE_CHARS_MAX);
};

const Source = z.looseObject({
  sender_user: z.optional(TelegramUser),
  sender_user_name: z.optional(z.string()),
  sender_chat: z.optional(TelegramChat),
  chat: z.optional(TelegramChat),
});

/** The writer of a message of another chat, in a name that anybody may choose. */
const sourceOf = (origin: unknown): string => {
  const { sender_user: user, sender_user_name: hidden, sender_chat: group, chat } = Source.safeParse(origin).data ?? {};
  const person = [user?.first_name, user?.last_name].filter((part) => part !== undefined).join(' ');
  const name = person || hidden || (group ?? chat)?.title || 'somebody';
  return chat === undefined ? name : `the channel ${name}`;
};

/** A message without words says at least of which kind it is. */
const mediaPieces = (replied: object, chat: TelegramMessage['chat']): readonly TextPiece[] => {
  const { data } = TelegramMessage.safeParse({ message_id: 0, ...replied, chat });
  const [[, kind] = []] = data === undefined || !isBlank(data.text ?? data.caption) ? [] : kindsIn(data);
  return kind === undefined ? [] : [note(`[this answers a message with ${kind.name}]`, 'quote')];
};

/** A message of another chat that is replied to: its source, and what it has beside a text. */
const externalPieces = ({
  external_reply: replied,
  reply_to_message: own,
  chat,
}: TelegramMessage): readonly TextPiece[] => {
  if (replied === undefined) return own === undefined ? [] : mediaPieces(own, chat);
  const { data } = TelegramMessage.safeParse({ ...replied, message_id: 0, chat });
  const words = data === undefined ? undefined : shortPiece(data, false)?.text;
  const [[, kind] = []] = data === undefined ? [] : kindsIn(data);
  const what = words ?? kind?.name;
  const text = `this answers a message of ${sourceOf(replied.origin)}, from another chat${what === undefined ? '' : `: ${what}`}`;
  return outside(text, 'source', TELEGRAM_QUOTE_CHARS_MAX);
};

/** Words of the message replied to. A chosen quote may be of another than the agent's own. */
const quotePieces = (message: TelegramMessage, isOfAgent: boolean): readonly TextPiece[] => {
  const { quote, reply_to_message: replied } = message;
  const words = quote?.text ?? replied?.text ?? replied?.caption;
  const isOwn = isOfAgent && !isBorrowed(message) && replied?.text?.includes(quote?.text ?? '') === true;
  if (!isOwn || isBlank(words)) return outside(words, 'quote', TELEGRAM_QUOTE_CHARS_MAX);
  return [note(`[this answers your earlier message: ${cleanText(words, TELEGRAM_QUOTE_CHARS_MAX)}]`, 'quote')];
};

/** The id of a message of this bot that is replied to: its words, unless the bot passed them on. */
export const repliedMessage = ({ reply_to_message: replied }: TelegramMessage, botId: string): number | undefined =>
  replied?.from?.is_bot === true &&
  String(replied.from.id) === botId &&
  replied.forward_origin === undefined &&
  replied.via_bot === undefined
    ? replied.message_id
    : undefined;

/**
 * Only groups need to say who is speaking. An approver is named by the id that Telegram vouches
 * for: the name he chose would make all of his turn `outside`.
 */
const namePieces = ({ chat, from, sender_chat: as }: TelegramMessage, isApprover: boolean): readonly TextPiece[] => {
  if (chat.type === 'private') return [];
  if (isApprover) return [note(`[an approver wrote this: telegram:${from?.id}]`, 'sender')];
  const name = as?.title ?? [from?.first_name, from?.last_name].filter((part) => part !== undefined).join(' ');
  return outside(name, 'display-name', TELEGRAM_NAME_CHARS_MAX);
};

/**
 * The subject of an approver's `/ingest`: the file of this message, or of the one it replies to.
 * The command comes last: a file that cannot be read leaves no words for a model. Empty without a
 * file.
 */
export const ingestPieces = (message: TelegramMessage): readonly TextPiece[] => {
  const replied = TelegramMessage.safeParse({ message_id: 0, ...message.reply_to_message, chat: message.chat }).data;
  const one = [message, replied].find((found) => found !== undefined && filePiece(found, false) !== undefined);
  return one === undefined
    ? []
    : [...attachmentPieces(one, one === message), { text: '/ingest', origin: 'owner', label: INGEST_LABEL }];
};

const reactionPieces = (emoji: readonly string[]): readonly TextPiece[] =>
  emoji.length === 0
    ? []
    : [note(`[since the last message, this person put ${emoji.join(', ')} on a message here]`, REACTION)];

/**
 * All pieces of a message, at most eleven, the sender's own words first.
 * @param reactions emoji that were put on messages before this one
 */
export const buildTextPieces = (
  message: TelegramMessage,
  isApprover: boolean,
  isEdit: boolean,
  isReplyToAgent: boolean,
  reactions: readonly string[] = [],
): readonly TextPiece[] => [
  ...(isEdit ? [CORRECTION] : []),
  ...mainPieces(message, isApprover),
  ...attachmentPieces(message, isApprover),
  ...quotePieces(message, isReplyToAgent),
  ...externalPieces(message),
  ...linkPieces(message),
  ...mentionPieces(message),
  ...namePieces(message, isApprover),
  ...reactionPieces(isEdit ? [] : reactions),
];
