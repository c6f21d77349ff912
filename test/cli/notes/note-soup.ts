/**
 * Generators for notes: files made of every kind of line that could be taken for something else,
 * and trees of any text.
 */

import type { Arbitrary } from 'fast-check';
import { buildNoteKey, type NoteFormat, type NoteNode, sortTags } from '../../../infra/cli/notes/note.ts';
import { fc } from '../../support/fast-check.ts';

const BREAKS = ['\n', '\n', '\n', '\r\n'] as const;

const MARKDOWN_LINES = [
  '# One',
  '## Two #tag',
  '### TODO three',
  '###### six',
  '####### seven',
  '#',
  '## ',
  '#nospace',
  '# #only',
  '# closed ##',
  '# C# ',
  '# ends #',
  '# DONE',
  '# [ ] box',
  '# [x] done {#an-id}',
  '# {#a} #b {#c}',
  '# x {#a} #prose',
  'Setext',
  '===',
  '---',
  'two\nlines\n===',
  'a #prose tag',
  '# \\#',
  '# a\\',
  '```',
  '```js',
  '# not a heading',
  '~~~',
  '````',
  '    # indented',
  '\t# tab',
  '> # quoted',
  '- # in a list',
  '- [ ] task',
  '  - nested',
  '1. one',
  '   # three',
  '<div>',
  '</div>',
  '<!-- open',
  '-->',
  '<!-- note {"properties":{"a":"b"}} -->',
  '<!-- note {"todo":"HOLD","tags":["x y"]} -->',
  '<!-- note {} -->',
  '<!-- note nonsense -->',
  '| a | b |',
  '|---|---|',
  '[^1]: # foot',
  '[ref]: <u> "t"',
  '',
  '',
  '',
  '  ',
  '\t',
  'größe 東京 \u0301',
  '\u00a0nbsp',
  '\u2028sep',
  '\ufefftext',
  'x '.repeat(300),
  '***',
  '+++',
  '=',
  '$$',
  '&amp; \\# #42',
  '@personal',
] as const;

const FRONT = [
  '',
  '',
  '---\ntitle: T\ntags: [a, b c]\nid: n1\nn: 007\nlist: [x, y]\ndeep: {a: [1]}\n---\n',
  '---\ntags: one two\n---\n',
  '---\n---\n',
  '\n---\na: b\n---\n',
  '---\n\ntext\n',
  '\ufeff',
  '\ufeff---\ntodo: DONE\ntitle: ""\n---\n',
] as const;

const ORG_LINES = [
  '* One',
  '** TODO two :a:b:',
  '*** [#A] three',
  '* TODO [#B]',
  '* ',
  '*',
  '* :only:',
  '**** HOLD deep',
  '*bold* text',
  ' * item',
  '* a :x: :y:',
  '* NOPE x',
  '* COMMENT c',
  '***** DONE  spaced   title',
  '* \u2028 sep',
  'SCHEDULED: <2026-01-02 Fri> DEADLINE: [2026-01-03 Sat]',
  'SCHEDULED: soon',
  ':PROPERTIES:',
  ':ID: abc',
  ':A: b c',
  ':A+: d',
  ':END:',
  ':LOGBOOK:',
  ':PROPERTIES:\n:ID: n7\n:K: v\n:END:',
  ':PROPERTIES:\n:END:',
  '#+begin_src sh',
  '#+end_src',
  '#+BEGIN_QUOTE',
  '#+END_QUOTE',
  '#+begin_src\n* not a heading\n#+end_src',
  '#+begin_src\n#+begin_quote\n#+end_src',
  '#+TITLE: T',
  '#+FILETAGS: :f:g:',
  '#+TODO: NOPE(n) | YEP',
  '#+FILETAGS: one two',
  '# comment',
  '| a | b |',
  '- [ ] task',
  'text',
  '',
  '',
  '',
  '  ',
  '\t',
  '[[id:abc][link]]',
  '\ufefftext',
  ',* quoted',
  'größe 東京',
  '\u2028',
  'x '.repeat(300),
] as const;

const soupOf = (lines: readonly string[], fronts: readonly string[]): Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...fronts),
      fc.array(fc.tuple(fc.constantFrom(...lines), fc.constantFrom(...BREAKS)), { maxLength: 14 }),
    )
    .map(([front, parts]) => front + parts.map(([line, end]) => line + end).join(''));

export const markdownSoup = soupOf(MARKDOWN_LINES, FRONT);
export const orgSoup = soupOf(ORG_LINES, ['', '', '\ufeff', '\n\n']);

const piece = fc.oneof(
  fc.constantFrom(...MARKDOWN_LINES, ...ORG_LINES),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const wild = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('\n').slice(0, 400));
const name = fc.oneof(
  fc.constantFrom('id', 'ID', 'a', 'title', 'tags', 'todo', 'PRIORITY', 'SCHEDULED', '__proto__', '1'),
  fc.string({ maxLength: 8 }),
);

const nodeOf = (format: NoteFormat, children: readonly NoteNode[]): Arbitrary<NoteNode> =>
  fc
    .record({
      title: wild.map((text) => text.slice(0, 80)),
      content: wild,
      tags: fc.array(
        fc.oneof(
          fc.constantFrom('a', 'b', 'größe', '@personal', 'x y', '42', 'prose'),
          fc.string({ minLength: 1, maxLength: 6 }),
        ),
        { maxLength: 3 },
      ),
      todo: fc.constantFrom(undefined, 'TODO', 'DONE', 'HOLD', 'MAYBE'),
      properties: fc.dictionary(
        name,
        fc.oneof(
          wild.map((text) => text.slice(0, 40)),
          fc.constantFrom('A', '<2026-01-01 Thu>'),
        ),
        { maxKeys: 3 },
      ),
    })
    .map(({ todo, tags, ...rest }) => ({
      ...rest,
      key: buildNoteKey([rest.title]),
      tags: sortTags(tags),
      ...(todo === undefined ? {} : { todo }),
      children,
      format,
      source: { file: 'notes/any.md', line: 1 },
    }));

/** Trees no file was: titles with line feeds, content that holds headings, tags with blanks. */
export const wildTree = (format: NoteFormat): Arbitrary<NoteNode> => {
  const leaf = nodeOf(format, []);
  const middle = fc.array(leaf, { maxLength: 3 }).chain((children) => nodeOf(format, children));
  return fc.array(fc.oneof(leaf, middle), { maxLength: 3 }).chain((children) => nodeOf(format, children));
};
