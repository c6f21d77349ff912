/**
 * The parts of a Markdown file. Headings read `TODO title #tag {#id}`; a comment below holds what
 * its words cannot. Unified's parser finds the blocks; it writes nothing. Pure.
 */

import type { Heading, Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import * as z from 'zod/mini';
import { defined } from '../../../lib/core/base/defined.ts';
import { readJson } from '../../../lib/core/base/json.ts';
import { MEMORY_PROPERTY_NAME_CHARS_MAX, MEMORY_TAG_CHARS_MAX } from '../../../lib/core/memory/limits.ts';
import { NoteProperty, TodoState } from './note.ts';

/** How deep a quote or list may be indented: the parser's time grows with the square. */
const NOTE_INDENT_CHARS_MAX = 500;
/** The parser's time grows with their square, to two seconds at this many. */
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

/** Blocks of the outermost level. A byte order mark inside would shift all later positions. */
export const parseBlocks = (text: string): readonly RootContent[] =>
  fromMarkdown(text.startsWith('\ufeff') ? `\u2060${text.slice(1)}` : text).children;

/**
 * The offset of a heading. Addresses right above an underlined heading belong to it for the parser,
 * and are a text of their own (CommonMark, example 215).
 */
export const headingStart = (heading: Heading, text: string): number => {
  const { start } = spanOf(heading);
  const [first] = heading.children;
  if (first === undefined) return start;
  const before = text.slice(start, spanOf(first).start);
  return start + Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
};

/** The words of a heading as the source has them. */
export const headingSource = (heading: Heading, text: string): string => {
  const [first] = heading.children;
  const last = heading.children.at(-1);
  return first === undefined || last === undefined ? '' : text.slice(spanOf(first).start, spanOf(last).end);
};

const TAG = /(?:^|[\s(,;])#([\p{L}\p{N}_@/-]{1,64})(?![\p{L}\p{N}_@/#-])/gu;
/** Bear writes a tag of several words between two marks. */
const WORDS_TAG = /(?:^|[\s(,;])#([\p{L}\p{N}][^#,;.!?\r\n]{0,62}[\p{L}\p{N}])#(?![\p{L}\p{N}_#])/gu;
/** Logseq writes the tags of a page or block as `tags:: a, [[b c]]`. */
const LISTED_TAGS = /^[ \t]*tags::[ \t]*([^\r\n]{1,500})/gimu;

const plainTag = (tag: string): string => tag.replace(/^[#[\s]+|[\]\s]+$/g, '');

/** The tags of a piece of prose. */
const tagsInProse = (text: string): readonly string[] => {
  const several = [...text.matchAll(WORDS_TAG)].flatMap(([, tag = '']) => (/\s/.test(tag) ? [tag] : []));
  const rest = several.reduce((left, tag) => left.replaceAll(`#${tag}#`, ''), text);
  const listed = [...rest.matchAll(LISTED_TAGS)].flatMap(([, list = '']) => list.split(',').map(plainTag));
  const single = [...rest.matchAll(TAG)].flatMap(([, tag = '']) => (isTagWord(tag) ? [tag] : []));
  return [...several, ...listed, ...single].filter((tag) => tag !== '' && tag.length <= MEMORY_TAG_CHARS_MAX);
};

/** Tags in prose, not in code, addresses or HTML. Without recursion: lists may be deep. */
export const tagsInBlocks = (blocks: readonly Nodes[], text: string): readonly string[] => {
  const tags = new Set<string>();
  const waiting: Nodes[] = [...blocks];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'text') {
      const { start, end } = spanOf(node);
      // As it is written: `\#a` is no tag.
      for (const tag of tagsInProse(text.slice(start, end))) tags.add(tag);
    } else if ('children' in node && node.type !== 'link') waiting.push(...node.children);
  }
  return [...tags];
};

export const tagsInText = (text: string): readonly string[] =>
  /#|tags::/i.test(text) ? tagsInBlocks(parseBlocks(text), text) : [];

const NESTED = /^[\s>*+-]*/;
const QUOTE = /^ {0,3}>/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** The first line that would take the parser too long, and why. */
export const costlyLine = (text: string): { readonly line: number; readonly problem: string } | undefined => {
  let count = 0;
  let wasQuote = false;
  for (const [n, line] of text.split(/\r\n|\n|\r/).entries()) {
    if ((NESTED.exec(line)?.[0].length ?? 0) > NOTE_INDENT_CHARS_MAX)
      return { line: n + 1, problem: 'nested too deeply to be read: give this line fewer levels' };
    const isQuote = QUOTE.test(line);
    if ((isQuote && !wasQuote) || UNDERLINE.test(line)) count += 1;
    wasQuote = isQuote;
    if (count > NOTE_COSTLY_LINES_MAX)
      return {
        line: n + 1,
        problem: `more than ${NOTE_COSTLY_LINES_MAX} quotes and underlined headings: split the file`,
      };
  }
  return undefined;
};

export interface HeadingWords {
  readonly title: string;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly id?: string | undefined;
}

/** A tag in a text: letters, digits, `_`, `-` and `/`; a number alone is an issue's. */
const TAG_WORD = /^(?!\d+$)[\p{L}\p{N}_@/-]{1,64}$/u;
/** States that a heading can say itself. */
const STATES: ReadonlySet<string> = new Set(['TODO', 'DONE']);
const ID = /^[\w:.-]{1,128}$/;

export const isTagWord = (tag: string): boolean => TAG_WORD.test(tag);
export const isHeadingState = (todo: string): boolean => STATES.has(todo);
export const isHeadingId = (id: string): boolean => ID.test(id);

const splitLast = (text: string): readonly [string, string] => {
  const at = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t'));
  return [text.slice(0, Math.max(0, at)).trimEnd(), text.slice(at + 1)];
};

const splitState = (text: string): readonly [string | undefined, string] => {
  const [, word = '', rest = ''] = /^(\S+)[ \t]*(.*)$/s.exec(text) ?? [];
  if (STATES.has(word)) return [TodoState.parse(word), rest];
  const box = /^\[([ xX])\](?:[ \t]+|$)/.exec(text);
  return box === null ? [undefined, text] : [box[1] === ' ' ? 'TODO' : 'DONE', text.slice(box[0].length)];
};

export const parseHeadingWords = (raw: string): HeadingWords => {
  let rest = raw.trim();
  let id: string | undefined;
  const tags: string[] = [];
  for (;;) {
    const [before, word] = splitLast(rest);
    const named = word.startsWith('{#') && word.endsWith('}') ? word.slice(2, -1) : '';
    if (id === undefined && ID.test(named)) id = named;
    else if (word.startsWith('#') && TAG_WORD.test(word.slice(1))) tags.push(word.slice(1));
    else break;
    rest = before;
  }
  const [todo, title] = splitState(rest);
  return { title, tags, ...defined({ todo, id }) };
};

export const renderHeadingWords = ({ title, tags, todo, id }: HeadingWords): string => {
  const words = [todo ?? '', title, ...tags.map((tag) => `#${tag}`), id === undefined ? '' : `{#${id}}`];
  const line = words.filter((word) => word !== '').join(' ');
  // A `#` at the end would be taken for the heading's own closing mark, unless there is one.
  return line.endsWith('#') ? `${line} #` : line;
};

export const NoteComment = z.strictObject({
  properties: z.optional(z.record(z.string().check(z.maxLength(MEMORY_PROPERTY_NAME_CHARS_MAX)), NoteProperty)),
  tags: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))),
  todo: z.optional(TodoState),
});
export type NoteComment = z.infer<typeof NoteComment>;

const START = '<!-- note ';
const END = ' -->';

export const isNoteComment = (text: string): boolean => text.startsWith(START);

export const parseNoteComment = (html: string): NoteComment | undefined => {
  if (!html.startsWith(START) || !html.endsWith(END)) return undefined;
  const parsed = NoteComment.safeParse(readJson(html.slice(START.length, -END.length)));
  return parsed.success ? parsed.data : undefined;
};

/** `>` is written as an escape: no value ends the comment. */
export const renderNoteComment = (comment: NoteComment): string =>
  `${START}${JSON.stringify(comment).replaceAll('>', '\\u003e')}${END}`;
