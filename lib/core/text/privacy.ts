/** Finds private tags: `personal`, and those of PRIVACY_FILTER_TAGS, in any spelling. Pure. */

import { canonicalText, caseless } from './canonical-text.ts';

/** Private in every space. */
export const PERSONAL_TAG = 'personal';

/** `@Personal` → `personal`. */
const tagName = (tag: string): string => caseless(tag).trim().replace(/^@/, '');

const namesOf = (extraTags: readonly string[]): ReadonlySet<string> =>
  new Set([PERSONAL_TAG, ...extraTags.map(tagName).filter((name) => name !== '')]);

export const hasPrivateTag = (tags: readonly string[], extraTags: readonly string[]): boolean => {
  const names = namesOf(extraTags);
  return tags.some((tag) => names.has(tagName(tag)));
};

/** `@tag` at the start of a word: not inside an e-mail address. */
const MENTION = /(?:^|[^\p{L}\p{N}._%+-])@([\p{L}\p{N}_-]{1,64})(?![\p{L}\p{N}_.-]{0,64}\.[\p{L}]{2})/gu;
/** `:tag:other:` at the end of a heading, as outlines write it. */
const HEADING = /^[*#]{1,8}(?=[ \t])[^\n]{0,512}?[ \t]:([\p{L}\p{N}_@:-]{1,256}):[ \t]*$/gmu;
/** `tags: a, b` on a line of its own, or `"tags":["a","b"]` in an object. */
const LISTED = /(?:^[ \t>*-]{0,8}|")tags?"?[ \t]{0,4}[:=][ \t]{0,4}\[?([^\n\]]{1,512})/gimu;

const isListed = (list: string, names: ReadonlySet<string>): boolean =>
  list.split(/[\s,;:"'[\]]+/).some((word) => names.has(tagName(word)));

/** Each pattern, and what a text without a match of it lacks: that is looked for much faster. */
const MARKS: readonly (readonly [needed: RegExp, pattern: RegExp])[] = [
  [/@/, MENTION],
  [/[*#]/, HEADING],
  [/tag/i, LISTED],
];

export const isPrivateText = (text: string, extraTags: readonly string[]): boolean => {
  const canonical = canonicalText(text);
  for (const [needed, pattern] of MARKS) {
    if (!needed.test(canonical)) continue;
    const names = namesOf(extraTags);
    for (const [, list = ''] of canonical.matchAll(pattern)) if (isListed(list, names)) return true;
  }
  return false;
};

/** A memory object, as far as privacy is concerned. */
interface Marked {
  readonly attributes: { readonly tags: readonly string[]; readonly title?: string | undefined };
  readonly content: string;
}

/** Whether the object itself carries a private mark. */
export const isMarkedPrivate = ({ attributes, content }: Marked, extraTags: readonly string[]): boolean =>
  hasPrivateTag(attributes.tags, extraTags) ||
  isPrivateText(attributes.title ?? '', extraTags) ||
  isPrivateText(content, extraTags);
