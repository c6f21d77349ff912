/**
 * The canonical form of a text, so that no spelling of a word passes a rule. Only for matching;
 * never sent.
 * - `foldLetters` folds letters: compatibility forms, accents, look-alikes, invisible characters,
 *   spaces
 * - `canonicalText` also undoes nested escapes: percent, HTML entities, backslashes
 * - `caseless` also folds case; secrets need it, so the others keep it
 * Pure, total, idempotent and linear: a stack reduces the escapes.
 */

/**
 * Letters that a person cannot tell from ASCII ones, from the alphabets and signs that keyboards,
 * fonts and Punycode make easy to use. Full-width, mathematical and circled letters are absent:
 * NFKD folds them. Each row: the ASCII character, then its look-alikes, none of which is ASCII.
 */
const ROWS: readonly string[] = [
  ...['AАΑᎪ', 'BВΒᏴ', 'CСϹᏟ', 'DᎠ', 'EЕΕᎬ', 'GԌᏀ', 'HНΗᎻ', 'IІΙӀ', 'JЈᎫ', 'KКΚᏦ', 'LᏞ', 'MМΜᎷ', 'NΝ', 'OОΟՕ'],
  ...['PРΡᏢ', 'QԚ', 'SЅՏᏚ', 'TТΤᎢ', 'VᏙѴ', 'WԜᎳ', 'XХΧ', 'YУΥҮ', 'ZΖᏃ'],
  ...['aаαɑ', 'bЬƅ', 'cсϲ', 'dԁđ', 'eеҽ', 'gɡց', 'hһհħ', 'iіιıɩ', 'jјϳ', 'kκк', 'lӏł', 'nոп', 'oоοօøσς', 'pрρ'],
  ...['qԛզ', 'rг', 'sѕ', 'tтτŧ', 'uυսʋ', 'vνѵ', 'wԝѡω', 'xхχ', 'yуγү'],
  ...['-‐‑‒–—−⁃', "'‘’ʼ′‵", '"“”″', '/⁄∕⧸', '\\∖⧵', ':ː∶꞉։', '.。٠۰', ',‚', '|ǀ∣', '*∗⁎', '~∼', '<‹', '>›', '_ˍ'],
];

export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap((row) => {
    const [ascii = '', ...others] = row;
    return others.map((other): [string, string] => [other, ascii]);
  }),
);

const BEYOND_ASCII = /[^\t\n\x20-\x7e]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break spelled in the one way that can be negated
const DROPPED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\t\n\r\x0b\f\x85])\p{Cc}/gu;
const BREAK = /\r\n?|[\v\f\x85\u2028\u2029]/g;
const SPACE = /[^\S\t\n ]/g;
const LOOKALIKE = new RegExp(`[${[...CONFUSABLES.keys()].join('')}]`, 'g');

const withoutLookalikes = (text: string): string =>
  text.replace(LOOKALIKE, (letter) => CONFUSABLES.get(letter) ?? letter);

/**
 * Line breaks first, or dropped characters between two halves would make one. Look-alikes before
 * NFKD, which turns some into other letters (`ϲ` into `ς`), and after it for those it uncovers.
 */
const foldPiece = (text: string): string =>
  BEYOND_ASCII.test(text)
    ? withoutLookalikes(
        withoutLookalikes(text.replace(BREAK, '\n')).normalize('NFKD').replace(DROPPED, '').replace(SPACE, ' '),
      )
    : text;

/** A piece of this length stays near the processor. */
const PIECE_CHARS = 8_192;

/** A cut inside a surrogate pair or a line break would fold differently. */
const cutAt = (text: string, at: number): number => (/[\ud800-\udbff\r]/.test(text[at - 1] ?? '') ? at - 1 : at);

/** Marks are dropped, so no piece reaches into the next. */
export const foldLetters = (text: string): string => {
  if (!BEYOND_ASCII.test(text)) return text;
  const whole = text.toWellFormed();
  // Stryker disable next-line all: pieces fold as the whole does, and one piece is the whole
  if (whole.length <= PIECE_CHARS) return foldPiece(whole);
  const pieces: string[] = [];
  for (let from = 0; from < whole.length; ) {
    const to = Math.min(from + PIECE_CHARS, whole.length);
    const end = to === whole.length ? to : cutAt(whole, to);
    pieces.push(foldPiece(whole.slice(from, end)));
    from = end;
  }
  return pieces.join('');
};

