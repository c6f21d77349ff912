/** Telegram as a channel: a chat has a number, which is negative for a group. */
import type { Channel } from '../../core/signal/channels.ts';

export const RIGHTS = { chats: 'TELEGRAM_ALLOWED_CHATS', approvers: 'TELEGRAM_APPROVERS' } as const;

export const telegramChannel: Channel = {
  to: /^-?\d{1,19}$/,
  name: 'Telegram',
  words: 'the Telegram chat',
  wordsInGerman: 'den Telegram-Chat',
  example: '123456789',
  speaker: 'member',
  sendsMessages: true,
  isGroup: (to) => to.startsWith('-'),
  hasTopics: true,
  saysAloud: true,
  isNamedAlone: true,
  tokenSetting: 'TELEGRAM_BOT_TOKEN',
  rights: RIGHTS,
};
