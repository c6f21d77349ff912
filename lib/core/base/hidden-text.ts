/**
 * The one rule of what is hidden in a text: characters that show nothing to a person and something
 * to a program. Used on both sides: on all that a prompt shows a model, and, by a gate, on all that
 * an action carries. Kept is only what honest text needs, and of that never two in a row: joiners
 * in emoji that Unicode lists, its three flags made of tags, one variation selector after an emoji,
 * joiners between letters of scripts that are joined. Pure, total, idempotent, linear.
 *
 * One channel stays open: a reader can count kept joiners and selectors, one for each visible
 * character.
 */

/** Line breaks that are no line feed would hide a line from a reader who knows only line feeds. */
const BREAK = /[\u2028\u2029]/g;

/** Letters before which, or after which, a joiner says how to draw them. */
const JOINED =
  '\\p{Script_Extensions=Arabic}\\p{Script_Extensions=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Mandaic}';
/** Signs that silence a vowel: a joiner beside one chooses the form of a conjunct. */
const VIRAMA =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u1039\\u17d2\\u1b44';

const SELECTOR = '[\\ufe0e\\ufe0f]';
const EMOJI = `(?:\\p{Extended_Pictographic}(?:${SELECTOR}|\\p{Emoji_Modifier})?)`;
const LETTER = '[\\p{L}\\p{M}\\p{N}]';
const JOINER = '[\\u200c\\u200d]';
/** Neither after nor before another of its kind. */
const KEPT_JOINERS = [
  `(?<=[${VIRAMA}])${JOINER}(?!${JOINER})`,
  `(?<=\\p{L})\\u200d(?=[${VIRAMA}])`,
  `(?<=${LETTER})${JOINER}(?=[${JOINED}])(?=\\p{L})`,
  // The abbreviated "hijri" of Persian dates.
  '(?<=\\u0647)\\u200d(?!\\p{Default_Ignorable_Code_Point})',
];
/** Printed ASCII and breaks. */
const SEEN = '\\t\\n\\r -~';
const HIDDEN = `(?![${SEEN}])[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\ufff9-\\ufffb]`;

/** Most texts have none, which is found sooner. */
const BEYOND_SEEN = new RegExp(`[^${SEEN}]`);
const ANY_HIDDEN = new RegExp(HIDDEN, 'v');

/** Matches a sequence that may stay whole, else one hidden character. */
const PIECES = [
  `(?<joined>${EMOJI}(?:\\u200d${EMOJI})+)`,
  '(?<kept>\\p{RGI_Emoji_Tag_Sequence}',
  `\\p{Extended_Pictographic}${SELECTOR}(?!${SELECTOR})`,
  '[0-9#*]\\ufe0f\\u20e3',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f](?!\\p{Default_Ignorable_Code_Point})',
  `${KEPT_JOINERS.join('|')})`,
  HIDDEN,
].join('|');

/** Sources, not literals: those are compiled when the file is loaded, which takes 15 ms. */
const SOURCES = {
  pieces: [PIECES, 'gv'],
  listed: ['^\\p{RGI_Emoji}$', 'v'],
  parts: ['(\\p{Extended_Pictographic})(\\p{Emoji_Modifier}|[\\ufe0e\\ufe0f])?', 'gu'],
  modifier: ['\\p{Emoji_Modifier}', 'u'],
  presented: ['\\p{Emoji_Presentation}', 'u'],
} as const;
type Patterns = Readonly<Record<keyof typeof SOURCES, RegExp>>;

const compile = (name: keyof typeof SOURCES): RegExp => {
  const [source, flags] = SOURCES[name];
  return new RegExp(source, flags);
};
const compileAll = (): Patterns => ({
  pieces: compile('pieces'),
  listed: compile('listed'),
  parts: compile('parts'),
  modifier: compile('modifier'),
  presented: compile('presented'),
});
/** Built for the first text with something hidden; most processes never need it. */
let patterns: Patterns | undefined;

/** Whether it is one emoji; the list has every selector, and channels often leave them out. */
const isListed = (sequence: string, { listed, parts, modifier, presented }: Patterns): boolean =>
  listed.test(
    sequence.replace(parts, (whole, base: string, mark: string | undefined) => {
      if (mark !== undefined && modifier.test(mark)) return whole;
      return presented.test(base) ? base : `${base}\ufe0f`;
    }),
  );

/** The text with each hidden character changed; the same string where it hides nothing. */
export const replaceHidden = (text: string, change: (character: string) => string): string => {
  if (!BEYOND_SEEN.test(text) || !ANY_HIDDEN.test(text)) return text;
  patterns ??= compileAll();
  const compiled = patterns;
  return text.replace(compiled.pieces, (piece, ...rest: unknown[]) => {
    const groups: { joined?: string; kept?: string } = Object(rest.at(-1));
    if (groups.joined === undefined) return groups.kept === undefined ? change(piece) : piece;
    return isListed(piece, compiled) ? piece : piece.replaceAll('\u200d', () => change('\u200d'));
  });
};

/** The text without what it hides. */
export const withoutHidden = (text: string): string => replaceHidden(text.replace(BREAK, '\n'), () => '');
