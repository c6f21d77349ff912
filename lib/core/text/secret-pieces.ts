/**
 * Finds pieces of configured secrets in a text, without separators and case, and in the usual
 * encodings. Gives names, never values. Linear in the text.
 * Not found: fewer than 12 characters in a row (8 of a secret under 24); fewer than 16 letters in a
 * row without a digit (12 of a form under 32); separators that are letters or digits; other
 * encodings.
 */
import { canonicalText } from './canonical-text.ts';

/** A secret with fewer letters and digits is searched for only as it is. */
const SECRET_FORM_CHARS_MIN = 8;
/** So many letters and digits give a secret away; shorter rows stand elsewhere by chance. */
const SECRET_PIECE_CHARS = 12;
/** For a secret under 24 characters. The row needs a digit, or words would count. */
const SECRET_PIECE_CHARS_SHORT = 8;

const NEITHER_LETTER_NOR_DIGIT = /[^a-z0-9]+/g;
/** Letters and digits without case: no separator, spelling or alphabet of base64 changes them. */
export const bare = (text: string): string => text.toLowerCase().replace(NEITHER_LETTER_NOR_DIGIT, '');

const reverse = (text: string): string => [...text].reverse().join('');
const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

/**
 * The part of an encoding that is the same whatever stands before and after. With `shift` bytes
 * before the value, its first and last characters depend on the neighbours.
 */
const core = (encode: (bytes: Buffer) => string, bits: number, bytes: Buffer, shift: number): string =>
  encode(Buffer.concat([Buffer.alloc(shift), bytes])).slice(
    Math.ceil((shift * 8) / bits),
    Math.floor(((shift + bytes.length) * 8) / bits),
  );

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base32 = (bytes: Buffer): string => {
  let text = '';
  let [rest, bits] = [0, 0];
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(rest >> (bits - 5)) & 31];
  }
  return text;
};

/** At every alignment that a text before it may cause. */
const base64Forms = (text: string): readonly string[] =>
  [0, 1, 2].map((shift) => core((bytes) => bytes.toString('base64'), 6, Buffer.from(text), shift));
const base32Forms = (text: string): readonly string[] =>
  [0, 1, 2, 3, 4].map((shift) => core(base32, 5, Buffer.from(text), shift));
/** The URL alphabet matters if the form is encoded again. */
const base64Spellings = (text: string): readonly string[] =>
  base64Forms(text).flatMap((form) => [...new Set([form, form.replaceAll('+', '-').replaceAll('/', '_')])]);
const hex = (text: string): string => Buffer.from(text).toString('hex');
const decimal = (text: string): string => [...Buffer.from(text)].join('');

const octal = (text: string): string =>
  [...Buffer.from(text)].map((byte) => byte.toString(8).padStart(3, '0')).join('');
