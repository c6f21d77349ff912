/**
 * Random edits on both sides of a folder that is kept in step, and rounds that die in the middle.
 * Afterwards both sides are equal but for open questions, and each word that was typed is in a
 * file, in memory (older versions too), or in a copy.
 */
import { afterAll, expect, it } from 'vitest';
import { describeKnown } from '../../../infra/cli/notes/known-document.ts';
import { listNodes } from '../../../infra/cli/notes/note.ts';
import { parseNote } from '../../../infra/cli/notes/parse-note.ts';
import { memoryTree } from '../../../infra/features/notes/sync/identify.ts';
import { withoutMarks } from '../../../infra/features/notes/sync/own-hash.ts';
import type { SyncResult } from '../../../infra/features/notes/sync/round.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { TAKES_ALL } from '../../support/sample.ts';
import { openSyncWorld, type SyncWorld } from './sync-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const FILES = ['a.org', 'b.md', 'sub/c.org'];

interface Step {
  readonly what:
    | 'text'
    | 'title'
    | 'add'
    | 'drop'
    | 'swap'
    | 'file'
    | 'memory text'
    | 'memory add'
    | 'memory drop'
    | 'memory move'
    | 'memory state'
    | 'sync';
  readonly at: number;
  readonly to: number;
}

const STEP = fc.record({
  what: fc.constantFrom<Step['what']>(
    ...(['text', 'text', 'title', 'add', 'drop', 'swap', 'file', 'sync', 'sync'] as const),
    ...(['memory text', 'memory text', 'memory add', 'memory drop', 'memory move', 'memory state'] as const),
  ),
  at: fc.nat(50),
  to: fc.nat(50),
});

const FIRST: Readonly<Record<string, string>> = {
  'a.org': 'before w1\n* TODO One w2  :tag:\nw3 text\n** Two w4\n- w5\n* Three w6\nw7\n',
  'b.md': '# Four w8\n\nw9 *text*\n\nUnder w10\n---------\n\nw11\n\n## Five w12 #tag\n\n- w13\n',
  'sub/c.org': '* Six w14\n  w15\n',
};

