/**
 * A tree of notes as Markdown that reads back as the same tree. Content is written as it is, unless
 * it would end up as more than content (a heading, a fence that never ends): then the lines at
 * fault are escaped, and if that does not help, it is fenced whole. Levels below six, which
 * Markdown cannot say, are kept on six. Pure.
 */
import { renderFrontMatter } from './front-matter.ts';
import { blocksOf, spanOf, tagsInText } from './markdown-body.ts';
import { isNoteComment, type NoteComment, renderNoteComment } from './markdown-comment.ts';
import { isHeadingId, isHeadingState, isTagWord, renderHeadingWords } from './markdown-heading.ts';
import { type NoteNode, type NoteProperties, stemOf } from './note.ts';
import { oneLine, trimBlankLines } from './text-lines.ts';

const LEVELS_MAX = 6;
/** Stands behind a text to see whether the text would swallow what follows it. */
const PROBE = '\n\n# probe';

/** Whether a text is nothing but content: no heading of its own, and the next heading stays one. */
const isPlainContent = (content: string, isLast: boolean): boolean => {
  const text = isLast ? content : content + PROBE;
  const headings = blocksOf(text).filter((block) => block.type === 'heading');
  if (isLast) return headings.length === 0;
  return headings.length === 1 && headings[0] !== undefined && spanOf(headings[0]).start === content.length + 2;
};

const escapeHeadings = (content: string): string =>
  content.replace(/^( {0,3})(#{1,6})(?=[ \t\r\n]|$)/gm, '$1\\$2').replace(/^( {0,3})(=+|-+)([ \t]*)$/gm, '$1\\$2$3');

const fenced = (content: string): string => {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${content}\n${fence}`;
};

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

/** What stands in the comment under a heading; undefined for nothing. */
const commentOf = (node: NoteNode, bodyTags: ReadonlySet<string>, content: string): NoteComment | undefined => {
  const properties = headingId(node.properties) === undefined ? node.properties : withoutId(node.properties);
  const tags = node.tags.filter((tag) => !isTagWord(tag) && !bodyTags.has(tag));
  const comment: NoteComment = {
    ...(Object.keys(properties).length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
          ),
        }),
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
  const comment = commentOf(node, bodyTags, content);
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
    title: oneLine(title) === stemOf(source.file) || oneLine(title) === '' ? undefined : oneLine(title),
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
  // What would be taken for front matter or a byte order mark at the very start of a file is not
  // there.
  return /^(?:---|\ufeff)/.test(text) ? `\n${text}` : text;
};
