import { describe, expect, it } from 'vitest';
import type { NoteNode } from '../../../infra/cli/notes/note.ts';
import { NOTE_DEPTH_MAX } from '../../../infra/cli/notes/note.ts';
import { parseOrg, renderOrg } from '../../../infra/cli/notes/org.ts';
import { GROWTH_MAX, growthOf } from '../../support/growth.ts';

const parse = (text: string) => {
  const parsed = parseOrg(text, 'notes/bike.org');
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed;
};
const treeOf = (text: string): NoteNode => parse(text).node;

const outline = ({ title, children }: NoteNode): string =>
  children.length === 0 ? title : `${title}(${children.map(outline).join(', ')})`;

const depthOf = (node: NoteNode): number => 1 + Math.max(0, ...node.children.map(depthOf));

const SAMPLE = `:PROPERTIES:
:ID: doc-1
:END:
#+TITLE: My bike
#+FILETAGS: :transport:
#+TODO: IDEA | BOUGHT(b!)

Blue. [[id:brake][The brake]]
* IDEA [#B] Fix it :@personal:urgent:
DEADLINE: <2026-01-02 Fri> SCHEDULED: <2026-01-01 Thu +1w>
:PROPERTIES:
:ID: brake
:EFFORT: 2h
:EFFORT+: at most
:END:
:LOGBOOK:
- note
:END:
** BOUGHT Pads
`;

describe('parseOrg', () => {
  it('takes title, tags, id, state, priority, planning and properties from where they stand', () => {
    const node = treeOf(SAMPLE);
    const [fix] = node.children;
    expect({ ...node, key: '', children: [] }).toStrictEqual({
      key: '',
      title: 'My bike',
      content: '#+TITLE: My bike\n#+FILETAGS: :transport:\n#+TODO: IDEA | BOUGHT(b!)\n\nBlue. [[id:brake][The brake]]',
      tags: ['transport'],
      properties: { ID: 'doc-1' },
      children: [],
      format: 'org',
      source: { file: 'notes/bike.org', line: 1 },
    });
    expect({ ...fix, key: '', children: fix?.children.map(({ todo, title }) => [todo, title]) }).toStrictEqual({
      key: '',
      title: 'Fix it',
      content: ':LOGBOOK:\n- note\n:END:',
      tags: ['@personal', 'urgent'],
      todo: 'IDEA',
      properties: {
        ID: 'brake',
        EFFORT: '2h at most',
        DEADLINE: '<2026-01-02 Fri>',
        SCHEDULED: '<2026-01-01 Thu +1w>',
        PRIORITY: 'B',
      },
      children: [['BOUGHT', 'Pads']],
      format: 'org',
      source: { file: 'notes/bike.org', line: 9 },
    });
  });

  it.each([
    ['stars in blocks', '* a\n#+begin_src sh\n* not a heading\n#+end_src\n* b', 'bike(a, b)'],
    ['a block in a block', '* a\n#+begin_quote\n#+begin_src\n* no\n#+end_src\n* no\n#+end_quote\n* b', 'bike(a, b)'],
    [
      'two blocks in a block',
      '#+begin_quote\n#+begin_src\n#+end_src\n* no\n#+begin_src\n#+end_src\n* no\n#+end_quote\n',
      'bike',
    ],
    ['a block that never ends', '* a\n#+begin_src\n* b\n* c', 'bike(a, b, c)'],
    ['a block that opens twice', '* a\n#+begin_src\n* b\n#+begin_src\n* no\n#+end_src\n* c', 'bike(a, b, c)'],
    ['bold at the start of a line', '*bold* text\n**\n *item', 'bike'],
    ['skipped levels', '* a\n**** b\n** c\n* d', 'bike(a(b, c), d)'],
    ['empty headings', '* \n** TODO\n* :tag:\n', 'bike((), )'],
    ['CRLF', '* a\r\n:PROPERTIES:\r\n:ID: x\r\n:END:\r\ntext\r\n** b\r\n', 'bike(a(b))'],
    ['a byte order mark', '\ufeff* a\n', 'bike(a)'],
  ])('knows %s', (_, text, shape) => {
    expect(outline(treeOf(text))).toBe(shape);
  });

  it('names an unclosed drawer by its line and keeps it as text', () => {
    const { node, problems } = parse('* a\n:PROPERTIES:\n:ID: x\n* b\n');
    expect(problems).toStrictEqual([
      {
        file: 'notes/bike.org',
        line: 2,
        problem: 'a property drawer that is not closed, or holds more than properties: kept as text',
      },
    ]);
    expect(node.children.map(({ content, properties }) => ({ content, properties }))).toStrictEqual([
      { content: ':PROPERTIES:\n:ID: x', properties: {} },
      { content: '', properties: {} },
    ]);
  });

  it('puts headings deeper than memory goes on its last level, with one remark, and keeps every one', () => {
    const text = Array.from({ length: 40 }, (_, n) => `${'*'.repeat(n + 1)} h${n}`).join('\n');
    const { node, problems } = parse(text);
    expect(depthOf(node)).toBe(NOTE_DEPTH_MAX);
    expect(problems.map(({ line }) => line)).toStrictEqual([NOTE_DEPTH_MAX]);
    expect(renderOrg(node).match(/h\d+/g)?.length).toBe(40);
  });

  it('reads 10,000 headings in one pass', async () => {
    const textOf = (length: number): string =>
      Array.from({ length }, (_, n) => `* TODO h${n} :t:\n:PROPERTIES:\n:ID: i${n}\n:END:\nbody`).join('\n');
    expect(treeOf(textOf(10_000)).children.length).toBe(10_000);
    expect(await growthOf(10_000, (count) => treeOf(textOf(count)))).toBeLessThan(GROWTH_MAX);
  });
});

describe('renderOrg', () => {
  it('gives a file back as it was', () => {
    expect(renderOrg(treeOf(SAMPLE))).toBe(SAMPLE.replace(':EFFORT: 2h\n:EFFORT+: at most', ':EFFORT: 2h at most'));
  });

  it('says what the document does not say itself: title, tags, states', () => {
    const node: NoteNode = { ...treeOf('* a\n'), title: 'New', tags: ['x'] };
    const rendered = renderOrg({ ...node, children: node.children.map((child) => ({ ...child, todo: 'MAYBE' })) });
    expect(rendered).toBe('#+TITLE: New\n#+FILETAGS: :x:\n#+TODO: MAYBE\n* MAYBE a\n');
  });

  it('keeps a block that opens in one content and ends in another from taking the heading between', () => {
    const [child] = treeOf('* a\n').children;
    const node = treeOf('');
    if (child === undefined) throw new Error('no heading');
    const rendered = renderOrg({
      ...node,
      children: [
        { ...child, content: '#+begin_src\nx' },
        { ...child, content: 'y\n#+end_src' },
      ],
    });
    expect(outline(treeOf(rendered))).toBe('bike(a, a)');
  });
});
