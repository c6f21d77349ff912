/**
 * Text from outside, fit for a terminal: control, bidirectional and zero-width characters are
 * spelled out, so that nothing a model or a stranger wrote can move the cursor, set a title or look
 * like something else. Pure.
 */
import { makeVisible } from '../../lib/base/make-visible.ts';

/** One line: line feeds are spelled out too. */
export const printable = (text: string): string => makeVisible(text);

/** Several lines; carriage returns before line feeds are dropped and tabs become spaces. */
export const printableLines = (text: string): string =>
  makeVisible(text.replaceAll('\r\n', '\n').replaceAll('\t', '    '), true);

/** One line of at most `charsMax` characters, cut with an ellipsis. */
export const printableCut = (text: string, charsMax: number): string => {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1)}…`;
};
