import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderProgress } from '../../../infra/cli/commands/import.ts';
import { findNotes, loadNote } from '../../../infra/cli/notes/folder.ts';
import { describeKnown, type KnownDocument } from '../../../infra/cli/notes/known-document.ts';
import { buildMemoryTree, hashNote, type StoredNote, splitContent } from '../../../infra/cli/notes/memory-tree.ts';
import type { NoteNode } from '../../../infra/cli/notes/note.ts';
import { NOTE_FILE_BYTES_MAX } from '../../../infra/cli/notes/note.ts';
import { parseNote } from '../../../infra/cli/notes/parse-note.ts';
import { planExport } from '../../../infra/cli/notes/plan-export.ts';
import { type ImportInput, type ImportPlan, planImport } from '../../../infra/cli/notes/plan-import.ts';
import { MEMORY_CONTENT_CHARS_MAX } from '../../../lib/core/base/limits.ts';
import type { TreeNode } from '../../../lib/core/memory/ingest.ts';
import { findLinks } from '../../../lib/core/memory/links.ts';
import { ObjectAttributes } from '../../../lib/core/memory/object-parts.ts';
import { fc } from '../../support/fast-check.ts';
import { markdownSoup, orgSoup } from './note-soup.ts';

const documentOf = (text: string, file: string): NoteNode => {
  const parsed = parseNote(text, file, file.endsWith('.org') ? 'org' : 'markdown');
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed.node;
};

type Files = Readonly<Record<string, string>>;

const plan = (files: Files, known: readonly KnownDocument[] = [], more: Partial<ImportInput> = {}) =>
  planImport({
    documents: Object.entries(files).map(([file, text]) => documentOf(text, file)),
    known,
    unread: new Set(),
    mayRemove: false,
    mayReturn: false,
    ...more,
  });

/** A tree as memory would give it back: ids are its own, here the keys. */
const storedOf = (tree: TreeNode): StoredNote => ({
  id: tree.key,
  attributes: tree.attributes,
  content: tree.content,
  children: tree.children.map(storedOf),
});

/** Memory after an import of these files. */
const knownOf = (files: Files): readonly KnownDocument[] =>
  Object.entries(files).map(([file, text]) => describeKnown(storedOf(buildMemoryTree(documentOf(text, file)))));

describe('planImport', () => {
  const files = { 'a.md': '# one\n\ntext\n\n## two\n', 'b.org': '* three\n' };
  const stepsOf = ({ steps }: ImportPlan) => steps.map(({ file, noteCount }) => [file, noteCount]);

  it('sends everything once, then nothing, then only what changed', () => {
    expect(stepsOf(plan(files))).toStrictEqual([
      ['a.md', 3],
      ['b.org', 2],
    ]);
    const known = knownOf(files);
    const nothing = { steps: [], unchangedCount: 2, heldBack: [], leftOut: [], gone: [], problems: [] };
    expect(plan(files, known)).toStrictEqual(nothing);
    expect(stepsOf(plan({ ...files, 'a.md': '# one\n\nother\n\n## two\n' }, known))).toStrictEqual([['a.md', 3]]);
  });

  it('has nothing to send of what an export wrote, also where a note of it was forgotten since (property)', () => {
    fc.assert(
      fc.property(fc.oneof(markdownSoup, orgSoup), fc.boolean(), fc.nat(), (soup, isOrg, nth) => {
        const file = isOrg ? 'a.org' : 'a.md';
        const parsed = parseNote(soup, file, isOrg ? 'org' : 'markdown');
        if (parsed.kind === 'bad') return;
        const { node } = parsed;
        const whole = storedOf(buildMemoryTree(node));
        const children = whole.children.filter((_, n) => n !== nth % (whole.children.length + 1));
        const hasForgotten = children.length < whole.children.length;
        const left: StoredNote = { ...whole, children, hasForgotten };
        const [exported] = planExport([left]);
        const known = [describeKnown(left)];
        expect(plan({ [exported?.file ?? '']: exported?.text ?? '' }, known).unchangedCount).toBe(1);
        // Nor of the file it came from: what was forgotten stays out, and is named.
        const again = plan({ [file]: soup }, known);
        expect([again.steps, again.heldBack, again.leftOut.length]).toStrictEqual([[], [], hasForgotten ? 1 : 0]);
      }),
    );
  });

  it('goes on where an import was cut off, with the same ids', () => {
    const whole = plan(files);
    const rest = plan(files, knownOf({ 'a.md': files['a.md'] }));
    expect(rest.steps).toStrictEqual(whole.steps.slice(1));
  });

  it('holds back a file that lost notes and names them, unless that is meant', () => {
    const known = knownOf(files);
    const shorter = { ...files, 'a.md': '# one\n\ntext\n' };
    const { steps, heldBack } = plan(shorter, known);
    expect({ steps, heldBack }).toStrictEqual({ steps: [], heldBack: [{ file: 'a.md', titles: ['two'] }] });
    expect(stepsOf(plan(shorter, known, { mayRemove: true }))).toStrictEqual([['a.md', 2]]);
  });

  it('leaves out and names what may be forgotten notes, takes the rest, and takes them where that is meant', () => {
    const known = knownOf({ 'a.md': '# one\n\ntext\n' }).map((one) => ({ ...one, hasForgotten: true }));
    const changed = { 'a.md': '# one\n\nother\n\n## two\n\n# three\n' };
    const { steps, leftOut } = plan(changed, known);
    expect({ leftOut, notes: steps.map(({ noteCount }) => noteCount) }).toStrictEqual({
      leftOut: [{ file: 'a.md', titles: ['three', 'two'] }],
      notes: [2],
    });
    expect(stepsOf(plan(changed, known, { mayReturn: true }))).toStrictEqual([['a.md', 4]]);
  });

  it('lists documents whose file is gone, except those it could not read', () => {
    const known = knownOf(files);
    const less = { 'a.md': files['a.md'] };
    expect(plan(less, known).gone).toStrictEqual([{ file: 'b.org', titles: ['b', 'three'] }]);
    expect(plan(less, known, { unread: new Set(['b.org']) }).gone).toStrictEqual([]);
  });

  it('keeps two notes with one id apart and says so', () => {
    const two = plan({ 'a.md': '# x {#same}\n', 'b.md': '# y {#same}\n' });
    const keys = two.steps.flatMap(({ tree }) => tree.children.map(({ key }) => key));
    expect(new Set(keys).size).toBe(2);
    expect(two.problems).toStrictEqual([
      { file: 'b.md', line: 1, problem: 'an id that another file has too: kept as a note of its own' },
    ]);
  });
});

