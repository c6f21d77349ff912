/**
 * An event as a line of `/jobs add` names it: one word, or several in quotes. Undefined for a name
 * that no line can hold: one with quotation marks or control characters, or a long one. Pure.
 */

/** A colon at the end of a word begins the prompt. */
const WORD = /^[\w.:/-]{0,63}[\w./-]$/;
const QUOTABLE = /^(?!\s)[^\p{C}\p{Zl}\p{Zp}"“”„]{1,64}(?<!\s)$/u;

export const isEventWord = (event: string): boolean => WORD.test(event);

export const eventInLine = (source: string, event: string): string | undefined => {
  if (isEventWord(event)) return `${source}/${event}`;
  return QUOTABLE.test(event) ? `"${source}/${event}"` : undefined;
};
