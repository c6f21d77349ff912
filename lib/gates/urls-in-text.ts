/**
 * The URLs of a text, as channels turn them into links: with a scheme, from `www.`, domains and IPv4 addresses with a path,
 * and domains of three labels and more, because the first ones can carry something away without any path. A URL goes on to
 * the next space, quote, bar or bracket of a Markdown link, longer rather than shorter: what a link could carry away belongs
 * to it. Both sides of a comparison are cut by the same rules. Pure and linear.
 */

import { INERT_URL_CHARS_MAX } from '../limits.ts';

const WORD = /[^\s<>"|]+/g;
const LINK_MIDDLE = '](';
const WITH_SCHEME = /[a-z][a-z0-9+.-]{0,20}:\/\/(?=.)/gisu;
const WITH_WWW = /(?<![\p{L}\p{N}@])www\.[^.]/iu;
/** A host of at least two labels at the end of what stands before the first slash, question mark or hash. */
const HOST_AT_END =
  /(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.(?:\p{L}{2,24}|xn--[a-z0-9-]{1,59})(?::\d{1,5})?$/iu;
const HOST_CHARS_MAX = 260;
/** A host of at least three labels, wherever it stands. */
const LONG_HOST =
  /(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}\.(\p{L}{2,24}|xn--[a-z0-9-]{1,59})(?![\p{L}\p{N}_-])/giu;
/** Ends of file names that are no top-level domains: nothing makes a link of `gates.test.ts`. */
const FILE_ENDS: ReadonlySet<string> = new Set(
  'cjs conf cpp css csv cts gif gz html java jpg js json jsonl jsx lock log map mjs mts pdf png sql svg toml ts tsx txt xml yaml yml'.split(
    ' ',
  ),
);
/** `192.0.2.1/x`; not the `/24` of a range of addresses. */
const ADDRESS_WITH_PATH =
  /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?!\/\d{1,2}(?![\p{L}\p{N}/?#&=%_~.-]))[/?#]/u;
/** Opens no link anywhere: how `inertUrl` writes them. */
const INERT = /hxxps?:\/\/$/i;
const TRAILING: ReadonlySet<string> = new Set(".,;:!?'`)]}*_~…");

const withoutTrailing = (text: string): string => {
  let end = text.length;
  while (end > 0 && TRAILING.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
};

const schemeStart = (word: string): number => {
  if (!word.includes('://')) return -1;
  for (const match of word.matchAll(WITH_SCHEME)) if (!INERT.test(match[0])) return match.index;
  return -1;
};

const hostStart = (word: string): number => {
  const from = Math.max(0, word.search(/[^([{'`*_~/]/));
  const slash = word.slice(from).search(/[/?#]/);
  if (slash < 0) return -1;
  const before = word.slice(from, from + slash).slice(-HOST_CHARS_MAX);
  const host = before.search(HOST_AT_END);
  return host < 0 ? -1 : from + slash - before.length + host;
};

const longHostStart = (word: string): number => {
  for (const match of word.matchAll(LONG_HOST)) if (!FILE_ENDS.has((match[1] ?? '').toLowerCase())) return match.index;
  return -1;
};

/** Where in a word its first URL begins; -1 for none. */
const startOf = (word: string): number => {
  const starts = [
    schemeStart(word),
    word.search(WITH_WWW),
    hostStart(word),
    longHostStart(word),
    word.search(ADDRESS_WITH_PATH),
  ].filter((start) => start >= 0);
  return starts.length === 0 ? -1 : Math.min(...starts);
};

/** The text with each of its URLs replaced. */
export const mapUrls = (text: string, change: (url: string) => string): string => {
  if (!/[/.]/.test(text)) return text;
  return text.replace(WORD, (word) =>
    word
      .split(LINK_MIDDLE)
      .map((part) => {
        const start = /[/.]/.test(part) ? startOf(part) : -1;
        if (start < 0) return part;
        const url = withoutTrailing(part.slice(start));
        if (!/\.|:\/\//.test(url)) return part;
        return `${part.slice(0, start)}${change(url)}${part.slice(start + url.length)}`;
      })
      .join(LINK_MIDDLE),
  );
};

/** Each URL of the text once. */
export const urlsIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>();
  mapUrls(text, (url) => {
    found.add(url);
    return url;
  });
  return found;
};

/** The same address so that no channel makes a link of it: `https://a.example/b` → `hxxps://a[.]example/b`. */
export const inertUrl = (url: string): string => {
  if (url.length > INERT_URL_CHARS_MAX) return `(a link of ${url.length} characters)`;
  const scheme = /^https?:\/\//i.exec(url)?.[0] ?? '';
  const rest = url.slice(scheme.length).replaceAll('://', '[://]').replaceAll('.', '[.]');
  return `${scheme.toLowerCase().replace('http', 'hxxp')}${rest}`;
};
