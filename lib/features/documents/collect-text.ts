/**
 * Collects text up to a bound, and what was left out of it. An exception stops the parser, so none
 * reads on for nothing. Pure.
 */
import { KIB } from '../../core/base/limits.ts';

/** As much as is kept of a tool's output (96 KiB), with room for the lines before it. */
export const DOCUMENT_CHARS_MAX = 95 * KIB;

class FullError extends Error {}

export interface TextReading {
  readonly add: (text: string) => void;
  /** Notes one thing whose words are not read. @param what a noun, such as `picture` */
  readonly leaveOut: (what: string) => void;
}

export interface Collected {
  readonly text: string;
  /** There was more. */
  readonly isCut: boolean;
  /** How many of each were left out. */
  readonly leftOut: ReadonlyMap<string, number>;
}

export const collectText = (work: (reading: TextReading) => void): Collected => {
  const parts: string[] = [];
  const leftOut = new Map<string, number>();
  let left = DOCUMENT_CHARS_MAX;
  try {
    work({
      add: (text) => {
        parts.push(text.slice(0, left));
        left -= text.length;
        if (left < 0) throw new FullError();
      },
      leaveOut: (what) => leftOut.set(what, (leftOut.get(what) ?? 0) + 1),
    });
  } catch (error) {
    if (!(error instanceof FullError)) throw error;
  }
  return { text: parts.join(''), isCut: left < 0, leftOut };
};

/** `(Left out: 2 pictures, 1 chart.)`, or nothing. */
export const tellLeftOut = (leftOut: ReadonlyMap<string, number>): string => {
  const parts = [...leftOut].map(([what, count]) => `${count} ${what}${count === 1 ? '' : 's'}`);
  return parts.length === 0 ? '' : `(Left out: ${parts.join(', ')}.)`;
};
