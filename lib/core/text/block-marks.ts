/**
 * The marks that open and close a block of a prompt. A model may repeat them; a person is never
 * shown one, because they are taken from all that a model says, before the gates judge it. Pure.
 */
export const OPEN = '\u27e6';
export const CLOSE = '\u27e7';

/** The content of a mark: the first words of all blocks. */
const INSIDE = /^\/?(?:outside|situation|rejected|skill|result|summary)\b[^\n]*$/iu;
const INSIDE_CHARS_MAX = 120;

/** The text without marks, also without those that appear when others are taken out. */
export const withoutMarks = (text: string): string => {
  const [first = '', ...rest] = text.split(CLOSE);
  return rest.reduce((before, piece) => {
    const start = before.lastIndexOf(OPEN);
    const inside = start < 0 ? '' : before.slice(start + 1, start + 2 + INSIDE_CHARS_MAX);
    const isMark = inside.length <= INSIDE_CHARS_MAX && INSIDE.test(inside);
    return isMark ? before.slice(0, start) + piece.replace(/^\n/, '') : before + CLOSE + piece;
  }, first);
};

/** The same of a text that is still coming: what may become a mark is held back. */
export const withoutMarksSoFar = (text: string): string => withoutMarks(text).replace(/\u27e6[^\u27e7\n]*$/u, '');
