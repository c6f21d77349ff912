/**
 * Signs of picture fonts that say something, such as a ticked box, by font and the number of the
 * letter below 0xF000. Pure.
 */

const FONTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wingdings: {
    fe: '☑',
    fd: '☒',
    a8: '☐',
    '6f': '☐',
    fc: '✓',
    fb: '✗',
    e0: '→',
    df: '←',
    '4a': '☺',
    '9f': '•',
    a7: '▪',
  },
  'wingdings 2': { '52': '☑', '53': '☒', a3: '☐', '50': '✓', '4f': '✗', '97': '•' },
  symbol: { b7: '•', ae: '→', ac: '←', a3: '≤', b3: '≥', b9: '≠', b1: '±', b4: '×', d7: '·', '6d': 'µ', '57': 'Ω' },
};

/** @returns undefined for a sign that is not known @param char its number in hexadecimal digits */
export const symbolOf = (font: string, char: string): string | undefined => {
  const code = Number.parseInt(char, 16);
  if (Number.isNaN(code)) return undefined;
  const known = FONTS[font.toLowerCase()];
  if (known !== undefined) return known[(code & 0xff).toString(16)];
  return code < 0xe000 || code > 0xf8ff ? String.fromCodePoint(Math.min(code, 0x10ffff)) : undefined;
};
