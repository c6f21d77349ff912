/**
 * The parts of a Telegram update that ingress reads, strict about those and open to all else: Telegram adds fields with
 * every release, and an update refused for one would be sent again for a day. What is in an update is a claim of
 * Telegram's (ids, kinds) or of a person's (texts, names); nothing here trusts the second.
 */
import * as z from 'zod/mini';

const text = z.optional(z.string());

export const TelegramUser = z.looseObject({
  id: z.int(),
  is_bot: z.optional(z.boolean()),
  first_name: text,
  last_name: text,
});
export type TelegramUser = z.infer<typeof TelegramUser>;

export const TelegramChat = z.looseObject({ id: z.int(), type: z.string(), title: text });
export type TelegramChat = z.infer<typeof TelegramChat>;

const file = z.optional(z.looseObject({ file_name: text }));
const something = z.optional(z.unknown());

export const TelegramMessage = z.looseObject({
  message_id: z.int(),
  chat: TelegramChat,
  /** Absent in channels. */
  from: z.optional(TelegramUser),
  /** Set where somebody writes as a chat: then `from` is a stand-in and no person. */
  sender_chat: z.optional(TelegramChat),
  text,
  caption: text,
  /** Any of these three: somebody else's words (the last two are how older servers say it). */
  forward_origin: something,
  forward_date: something,
  forward_from: something,
  via_bot: something,
  reply_to_message: z.optional(z.looseObject({ from: z.optional(TelegramUser), text, caption: text })),
  quote: z.optional(z.looseObject({ text: z.string() })),
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
  message: z.optional(z.looseObject({ message_id: z.int(), chat: TelegramChat })),
  data: text,
});
export type TelegramTap = z.infer<typeof TelegramTap>;

export const TelegramUpdate = z.looseObject({
  update_id: z.int().check(z.nonnegative()),
  message: z.optional(TelegramMessage),
  edited_message: z.optional(TelegramMessage),
  callback_query: z.optional(TelegramTap),
});
export type TelegramUpdate = z.infer<typeof TelegramUpdate>;
