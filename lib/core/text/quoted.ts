/** Values inside a sentence, in quotes that they cannot close. Pure. */

/** Characters of one value in a sentence. A card has all of them below. */
const VALUE_CHARS_MAX = 160;
/** Fields that a sentence names. */
const FIELDS_MAX = 6;
const NAME = /^[\w.-]{1,64}$/;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** “…”: line breaks become ⏎, and quotation marks inside become plain ones. */
export const quoted = (value: unknown): string => {
  const text = textOf(value)
    .trim()
    .replaceAll(/\s*[\r\n]\s*/g, ' ⏎ ')
    .replaceAll(/[“”„‟«»]/g, '"');
  if (text.length <= VALUE_CHARS_MAX) return `“${text}”`;
  return `“${text.slice(0, VALUE_CHARS_MAX).toWellFormed()}…” (${text.length} characters)`;
};

/** A name as it is; anything else in quotes. */
export const named = (name: string): string => (NAME.test(name) ? name : quoted(name));

/** `: service “shop”, version “1.2”`; empty if there are none. */
export const fieldsWords = (fields: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(fields).sort();
  const words = names.slice(0, FIELDS_MAX).map((name) => `${named(name)} ${quoted(fields[name])}`);
  const rest = names.length - words.length;
  return names.length === 0 ? '' : `: ${[...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`;
};

/** `1 file`, `2 files` */
export const countWords = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
