/**
 * Markdown as a tree of notes. Headings of the outermost level become nodes (not those in quotes,
 * lists, code or HTML), the source between them their content, byte for byte. Front matter gives
 * the document its title, tags, state and properties; `# TODO title #tag {#id}` and a comment under
 * the heading do so for sections. Tags in the prose count too. Pure. Takes text that was decoded;
 * gives a tree with remarks, or says why the file is bad and where.
 */

import type { RootContent } from 'mdast';
import { defined } from '../../../lib/base/defined.ts';
import { splitFrontMatter } from './front-matter.ts';
import { blocksOf, costlyLine, headingSource, spanOf, tagsInBlocks } from './markdown-body.ts';
import { parseNoteComment } from './markdown-comment.ts';
import { parseHeadingWords } from './markdown-heading.ts';
import { type ParsedNotes, stemOf } from './note.ts';
import { buildTree, type Section } from './section-tree.ts';
import { buildLineCounter, oneLine, trimBlankLines, withoutByteOrderMark } from './text-lines.ts';

/** Blocks from one heading to the next; the first part, before any heading, has none. */
interface Part {
  readonly heading?: Extract<RootContent, { type: 'heading' }>;
  readonly blocks: RootContent[];
  readonly end: number;
}

const partsOf = (blocks: readonly RootContent[], length: number): readonly Part[] => {
  const starts = blocks.flatMap((block, n) => (block.type === 'heading' ? [{ n, heading: block }] : []));
  const preamble: Part = {
    blocks: blocks.slice(0, starts[0]?.n ?? blocks.length),
    end: starts[0] === undefined ? length : spanOf(starts[0].heading).start,
  };
  const rest = starts.map(({ n, heading }, index): Part => {
    const next = starts[index + 1];
    return {
      heading,
      blocks: blocks.slice(n + 1, next?.n ?? blocks.length),
      end: next === undefined ? length : spanOf(next.heading).start,
    };
  });
  return [preamble, ...rest];
};

const sectionOf = (part: Part, body: string, lineOf: (offset: number) => number): Section => {
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
    line: heading === undefined ? 1 : lineOf(spanOf(heading).start),
    title: words.title,
    content: trimBlankLines(body.slice(start, end)),
    tags: [...words.tags, ...(comment?.tags ?? []), ...tagsInBlocks(blocks)],
    ...defined({ todo }),
    properties: { ...comment?.properties, ...defined({ id: words.id }) },
  };
};

/** @param file path inside the folder, with `/`; names the document and its nodes */
export const parseMarkdown = (text: string, file: string): ParsedNotes => {
  const split = splitFrontMatter(withoutByteOrderMark(text));
  if (split.kind === 'bad') return { kind: 'bad', problems: [{ file, line: split.line, problem: split.problem }] };
  const { matter, body, bodyLine } = split;
  const costly = costlyLine(body);
  if (costly !== undefined)
    return { kind: 'bad', problems: [{ file, line: costly.line + bodyLine - 1, problem: costly.problem }] };
  const lineOf = buildLineCounter(body);
  const [preamble, ...rest] = partsOf(blocksOf(body), body.length).map((part) =>
    sectionOf(part, body, (offset) => lineOf(offset) + bodyLine - 1),
  );
  const document: Section = {
    level: 0,
    line: 1,
    title: matter.title ?? stemOf(file),
    content: preamble?.content ?? '',
    tags: [...matter.tags, ...(preamble?.tags ?? [])],
    ...defined({ todo: matter.todo }),
    properties: matter.properties,
  };
  return buildTree(file, 'markdown', document, rest);
};