/** Pieces of a file, each with its heading; the first may have none. */
const piecesOf = (text: string): string[] => text.split(/^(?=\*+ |#+ )/m);

/** Types words of a person into both sides. Each word is new. */
const buildEditor = (world: SyncWorld) => {
  let words = 100;
  const typed = new Set(Array.from({ length: 15 }, (_, n) => `w${n + 1}`));
  const word = (): string => {
    words += 1;
    typed.add(`w${words}`);
    return `w${words}`;
  };
  /** Words that a person takes back before any round saw them are nobody's to keep. */
  const takeBack = async (text: string): Promise<void> => {
    const stored = await world.everStored();
    for (const one of text.match(/w\d+/g) ?? []) if (!stored.includes(one)) typed.delete(one);
  };
  const inFile = async (at: number, change: (pieces: string[], n: number, file: string) => void): Promise<void> => {
    const present = Object.keys(world.files())
      .filter((file) => FILES.includes(file))
      .sort();
    const file = present[at % Math.max(1, present.length)];
    if (file === undefined) return;
    const pieces = piecesOf(world.read(file));
    await takeBack(pieces[at % pieces.length] ?? '');
    change(pieces, at % pieces.length, file);
    for (const one of pieces.join('').match(/w\d+/g) ?? []) typed.add(one);
    world.write(file, pieces.join(''));
  };
  const mark = (file: string, level: number): string => (file.endsWith('.org') ? '*' : '#').repeat(level);
  const perform = async ({ what, at, to }: Step): Promise<void> => {
    const objects = await world.objects();
    const object = objects[at % Math.max(1, objects.length)];
    switch (what) {
      case 'text':
        return inFile(at, (pieces, n) => {
          pieces[n] = `${pieces[n]?.trimEnd()}\n\n${word()}\n`;
        });
      case 'title':
        return inFile(at, (pieces, n, file) => {
          if (/^[*#]+ /.test(pieces[n] ?? ''))
            pieces[n] = (pieces[n] ?? '').replace(/^([*#]+ )[^\n]*/, `$1New ${word()}`);
          else pieces[n] = file.endsWith('.org') ? `#+TITLE: Doc ${word()}\n${pieces[n]}` : (pieces[n] ?? '');
        });
      case 'add':
        return inFile(at, (pieces, n, file) => {
          pieces.splice(n + 1, 0, `${mark(file, 1 + (to % 3))} Added ${word()}\n\n${word()}\n`);
          if (!/\n$/.test(pieces[n] ?? '')) pieces[n] = `${pieces[n]}\n`;
        });
      case 'drop':
        return inFile(at, (pieces, n) => void pieces.splice(n, 1));
      case 'swap':
        return inFile(at, (pieces, n) => pieces.push(...pieces.splice(n, 1).map((one) => `\n${one.trimEnd()}\n`)));
      case 'file': {
        const file = FILES[at % FILES.length] ?? '';
        if (Object.hasOwn(world.files(), file)) {
          await takeBack(world.read(file));
          world.remove(file);
        } else world.write(file, `${mark(file, 1)} Again ${word()}\n`);
        return;
      }
      case 'memory text':
        if (object === undefined) return;
        return world.change({ kind: 'update', id: object.id, content: `said ${word()}`, origin: 'owner' });
      case 'memory state':
        if (object === undefined) return;
        return world.change({
          ...{ kind: 'update', id: object.id, origin: 'owner' },
          attributes: { ...object.attributes, todo: to % 2 === 0 ? 'DONE' : 'TODO' },
        });
      case 'memory add': {
        if (object === undefined) return;
        const n = word();
        await world.memory.remember({
          ...{ text: `kept ${word()}`, title: `Kept ${n}`, tags: [], parentId: object.id, origin: 'agent' },
          ...{ effectId: `${n}#0`, signalId: n, now: words, nonce: 'a'.repeat(32) },
        });
        return;
      }
      case 'memory drop':
        if (object === undefined) return;
        return world.change({ kind: 'remove', id: object.id });
      case 'memory move': {
        const parent = objects[to % Math.max(1, objects.length)];
        if (object === undefined || parent === undefined || object.parentId === undefined) return;
        return world.change({ kind: 'move', id: object.id, place: { parentId: parent.id } }).catch(() => undefined);
      }
      case 'sync':
        await world.sync({ mayLoseMany: true });
    }
  };
  return { typed, perform };
};

/** All that is kept anywhere: files, copies, trash, and each version in memory. */
const keptText = async (world: SyncWorld): Promise<string> =>
  JSON.stringify(world.files()) + (await world.everStored());

const expectNoLoss = async (world: SyncWorld, typed: ReadonlySet<string>): Promise<void> => {
  const kept = new Set((await keptText(world)).match(/w\d+/g));
  expect([...typed].filter((one) => !kept.has(one))).toStrictEqual([]);
};

/** Both sides say the same, but for notes that a question is about. */
const expectEqual = async (world: SyncWorld, { questions, problems }: SyncResult): Promise<void> => {
  expect(problems.filter(({ problem }) => !problem.startsWith('memory holds it in a form'))).toStrictEqual([]);
  const inDoubt = new Set([...questions, ...problems].map(({ file }) => file));
  const { roots } = await world.store.load();
  const known = roots.map(describeKnown);
  const rows = (file: string): unknown => {
    const text = world.files()[file];
    const parsed = text === undefined ? undefined : parseNote(text, file, file.endsWith('.org') ? 'org' : 'markdown');
    return parsed?.kind === 'notes'
      ? listNodes(withoutMarks(parsed.node)).map(({ title, content, todo }) => [title, content, todo])
      : undefined;
  };
  for (const file of FILES) {
    if (inDoubt.has(file)) continue;
    const one = known.find((other) => other.file === file && !other.isLoose);
    const said =
      one === undefined
        ? undefined
        : listNodes(memoryTree(one)).map(({ title, content, todo }) => [title, content, todo]);
    expect([file, said]).toStrictEqual([file, rows(file)]);
  }
};

const begin = async (): Promise<SyncWorld> => {
  const world = openSyncWorld(dynamo.table);
  for (const [file, text] of Object.entries(FIRST)) world.write(file, text);
  return world;
};

it('ends with both sides equal and no word lost, whatever both change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 10 }), async (steps) => {
      const world = await begin();
      try {
        const { typed, perform } = buildEditor(world);
        await world.sync();
        for (const step of steps) await perform(step);
        await world.sync({ mayLoseMany: true });
        const result = await world.sync({ mayLoseMany: true });
        expect({ ...result, problems: [], questions: [], commit: 0, fileCount: 0, noteCount: 0 }).toStrictEqual({
          ...{
            toMemory: [],
            toFile: [],
            problems: [],
            questions: [],
            isDue: false,
            commit: 0,
            fileCount: 0,
            noteCount: 0,
          },
        });
        await expectEqual(world, result);
        await expectNoLoss(world, typed);
      } finally {
        world.close();
      }
    }),
    { numRuns: TAKES_ALL ? 300 : 12 },
  );
});

class Killed extends Error {}

it('is repeated without a loss or a double wherever it is killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }),
      async (steps, kills) => {
        const world = await begin();
        try {
          const { typed, perform } = buildEditor(world);
          await world.sync();
          for (const step of steps) if (step.what !== 'sync') await perform(step);
          for (const at of kills) {
            let passed = 0;
            const step = (): void => {
              passed += 1;
              if (passed > at) throw new Killed();
            };
            await world.sync({ mayLoseMany: true, step }).catch((error: unknown) => {
              if (!(error instanceof Killed)) throw error;
            });
          }
          await world.sync({ mayLoseMany: true });
          const result = await world.sync({ mayLoseMany: true });
          await expectEqual(world, result);
          await expectNoLoss(world, typed);
          const titles = (await world.objects()).flatMap(({ attributes: { key } }) => key ?? []);
          expect(new Set(titles).size).toBe(titles.length);
        } finally {
          world.close();
        }
      },
    ),
    { numRuns: TAKES_ALL ? 200 : 10 },
  );
});
