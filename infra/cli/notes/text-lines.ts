/**
 * Small facts about lines that both formats share: a byte order mark, blank lines around a text, a
 * text on one line. Each is linear, with no pattern that could try a run of blanks from every
 * start. Pure.
 */

const BYTE_ORDER_MARK = /^\ufeff+/;

export const withoutByteOrderMark = (text: string): string => text.replace(BYTE_ORDER_MARK, '');

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r';

/**
 * Without blank lines at the start and without blanks at the end; the first line keeps its
 * indentation.
 */
export const trimBlankLines = (text: string): string => {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end -= 1;
  let start = 0;
  for (let at = 0; at < end && isBlank(text[at]); at += 1) if (text[at] === '\n' || text[at] === '\r') start = at + 1;
  return text.slice(start, end);
};

/** Line breaks become one space each: a title or a value is one line. */
export const oneLine = (text: string): string => text.replace(/[ \t]*[\r\n\v\f\u2028\u2029]+[ \t]*/g, ' ').trim();

/**
 * Number of the line an offset is on, counting from 1, for offsets that only grow: linear over all
 * of them.
 */
export const buildLineCounter = (text: string): ((offset: number) => number) => {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (; at < offset; at += 1) if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) line += 1;
    return line;
  };
};
