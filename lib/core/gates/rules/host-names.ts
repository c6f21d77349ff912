/**
 * Judges a host by its name alone, label by label: names inside a network, names with an address
 * that anyone may choose, and names that imitate others. Takes a host as the URL standard writes it
 * (lower case, Punycode, no trailing dot); gives a reason or nothing. Pure.
 */
import punycode from 'punycode/punycode.js';
import { CONFUSABLES } from '../../text/canonical-text.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** RFC 6761, 6762, 8375, 9476, and names that private networks use. */
const INSIDE = setOf(
  'localhost local localdomain internal intranet private corp home lan arpa onion i2p test invalid alt',
);
/** Such a name resolves to the address written in it, or always to loopback. */
const REBINDING = setOf('nip.io sslip.io xip.io localtest.me lvh.me vcap.me lacolhost.com traefik.me rbndr.us 1u.ms');
/** Hosts of metadata services, besides their addresses. */
const METADATA = setOf('metadata.google.internal instance-data metadata rancher-metadata');
/** Endings that imitations put in the middle: `openai.com.evil.net`. */
const ENDINGS = setOf('com net org');
/** Buckets and mirrors are named after sites: a host name as a first part is usual here. */
const NAMED_AFTER_SITES = setOf('amazonaws.com cloudfront.net googleapis.com edgekey.net');
/** Names worth imitating, without their ending. */
const FAMOUS = setOf(
  'openai anthropic google gmail github gitlab microsoft apple amazon paypal facebook instagram whatsapp telegram twitter netflix linkedin dropbox stripe cloudflare wikipedia youtube icloud outlook',
);
/** A 1 may stand for an l or an i, so both count as one letter. */
const oneForBoth = (name: string): string => name.replaceAll('l', 'i');
const FAMOUS_BY_EITHER: ReadonlySet<string> = new Set([...FAMOUS].map(oneForBoth));
/** Digits written for letters. */
const DIGIT_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' }),
);

/** The label as a hasty reader takes it. */
const skeletonOf = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z]/gu, (char) => CONFUSABLES.get(char) ?? DIGIT_LETTERS.get(char) ?? char)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

const OTHER_ALPHABET = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const isMixedScript = (label: string): boolean => /\p{Script=Latin}/u.test(label) && OTHER_ALPHABET.test(label);

/** All its foreign letters look like ASCII. Accents are no disguise. */
const isDisguised = (label: string): boolean =>
  /[^\x20-\x7f]/.test(label) && [...label].every((char) => char <= '\x7f' || CONFUSABLES.has(char));

const isImitation = (label: string): boolean => {
  if (FAMOUS.has(label)) return false;
  const skeleton = skeletonOf(label);
  return FAMOUS.has(skeleton) || (label.includes('1') && FAMOUS_BY_EITHER.has(oneForBoth(skeleton)));
};

const isFamousWithEnding = (label: string): boolean =>
  /-(?:com|net|org)$/.test(label) && label.split('-').some((word) => FAMOUS.has(word));

/** An ending that is not at the end. `example.com.br` has the ending of a country. */
const holdsAnother = (labels: readonly string[]): boolean => {
  if (NAMED_AFTER_SITES.has(labels.slice(-2).join('.'))) return false;
  const isCountry = labels.at(-1)?.length === 2;
  return labels.slice(0, -1).some((label, at) => {
    if (isFamousWithEnding(label)) return true;
    if (at === 0) return false;
    if (/^(?:com|net|org)-/.test(label)) return true;
    return ENDINGS.has(label) && !(isCountry && at === labels.length - 2);
  });
};

/** DNS allows no longer label, and decoding is quadratic. */
const LABEL_CHARS_MAX = 63;

/** The letters of one lower-case label (`xn--…`). A label that is not Punycode stays as it is. */
export const decodeLabel = (label: string): string => {
  if (!label.startsWith('xn--') || label.length > LABEL_CHARS_MAX) return label;
  try {
    return punycode.decode(label.slice('xn--'.length));
  } catch {
    return label;
  }
};

/** @param host canonical, and no IP address. */
export const hostNameProblem = (host: string): string | undefined => {
  const labels = host.split('.');
  if (METADATA.has(host)) return 'the host is a metadata service';
  if (labels.length < 2 || INSIDE.has(labels.at(-1) ?? '')) return 'the host is a name inside a network';
  if (REBINDING.has(labels.slice(-2).join('.'))) return 'the host answers with an address that anyone may choose';
  const letters = labels.map(decodeLabel);
  if (letters.some((label) => isMixedScript(label) || isDisguised(label)))
    return 'the host is written in letters that look like others';
  if (letters.some(isImitation)) return 'the host imitates a well-known name';
  return holdsAnother(labels) ? 'the host holds the name of another host' : undefined;
};
