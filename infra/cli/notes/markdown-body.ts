/**
 * What a Markdown text is made of, by positions in its source: headings of the outermost level, the
 * tags in its prose, a comment that carries properties. The parser is unified's; it says where
 * things are and never writes anything. Pure.
 */
import type { Heading, Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isTagWord } from './markdown-heading.ts';

/**
 * Characters a container (quote, list in a list) may be deep in Markdown: the parser's time grows
 * with its square.
 */
const NOTE_INDENT_CHARS_MAX = 500;
/**
 * Quotes and underlined headings of one Markdown file: the parser's time grows with their square,
 * two seconds at this many.
 */
export const NOTE_COSTLY_LINES_MAX = 5_000;

export interface Span {
  readonly start: number;
  readonly end: number;
}

const NO_SPAN: Span = { start: 0, end: 0 };

export const spanOf = (node: Nodes): Span =>
  node.position === undefined
    ? NO_SPAN
    : { start: node.position.start.offset ?? 0, end: node.position.end.offset ?? 0 };

/** Blocks of the outermost level. A byte order mark inside would shift every position after it. */
export const blocksOf = (text: string): readonly RootContent[] =>
  fromMarkdown(text.startsWith('\ufeff') ? `\u2060${text.slice(1)}` : text).children;

/** Words of a heading as the source has them. */
export const headingSource = (heading: Heading, text: string): string => {
  const [first] = heading.children;
  const last = heading.children.at(-1);
  return first === undefined || last === undefined ? '' : text.slice(spanOf(first).start, spanOf(last).end);
};

const TAG = /(?:^|[\s(,;])#([\p{L}\p{N}_@/-]{1,64})(?![\p{L}\p{N}_@/#-])/gu;

/**
 * Tags in the prose of blocks: not in code, addresses or HTML. Walks without recursion, however
 * deep lists go.
 */
export const tagsInBlocks = (blocks: readonly Nodes[]): readonly string[] => {
  const tags = new Set<string>();
  const waiting: Nodes[] = [...blocks];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text') {
      for (const [, tag = ''] of node.value.matchAll(TAG)) if (isTagWord(tag)) tags.add(tag);
    } else if ('children' in node && node.type !== 'link') waiting.push(...node.children);
  }
  return [...tags];
};

export const tagsInText = (text: string): readonly string[] => (text.includes('#') ? tagsInBlocks(blocksOf(text)) : []);

const NESTED = /^[\s>*+-]*/;
const QUOTE = /^ {0,3}>/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

/**
 * The line from which on the parser should not be asked: its time grows with the square of what
 * nests or repeats there.
 */
export const costlyLine = (text: string): { readonly line: number; readonly problem: string } | undefined => {
  let count = 0;
  let wasQuote = false;
  for (const [n, line] of text.split(/\r\n|\n|\r/).entries()) {
    if ((NESTED.exec(line)?.[0].length ?? 0) > NOTE_INDENT_CHARS_MAX)
      return { line: n + 1, problem: 'nested too deeply to be read' };
    const isQuote = QUOTE.test(line);
    if ((isQuote && !wasQuote) || UNDERLINE.test(line)) count += 1;
    wasQuote = isQuote;
    if (count > NOTE_COSTLY_LINES_MAX)
      return { line: n + 1, problem: `more than ${NOTE_COSTLY_LINES_MAX} quotes and underlined headings` };
  }
  return undefined;
};
