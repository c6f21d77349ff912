/**
 * Telegram messages of the suite's people, posted straight to the webhook. Each gives the id of the
 * signal it becomes.
 */
import type { Chat, Message, User } from 'grammy/types';
import { pdf } from '../support/documents.ts';
import type { Transcribe } from '../support/model-server.ts';
import { signalIdOf } from '../support/stack.ts';
import { type InjectionWorld, MEMBER, OWNER } from './injection-world.ts';

export const person = (id: number, first_name: string): User => ({ id, is_bot: false, first_name });
export const groupOwner = person(OWNER, 'Owner');
export const member = person(MEMBER, 'Member');
export const forwarded = { forward_origin: { type: 'user', sender_user: member, date: 1 } };
export const file = { file_id: 'f', file_unique_id: 'f' };
export const photo = { photo: [{ ...file, width: 1, height: 1 }] };

export const textFile = ({ stack }: InjectionWorld, words: string) => ({
  document: { ...file, file_id: stack.telegram.addFile(Buffer.from(words)), file_name: 'notes.md' },
});
/** A PDF with these words, ten to a line. */
export const bill = ({ stack }: InjectionWorld, words: string) => ({
  document: {
    ...file,
    file_id: stack.telegram.addFile(pdf(words.match(/(?:\S+\s*){1,10}/g) ?? [])),
    file_name: 'bill.pdf',
  },
});
/** A picture that shows these words. */
export const picture = ({ stack }: InjectionWorld, words: string) => ({
  photo: [
    { ...file, file_id: stack.telegram.addFile(Buffer.from(`\x89PNG\r\n${words}`, 'latin1')), width: 9, height: 9 },
  ],
});
/** A voice message in which these words are said. */
export const recording = ({ stack }: InjectionWorld, words: string) => ({
  voice: { file_id: stack.telegram.addFile(Buffer.from(`OggS${words}`)), file_unique_id: 'f', duration: 3 },
});
export const heardIn: Transcribe = ({ bytes }) => bytes.toString('utf8').slice(4);

let messages = 0;
let updates = 800_000_000;

/**
 * A message as Telegram would post it, straight to the webhook: its answer says that it is stored.
 */
const write = async (
  world: InjectionWorld,
  chat: Chat,
  from: User,
  fields: object,
  kind: 'message' | 'edited_message' = 'message',
): Promise<string> => {
  messages += 1;
  updates += 1;
  world.stack.telegram.openChat(chat);
  const message = { message_id: messages, date: 1, chat, from, ...fields } as unknown as Message;
  const update = { update_id: updates, [kind]: message };
  const { status } = await world.stack.postUpdate(update);
  if (status !== 200) throw new Error(`the update was answered ${status}`);
  return signalIdOf(update);
};

/** In a private chat its only person is the owner. */
export const inPrivate = (world: InjectionWorld, fields: object, chatId = world.nextChat()): Promise<string> =>
  write(world, { id: chatId, type: 'private', first_name: 'Owner' } as Chat, person(chatId, 'Owner'), fields);

export const inGroup = (
  world: InjectionWorld,
  from: User,
  fields: object,
  chatId = world.nextGroup(),
  title = 'Group',
): Promise<string> =>
  // The agent hears in a group what names it.
  write(world, { id: chatId, type: 'group', title } as Chat, from, {
    entities: [{ type: 'text_mention', offset: 0, length: 1, user: world.stack.telegram.me }],
    ...fields,
  });
