import { describe, expect, it } from 'vitest';
import { parseMarkdown, renderMarkdown } from '../../../infra/cli/notes/markdown.ts';
import { NOTE_COSTLY_LINES_MAX } from '../../../infra/cli/notes/markdown-syntax.ts';
import type { NoteNode } from '../../../infra/cli/notes/note.ts';
import { MEMORY_TITLE_CHARS_MAX } from '../../../lib/core/memory/limits.ts';

const treeOf = (text: string, file = 'notes/bike.md'): NoteNode => {
  const parsed = parseMarkdown(text, file);
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed.node;
};

/** `title(child, child)`, the shape alone. */
const outline = ({ title, children }: NoteNode): string =>
  children.length === 0 ? title : `${title}(${children.map(outline).join(', ')})`;

describe('parseMarkdown', () => {
  it('takes title, tags, id, state and properties from where they stand', () => {
    const text = [
      '---',
      'title: My bike',
      'tags: [transport, "@personal"]',
      'id: bike-1',
      'bought: 2024-01-01',
      'aliases: [velo, 007]',
      'maker: {name: Brompton}',
      '---',
      '',
      'Blue. See #garage.',
      '',
      '# TODO Fix the brake #urgent {#brake}',
      '<!-- note {"properties":{"effort":"2h"}} -->',
      '',
      '- [ ] buy pads [[shop]]',
      '',
      '# [x] Lights',
    ].join('\n');
    const node = treeOf(text);
    expect({ ...node, key: '', children: node.children.map((child) => ({ ...child, key: '' })) }).toStrictEqual({
      key: '',
      title: 'My bike',
      content: 'Blue. See #garage.',
      tags: ['@personal', 'garage', 'transport'],
      properties: { id: 'bike-1', bought: '2024-01-01', aliases: ['velo', '007'], maker: '{"name":"Brompton"}' },
      children: [
        {
          key: '',
          title: 'Fix the brake',
          content: '- [ ] buy pads [[shop]]',
          tags: ['urgent'],
          todo: 'TODO',
          properties: { effort: '2h', id: 'brake' },
          children: [],
          format: 'markdown',
          source: { file: 'notes/bike.md', line: 12 },
        },
        {
          key: '',
          title: 'Lights',
          content: '',
          tags: [],
          todo: 'DONE',
          properties: {},
          children: [],
          format: 'markdown',
          source: { file: 'notes/bike.md', line: 17 },
        },
      ],
      format: 'markdown',
      source: { file: 'notes/bike.md', line: 1 },
    });
  });

  it.each([
    ['headings in fences', '# a\n```sh\n# not a heading\n```\n# b', 'bike(a, b)'],
    ['a fence that never ends', '# a\n```\n# not a heading', 'bike(a)'],
    ['indented code', '# a\n\n    # not a heading\n', 'bike(a)'],
    ['quotes and lists', '> # quoted\n\n- # listed\n\n1. # numbered', 'bike'],
    ['HTML', '<div>\n# inside\n</div>\n\n<!--\n# in a comment\n-->\n# out', 'bike(out)'],
    ['setext headings', 'One\n===\n\ntext\n\nTwo\nlines\n---\n', 'bike(One(Two lines))'],
    ['skipped levels', '# a\n#### b\n## c\n# d', 'bike(a(b, c), d)'],
    ['a deep start', '### a\n# b', 'bike(a, b)'],
    ['empty headings', '#\n##\n# ##\n', 'bike((), )'],
    ['CRLF', '# a\r\n\r\nx\r\n## b\r\n', 'bike(a(b))'],
    ['lone carriage returns', '# a\rtext\r## b\r', 'bike(a(b))'],
    ['a byte order mark', '\ufeff# a\n', 'bike(a)'],
    ['no space after the mark', '#tag\n\n#123', 'bike'],
    ['a line across the page', '---\n\ntext\n\n---\n\n# a', 'bike(a)'],
    ['tabs', '#\ta\n\n-\t# not\n', 'bike(a)'],
  ])('knows %s', (_, text, shape) => {
    expect(outline(treeOf(text))).toBe(shape);
  });

  it.each([
    [
      'with CRLF',
      '# a\r\n\r\nline one  \r\n\tline two\r\n\r\n| t | u |\r\n|---|---|\r\n',
      'line one  \r\n\tline two\r\n\r\n| t | u |\r\n|---|---|',
    ],
    ['indented at once', '# a\n\n    code\n\n# b', '    code'],
    [
      'with footnotes and HTML',
      '# a\nx[^1]\n\n[^1]: # not a heading\n<b>x</b>\n',
      'x[^1]\n\n[^1]: # not a heading\n<b>x</b>',
    ],
    ['with nested lists', '# a\n- x\n  - y\n\n    # z?\n', '- x\n  - y\n\n    # z?'],
  ])('keeps a body %s byte for byte', (_, text, content) => {
    expect(treeOf(text).children[0]?.content).toBe(content);
  });

  it('finds tags in prose, and none in code, addresses, numbers or HTML', () => {
    const text =
      '#a and (#b), #c-d/e, `#code` https://x.test/#frag [#inlink](#anchor) #42 &#35; x#y <i title="#attr">\n\n```\n#fence\n```';
    expect(treeOf(text).tags).toStrictEqual(['a', 'b', 'c-d/e']);
  });

  it.each([
    [
      'front matter that never ends',
      '---\ntitle: x\ntags: personal\n\n# a',
      1,
      'front matter that never ends is read to line 3: write a line "---" below it',
    ],
    [
      'front matter that is no YAML',
      '---\ntitle: x\ntags: [a\n---\n',
      3,
      'tags is no plain YAML and is kept as one text: put it in quotes',
    ],
    [
      'a name given twice',
      '---\na: 1\na: 2\n---\n',
      3,
      'a name is given twice in the front matter, which is kept as text: give it another',
    ],
    [
      'a bomb of references',
      `---\na: &a [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (__, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${Array(9).fill(`*${'abcdefghi'[n]}`).join(',')}]`).join('\n')}\n---\n`,
      2,
      'front matter that refers to itself is kept as text: write its values out',
    ],
    [
      'a title without end',
      `x\n\n# ${'long '.repeat(MEMORY_TITLE_CHARS_MAX)}`,
      3,
      `${MEMORY_TITLE_CHARS_MAX * 5 - 1} characters in a title, more than ${MEMORY_TITLE_CHARS_MAX}: its beginning is the title, and all of it stands in the text`,
    ],
  ])('reads %s, and says so with the line', (_, text, line, problem) => {
    expect(parseMarkdown(text, 'f.md')).toMatchObject({ kind: 'notes', problems: [{ file: 'f.md', line, problem }] });
  });

  it.each([
    ['quotes too deep', `# a\n${'>'.repeat(600)}`, 2, 'nested too deeply to be read: give this line fewer levels'],
    [
      'quotes without number',
      '> a\n\n'.repeat(NOTE_COSTLY_LINES_MAX + 1),
      2 * NOTE_COSTLY_LINES_MAX + 1,
      `more than ${NOTE_COSTLY_LINES_MAX} quotes and underlined headings: split the file`,
    ],
    [
      'underlined headings without number',
      'a\n-\n'.repeat(NOTE_COSTLY_LINES_MAX + 1),
      2 * NOTE_COSTLY_LINES_MAX + 2,
      `more than ${NOTE_COSTLY_LINES_MAX} quotes and underlined headings: split the file`,
    ],
  ])('refuses %s, with the line', (_, text, line, problem) => {
    expect(parseMarkdown(text, 'f.md')).toStrictEqual({ kind: 'bad', problems: [{ file: 'f.md', line, problem }] });
  });

  it('gives each node a key of its own, the same at every reading', () => {
    const text = '# same\n# same\n## same\n# other {#x}\n# twice {#x}\n';
    const keysIn = (node: NoteNode): readonly string[] => [node.key, ...node.children.flatMap(keysIn)];
    const keys = keysIn(treeOf(text));
    expect(new Set(keys).size).toBe(6);
    expect(keysIn(treeOf(text))).toStrictEqual(keys);
    expect(treeOf('# moved away {#x}\n', 'other.md').children[0]?.key).toBe(keys[4]);
  });

  it('reads a file of 10,000 headings and one very long line', () => {
    const text = `${Array.from({ length: 10_000 }, (_, n) => `${'#'.repeat(1 + (n % 6))} h${n}\n\nbody ${n}\n`).join('\n')}\n${'x '.repeat(100_000)}`;
    const node = treeOf(text);
    const count = (one: NoteNode): number => one.children.reduce((sum, child) => sum + count(child), 1);
    expect(count(node)).toBe(10_001);
  });
});

describe('renderMarkdown', () => {
  const bare: NoteNode = treeOf('# a\n');
  const withContent = (content: string): NoteNode => ({
    ...bare,
    children: [...bare.children, ...bare.children].map((child, n) => (n === 0 ? { ...child, content } : child)),
  });

  it.each([
    ['a heading', '# not mine', '\\# not mine'],
    ['a line under text', 'text\n===', 'text\n\\==='],
    ['a fence that never ends', '```\nx', '````\n```\nx\n````'],
    ['a comment that never ends', '<!-- x', '```\n<!-- x\n```'],
  ])('keeps %s in a content from becoming more than content', (_, content, shown) => {
    const again = treeOf(renderMarkdown(withContent(content)));
    expect(again.children.map((child) => child.content)).toStrictEqual([shown, '']);
  });

  it('writes nothing for an empty note, and no front matter where none is needed', () => {
    expect(renderMarkdown(treeOf(''))).toBe('');
    expect(renderMarkdown(treeOf('# a\n\nb\n'))).toBe('# a\n\nb\n');
  });
});
