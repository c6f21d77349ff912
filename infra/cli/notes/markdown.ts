/**
 * Markdown as a tree of notes, both ways. Only headings of the outermost level become nodes; the
 * source between them is their content, byte for byte. A rendered tree reads back the same. Pure.
 */
import type { RootContent } from 'mdast';
import { defined } from '../../../lib/core/base/defined.ts';
import { fenced, renderFrontMatter, splitFrontMatter } from './front-matter.ts';
import {
  costlyLine,
  headingSource,
  headingStart,
  isHeadingId,
  isHeadingState,
  isNoteComment,
  isTagWord,
  type NoteComment,
  parseBlocks,
  parseHeadingWords,
  parseNoteComment,
  renderHeadingWords,
  renderNoteComment,
  spanOf,
  tagsInBlocks,
  tagsInText,
} from './markdown-syntax.ts';
import {
  buildLineCounter,
  copyProperties,
  fileStem,
  type NoteNode,
  type NoteProperties,
  oneLine,
  type ParsedNotes,
  trimBlankLines,
  withoutByteOrderMark,
} from './note.ts';
import { buildTree, type Section } from './section-tree.ts';

/** Blocks from one heading to the next. The first part, before any heading, has no heading. */
interface HeadingPart {
  readonly heading?: Extract<RootContent, { type: 'heading' }>;
  readonly blocks: RootContent[];
  readonly end: number;
}

const splitParts = (blocks: readonly RootContent[], body: string): readonly HeadingPart[] => {
  const starts = blocks.flatMap((block, n) => (block.type === 'heading' ? [{ n, heading: block }] : []));
  const preamble: HeadingPart = {
    blocks: blocks.slice(0, starts[0]?.n ?? blocks.length),
    end: starts[0] === undefined ? body.length : headingStart(starts[0].heading, body),
  };
  const rest = starts.map(({ n, heading }, index): HeadingPart => {
    const next = starts[index + 1];
    return {
      heading,
      blocks: blocks.slice(n + 1, next?.n ?? blocks.length),
      end: next === undefined ? body.length : headingStart(next.heading, body),
    };
  });
  return [preamble, ...rest];
};

const buildSection = (part: HeadingPart, body: string, lineOf: (offset: number) => number): Section => {
  const { heading, blocks, end } = part;
  const words =
    heading === undefined ? { title: '', tags: [] } : parseHeadingWords(oneLine(headingSource(heading, body)));
  const [first] = blocks;
  const comment = heading !== undefined && first?.type === 'html' ? parseNoteComment(first.value) : undefined;
  const start =
    comment !== undefined && first !== undefined ? spanOf(first).end : heading === undefined ? 0 : spanOf(heading).end;
  const todo = words.todo ?? comment?.todo;
  return {
    level: heading?.depth ?? 0,
    line: heading === undefined ? 1 : lineOf(headingStart(heading, body)),
    title: words.title,
    content: trimBlankLines(body.slice(start, end)),
    tags: [...words.tags, ...(comment?.tags ?? []), ...tagsInBlocks(blocks, body)],
    ...defined({ todo }),
    properties: { ...comment?.properties, ...defined({ id: words.id }) },
  };
};

/** @param file path inside the folder, with `/`; names the document and its nodes */
export const parseMarkdown = (text: string, file: string): ParsedNotes => {
  const { matter, kept = '', body, bodyLine, remarks } = splitFrontMatter(withoutByteOrderMark(text));
  const costly = costlyLine(body);
  if (costly !== undefined)
    return { kind: 'bad', problems: [{ file, line: costly.line + bodyLine - 1, problem: costly.problem }] };
  const lineOf = buildLineCounter(body);
  const [preamble, ...rest] = splitParts(parseBlocks(body), body).map((part) =>
    buildSection(part, body, (offset) => lineOf(offset) + bodyLine - 1),
  );
  const content = [kept, preamble?.content ?? ''].filter((one) => one !== '').join('\n\n');
  const document: Section = {
    level: 0,
    line: 1,
    title: matter.title ?? pageTitle(content) ?? fileStem(file),
    content,
    tags: [...matter.tags, ...(preamble?.tags ?? [])],
    ...defined({ todo: matter.todo }),
    properties: matter.properties,
  };
  const problems = remarks.map((remark) => ({ file, ...remark }));
  return buildTree(file, 'markdown', document, rest, problems);
};

