/**
 * Ways to spell a text that attackers use and the measurement knows, written apart from the code
 * they are tried on. Pure.
 */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE32_BITS = /.{1,5}/g;

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base32 = (text: string): string =>
  (
    bytes(text)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(BASE32_BITS) ?? []
  )
    .map((bits) => BASE32[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('');
const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const isPast = letter.toLowerCase() > 'm';
    return String.fromCharCode(letter.charCodeAt(0) + (isPast ? -13 : 13));
  });

export const hexWithColons = (text: string): string =>
  bytes(text)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(':');

/** The text itself, and each encoding of it. */
export const spellingsOf = (text: string): readonly string[] => [
  text,
  [...text].reverse().join(''),
  rot13(text),
  base32(text),
  hexWithColons(text),
  base64(text),
  base64(base64(text)),
];

export const thirdsOf = (text: string): readonly string[] => {
  const size = Math.ceil(text.length / 3);
  return [0, 1, 2].map((n) => text.slice(n * size, (n + 1) * size));
};
