/**
 * Import and export as a person runs them, on real folders; memory is the plan's own trees, kept in
 * a map.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../infra/cli/command.ts';
import { exportNotes } from '../../../infra/cli/commands/export.ts';
import { importNotes } from '../../../infra/cli/commands/import.ts';
import { describeKnown } from '../../../infra/cli/notes/known-document.ts';
import type { StoredNote } from '../../../infra/cli/notes/memory-tree.ts';
import type { NotesStore } from '../../../infra/cli/notes/stack-notes.ts';
import { buildTerminal } from '../../../infra/cli/terminal.ts';
import type { TreeNode } from '../../../lib/core/memory/ingest.ts';

const storedOf = (tree: TreeNode): StoredNote => ({
  id: tree.key,
  attributes: tree.attributes,
  content: tree.content,
  children: tree.children.map(storedOf),
});

interface World {
  readonly store: NotesStore;
  readonly loadRoots: () => readonly StoredNote[];
  readonly trust: boolean[];
  failAfter: number;
}

const buildWorld = (): World => {
  const roots = new Map<string, StoredNote>();
  const world: World = {
    trust: [],
    failAfter: Number.POSITIVE_INFINITY,
    loadRoots: () => [...roots.values()],
    store: {
      loadKnown: async () => [...roots.values()].map(describeKnown),
      sendTree: async ({ tree }, isTrusted) => {
        if (world.trust.length >= world.failAfter) throw new Error('the connection broke');
        world.trust.push(isTrusted);
        roots.set(tree.key, storedOf(tree));
        return undefined;
      },
    },
  };
  return world;
};

const run = async (command: (context: CommandContext) => Promise<number>, folder: string, words: readonly string[]) => {
  let out = '';
  let err = '';
  const toOut = (text: string): void => {
    out += text;
  };
  const toErr = (text: string): void => {
    err += text;
  };
  const flags = new Set(words.filter((word) => word.startsWith('--')).map((word) => word.slice(2)));
  const access = { url: 'http://127.0.0.1:1', approverToken: undefined };
  const context: CommandContext = {
    args: words.filter((word) => !word.startsWith('--')),
    text: () => undefined,
    texts: () => [],
    flag: (option) => flags.has(option),
    terminal: buildTerminal({ write: toOut }, { write: toErr }, flags.has('json'), {}),
    input: new PassThrough(),
    output: new PassThrough(),
    env: { DATA_DIR: join(folder, 'data') },
    folder,
    access: async () => access,
    now: () => 0,
    sleep: async () => {},
  };
  return { code: await command(context), out, err };
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-notes-'));
  for (const inside of ['in', 'in/sub', 'data']) mkdirSync(join(folder, inside));
  writeFileSync(join(folder, 'in/a.md'), '---\ntags:\n  - home\n---\n\n# one\n\ntext\n\n## two #tag\n');
  writeFileSync(join(folder, 'in/sub/b.org'), '* TODO three\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('import and export', () => {
  it('take a folder in, write the same files, and find nothing new in them', async () => {
    const world = buildWorld();
    const commands = {
      in: (context: CommandContext) => importNotes(context, context.flag('dry-run') ? undefined : world.store),
      out: (context: CommandContext) => exportNotes(context, world.loadRoots()),
    };
    expect(await run(commands.in, folder, ['in'])).toStrictEqual({
      code: 0,
      out: '2 files with 5 notes went in, 0 files unchanged, 0 left out.\n',
      err: '',
    });
    expect(world.trust).toStrictEqual([false, false]);
    expect((await run(commands.out, folder, ['out'])).out).toBe('2 files written, 0 unchanged, 0 left alone.\n');
    for (const file of ['a.md', 'sub/b.org'])
      expect(readFileSync(join(folder, 'out', file), 'utf8')).toBe(readFileSync(join(folder, 'in', file), 'utf8'));
    expect((await run(commands.in, folder, ['out'])).out).toBe(
      '0 files with 0 notes went in, 2 files unchanged, 0 left out.\n',
    );
    expect((await run(commands.out, folder, ['out'])).out).toBe('0 files written, 2 unchanged, 0 left alone.\n');
  });

  it('names bad files by line, takes the rest, and ends with 1', async () => {
    writeFileSync(join(folder, 'in/bad.md'), `# a\n${'>'.repeat(600)}`);
    writeFileSync(join(folder, 'in/c.md'), '---\ntitle: x\n# never ends\n');
    const world = buildWorld();
    const { code, out, err } = await run(
      (context: CommandContext) => importNotes(context, context.flag('dry-run') ? undefined : world.store),
      folder,
      ['in', '--trust'],
    );
    expect({ code, out, err }).toStrictEqual({
      code: 1,
      out: '3 files with 7 notes went in, 0 files unchanged, 1 left out.\n',
      err: 'bad.md:2: nested too deeply to be read: give this line fewer levels\nc.md:1: front matter that never ends is read to line 2: write a line "---" below it\n',
    });
    expect(world.trust).toStrictEqual([true, true, true]);
  });

  it('goes on where it was cut off', async () => {
    const world = buildWorld();
    const command = (context: CommandContext) =>
      importNotes(context, context.flag('dry-run') ? undefined : world.store);
    world.failAfter = 1;
    await expect(run(command, folder, ['in'])).rejects.toThrow('the connection broke');
    world.failAfter = Number.POSITIVE_INFINITY;
    expect((await run(command, folder, ['in'])).out).toBe(
      '1 file with 2 notes went in, 1 file unchanged, 0 left out.\n',
    );
  });

  it('never takes notes away silently', async () => {
    const world = buildWorld();
    const command = (context: CommandContext) =>
      importNotes(context, context.flag('dry-run') ? undefined : world.store);
    await run(command, folder, ['in']);
    writeFileSync(join(folder, 'in/a.md'), '# one\n');
    rmSync(join(folder, 'in/sub/b.org'));
    const held = await run(command, folder, ['in']);
    expect(held).toStrictEqual({
      code: 1,
      out: [
        '0 files with 0 notes went in, 0 files unchanged, 0 left out.',
        'Held back, because these notes are gone from their files (--remove takes them out of memory too):',
        '  a.md: two',
        'In memory, though their files are gone (nothing was changed; npx passepartout forget <id> erases one):',
        '  sub/b.org: b, three',
        '',
      ].join('\n'),
      err: '',
    });
    expect((await run(command, folder, ['in', '--remove'])).out).toContain('1 file with 2 notes went in');
  });

  it('says what would go in without a stack', async () => {
    const command = (context: CommandContext) => importNotes(context, undefined);
    const { code, out } = await run(command, folder, ['in', '--dry-run', '--json']);
    expect({ code, ...JSON.parse(out) }).toStrictEqual({
      code: 0,
      sent: [
        { file: 'a.md', noteCount: 3 },
        { file: 'sub/b.org', noteCount: 2 },
      ],
      unchangedCount: 0,
      problems: [],
      leftOut: [],
      heldBack: [],
      notesLeftOut: [],
      gone: [],
    });
  });

  it('writes neither over other content nor through a link', async () => {
    const world = buildWorld();
    await run(
      (context: CommandContext) => importNotes(context, context.flag('dry-run') ? undefined : world.store),
      folder,
      ['in'],
    );
    mkdirSync(join(folder, 'out'));
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'out/a.md'), 'mine');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/sub'));
    const command = (context: CommandContext) => exportNotes(context, world.loadRoots());
    expect(await run(command, folder, ['out'])).toStrictEqual({
      code: 1,
      out: '0 files written, 0 unchanged, 2 left alone.\n',
      err: 'a.md: is there with other content\nsub/b.org: cannot be written\n',
    });
    expect(readFileSync(join(folder, 'out/a.md'), 'utf8')).toBe('mine');
    expect(readdirSync(join(folder, 'elsewhere'))).toStrictEqual([]);
    expect((await run(command, folder, ['out', '--overwrite'])).out).toBe(
      '1 file written, 0 unchanged, 1 left alone.\n',
    );
  });

  it('makes no folder through a link', async () => {
    const world = buildWorld();
    mkdirSync(join(folder, 'in/sub/deep'));
    writeFileSync(join(folder, 'in/sub/deep/c.md'), '# c');
    await run(
      (context: CommandContext) => importNotes(context, context.flag('dry-run') ? undefined : world.store),
      folder,
      ['in'],
    );
    mkdirSync(join(folder, 'out'));
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/sub'));
    const { err } = await run((context: CommandContext) => exportNotes(context, world.loadRoots()), folder, ['out']);
    expect(err).toBe('sub/b.org: cannot be written\nsub/deep/c.md: cannot be written\n');
    expect(readdirSync(join(folder, 'elsewhere'))).toStrictEqual([]);
  });

  it('refuses a folder that is none', async () => {
    const world = buildWorld();
    await expect(
      run(
        (context: CommandContext) => importNotes(context, context.flag('dry-run') ? undefined : world.store),
        folder,
        ['nowhere'],
      ),
    ).rejects.toMatchObject({ exitCode: 2 });
  });
});
