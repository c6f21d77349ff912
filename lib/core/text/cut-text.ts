/** Says that a text is only the beginning of its document. Apart from what loads schemas. Pure. */

/** Begins the text of a longer one that is no PDF. */
export const CUT = '(Only the beginning is read: the document is longer.)';

/** Whether the first line says so. */
export const isCutText = (text: string): boolean =>
  text.startsWith(CUT) || /^PDF, \d+ pages?, read up to page \d+\n/.test(text);
