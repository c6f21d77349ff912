/**
 * Users, chats and their messages, filled in as Telegram fills them. Numbers are enough: the rest
 * is made up from them.
 */
import type { Chat, Message, User } from 'grammy/types';
import { detectEntities } from './bot-api-format.ts';

/** A user by id, or in full. */
export type Person = number | User;
/** A chat by id (negative ones are groups), or in full. */
export type Place = number | Chat;

export const userOf = (person: Person): User =>
  typeof person === 'number'
    ? { id: person, is_bot: false, first_name: `Person ${person}`, username: `person_${person}`, language_code: 'en' }
    : person;

/** Telegram numbers supergroups from -100… downwards. */
const SUPERGROUP_ID_MAX = -1_000_000_000_000;

export const chatOf = (place: Place, from: User): Chat => {
  if (typeof place !== 'number') return place;
  if (place < SUPERGROUP_ID_MAX) return { id: place, type: 'supergroup', title: `Group ${place}` };
  if (place < 0) return { id: place, type: 'group', title: `Group ${place}` };
  const { first_name } = place === from.id ? from : userOf(place);
  return { id: place, type: 'private', first_name, username: `person_${place}` };
};

/**
 * A message as it stands in a chat; `extras` win, and a text gets the entities Telegram finds in
 * it.
 */
export const messageOf = (
  id: number,
  chat: Chat,
  from: User,
  text: string | undefined,
  extras: Partial<Message>,
): Message => {
  const entities = text === undefined ? [] : detectEntities(text);
  return {
    message_id: id,
    from,
    chat,
    date: Math.floor(Date.now() / 1000),
    ...(text === undefined ? {} : { text }),
    ...(entities.length === 0 ? {} : { entities: [...entities] }),
    ...extras,
  } as Message;
};
