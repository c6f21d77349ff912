/**
 * Decides how much of an unfinished text may be shown: a prefix that no continuation can make a
 * part of a secret or of a private text. Gates judge what is complete; this holds back what is only
 * begun: the last word, the beginnings of forms with a space (`Bearer`), the beginning of a
 * configured secret, and a line that may turn out to be marked private. Pure; linear.
 */

import { canonicalText, foldLetters } from '../../text/canonical-text.ts';
import { isPrivateText } from '../../text/privacy.ts';
import { SECRET_PRINTS } from '../../text/secret-prints.ts';
import { formsOf } from './action-strings.ts';
import { compact, compactEscapes, type Needles, needlesOf, SECRET_CHARS_MIN } from './find-secrets.ts';

/** Gives the number of characters that may be shown. */
export type HoldBack = (text: string) => number;

/** Word ends that are tried, from the end of the text on. */
const TRIES_MAX = 24;
/** The neighbours of an encoded secret hold some bits of its first byte. */
const EDGE_CHARS = 4;

/** Beginnings of forms that have a space in them; a test compares them with the table. */
const OPEN_ENDS: readonly RegExp[] = [
  /(?:key|secret|token|passw(?:or)?d|pwd)["']?(?:\s{1,3}string)?\s{0,3}(?::{0,3}=?>?|[?.+]=|,)?\s{0,3}(?:[|>][+-]?)?\s{0,12}["'`]?\\*$/i,
  /contribsys.{1,40}\\*$/is,
  /(?:bearer|basic)\\*$/i,
  /-----BEGIN(?:\s[A-Z0-9]{1,20}){0,6}\\*$/,
];
/** Such a beginning is no longer than this. */
const OPEN_END_CHARS = 200;

/** The forms of the text's end, from the start of a word: long enough, if the text is. */
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

/** Such a line may get a tag that makes it private. */
const MAY_BE_PRIVATE = /^[*#]{1,8}(?=[ \t]|$)|tags?/imu;

/** The start of the last line if it may yet be private, else the end of the text. */
const privacyEnd = (text: string): number => {
  const start = text.lastIndexOf('\n') + 1;
  return MAY_BE_PRIVATE.test(canonicalText(text.slice(start))) ? start : text.length;
};

/** The forms in which configured secrets are looked for. */
const searchedForms = (text: string): readonly string[] => {
  const folded = foldLetters(text);
  const known = new Map<string, readonly string[]>();
  return [text, folded, canonicalText(folded)].flatMap((form) => {
    const forms = known.get(form) ?? [compact(form), compactEscapes(form)];
    known.set(form, forms);
    return forms;
  });
};

/** Length of the longest end of the text that begins the needle but is not all of it. */
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
/** A word that is complete: white space follows it. */
const WORD_END = /[^ \t\n](?=[ \t\n])/g;

const wordEnds = (text: string, end: number): readonly number[] => {
  const ends: number[] = [];
  for (const match of text.matchAll(WORD_END)) if (match.index < end) ends.push(match.index + 1);
  return ends.slice(-TRIES_MAX).reverse();
};

/** @param secrets by name; @param privacyTags of the space, beside `personal` */
export const buildHoldBack = (secrets: ReadonlyMap<string, string>, privacyTags: readonly string[] = []): HoldBack => {
  const needles = [...secrets]
    .filter(([name, value]) => name !== SECRET_PRINTS && compact(value).length >= SECRET_CHARS_MIN)
    .map(([name, value]) => needlesOf(name, value));
  const charsMax = Math.max(0, ...needles.flatMap(({ exact, hex }) => [...exact, hex]).map(({ length }) => length));
  return (text) => {
    if (isPrivateText(text, privacyTags)) return 0;
    // Without the last word: an incomplete escape in it would hide what it belongs to.
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