const ESCAPE = /[%&\\]/;
const SIGNS = /[%&\\]/g;
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', sol: '/', bsol: '\\', colon: ':', period: '.' },
    ...{
      commat: '@',
      num: '#',
      percnt: '%',
      lowbar: '_',
      UnderBar: '_',
      hyphen: '-',
      dash: '-',
      equals: '=',
      plus: '+',
    },
    ...{ lpar: '(', rpar: ')', semi: ';', comma: ',', excl: '!', dollar: '$', Tab: '\t', NewLine: '\n', shy: '' },
  }),
);
const BACKSLASH_LETTERS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\n'],
  ['t', '\t'],
]);

const hexOf = (digits: string): number => (/^[0-9a-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : -1);

const fromCodePoint = (code: number): string | undefined =>
  code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;

/** The text that an escape at the end stands for, and the escape's length. */
interface Escape {
  readonly length: number;
  readonly text: string;
}
const escapeOf = (length: number, text: string | undefined): Escape | undefined =>
  text === undefined ? undefined : { length, text };

/** The bytes of `%XX…` at the end that make one character, overlong forms too. */
const percentAtEnd = (tail: string): Escape | undefined => {
  if (tail.at(-6) === '%' && (tail.at(-5) === 'u' || tail.at(-5) === 'U')) {
    return escapeOf(6, fromCodePoint(hexOf(tail.slice(-4))));
  }
  if (tail.at(-3) !== '%') return undefined;
  const last = hexOf(tail.slice(-2));
  if (last < 0) return undefined;
  if (last < 0x80) return { length: 3, text: String.fromCharCode(last) };
  let code = last & 0x3f;
  for (let size = 2; last < 0xc0 && tail.at(-3 * size) === '%'; size += 1) {
    const byte = hexOf(tail.slice(-3 * size + 1, -3 * size + 3 || undefined));
    const bits = 6 * (size - 1);
    if (byte >= 0xc0) {
      const isLead = byte >> (7 - size) === (0xff >> (7 - size)) - 1;
      return isLead ? escapeOf(3 * size, fromCodePoint(code | ((byte & (0x3f >> (size - 1))) << bits))) : undefined;
    }
    if (byte < 0x80) return undefined;
    code |= (byte & 0x3f) << bits;
  }
  return undefined;
};

const entityAtEnd = (tail: string): Escape | undefined => {
  const start = tail.lastIndexOf('&');
  const name = tail.slice(start + 1, -1);
  const length = name.length + 2;
  if (!name.startsWith('#')) return escapeOf(length, ENTITIES.get(name));
  const isHex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(isHex ? 2 : 1);
  if (isHex) return escapeOf(length, fromCodePoint(hexOf(digits)));
  return /^\d+$/.test(digits) ? escapeOf(length, fromCodePoint(Number(digits))) : undefined;
};

const backslashAtEnd = (tail: string): Escape | undefined => {
  const last = tail.at(-1) ?? '';
  if (tail.at(-2) === '\\' && !/[ux0-7%&]/i.test(last)) {
    return { length: 2, text: BACKSLASH_LETTERS.get(last) ?? last };
  }
  if (tail.at(-4) === '\\') {
    const three = tail.slice(-3);
    if (/x[0-9a-f]{2}/i.test(three)) return escapeOf(4, fromCodePoint(hexOf(three.slice(1))));
    if (/[0-3][0-7]{2}/.test(three)) return escapeOf(4, fromCodePoint(Number.parseInt(three, 8)));
  }
  if (tail.at(-6) === '\\' && /u[0-9a-f]{4}/i.test(tail.slice(-5)))
    return escapeOf(6, fromCodePoint(hexOf(tail.slice(-4))));
  const braced = /\\u\{([0-9a-f]{1,6})\}/i.exec(tail);
  return braced === null ? undefined : escapeOf(braced[0].length, fromCodePoint(hexOf(braced[1] ?? '')));
};

const isHexDigit = (char: string): boolean => /[0-9a-f]/i.test(char);

/** The longest escapes (`&UnderBar;`, `&#x10ffff;`) fit into this. */
const TAIL_CHARS = 12;

/** Whether any escape can end here. Nearly every character ends none. */
// Stryker disable all: a short way past ends that no escape can have, the same comes out, later
const mayEndEscape = (out: readonly string[], last: string, isHex: boolean): boolean =>
  isHex ||
  last === ';' ||
  last === '}' ||
  out[out.length - 2] === '\\' ||
  out[out.length - 4] === '\\' ||
  out[out.length - 6] === '\\';
// Stryker restore all

const escapeAtEnd = (out: readonly string[]): Escape | undefined => {
  const last = out.at(-1) ?? '';
  const isHex = isHexDigit(last);
  // Stryker disable next-line ConditionalExpression: the same short way
  if (!mayEndEscape(out, last, isHex)) return undefined;
  const tail = out.slice(-TAIL_CHARS).join('');
  return (
    (isHex ? percentAtEnd(tail) : undefined) ?? (last === ';' ? entityAtEnd(tail) : undefined) ?? backslashAtEnd(tail)
  );
};

const isHighSurrogate = (char: string | undefined): boolean =>
  char !== undefined && char >= '\ud800' && char <= '\udbff';
const isLowSurrogate = (char: string): boolean => char >= '\udc00' && char <= '\udfff';

/** The next character that can start an escape, or the end. */
const nextSign = (text: string, from: number): number => {
  SIGNS.lastIndex = from;
  return SIGNS.exec(text)?.index ?? text.length;
};

/** Copies the parts that no escape can reach, and reduces the rest character by character. */
const reduceEscapes = (text: string): string => {
  const done: string[] = [];
  let out: string[] = [];
  let signAt = -1;
  const pushHalf = (char: string): void => {
    const folded = foldLetters(`${out.pop() ?? ''}${char}`);
    if (isHighSurrogate(folded[0])) out.push(...folded.split(''));
    else for (const unit of folded.split('')) push(unit);
  };
  const push = (char: string): void => {
    if (isLowSurrogate(char) && isHighSurrogate(out.at(-1))) {
      pushHalf(char);
      return;
    }
    out.push(char);
    const reachable = signAt;
    // Stryker disable next-line ArithmeticOperator: a sign taken for nearer only costs time
    if (char === '%' || char === '&' || char === '\\') signAt = out.length - 1;
    // Stryker disable next-line all: a short way, no escape ends without a sign near it
    if (reachable < 0 || out.length - reachable > TAIL_CHARS) return;
    const found = escapeAtEnd(out);
    if (found === undefined) return;
    out.length -= found.length;
    signAt = lastSign(out);
    const isHalf = found.text.length === 1 && (isHighSurrogate(found.text) || isLowSurrogate(found.text));
    for (const unit of isHalf ? [found.text] : foldLetters(found.text).split('')) push(unit);
  };
  for (let at = 0; at < text.length; at += 1) {
    // Stryker disable next-line all: a short way, character by character gives the same
    if (signAt < 0 || out.length - signAt > TAIL_CHARS) {
      const next = nextSign(text, at);
      if (next > at) {
        done.push(out.join(''), text.slice(at, next));
        out = [];
        signAt = -1;
        at = next;
        if (at >= text.length) break;
      }
    }
    push(text[at] ?? '');
  }
  return `${done.join('')}${out.join('')}`.toWellFormed();
};

const lastSign = (out: readonly string[]): number => {
  for (let at = out.length - 1; at >= 0 && at >= out.length - TAIL_CHARS; at -= 1) {
    if (ESCAPE.test(out[at] ?? '')) return at;
  }
  return -1;
};

/** Undoes escapes in folded letters. */
export const undoEscapes = (folded: string): string => (ESCAPE.test(folded) ? reduceEscapes(folded) : folded);

/** Folds letters and undoes escapes; keeps case. */
export const canonicalText = (text: string): string => undoEscapes(foldLetters(text));

/** The same without case, for words, names and tags. */
export const caseless = (text: string): string => canonicalText(canonicalText(text).toLowerCase());