describe('findLinks', () => {
  it.each([
    ['wiki and Org links', '[[shop]] [[a b|words]] [[id:x][the x]] [[]]', ['shop', 'a b', 'id:x']],
    ['Markdown links', '[w](https://a.test/b) ![i](p.png "t") [x](<q>) [y]()', ['https://a.test/b', 'p.png', 'q']],
    ['addresses', 'see <https://a.test> twice <https://a.test>, not <b>', ['https://a.test']],
  ])('finds %s', (_, text, links) => {
    expect(findLinks(text)).toStrictEqual(links);
  });
});

describe('splitContent', () => {
  it('cuts a long text into pieces that fit and join to it again, never inside a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é'), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (whole, charsMax) => {
        const pieces = splitContent(whole, charsMax);
        expect(pieces.join('')).toBe(whole);
        expect(pieces.every((piece) => piece.length <= charsMax && piece.isWellFormed())).toBe(true);
      }),
    );
  });
});

describe('planExport', () => {
  const treesOf = (files: Files) => plan(files).steps.map(({ tree }) => tree);

  it('writes what was imported: the same files', () => {
    const files = {
      'a.md': '---\ntitle: T\n---\n\n# one #tag\n\ntext\n\n## two\n',
      'long.md': `# long\n\n${'a line of words\n'.repeat(MEMORY_CONTENT_CHARS_MAX / 8)}\n# after\n`,
      'sub/b.org': '* TODO three\n:PROPERTIES:\n:ID: x\n:END:\n',
    };
    const trees = treesOf(files);
    const attributesIn = (tree: TreeNode): readonly unknown[] => [
      tree.attributes,
      ...tree.children.flatMap(attributesIn),
    ];
    expect(trees.flatMap(attributesIn).filter((one) => !ObjectAttributes.safeParse(one).success)).toStrictEqual([]);
    expect(planExport([...trees.map(storedOf)].reverse())).toStrictEqual(
      Object.entries(files).map(([file, text]) => ({ file, text })),
    );
  });

  it('gives every note of any file back through memory', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('markdown' as const, 'org' as const),
        markdownSoup,
        orgSoup,
        (format, markdown, org) => {
          const file = format === 'org' ? 'a.org' : 'a.md';
          const parsed = parseNote(format === 'org' ? org : markdown, file, format);
          if (parsed.kind === 'bad') return;
          const tree = buildMemoryTree(parsed.node);
          expect(ObjectAttributes.safeParse(tree.attributes).success).toBe(true);
          const [written] = planExport([storedOf(tree)]);
          const again = documentOf(written?.text ?? '', file);
          expect(hashNote(again)).toBe(hashNote(parsed.node));
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    '../up.md',
    '/etc/x.md',
    'a/../../b.md',
    '.ssh/x.md',
    'a/.env.md',
    'a\\b.md',
    'x.txt',
    '',
    'a//b.md',
    'a.org',
  ])('never writes a Markdown note to %j', (file) => {
    const [tree] = treesOf({ 'a.md': 'text' });
    if (tree === undefined) throw new Error('no tree');
    const properties = { ...tree.attributes.properties, 'passepartout:file': file };
    const stored = storedOf({ ...tree, attributes: { ...tree.attributes, properties } });
    expect(planExport([stored]).map((one) => one.file)).toStrictEqual([`memory/${tree.key.slice(0, 16)}.md`]);
  });

  it('writes a note that came from no file, and two of one name, each to a file of its own', () => {
    const plain: StoredNote = { id: 'ab'.repeat(16), attributes: { tags: ['x'] }, content: 'remembered', children: [] };
    expect(planExport([plain])).toStrictEqual([
      { file: 'memory/abababababababab.md', text: '---\ntags:\n  - x\n---\n\nremembered\n' },
    ]);
    const twice = treesOf({ 'a.md': 'x' }).map(storedOf);
    expect(
      new Set(planExport([...twice, ...twice.map((one) => ({ ...one, id: 'f'.repeat(32) }))]).map(({ file }) => file))
        .size,
    ).toBe(2);
  });
});