/** Logseq writes the properties of a page as its first lines. */
const pageTitle = (content: string): string | undefined =>
  /^(?:[^\s:][^\r\n:]{0,60}::[^\r\n]*\r?\n){0,16}?title::[ \t]*(\S[^\r\n]*)/.exec(content)?.[1]?.trim();

const LEVELS_MAX = 6;
/** Put behind a text to find out whether the text would swallow the next heading. */
const PROBE = '\n\n# probe';

/** Whether a text has no heading of its own, and leaves the next heading a heading. */
const isPlainContent = (content: string, isLast: boolean): boolean => {
  const text = isLast ? content : content + PROBE;
  const headings = parseBlocks(text).filter((block) => block.type === 'heading');
  if (isLast) return headings.length === 0;
  return headings.length === 1 && headings[0] !== undefined && spanOf(headings[0]).start === content.length + 2;
};

const escapeHeadings = (content: string): string =>
  content.replace(/^( {0,3})(#{1,6})(?=[ \t\r\n]|$)/gm, '$1\\$2').replace(/^( {0,3})(=+|-+)([ \t]*)$/gm, '$1\\$2$3');

/** Content that stays content: lines at fault are escaped; if that does not help, it is fenced. */
const safeContent = (raw: string, isLast: boolean): string => {
  const content = trimBlankLines(raw);
  if (content === '' || isPlainContent(content, isLast)) return content;
  const escaped = escapeHeadings(content);
  return isPlainContent(escaped, isLast) ? escaped : fenced(content);
};

const withoutId = (properties: NoteProperties): NoteProperties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'id'));

const headingId = ({ id }: NoteProperties): string | undefined =>
  typeof id === 'string' && isHeadingId(id) ? id : undefined;

const buildComment = (node: NoteNode, bodyTags: ReadonlySet<string>, content: string): NoteComment | undefined => {
  const properties = headingId(node.properties) === undefined ? node.properties : withoutId(node.properties);
  const tags = node.tags.filter((tag) => !isTagWord(tag) && !bodyTags.has(tag));
  const comment: NoteComment = {
    ...(Object.keys(properties).length === 0 ? {} : { properties: copyProperties(properties) }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(node.todo === undefined || isHeadingState(node.todo) ? {} : { todo: node.todo }),
  };
  return Object.keys(comment).length === 0 && !isNoteComment(content) ? undefined : comment;
};

const renderSection = (node: NoteNode, level: number, isLast: boolean): readonly string[] => {
  const content = safeContent(node.content, isLast && node.children.length === 0);
  const bodyTags = new Set(tagsInText(content));
  const words = renderHeadingWords({
    title: oneLine(node.title),
    tags: node.tags.filter((tag) => isTagWord(tag) && !bodyTags.has(tag)),
    todo: node.todo !== undefined && isHeadingState(node.todo) ? node.todo : undefined,
    id: headingId(node.properties),
  });
  const comment = buildComment(node, bodyTags, content);
  return [
    `${'#'.repeat(Math.min(level, LEVELS_MAX))} ${words}`.trimEnd(),
    ...(comment === undefined ? [] : [renderNoteComment(comment)]),
    ...(content === '' ? [] : [content]),
    ...node.children.flatMap((child, n) => renderSection(child, level + 1, isLast && n === node.children.length - 1)),
  ];
};

/** Text of a whole file; ends with a line feed. @param document the root of a tree */
export const renderMarkdown = (document: NoteNode): string => {
  const { children, source, title, todo, properties } = document;
  const content = safeContent(document.content, children.length === 0);
  const bodyTags = new Set(tagsInText(content));
  const matter = renderFrontMatter({
    title: [pageTitle(content) ?? fileStem(source.file), ''].includes(oneLine(title)) ? undefined : oneLine(title),
    tags: document.tags.filter((tag) => !bodyTags.has(tag)),
    todo,
    properties,
  });
  const blocks = [
    ...(content === '' ? [] : [content]),
    ...children.flatMap((child, n) => renderSection(child, 1, n === children.length - 1)),
  ];
  const text = blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
  if (matter !== '') return text === '' ? matter : `${matter}\n${text}`;
  // At the very start of a file this would be taken for front matter or a byte order mark.
  return /^(?:---|\ufeff)/.test(text) ? `\n${text}` : text;
};

/** One heading with its text, without those below it. @param level its marks; 0 for a document */
export const renderMarkdownPart = (node: NoteNode, level: number): string => {
  const alone = { ...node, children: [] };
  return level === 0 ? renderMarkdown(alone).trimEnd() : renderSection(alone, level, false).join('\n\n');
};
