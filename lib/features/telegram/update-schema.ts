/**
 * The parts of a Telegram update that are read. Unknown fields are allowed: Telegram adds some with
 * every release, and an update refused for one would be sent again for a day. Ids and kinds are
 * Telegram's word; texts and names are a person's, and nothing trusts those.
 */
import * as z from 'zod/mini';

const text = z.optional(z.string());

export const TelegramUser = z.looseObject({
  id: z.int(),
  is_bot: z.optional(z.boolean()),
  first_name: text,
  last_name: text,
  language_code: text,
});
export type TelegramUser = z.infer<typeof TelegramUser>;

export const TelegramChat = z.looseObject({ id: z.int(), type: z.string(), title: text });
export type TelegramChat = z.infer<typeof TelegramChat>;

/** Places count UTF-16 units. An entity of another form costs the text nothing. */
const TelegramEntity = z.looseObject({
  type: z.string(),
  offset: z._default(z.int(), 0),
  length: z._default(z.int(), 0),
  url: text,
  user: z.optional(TelegramUser),
});
export type TelegramEntity = z.infer<typeof TelegramEntity>;

const entities = z.catch(z.optional(z.array(TelegramEntity)), undefined);
const file = z.optional(z.looseObject({ file_name: text }));
const something = z.optional(z.unknown());

const place = z.looseObject({
  message_id: z.int(),
  chat: TelegramChat,
  message_thread_id: z.optional(z.int()),
  /** Only then is the thread a topic: in other groups it is a chain of replies. */
  is_topic_message: z.optional(z.boolean()),
});
export type TelegramPlace = z.infer<typeof place>;

export const TelegramMessage = z.looseObject({
  ...place.shape,
  /** Absent in channels. */
  from: z.optional(TelegramUser),
  /** Set if somebody writes as a chat: `from` is then a stand-in and no person. */
  sender_chat: z.optional(TelegramChat),
  text,
  caption: text,
  entities,
  caption_entities: entities,
  /** Any of the three means somebody else's words (older servers send the last two). */
  forward_origin: something,
  forward_date: something,
  forward_from: something,
  via_bot: something,
  edit_date: z.optional(z.int()),
  media_group_id: text,
  reply_to_message: z.optional(
    z.looseObject({
      message_id: z.optional(z.int()),
      from: z.optional(TelegramUser),
      text,
      caption: text,
      forward_origin: something,
      via_bot: something,
      entities,
      caption_entities: entities,
    }),
  ),
  /** The message replied to, if it is of another chat or topic. It has no text: `quote` may. */
  external_reply: z.catch(z.optional(z.looseObject({ origin: something })), undefined),
  quote: z.catch(z.optional(z.looseObject({ text: z.string(), entities })), undefined),
  /** Of words that another bot or a channel sent: its buttons may lead anywhere. */
  reply_markup: something,
  document: file,
  audio: file,
  video: file,
  animation: file,
});
export type TelegramMessage = z.infer<typeof TelegramMessage>;

export const TelegramTap = z.looseObject({
  id: z.string(),
  from: TelegramUser,
  /** Absent for messages sent through inline mode. */
  message: z.optional(place),
  data: text,
});
export type TelegramTap = z.infer<typeof TelegramTap>;

/** A person put emoji on a message, or took them back: the new ones are all that stand. */
export const TelegramReaction = z.looseObject({
  chat: TelegramChat,
  message_id: z.int(),
  /** Absent if somebody reacts as a chat. */
  user: z.optional(TelegramUser),
  new_reaction: z.array(z.looseObject({ type: z.string(), emoji: text })),
});

const membership = z.looseObject({ status: z.string() });
/** The agent's own place in a chat has changed. */
export const TelegramMembership = z.looseObject({
  chat: TelegramChat,
  from: TelegramUser,
  old_chat_member: membership,
  new_chat_member: membership,
});

export const TelegramUpdate = z.looseObject({
  update_id: z.int().check(z.nonnegative()),
  message: z.optional(TelegramMessage),
  edited_message: z.optional(TelegramMessage),
  callback_query: z.optional(TelegramTap),
  my_chat_member: something,
  message_reaction: something,
});
export type TelegramUpdate = z.infer<typeof TelegramUpdate>;