describe('findNotes and loadNote', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'passepartout-notes-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes notes and names what it does not take, by file and line', async () => {
    const notes = join(folder, 'in');
    for (const inside of ['', 'sub', '.hidden', 'data', '.ssh']) mkdirSync(join(notes, inside), { recursive: true });
    writeFileSync(join(folder, 'outside.md'), 'secret');
    for (const file of ['b.md', 'a.org', 'sub/c.markdown', '.hidden/x.md', 'data/x.md', '.env', 'x.txt', '.ssh/y.md'])
      writeFileSync(join(notes, file), 'text');
    writeFileSync(join(notes, 'latin.md'), Buffer.from('one\ntwo\ncaf\xe9\n', 'latin1'));
    writeFileSync(join(notes, 'binary.md'), 'one\n\0');
    writeFileSync(join(notes, 'wide.md'), Buffer.from('\ufeffx', 'utf16le'));
    writeFileSync(join(notes, 'big.md'), Buffer.alloc(NOTE_FILE_BYTES_MAX + 1, 0x61));
    symlinkSync(join(folder, 'outside.md'), join(notes, 'link.md'));
    symlinkSync(folder, join(notes, 'up'));
    symlinkSync(join(notes, 'b.md'), join(notes, 'again.md'));
    const { found, problems } = await findNotes(notes, [join(notes, 'data')]);
    const loaded = await Promise.all(found.map((one) => loadNote(notes, one)));
    expect(loaded.flatMap((one) => ('text' in one ? [one.file] : []))).toStrictEqual([
      'a.org',
      'b.md',
      'latin.md',
      'sub/c.markdown',
      'wide.md',
    ]);
    expect([...problems, ...loaded.flatMap((one) => ('problem' in one ? [one] : []))]).toStrictEqual([
      { file: 'link.md', line: 1, problem: 'a link out of the folder is not followed' },
      { file: 'up', line: 1, problem: 'a link out of the folder is not followed' },
      {
        file: 'big.md',
        line: 1,
        problem: `${NOTE_FILE_BYTES_MAX + 1} bytes, more than the ${NOTE_FILE_BYTES_MAX} one file may have: split it`,
      },
      { file: 'binary.md', line: 1, problem: 'binary, not text' },
    ]);
  });

  it('does not open a link put in the place of a file that was found', async () => {
    writeFileSync(join(folder, 'a.md'), 'text');
    const { found } = await findNotes(folder, []);
    rmSync(join(folder, 'a.md'));
    symlinkSync('/etc/hostname', join(folder, 'a.md'));
    expect(await Promise.all(found.map((one) => loadNote(folder, one)))).toStrictEqual([
      { file: 'a.md', line: 1, problem: 'cannot be read' },
    ]);
  });
});

describe('renderProgress', () => {
  it('says how far it is', () => {
    expect(renderProgress(50, 200, 'notes')).toBe('25 %  50 of 200  notes');
    expect(renderProgress(0, 0, 'notes')).toBe('100 %  0 of 0  notes');
  });
});
