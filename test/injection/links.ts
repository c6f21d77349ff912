/**
 * What a terminal or a page makes a link of, written from how they behave and not from the code
 * that disarms links: a scheme with something after it, `www.`, `mailto:`, a host name or an IPv4
 * address with a path. What Telegram does is in `test/support/telegram-links.ts`. A link counts
 * here as soon as the text between two spaces holds one. Pure.
 */

const SCHEME = /(?:^|[^a-z])(?:https?|ftp|tg|ton|tonsite):\/\/\S/iu;
const WWW = /(?:^|[^\p{L}\p{N}@])www\.[\p{L}\p{N}]/iu;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const HOST_WITH_PATH = new RegExp(`(?:^|[^\\p{L}\\p{N}@/#._-])(?:${LABEL}\\.)+\\p{L}{2,24}(?::\\d+)?[/?#]`, 'iu');
const MAIL = /mailto:\S/i;
const ADDRESS_WITH_PATH = /(?:^|[^\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?[/?#]/u;

const PATTERNS = [SCHEME, WWW, MAIL, HOST_WITH_PATH, ADDRESS_WITH_PATH];

/** Words of a text that a client would let a person open. */
export const linksFound = (text: string): readonly string[] =>
  text.split(/\s+/u).filter((word) => PATTERNS.some((pattern) => pattern.test(word)));
