/**
 * Import → export → import gives the same tree: for files made of nasty lines, and, after one
 * export, for any tree at all.
 */

import { describe, expect, it } from 'vitest';
import { parseMarkdown, renderMarkdown } from '../../../infra/cli/notes/markdown.ts';
import { NoteNode, type ParsedNotes } from '../../../infra/cli/notes/note.ts';
import { parseOrg, renderOrg } from '../../../infra/cli/notes/org.ts';
import { fc } from '../../support/fast-check.ts';
import { markdownSoup, orgSoup, wildTree } from './note-soup.ts';

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
        expect(NoteNode.safeParse(parsed.node).success).toBe(true);
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
