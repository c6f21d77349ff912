/** The Markdown of a model for a terminal. Control characters are spelled out first. */
import { type Mark, readMarkup } from '../../../lib/core/text/markup.ts';
import { printableLines, type Terminal } from '../terminal.ts';

export type Paint = Terminal['paint'];

const STYLES = {
  bold: 'bold',
  italic: 'italic',
  strikethrough: 'strikethrough',
  code: 'cyan',
  pre: 'cyan',
} as const satisfies Record<Exclude<Mark['type'], 'blockquote'>, Parameters<Paint>[0]>;

const QUOTED = '> ';

const show = (type: Mark['type'], words: string, paint: Paint): string =>
  type === 'blockquote' ? words.replaceAll(/^/gm, QUOTED) : paint(STYLES[type], words);

/** Letters of Asia and emoji take two columns of a terminal. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/gu;
const widthOf = (word: string): number => [...word].length + (word.match(WIDE)?.length ?? 0);

/** The words of a line and the spaces between them; the space before a word may become its end. */
const wrapLine = (line: string, columns: number): string => {
  const parts = line.split(/( +)/);
  let column = 0;
  for (const [n, part] of parts.entries()) {
    const space = parts[n - 1] ?? '';
    const isOver = n % 2 === 0 && column + widthOf(part) > columns && n > (parts[0] === '' ? 2 : 0) && part !== '';
    if (isOver) parts[n - 1] = `${space.slice(0, -1)}\n`;
    column = isOver ? widthOf(part) : column + widthOf(part);
  }
  return parts.join('');
};

/** Makes line feeds of spaces, so that each line fits if its words do. A link is one word. */
const wrapWords = (text: string, columns: number): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');

/** Code and tables keep their lines. The text stays as long as it was. */
const wrapMarkup = (text: string, entities: readonly Mark[], columns: number): string => {
  let wrapped = '';
  for (const { type, offset, length } of entities.filter(({ type: one }) => one === 'pre' || one === 'blockquote')) {
    const words = text.slice(offset, offset + length);
    wrapped += wrapWords(text.slice(wrapped.length, offset), columns);
    wrapped += type === 'pre' ? words : wrapWords(words, columns - QUOTED.length);
  }
  return wrapped + wrapWords(text.slice(wrapped.length), columns);
};

/** @param columns of the terminal, which says 0 if it does not know: then no line is broken */
export const renderMarkdown = (source: string, paint: Paint, columns = 0): string => {
  const { text: read, entities } = readMarkup(printableLines(source));
  const text = columns === 0 ? read : wrapMarkup(read, entities, columns);
  let shown = '';
  let end = 0;
  for (const { type, offset, length } of entities) {
    shown += text.slice(end, offset) + show(type, text.slice(offset, offset + length), paint);
    end = offset + length;
  }
  return shown + text.slice(end);
};

const FENCE = /```/g;
/** A character that may begin a mark. */
const MARK = /[*_~`[]|^ *[-+#|>]/m;
/** An end that the next character may change: half of a line's end, or of a pair of surrogates. */
const HALF = /(?:\r|[\ud800-\udbff])$/;

/**
 * The part that nothing to come can change: all before the first mark of the last block, and before
 * the last word if lines are broken at words.
 */
export const stablePart = (text: string, isWrapped = false): string => {
  let last = 0;
  for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n', at + 2)) {
    const fences = text.slice(last, at).match(FENCE)?.length ?? 0;
    if (fences % 2 === 0) last = at + 2;
  }
  const mark = text.slice(last).search(MARK);
  const stable = (mark === -1 ? text : text.slice(0, last + mark)).replace(HALF, '');
  return isWrapped ? stable.replace(/ *\S*$/, '') : stable;
};
