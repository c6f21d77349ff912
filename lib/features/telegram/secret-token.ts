/** The header by which Telegram's updates are known: Bot API, "setWebhook", `secret_token`. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. @param secret without one, no update is Telegram's */
export const isFromTelegram = (
  headers: Readonly<Record<string, string | undefined>>,
  secret: string | undefined,
): boolean =>
  secret !== undefined && timingSafeEqual(digest(headers['x-telegram-bot-api-secret-token'] ?? ''), digest(secret));
