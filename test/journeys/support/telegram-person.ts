/**
 * A person with Telegram open in one chat, or in one topic of it: writes, reads what the bot wrote
 * there, and taps buttons by the words on them.
 */
import type { Message } from 'grammy/types';
import type { Place } from '../../support/bot-api-people.ts';
import type { BotApiServer } from '../../support/bot-api-server.ts';
import { until } from '../../support/stack.ts';

export interface TelegramPerson {
  readonly says: (text: string, extras?: Partial<Message>) => Message;
  /** Changes the words of an earlier message. */
  readonly edits: (message: Message, text: string) => void;
  /** The newest message of the bot that has these words, waited for. */
  readonly reads: (what: string | RegExp) => Promise<Message>;
  /** Texts of the bot's messages as they look now, oldest first. */
  readonly screen: () => readonly string[];
  /** Words on the buttons of a message as it looks now. */
  readonly buttons: (message: Message) => readonly string[];
  /** Taps the button with these words; gives what Telegram shows for a moment, empty if nothing. */
  readonly taps: (message: Message, words: string | RegExp) => Promise<string>;
}

const fits = (text: string, what: string | RegExp): boolean =>
  typeof what === 'string' ? text.includes(what) : what.test(text);

export const telegramPerson = (
  telegram: BotApiServer,
  person: number,
  chat: Place = person,
  topic?: number,
): TelegramPerson => {
  const chatId = typeof chat === 'number' ? chat : chat.id;
  const place: Partial<Message> = topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true };
  const sent = () => telegram.sent(chatId).filter(({ message_thread_id: thread }) => thread === topic);
  const screen = () => sent().map(({ text = '' }) => text);
  const keysOf = ({ message_id: id }: Message) =>
    (sent().find(({ message_id }) => message_id === id)?.reply_markup?.inline_keyboard ?? []).flat();
  return {
    says: (text, extras) => telegram.sendText(chat, person, text, { ...place, ...extras }).message as Message,
    edits: (message, text) =>
      void telegram.sendUpdate({ edited_message: { ...message, text, edit_date: message.date + 1 } as never }),
    reads: (what) =>
      until('words in the chat', () => sent().findLast(({ text = '' }) => fits(text, what))).catch(() => {
        throw new Error(`the chat does not show ${what}; it shows:\n${screen().join('\n---\n')}`);
      }),
    screen,
    buttons: (message) => keysOf(message).map(({ text }) => text),
    taps: async (message, words) => {
      const key = keysOf(message).find(({ text }) => fits(text, words));
      if (key === undefined || !('callback_data' in key)) {
        throw new Error(
          `no button says ${words}; there are: ${keysOf(message)
            .map(({ text }) => text)
            .join(', ')}`,
        );
      }
      const { callback_query: query } = telegram.tap(message.message_id, key.callback_data, person);
      const answer = await until('the tap is answered', () =>
        telegram.calls.find(
          ({ method, params, outcome }) =>
            method === 'answerCallbackQuery' && outcome === 'ok' && params.callback_query_id === query?.id,
        ),
      );
      return String(answer.params.text ?? '');
    },
  };
};
