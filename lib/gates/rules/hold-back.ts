/**
 * How much of a text that is still being written may be shown: a prefix of which no continuation can make a part of a secret
 * or of something private. Takes all text so far; gives a length, 0 for nothing. What is complete already is the gates' to
 * find, over all of the text; this holds back what is only begun:
 * - the last word, since every form of a secret but a few is one word
 * - the beginnings of those few, up to a space: `password:`, `Bearer`, `-----BEGIN RSA`
 * - what a configured secret begins with, as it is or encoded, however it is broken by spaces and invisible characters
 * - a line that may yet turn out to be marked private: headings, and lists of tags
 * All in the same folded forms the gates look at. Pure; linear in the text but for a bounded number of tries.
 */

import { canonicalText, foldLetters } from '../../text/canonical-text.ts';
import { isPrivateText } from '../../text/privacy.ts';
import { formsOf } from './action-strings.ts';
import { compact, compactEscapes, type Needles, needlesOf, SECRET_CHARS_MIN } from './find-secrets.ts';

/** How many characters of a text may be shown. */
export type HoldBack = (text: string) => number;

/** Places where a text may end, tried from its end on. */
const TRIES_MAX = 24;
/** The neighbours of an encoded secret hold some bits of its first byte. */
const EDGE_CHARS = 4;

/**
 * What stands before a space inside a form of a secret: all forms with a space in them (a test compares them with the table).
 * A backslash at the end may go with the space.
 */
const OPEN_ENDS: readonly RegExp[] = [
  /(?:key|secret|token|passw(?:or)?d|pwd)["']?\s{0,3}(?:[:=]>?|=>)?\s{0,3}["']?\\*$/i,
  /(?:bearer|basic)\\*$/i,
  /-----BEGIN(?:\s[A-Z0-9]{1,20}){0,6}\\*$/,
];
/** Of the text's end, what such a beginning may take. */
const OPEN_END_CHARS = 200;

/** Forms of a text's end, from a word on: of at least so many characters, as long as there are any. */
const formsOfEnd = (
  text: string,
  charsMin: number,
  toForms: (text: string) => readonly string[],
): readonly string[] => {
  for (let size = 4 * charsMin; ; size *= 2) {
    const from = size >= text.length ? 0 : text.lastIndexOf(' ', text.length - size) + 1;
    const forms = toForms(text.slice(from));
    if (from === 0 || forms.every((form) => form.length >= charsMin)) return forms;
  }
};

const isOpenEnd = (prefix: string): boolean =>
  formsOfEnd(prefix, OPEN_END_CHARS, formsOf).some((form) => {
    const end = form.slice(-OPEN_END_CHARS);
    return OPEN_ENDS.some((pattern) => pattern.test(end));
  });

/** A line in which a tag may follow that makes all of it private. */
const MAY_BE_PRIVATE = /^[*#]{1,8}(?=[ \t]|$)|tags?/imu;

/** Where the last line begins, if it may yet turn out to be private; else the end. */
const privacyEnd = (text: string): number => {
  const start = text.lastIndexOf('\n') + 1;
  return MAY_BE_PRIVATE.test(canonicalText(text.slice(start))) ? start : text.length;
};

/** In which configured secrets are looked for (`find-secrets.ts`); the same text is compacted once. */
const searchedForms = (text: string): readonly string[] => {
  const folded = foldLetters(text);
  const known = new Map<string, readonly string[]>();
  return [text, folded, canonicalText(folded)].flatMap((form) => {
    const forms = known.get(form) ?? [compact(form), compactEscapes(form)];
    known.set(form, forms);
    return forms;
  });
};

/** Length of the longest end of a text that is the beginning of the needle, and not all of it. */
const begunLength = (text: string, needle: string): number => {
  const end = text.slice(-(needle.length - 1));
  const first = needle.slice(0, 1);
  for (let at = end.indexOf(first); at >= 0; at = end.indexOf(first, at + 1))
    if (needle.startsWith(end.slice(at))) return end.length - at;
  return 0;
};

const longestBegun = (text: string, needles: readonly Needles[]): number => {
  const lowerCase = text.toLowerCase();
  let longest = 0;
  for (const { exact, hex } of needles) {
    for (const needle of exact) longest = Math.max(longest, begunLength(text, needle));
    longest = Math.max(longest, begunLength(lowerCase, hex));
  }
  return longest;
};

const LAST_WORD = /(?<![^ \t\n])[^ \t\n]*$/;
/** The end of a word: what follows it has been written. */
const WORD_END = /[^ \t\n](?=[ \t\n])/g;

const wordEnds = (text: string, end: number): readonly number[] => {
  const ends: number[] = [];
  for (const match of text.matchAll(WORD_END)) if (match.index < end) ends.push(match.index + 1);
  return ends.slice(-TRIES_MAX).reverse();
};

/** @param secrets values this function holds, by name; @param privacyTags of the space, beside `personal` */
export const buildHoldBack = (secrets: ReadonlyMap<string, string>, privacyTags: readonly string[] = []): HoldBack => {
  const needles = [...secrets]
    .filter(([, value]) => compact(value).length >= SECRET_CHARS_MIN)
    .map(([name, value]) => needlesOf(name, value));
  const charsMax = Math.max(0, ...needles.flatMap(({ exact, hex }) => [...exact, hex]).map(({ length }) => length));
  return (text) => {
    if (isPrivateText(text, privacyTags)) return 0;
    // Without the last word: an escape that is not complete yet would hide what it belongs to.
    const words = text.slice(0, text.search(LAST_WORD));
    const known = new Map<string, number>();
    const begun = formsOfEnd(words, charsMax + EDGE_CHARS, searchedForms).map((form) => {
      const length = known.get(form) ?? longestBegun(form, needles);
      known.set(form, length);
      return length === 0 ? 0 : length + EDGE_CHARS;
    });
    const isBegunBefore = (end: number): boolean => {
      if (begun.every((length) => length === 0)) return false;
      const rest = searchedForms(words.slice(end));
      return begun.some((length, index) => (rest[index] ?? '').length < length);
    };
    return wordEnds(text, privacyEnd(text)).find((end) => !isOpenEnd(text.slice(0, end)) && !isBegunBefore(end)) ?? 0;
  };
};