const binary = (text: string): string =>
  [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
/** As `hexdump` prints it: the bytes of each pair are swapped. */
const swapped = (text: string): string => hex(text).replace(/(..)(..)/g, '$2$1');
/** UTF-16 as the terminals and programs of Windows write it. */
const wideForms = (text: string): readonly string[] => {
  const bytes = Buffer.from(text, 'utf16le');
  const base64 = [0, 1, 2].map((shift) => core((one) => one.toString('base64'), 6, bytes, shift));
  return [bytes.toString('hex'), ...base64];
};

const encodeOnce = (text: string): readonly string[] => [hex(text), ...base64Spellings(text), ...base32Forms(text)];
const encodeTwice = (text: string): readonly string[] => [
  ...base64Spellings(text).flatMap((one) => [...base64Forms(one), hex(one)]),
  ...base64Forms(hex(text)),
];

interface Form {
  readonly name: string;
  readonly text: string;
  /** This many of its characters in a row reveal the secret. */
  readonly charsMin: number;
}

const pieceCharsMin = (formChars: number, secretChars: number): number => {
  if (formChars < SECRET_PIECE_CHARS) return formChars;
  const chars = secretChars < 2 * SECRET_PIECE_CHARS ? SECRET_PIECE_CHARS_SHORT : SECRET_PIECE_CHARS;
  // A piece that is encoded by itself has other characters at its ends.
  return Math.max(chars, Math.floor(((chars - 2) * formChars) / secretChars));
};

const formsOfSecret = (name: string, value: string): readonly Form[] => {
  const spellings = [
    value,
    canonicalText(value),
    value.toUpperCase(),
    value.toLowerCase(),
    reverse(value),
    rot13(value),
  ];
  const once = encodeOnce(value);
  const texts = [
    ...[...new Set(spellings)].flatMap((text) => [text, decimal(text), ...encodeOnce(text)]),
    ...once.flatMap((text) => [reverse(text), rot13(text)]),
    ...encodeTwice(value),
    ...wideForms(value),
    ...[octal(value), binary(value), swapped(value), swapped(value.slice(1))],
  ];
  const secretChars = bare(value).length;
  return [...new Set(texts.map(bare))]
    .filter((text) => text.length >= SECRET_FORM_CHARS_MIN)
    .map((text) => ({ name, text, charsMin: pieceCharsMin(text.length, secretChars) }));
};

/** A row without a digit could be words, so longer forms need so many letters. */
const WORDY_PIECE_CHARS = 16;
const DIGIT = /\d/;

const isTelling = ({ text, charsMin }: Form, piece: string): boolean => {
  if (piece.length < charsMin || piece.length === text.length || DIGIT.test(piece)) return piece.length >= charsMin;
  return piece.length >= (text.length < 2 * WORDY_PIECE_CHARS ? SECRET_PIECE_CHARS : WORDY_PIECE_CHARS);
};

/** Characters per look-up. Each moves the others by five bits, so the key depends on these four. */
const KEY_CHARS = 4;
const KEYS = 2 ** 20;
const nextKey = (key: number, code: number): number => ((key << 5) ^ code) & (KEYS - 1);
const keyAt = (text: string, at: number): number =>
  [...text.slice(at, at + KEY_CHARS)].reduce((key, char) => nextKey(key, char.charCodeAt(0)), 0);

/** A place in a form that a look-up may hit. */
interface Place {
  readonly form: Form;
  readonly at: number;
}

/** The longest common piece around two places that agree. */
const pieceAround = (text: string, textAt: number, form: string, formAt: number): string => {
  let before = 0;
  while (before < Math.min(textAt, formAt) && text[textAt - before - 1] === form[formAt - before - 1]) before += 1;
  let after = 0;
  while (formAt + after < form.length && text[textAt + after] === form[formAt + after]) after += 1;
  return form.slice(formAt - before, formAt + after);
};

/** Gives the names of secrets of which a piece stands in one of these bare texts. */
export type FindPieces = (texts: readonly string[]) => ReadonlySet<string>;

/** So many known places a form that each telling piece has one: most text is read once. */
const buildFindPieces = (secrets: readonly (readonly [name: string, value: string])[]): FindPieces => {
  const places = new Map<number, Place[]>();
  const isKnown = new Uint8Array(KEYS);
  for (const [name, value] of secrets)
    for (const form of formsOfSecret(name, value))
      for (let at = 0; at + KEY_CHARS <= form.text.length; at += form.charsMin - KEY_CHARS + 1) {
        const key = keyAt(form.text, at);
        isKnown[key] = 1;
        places.set(key, [...(places.get(key) ?? []), { form, at }]);
      }
  const search = (text: string, found: Set<string>): void => {
    let key = 0;
    for (let end = 0; end < text.length; end += 1) {
      key = nextKey(key, text.charCodeAt(end));
      const at = end - KEY_CHARS + 1;
      if (at < 0 || isKnown[key] === 0) continue;
      for (const { form, at: formAt } of places.get(key) ?? [])
        if (!found.has(form.name) && isTelling(form, pieceAround(text, at, form.text, formAt))) found.add(form.name);
    }
  };
  return (texts) => {
    const found = new Set<string>();
    for (const text of texts) search(text, found);
    return found;
  };
};

const ASCII = /^[ -~]*$/;
/** Whether a value has enough letters and digits to be found in any spelling. */
export const isFoundInPieces = (value: string): boolean =>
  ASCII.test(value) && !value.startsWith('{') && bare(value).length >= SECRET_FORM_CHARS_MIN;

const RECENT_MAX = 8;
/** Kept, so that the pieces of the same secrets are made once. */
const recent: { readonly entries: readonly (readonly [string, string])[]; readonly find: FindPieces }[] = [];

/** A JSON object of secrets is left out: its values are given as secrets of their own. */
export const findPiecesOf = (secrets: ReadonlyMap<string, string>): FindPieces => {
  const entries = [...secrets].filter(([, value]) => !value.startsWith('{'));
  const isSame = (one: (typeof recent)[number]): boolean =>
    one.entries.length === entries.length &&
    one.entries.every(([name, value], n) => entries[n]?.[0] === name && entries[n]?.[1] === value);
  const known = recent.find(isSame);
  if (known !== undefined) return known.find;
  const find = buildFindPieces(entries);
  recent.unshift({ entries, find });
  recent.length = Math.min(recent.length, RECENT_MAX);
  return find;
};

/** Signs of characters: `0x6d`, `U+006D`, `\U0000006d`, `\x{6d}`, `&#x6d`, `chr(109)`, `6dh`. */
const BYTE_SIGN =
  /(?:\b0x|\bu\+|\\[uxo]?\{?|&#x|\bchr\(|\bx)0*(?=[0-9a-f]{2,3}(?![0-9a-f]))|\b0{2,6}(?=[0-9a-f]{2}\b)|(?<=\b[0-9a-f]{2})h\b/gi;
/** A text in the forms that are searched: bare, and without signs of bytes. */
export const bareForms = (forms: readonly string[]): readonly string[] => {
  const unsigned = forms.map((form) => form.replace(BYTE_SIGN, ''));
  return [...new Set([...forms, ...unsigned])].map(bare);
};
