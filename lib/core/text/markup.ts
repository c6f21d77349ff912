/**
 * Reads the simple Markdown of models as plain text and marked parts, for every place that shows
 * it. A link shows its address, so that a text can never say one and lead to another. A table is
 * aligned. The text is never longer than the source. Pure.
 */

/** A part of the text that is shown in its own way; parts never overlap. */
export interface Mark {
  readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'blockquote';
  /** UTF-16 units, as `length`. */
  readonly offset: number;
  readonly length: number;
  /** Of a block of code, if it names one. */
  readonly language?: string;
}

/** Marks count only after white space, an opening bracket or a quote, and before the like. */
const BEFORE = `(?<![^\\s(["'])`;
const AFTER = `(?![^\\s)\\].,:;!?"'])`;
const PATTERN = new RegExp(
  [
    '```(?<language>[A-Za-z0-9_+#-]*)\\n(?<block>[^]*?)\\n?```',
    '`(?<code>[^`\\n]+)`',
    `${BEFORE}\\*\\*(?=\\S)(?<bold>[^*\\n]+)(?<=\\S)\\*\\*${AFTER}`,
    `${BEFORE}\\*(?=\\S)(?<star>[^*\\n]+)(?<=\\S)\\*${AFTER}`,
    `${BEFORE}~~(?=\\S)(?<struck>[^~\\n]+)(?<=\\S)~~${AFTER}`,
    `${BEFORE}_(?=\\S)(?<line>[^_\\n]+)(?<=\\S)_${AFTER}`,
    '\\[(?<label>[^\\][\\n]+)\\]\\((?<url>https?://[^\\s()<>]+)\\)',
    '^#{1,6} +(?<heading>[^\\n]*[^\\s#][^\\n]*)$',
    '^(?<indent> *)[-*+] (?<task>\\[[ xX]\\] )?(?=\\S)',
    '(?<quote>(?:^>(?: [^\\n]*)?(?:\\n|$))+)',
    '(?<table>(?:^\\|[^\\n]+\\|[ \\t]*\\n?){3,})',
  ].join('|'),
  'gm',
);

/** Marks that would be read as such if they did not stand in a heading, a cell or a quote. */
const unmarked = (words: string): string => words.replaceAll(/\*\*|~~|`/g, '').trim();

/** The cells of a table in columns; undefined if it is none. Never longer than the source. */
const alignTable = (source: string): string | undefined => {
  const [head = [], rule = [], ...rows] = source
    .trim()
    .split('\n')
    .map((line) => line.trim().slice(1, -1).split('|').map(unmarked));
  if (rule.length !== head.length || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const lines = [head, ...rows];
  const widths = head.map((_, n) => Math.max(...lines.map((cells) => cells[n]?.length ?? 0)));
  const show = (cells: readonly string[], hasColumns: boolean): string =>
    cells.map((cell, n) => (hasColumns ? cell.padEnd(widths[n] ?? 0) : cell)).join('  ');
  const aligned = lines.map((cells) => show(cells, true).trimEnd()).join('\n');
  return aligned.length <= source.trimEnd().length ? aligned : lines.map((cells) => show(cells, false)).join('\n');
};

type Shown = Pick<Mark, 'type' | 'language'> & { readonly text: string };

const convert = (match: string, groups: Readonly<Record<string, string | undefined>>): Shown | string => {
  const {
    language = '',
    block,
    code,
    bold,
    star,
    struck,
    line,
    label,
    url,
    heading,
    indent,
    task,
    quote,
    table,
  } = groups;
  if (block !== undefined) {
    if (block.trim() === '') return match;
    return { type: 'pre', text: block, ...(language === '' ? {} : { language }) };
  }
  if (code !== undefined) return code.trim() === '' ? match : { type: 'code', text: code };
  if (bold !== undefined) return { type: 'bold', text: bold };
  if (struck !== undefined) return { type: 'strikethrough', text: struck };
  if (heading !== undefined) return { type: 'bold', text: unmarked(heading) };
  if (indent !== undefined) return `${indent}${task === undefined ? '•' : task.startsWith('[ ') ? '☐' : '☑'} `;
  if (quote !== undefined) {
    const words = unmarked(quote.replaceAll(/^(?:> ?)+/gm, ''));
    return words === '' ? match : { type: 'blockquote', text: words };
  }
  if (table !== undefined) {
    const aligned = alignTable(table);
    return aligned === undefined ? match : { type: 'pre', text: aligned };
  }
  const italic = star ?? line;
  if (italic !== undefined) return { type: 'italic', text: italic };
  return label !== undefined && url !== undefined ? (label === url ? url : `${label} (${url})`) : match;
};

const groupsOf = ({ groups = {} }: RegExpExecArray): Readonly<Record<string, string | undefined>> => groups;

/** The text without its marks, and what they meant. */
export const readMarkup = (source: string): { readonly text: string; readonly entities: readonly Mark[] } => {
  const entities: Mark[] = [];
  let text = '';
  let end = 0;
  for (const match of source.matchAll(PATTERN)) {
    text += source.slice(end, match.index);
    const shown = convert(match[0], groupsOf(match));
    if (typeof shown === 'string') text += shown;
    else {
      const { text: words, ...kind } = shown;
      entities.push({ ...kind, offset: text.length, length: words.length });
      // A table and a quote take the line's end behind them too.
      const { table, quote } = groupsOf(match);
      text += (table ?? quote)?.endsWith('\n') === true ? `${words}\n` : words;
    }
    end = match.index + match[0].length;
  }
  return { text: text + source.slice(end), entities };
};
