/**
 * Tags in a text: `#word` at the start of a word. No tag: a part of an address, `C#`, a number
 * alone, or a `#` before anything else. A tag has letters, digits, `_`, `@`, `-` and `/`. Pure and
 * linear.
 */

/** Must be used with `matchAll`. */
export const HASH_TAG = /(?:^|[\s(,;])#([\p{L}\p{N}\p{M}_@/-]{1,64})(?![\p{L}\p{N}\p{M}_@/#-])/gu;
const TAG_WORD = /^(?!\d+$)[\p{L}\p{N}\p{M}_@/-]+$/u;
/** As one tag of memory: UTF-16 units. */
const TAG_CHARS_MAX = 64;

export const isTagWord = (tag: string): boolean => tag.length <= TAG_CHARS_MAX && TAG_WORD.test(tag);

/** Each tag once, in order. */
export const hashTags = (text: string): readonly string[] => {
  const tags = [...text.matchAll(HASH_TAG)].map(([, tag = '']) => tag.normalize('NFC')).filter(isTagWord);
  return [...new Set(tags)];
};

/** Tags at the end of a text are no part of it; others stay as words too. */
export const splitHashTags = (text: string): { readonly text: string; readonly tags: readonly string[] } => {
  let rest = text.trimEnd();
  for (;;) {
    const [word = ''] = /\S+$/.exec(rest) ?? [];
    if (!word.startsWith('#') || !isTagWord(word.slice(1))) break;
    rest = rest.slice(0, rest.length - word.length).trimEnd();
  }
  return { text: rest, tags: hashTags(text) };
};
