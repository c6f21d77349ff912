import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MEMORY_CONTENT_CHARS_MAX, NOTE_BATCH_OBJECTS_MAX, NOTE_FILE_BYTES_MAX } from '../../lib/limits.ts';
import { findNotes, loadNote } from '../../lib/notes/load-folder.ts';
import type { NoteNode } from '../../lib/notes/note.ts';
import { splitContent } from '../../lib/notes/note-object.ts';
import { parseNote } from '../../lib/notes/parse-note.ts';
import { planExport } from '../../lib/notes/plan-export.ts';
import { type ImportPlan, type KnownNote, planImport, renderProgress } from '../../lib/notes/plan-import.ts';

const SALT = 'a secret of this test, long enough';

const documentOf = (text: string, file: string): NoteNode => {
  const parsed = parseNote(text, file, file.endsWith('.org') ? 'org' : 'markdown');
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed.node;
};

const plan = (
  files: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, KnownNote> = new Map(),
  unread: readonly string[] = [],
) =>
  planImport({
    documents: Object.entries(files).map(([file, text]) => documentOf(text, file)),
    known,
    salt: SALT,
    unread: new Set(unread),
  });

const objectsOf = ({ batches }: ImportPlan) => batches.flatMap(({ objects }) => objects);
const knownFrom = (...plans: readonly ImportPlan[]): ReadonlyMap<string, KnownNote> =>
  new Map(plans.flatMap(objectsOf).map(({ id, hash, file }) => [id, { hash, file }]));
const countsOf = ({ newCount, changedCount, unchangedCount, gone }: ImportPlan) => [
  newCount,
  changedCount,
  unchangedCount,
  gone.length,
];

describe('planImport', () => {
  const files = { 'a.md': '# one\n\ntext\n\n## two\n', 'b.org': '* three\n' };

  it('writes everything once, then nothing, then only what changed', () => {
    const first = plan(files);
    expect(countsOf(first)).toStrictEqual([5, 0, 0, 0]);
    const known = knownFrom(first);
    expect(countsOf(plan(files, known))).toStrictEqual([0, 0, 5, 0]);
    expect(countsOf(plan({ ...files, 'a.md': '# one\n\nother\n\n## two\n' }, known))).toStrictEqual([0, 1, 4, 0]);
  });

  it('lists what no file holds any more, except of files it could not read', () => {
    const known = knownFrom(plan(files));
    expect(plan({ 'a.md': '# one\n\ntext\n' }, known).gone.map(({ file }) => file)).toStrictEqual([
      'a.md',
      'b.org',
      'b.org',
    ]);
    expect(plan({ 'a.md': files['a.md'] }, known, ['b.org']).gone).toStrictEqual([]);
  });

  it('goes on where an import was cut off', () => {
    const many = { 'a.md': Array.from({ length: 180 }, (_, n) => `# h${n}\n`).join('') };
    const whole = plan(many);
    expect(whole.batches.length).toBe(Math.ceil(181 / NOTE_BATCH_OBJECTS_MAX));
    const done = { ...whole, batches: whole.batches.slice(0, 2) };
    const rest = plan(many, knownFrom(done));
    expect(objectsOf(rest)).toStrictEqual(whole.batches.slice(2).flatMap(({ objects }) => objects));
    expect(rest.batches.map(({ id }) => id)).toStrictEqual(whole.batches.slice(2).map(({ id }) => id));
  });

  it('puts parents before children, and no id says anything without the salt', () => {
    const objects = objectsOf(plan(files));
    const seen = new Set<string>();
    for (const { id, parentId } of objects) {
      expect(parentId === undefined || seen.has(parentId)).toBe(true);
      seen.add(id);
    }
    const other = planImport({
      documents: [documentOf(files['a.md'], 'a.md')],
      known: new Map(),
      salt: 'another',
      unread: new Set(),
    });
    expect(objectsOf(other).some(({ id, hash }) => objects.some((one) => one.id === id || one.hash === hash))).toBe(
      false,
    );
  });

  it('keeps two notes with one id apart and says so', () => {
    const two = plan({ 'a.md': '# x {#same}\n', 'b.md': '# y {#same}\n' });
    expect(new Set(objectsOf(two).map(({ id }) => id)).size).toBe(4);
    expect(two.problems).toStrictEqual([
      { file: 'b.md', line: 1, problem: 'an id that another file has too: kept as a note of its own' },
    ]);
  });
});

describe('splitContent', () => {
  it('cuts a long text into pieces that fit and join to it again, never inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é'), maxLength: 200 }),
        fc.integer({ min: 2, max: 40 }),
        (text, charsMax) => {
          const pieces = splitContent(text, charsMax);
          expect(pieces.join('')).toBe(text);
          expect(pieces.every((piece) => piece.length <= charsMax && piece.isWellFormed())).toBe(true);
        },
      ),
    );
  });
});

describe('planExport', () => {
  it('writes what was imported: the same files, which read as the same trees', () => {
    const files = {
      'a.md': '---\ntitle: T\n---\n\n# one #tag\n\ntext\n\n## two\n',
      'sub/b.org': '* TODO three\n:PROPERTIES:\n:ID: x\n:END:\n',
      'long.md': `# long\n\n${'a line of words\n'.repeat(MEMORY_CONTENT_CHARS_MAX / 8)}\n# after\n`,
    };
    const objects = objectsOf(plan(files));
    expect(planExport([...objects].reverse())).toStrictEqual(
      Object.entries(files)
        .map(([file, text]) => ({ file, text }))
        .sort((a, b) => (a.file < b.file ? -1 : 1)),
    );
  });

  it.each(['../up.md', '/etc/x.md', 'a/../../b.md', '.ssh/x.md', 'a/.env.md', 'a\\b.md', 'x.txt', '', 'a//b.md'])(
    'never writes to %j',
    (file) => {
      const [object] = objectsOf(plan({ 'a.md': 'text' }));
      if (object === undefined) throw new Error('no object');
      expect(planExport([{ ...object, file }]).map((one) => one.file)).toStrictEqual([
        `notes/${object.id.slice(0, 16)}.md`,
      ]);
    },
  );

  it('leaves no object out: one whose parent is missing gets a file', () => {
    const orphans = objectsOf(plan({ 'a.md': '# one\n\n## two\n' })).filter(({ title }) => title !== 'one');
    expect(
      planExport(orphans)
        .map(({ text }) => text)
        .sort(),
    ).toStrictEqual(['', '---\ntitle: two\n---\n']);
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
      'sub/c.markdown',
    ]);
    expect([...problems, ...loaded.flatMap((one) => ('problem' in one ? [one] : []))]).toStrictEqual([
      { file: 'link.md', line: 1, problem: 'a link out of the folder is not followed' },
      { file: 'up', line: 1, problem: 'a link out of the folder is not followed' },
      {
        file: 'big.md',
        line: 1,
        problem: `${NOTE_FILE_BYTES_MAX + 1} bytes, more than the ${NOTE_FILE_BYTES_MAX} one file may have`,
      },
      { file: 'binary.md', line: 2, problem: 'binary, not text' },
      { file: 'latin.md', line: 3, problem: 'not UTF-8' },
      { file: 'wide.md', line: 1, problem: 'UTF-16, not UTF-8' },
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
