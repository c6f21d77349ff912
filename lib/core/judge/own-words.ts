/**
 * Whether the arguments of a read hold nothing but words of the owner, so that it carries nothing
 * else out: each is a part of what he typed in this turn, from the beginning of a word to the end
 * of one, letter by letter; a yes or no; or empty. A list, an object and a field that the schema
 * does not name could spell anything, so none is the owner's. Pure.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { Payload } from '../signal/signal.ts';
import { fieldsOf } from '../tools/plain-schema.ts';

export type OwnWords = (args: JsonObject, schema: JsonObject) => boolean;

const WITHIN_WORD = /[\p{L}\p{N}\p{M}_]/u;

const endsWord = (text: string, at: number): boolean =>
  !WITHIN_WORD.test(text.charAt(at - 1)) || !WITHIN_WORD.test(text.charAt(at));

const isPartOf = (text: string, value: string): boolean => {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (endsWord(text, at) && endsWord(text, at + value.length)) return true;
  return false;
};

const isOwn = (value: Json, texts: readonly string[]): boolean => {
  if (value === null || typeof value === 'boolean' || value === '') return true;
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return texts.some((text) => isPartOf(text, String(value)));
};

/** @param payload of the message that began the turn; undefined unless a person wrote it */
export const ownWordsOf = (payload: Payload): OwnWords | undefined => {
  if (payload.sensor !== 'chat-message') return undefined;
  const texts = payload.text.flatMap(({ text, origin }) => (origin === 'owner' ? [text] : []));
  return (args, schema) =>
    Object.entries(args).every(([name, value]) => Object.hasOwn(fieldsOf(schema), name) && isOwn(value, texts));
};
