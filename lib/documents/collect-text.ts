/**
 * Collects text up to a bound. An exception stops the parser, so none reads on for nothing. Pure.
 */
import { KIB } from '../base/limits.ts';

/** As much as is kept of a tool's output (96 KiB), with room for a line before it. */
export const DOCUMENT_CHARS_MAX = 95 * KIB;

class FullError extends Error {}

export interface Collected {
  readonly text: string;
  /** There was more. */
  readonly isCut: boolean;
}

export const collectText = (work: (add: (text: string) => void) => void): Collected => {
  const parts: string[] = [];
  let left = DOCUMENT_CHARS_MAX;
  try {
    work((text) => {
      parts.push(text.slice(0, left));
      left -= text.length;
      if (left < 0) throw new FullError();
    });
  } catch (error) {
    if (!(error instanceof FullError)) throw error;
  }
  return { text: parts.join(''), isCut: left < 0 };
};
