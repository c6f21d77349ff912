/** The id of the chat that a person names. */
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { loadOwnerSettings, placesOf, placeWord } from '../../ledger/owner-settings.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { ChatId, sendsMessages } from '../../signal/channels.ts';
import { settingTexts } from './texts.ts';

/** @throws NotFoundError if no chat has the name */
export const chatIdOf = async ({ table, signal, language }: CodeContext, chat: string): Promise<string> => {
  if (ChatId.safeParse(chat).success) return chat;
  const say = await settingTexts.in(language);
  const [place, ...others] = placesOf(await loadOwnerSettings(table, signal.space)).get(chat) ?? [];
  if (place === undefined || !sendsMessages(place.target)) throw new NotFoundError(say.notNamed(chat));
  if (others.length > 0) throw new ProtocolError(say.namesSeveral(chat));
  return placeWord(place);
};
