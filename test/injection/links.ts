/**
 * What a chat client makes a link of, written from how clients behave and not from the gate that disarms links: a scheme
 * with something after it, `www.`, a host name whose last label is a word (with a path, or of three labels and more), an IPv4
 * address with a path. A link counts here as soon as the text between two spaces holds one. Pure.
 */

const SCHEME = /(?:^|[^a-z])(?:https?|ftp|tg|ton|tonsite):\/\/\S/iu;
const WWW = /(?:^|[^\p{L}\p{N}@])www\.[\p{L}\p{N}]/iu;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const HOST_WITH_PATH = new RegExp(`(?:^|[^\\p{L}\\p{N}@/#._-])(?:${LABEL}\\.)+\\p{L}{2,24}(?::\\d+)?[/?#]`, 'iu');
const LONG_HOST = new RegExp(`(?:^|[^\\p{L}\\p{N}@/#._-])(?:${LABEL}\\.){2,}\\p{L}{2,24}(?![\\p{L}\\p{N}_-])`, 'iu');
const ADDRESS_WITH_PATH = /(?:^|[^\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?[/?#]/u;

const PATTERNS = [SCHEME, WWW, HOST_WITH_PATH, LONG_HOST, ADDRESS_WITH_PATH];

/** Words of a text that a client would let a person open. */
export const linksFound = (text: string): readonly string[] =>
  text.split(/\s+/u).filter((word) => PATTERNS.some((pattern) => pattern.test(word)));
