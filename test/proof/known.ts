/**
 * Which calls of a task a model can know before it has read anything, so that it can plan them: no
 * argument, and no longer word or number of one, stands in what the task's earlier calls return,
 * unless the owner said it too. Pure.
 */
import type { Json, JsonObject } from '../../lib/core/base/json.ts';

/** Shorter words stand in any text. */
const WORD_CHARS_MIN = 4;

const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_.@:/-]+/gu) ?? [])
    .map((word) => word.replace(/^[.:/-]+|[.:/-]+$/g, ''))
    .filter((word) => word.length >= WORD_CHARS_MIN || /\d/.test(word));

const textsIn = (value: Json): readonly string[] => {
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap((one) => textsIn(one as Json));
  return value === null || typeof value === 'boolean' ? [] : [String(value)];
};

/** @param said the owner's words @param read all that was read before the call */
export const isKnown = (args: JsonObject, said: string, read: string): boolean => {
  const own = new Set(wordsIn(said));
  const learned = new Set(wordsIn(read));
  const isNew = (text: string): boolean => said.includes(text) || text.length <= 1 || !read.includes(text);
  return textsIn(args).every(
    (text) => isNew(text) && wordsIn(text).every((word) => own.has(word) || !learned.has(word)),
  );
};
