/**
 * The parts of a Markdown file. Every scalar of front matter is its text (YAML's failsafe schema),
 * so that `007` and `yes` come back. Headings read `TODO title #tag {#id}`; a comment below holds
 * what its words cannot. Unified's parser finds the blocks; it writes nothing. Pure.
 */

import type { Heading, Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { Document, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { defined } from '../../../lib/base/defined.ts';
import { readJson } from '../../../lib/base/json.ts';
import { MEMORY_PROPERTY_NAME_CHARS_MAX, MEMORY_TAG_CHARS_MAX } from '../../../lib/memory/limits.ts';
import { type NoteProperties, NoteProperty, oneLine, sortTags, TodoState } from './note.ts';

export interface FrontMatter {
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly properties: NoteProperties;
}

export type SplitFrontMatter =
  | { readonly kind: 'split'; readonly matter: FrontMatter; readonly body: string; readonly bodyLine: number }
  | { readonly kind: 'bad'; readonly line: number; readonly problem: string };

const NONE: FrontMatter = { tags: [], properties: {} };
const OPENING = /^---[ \t]*(?:\r\n|\n|\r)/;
const LINE = /([^\r\n]*)(\r\n|\n|\r|$)/g;
/** The first line of front matter. After any other line, `---` was a line across the page. */
const MEMBER = /^(?:[\w"'][^\r\n]{0,200}?:(?:[ \t]|$)|(?:---|\.\.\.)[ \t]*$)/;

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const listScalars = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listScalars) : [];
};

/** Tags are written as `a, b`, `a b`, a list, or `#a`. */
const readTags = (value: unknown): readonly string[] => {
  const words = typeof value === 'string' ? value.split(/[\s,]+/) : listScalars(value).map((tag) => oneLine(tag));
  return words.map((tag) => tag.replace(/^#+/, '').trim()).filter((tag) => tag !== '');
};

const readProperty = (value: unknown): NoteProperty => {
  if (typeof value === 'string') return value;
  return isList(value) ? value : JSON.stringify(value);
};

const buildMatter = (value: object): FrontMatter => {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const title = entries.find(([name]) => name === 'title')?.[1];
  const todo = TodoState.safeParse(entries.find(([name]) => name === 'todo')?.[1]);
  const isOurs = ([name, one]: readonly [string, unknown]): boolean =>
    name === 'tags' || (name === 'title' && typeof one === 'string') || (name === 'todo' && todo.success);
  return {
    ...(typeof title === 'string' && oneLine(title) !== '' ? { title: oneLine(title) } : {}),
    tags: sortTags(readTags(entries.find(([name]) => name === 'tags')?.[1])),
    ...(todo.success ? { todo: todo.data } : {}),
    properties: Object.fromEntries(
      entries.filter((entry) => !isOurs(entry)).map(([name, one]) => [name, readProperty(one)]),
    ),
  };
};

/** At most the last line with words: a missing end is found where the text ends. */
const lineIn = (yaml: string, offset: number): number =>
  Math.min(yaml.slice(0, offset).split('\n').length, yaml.trimEnd().split('\n').length);

const parseYaml = (yaml: string): FrontMatter | { readonly line: number; readonly problem: string } => {
  const document = parseDocument(yaml, { schema: 'failsafe', uniqueKeys: true, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return { line: lineIn(yaml, error.pos[0]), problem: 'front matter is not YAML' };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === '' || value === undefined) return NONE;
    if (typeof value === 'object' && !Array.isArray(value)) return buildMatter(value);
    return { line: 1, problem: 'front matter is not a list of names and values' };
  } catch {
    return { line: 1, problem: 'front matter refers to itself' };
  }
};

/** Front matter that does not parse makes the file bad: a privacy tag in it would be lost. */
export const splitFrontMatter = (text: string): SplitFrontMatter => {
  const opening = OPENING.exec(text)?.[0];
  const none = { kind: 'split', matter: NONE, body: text, bodyLine: 1 } as const;
  if (opening === undefined) return none;
  LINE.lastIndex = opening.length;
  for (let line = 2, at = opening.length; at < text.length; line += 1) {
    LINE.lastIndex = at;
    const [whole = '', content = ''] = LINE.exec(text) ?? [];
    if (line === 2 && !MEMBER.test(content)) return none;
    if (/^(?:---|\.\.\.)[ \t]*$/.test(content)) {
      const parsed = parseYaml(text.slice(opening.length, at));
      if ('problem' in parsed) return { kind: 'bad', line: parsed.line + 1, problem: parsed.problem };
      return { kind: 'split', matter: parsed, body: text.slice(at + whole.length), bodyLine: line + 1 };
    }
    at += whole.length;
    if (whole === '') break;
  }
  return { kind: 'bad', line: 1, problem: 'front matter that never ends' };
};

/** Front matter with these members; an empty text if there are none. */
export const renderFrontMatter = ({ title, tags, todo, properties }: FrontMatter): string => {
  const members = {
    ...defined({ title }),
    ...(tags.length === 0 ? {} : { tags }),
    ...defined({ todo }),
    ...properties,
  };
  if (Object.keys(members).length === 0) return '';
  return `---\n${new Document(members, { schema: 'failsafe' }).toString({ lineWidth: 0 })}---\n`;
};

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

/** The words of a heading as the source has them. */
export const headingSource = (heading: Heading, text: string): string => {
  const [first] = heading.children;
  const last = heading.children.at(-1);
  return first === undefined || last === undefined ? '' : text.slice(spanOf(first).start, spanOf(last).end);
};

const TAG = /(?:^|[\s(,;])#([\p{L}\p{N}_@/-]{1,64})(?![\p{L}\p{N}_@/#-])/gu;

/** Tags in prose, not in code, addresses or HTML. Without recursion: lists may be deep. */
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

export const tagsInText = (text: string): readonly string[] =>
  text.includes('#') ? tagsInBlocks(parseBlocks(text)) : [];

const NESTED = /^[\s>*+-]*/;
const QUOTE = /^ {0,3}>/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** The first line that would take the parser too long, and why. */
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
