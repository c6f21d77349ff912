/**
 * Import → export → import gives the same tree: for files made of nasty lines, and, after one
 * export, for any tree at all.
 */

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseMarkdown, renderMarkdown } from '../../../infra/cli/notes/markdown.ts';
import {
  NOTE_FILE_BYTES_MAX,
  NoteFormat,
  type NoteNode,
  NoteProperty,
  type ParsedNotes,
  TodoState,
} from '../../../infra/cli/notes/note.ts';
import { parseOrg, renderOrg } from '../../../infra/cli/notes/org.ts';
import {
  MEMORY_OBJECT_TAGS_MAX,
  MEMORY_PROPERTY_NAME_CHARS_MAX,
  MEMORY_TAG_CHARS_MAX,
  MEMORY_TITLE_CHARS_MAX,
} from '../../../lib/core/memory/limits.ts';
import { fc } from '../../support/fast-check.ts';
import { markdownSoup, orgSoup, wildTree } from './note-soup.ts';

/** The form of a node, within all bounds. */
const NodeForm = z.strictObject({
  key: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  title: z.string().check(z.maxLength(MEMORY_TITLE_CHARS_MAX)),
  content: z.string().check(z.maxLength(NOTE_FILE_BYTES_MAX)),
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))
    .check(z.maxLength(MEMORY_OBJECT_TAGS_MAX)),
  todo: z.optional(TodoState),
  properties: z.record(z.string().check(z.maxLength(MEMORY_PROPERTY_NAME_CHARS_MAX)), NoteProperty),
  get children() {
    return z.array(NodeForm);
  },
  format: NoteFormat,
  source: z.strictObject({ file: z.string(), line: z.int().check(z.positive()) }),
});

const FILE = 'notes/any.md';

/** The tree without the lines of its headings, which an export may move. */
const withoutLines = (node: NoteNode): unknown => ({
  ...node,
  source: node.source.file,
  children: node.children.map(withoutLines),
});

const nodeIn = (parsed: ParsedNotes): NoteNode => {
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed.node;
};

const FORMATS = [
  { format: 'markdown', soup: markdownSoup, parse: parseMarkdown, render: renderMarkdown },
  { format: 'org', soup: orgSoup, parse: parseOrg, render: renderOrg },
] as const;

describe.each(FORMATS)('a $format file', ({ format, soup, parse, render }) => {
  it('reads back as the same tree after an export', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const parsed = parse(text, FILE);
        if (parsed.kind === 'bad') return;
        expect(NodeForm.safeParse(parsed.node).success).toBe(true);
        const again = nodeIn(parse(render(parsed.node), FILE));
        expect(withoutLines(again)).toStrictEqual(withoutLines(parsed.node));
      }),
      { numRuns: Number(process.env.RUNS ?? 250) },
    );
  });

  it('made of any tree settles after one export', () => {
    fc.assert(
      fc.property(wildTree(format), (tree) => {
        const first = nodeIn(parse(render(tree), FILE));
        const second = nodeIn(parse(render(first), FILE));
        expect(withoutLines(second)).toStrictEqual(withoutLines(first));
      }),
      { numRuns: Number(process.env.RUNS ?? 100) },
    );
  });
});
