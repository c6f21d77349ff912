/**
 * Cuts a text into messages Telegram takes. Parts end at a paragraph, a line or a word where one ends in their second
 * half, never inside a surrogate pair; only white space at the cuts is left out, since Telegram drops it anyway. A text
 * of too many parts is cut with a note, so that nobody takes the beginning for the whole. Pure.
 */
import { TELEGRAM_TEXT_UNITS_MAX } from './limits.ts';

/** Messages one reply may be split into: a longer reply is cut with a note. */
export const TELEGRAM_PARTS_MAX = 8;

/** Where to cut, best first; what is matched is left out. */
const SEPARATORS: readonly string[] = ['\n\n', '\n', ' '];

/** `value` cut to at most `unitsMax` UTF-16 units, without a lone surrogate at its end. */
const cutUnits = (value: string, unitsMax: number): string => {
  const cut = value.slice(0, unitsMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

/** The first part, and the rest. `text` is longer than a part may be. */
const takePart = (text: string, unitsMax: number): readonly [string, string] => {
  for (const separator of SEPARATORS) {
    const at = text.lastIndexOf(separator, unitsMax);
    if (at > unitsMax / 2) return [text.slice(0, at), text.slice(at + separator.length)];
  }
  const part = cutUnits(text, unitsMax);
  return [part, text.slice(part.length)];
};

const noteFor = (text: string): string => `\n\n[The text ends here: it has ${text.length} characters in all.]`;

/**
 * @param text well-formed; an ill-formed one is made well-formed first.
 * @returns one to `TELEGRAM_PARTS_MAX` parts of at most `TELEGRAM_TEXT_UNITS_MAX` units; none for a blank text.
 */
export const splitText = (text: string): readonly string[] => {
  const parts: string[] = [];
  let rest = text.toWellFormed().trimEnd();
  while (rest !== '') {
    if (parts.length === TELEGRAM_PARTS_MAX - 1 && rest.length > TELEGRAM_TEXT_UNITS_MAX) {
      const note = noteFor(text);
      return [...parts, `${cutUnits(rest, TELEGRAM_TEXT_UNITS_MAX - note.length)}${note}`];
    }
    const isLast = rest.length <= TELEGRAM_TEXT_UNITS_MAX;
    const [part, next] = isLast ? [rest, ''] : takePart(rest, TELEGRAM_TEXT_UNITS_MAX);
    if (part.trim() !== '') parts.push(part);
    rest = next;
  }
  return parts;
};
