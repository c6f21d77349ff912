/** E-mail as a channel: a chat is an address, and each thread a conversation of its own. */
import type { Channel } from '../../core/signal/channels.ts';

export const mailChannel: Channel = {
  /** SQS takes 128 characters of a group's id, which holds the space and the thread as well. */
  to: /^(?=.{3,72}$)[a-z0-9_][a-z0-9._+-]*@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/,
  name: 'e-mail',
  words: 'the address',
  wordsInGerman: 'die Adresse',
  example: 'mail:ada@example.org',
  speaker: 'owner',
  sendsMessages: true,
  isGroup: () => false,
  hasTopics: true,
  takesWordsOnly: true,
  tokenSetting: 'MAIL_PASSWORD',
};
