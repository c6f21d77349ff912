/**
 * What a person can tap in a message as the Bot API server shows it: the tests' own eye for links,
 * written character by character from the rules of Telegram's client library (tdlib,
 * `MessageEntity.cpp`) and not from the code it judges. Wider than Telegram in three places: any
 * word of two letters is a top-level domain, card numbers need no check digit, and a link counts if
 * it is found in the whole text or in a piece between formatted parts. Pure.
 */

export interface ShownMessage {
  readonly text?: string | undefined;
  readonly entities?: readonly {
    readonly type: string;
    readonly offset: number;
    readonly length: number;
    readonly url?: string;
  }[];
}

interface Found {
  readonly start: number;
  readonly end: number;
}

/** Entities past these are ignored. */
const ENTITIES_MAX = 100;

const isSpace = (c: string): boolean => /[\p{Z}\n]/u.test(c);
const code = (c: string): number => c.codePointAt(0) ?? 0;
const isWordChar = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}_]/u.test(c);
const isName = (c: string | undefined): boolean => c !== undefined && /^[A-Za-z0-9_]$/.test(c);

const isUrlChar = (c: string): boolean => {
  const at = code(c);
  if (at >= 0x2000 && at <= 0x206f) return at === 0x200c || at === 0x200d || (at >= 0x2010 && at <= 0x2015);
  return !isSpace(c);
};
const isPathChar = (c: string): boolean => !'\n<>"«»'.includes(c) && isUrlChar(c);
const isUserChar = (c: string): boolean => !'\n/[]{}()\'`<>"@«»'.includes(c) && isUrlChar(c);
const isDomainChar = (c: string): boolean => (code(c) < 0xc0 ? /^[A-Za-z0-9._~-]$/.test(c) : isUrlChar(c));
const isBadEnd = (c: string | undefined): boolean => c !== undefined && ".:;,('?!`".includes(c);

/** Gives the end of the path that begins at `at`; `at` itself if there is none. */
const pathEnd = (chars: readonly string[], at: number): number => {
  if (!'/?#'.includes(chars[at] ?? ' ')) return at;
  let end = at + 1;
  while (end < chars.length && isPathChar(chars[end] ?? ' ')) end += 1;
  while (end > at + 1 && isBadEnd(chars[end - 1])) end -= 1;
  return chars[at] === '/' || end > at + 1 ? end : at;
};

const back = (chars: readonly string[], from: number, base: number, is: (c: string) => boolean): number => {
  let at = from;
  while (at > base && is(chars[at - 1] ?? ' ')) at -= 1;
  return at;
};

const KNOWN_SCHEME = /(https?|ftp|tonsite)$/i;
const OTHER_SCHEME = /^(shttp|tftp|sftp)$/i;

/** The address around the dot at `dot`, without looking before `base`; undefined for none. */
const addressAt = (chars: readonly string[], dot: number, base: number): Found | undefined => {
  let start = back(chars, dot, base, isDomainChar);
  let end = dot;
  let hasAt = false;
  while (end < chars.length && (chars[end] === '@' || isDomainChar(chars[end] ?? ' '))) {
    hasAt ||= chars[end] === '@';
    end += 1;
  }
  if (hasAt) start = back(chars, start, base, isUserChar);
  const port = /^:0*[0-9]{1,5}/.exec(chars.slice(end, end + 12).join(''))?.[0].length ?? 0;
  end = pathEnd(chars, end + port);
  while (end > dot + 1 && chars[end - 1] === '.') end -= 1;
  if (start > base && chars[start - 1] === '@') start = back(chars, start - 1, base, isUserChar);
  const before = chars.slice(Math.max(base, start - 40), start).join('');
  if (before.endsWith('://')) {
    const word = /[^\p{Z}\n]*$/u.exec(before.slice(0, -3))?.[0] ?? '';
    const scheme = KNOWN_SCHEME.exec(word)?.[1];
    if (scheme === undefined || OTHER_SCHEME.test(word)) return undefined;
    start -= scheme.length + 3;
  } else if (start > base && (isWordChar(chars[start - 1]) || '/#@'.includes(chars[start - 1] ?? ' ')))
    return undefined;
  return end > dot + 1 ? { start, end } : undefined;
};

const isAddress = (written: string): boolean => {
  if (/^(?:mailto:)?[a-z0-9_+.-]+@[a-z0-9_.-]+\.[a-z]{2,8}$/i.test(written)) return true;
  const hasScheme = /^(?:https?|ftp|tonsite):\/\//i.test(written);
  const rest = hasScheme ? written.slice(written.indexOf('://') + 3) : written;
  const domain = (/^[^/?#]*/.exec(rest)?.[0] ?? '').replace(/^[^@]*@/, '').replace(/:[^:]*$/, '');
  const labels = domain.split('.');
  if (labels.length < 2 || labels.some((label) => label === '' || label.length > 63 * 2 || label.endsWith('-')))
    return false;
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(domain)) return true;
  const last = labels.at(-1) ?? '';
  if (!/[^0-9.]/.test(domain) || [...last].length < 2) return false;
  if (/^xn--[a-z0-9]+$/i.test(last)) return true;
  if (/[_-]/.test(last) || (labels.at(-2) ?? '').includes('_')) return false;
  return hasScheme || /^[\p{L}\p{M}]+$/u.test(last);
};

const findAddresses = (chars: readonly string[]): readonly Found[] => {
  const found: Found[] = [];
  let base = 0;
  for (let dot = chars.indexOf('.'); dot >= 0 && dot + 1 < chars.length; dot = chars.indexOf('.', dot + 1)) {
    if (dot < base) continue;
    const address = addressAt(chars, dot, base);
    if (address === undefined) continue;
    if (isAddress(chars.slice(address.start, address.end).join(''))) found.push(address);
    base = address.end;
  }
  return found;
};

/** tg://, ton:// and tonsite:// need no dot. */
const findSchemes = (chars: readonly string[]): readonly Found[] =>
  chars.flatMap((c, at): readonly Found[] => {
    if (c !== ':' || chars[at + 1] !== '/' || chars[at + 2] !== '/') return [];
    const scheme = /(?:tg|ton|tonsite)$/i.exec(chars.slice(Math.max(0, at - 7), at).join(''))?.[0];
    let end = at + 3;
    while (/^[A-Za-z0-9_-]$/.test(chars[end] ?? ' ')) end += 1;
    return scheme === undefined || end === at + 3 ? [] : [{ start: at - scheme.length, end: pathEnd(chars, end) }];
  });

const isTagChar = (c: string | undefined): boolean =>
  c !== undefined && /[\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff]/u.test(c);

const run = (chars: readonly string[], from: number, is: (c: string | undefined) => boolean): number => {
  let end = from;
  while (end < chars.length && is(chars[end])) end += 1;
  return end;
};

const findMarks = (chars: readonly string[]): readonly Found[] =>
  chars.flatMap((c, start): readonly Found[] => {
    const before = chars[start - 1];
    if (c === '@' && !isWordChar(before)) {
      const end = run(chars, start + 1, isName);
      return end - start > 2 && end - start <= 33 && !isWordChar(chars[end]) ? [{ start, end }] : [];
    }
    if (c === '/' && !isWordChar(before) && !'/<>'.includes(before ?? ' ')) {
      const end = run(chars, start + 1, isName);
      const next = chars[end] ?? ' ';
      return end - start > 1 && end - start <= 65 && !isWordChar(next) && !'/<>'.includes(next) ? [{ start, end }] : [];
    }
    if (c === '#' && !isTagChar(before)) {
      const end = run(chars, start + 1, isTagChar);
      return /\p{L}/u.test(chars.slice(start, end).join('')) && chars[end] !== '#' ? [{ start, end }] : [];
    }
    if (c === '$' && !isTagChar(before) && before !== '$') {
      const rest = chars.slice(start + 1, start + 12).join('');
      const end = start + 1 + (/^(?:1INCH|[A-Z]{1,8})/.exec(rest)?.[0].length ?? 0);
      return end > start + 1 && !isTagChar(chars[end]) && chars[end] !== '$' ? [{ start, end }] : [];
    }
    return [];
  });

/** Card numbers, and phone numbers with a plus. */
const findNumbers = (chars: readonly string[]): readonly Found[] =>
  [...chars.join('').matchAll(/(?<![\p{L}\d_.,+-])\d[\d -]*\d(?![\p{L}_-])|\+\d[\d ()-]*\d/gu)]
    .filter(({ 0: run }) => {
      const digits = run.replace(/\D/g, '').length;
      return run.startsWith('+')
        ? digits >= 7 && digits <= 15
        : digits >= 13 && digits <= 19 && run.length < 2 * digits;
    })
    .map(({ 0: run, index }) => {
      const start = [...chars.join('').slice(0, index)].length;
      return { start, end: start + run.length };
    });

const findAll = (text: string): readonly string[] => {
  const chars = [...text];
  return [...findAddresses(chars), ...findSchemes(chars), ...findMarks(chars), ...findNumbers(chars)].map(
    ({ start, end }) => chars.slice(start, end).join(''),
  );
};

/** As Telegram cleans a text first. */
const cleaned = (text: string): string =>
  [...text]
    .filter((c) => !'\r\u0333\u033f\u030a'.includes(c) && (code(c) < 0x2028 || code(c) > 0x202e))
    .map((c) => (code(c) < 0x20 && c !== '\n' ? ' ' : c))
    .join('');

/** Stands for a formatted part: no link goes on across it. */
const GAP = '\n';

/** Everything in the message that can be tapped, in words. */
export const tappableIn = ({ text = '', entities = [] }: ShownMessage): readonly string[] => {
  const kept = entities.slice(0, ENTITIES_MAX);
  const firm = kept
    .filter(({ type }) => ['code', 'pre', 'text_link'].includes(type))
    .toSorted((a, b) => a.offset - b.offset);
  const given = firm.flatMap(({ url }) => (url === undefined ? [] : [url]));
  if (firm.length === 0) return [...new Set(findAll(cleaned(text)))];
  // Each piece by itself, then the whole: a match of the whole counts where no firm part touches
  // it.
  const pieces: string[] = [];
  let at = 0;
  for (const { offset, length } of firm) {
    pieces.push(text.slice(at, offset));
    at = offset + length;
  }
  pieces.push(text.slice(at));
  const inPieces = pieces.flatMap((piece) => findAll(cleaned(piece)));
  // A whole match that no firm part touches lies inside one piece, and is found there unless its
  // surroundings hid it.
  const masked = firm.reduce(
    (shown, { offset, length }) => shown.slice(0, offset) + GAP.repeat(length) + shown.slice(offset + length),
    text,
  );
  return [...new Set([...given, ...inPieces, ...findAll(cleaned(masked))])];
};
