/**
 * The tamper suite: whatever is done to an export of some 5,000 leaves, by a forger who hashes
 * everything anew and lacks only the log's key and the anchored checkpoint, is detected and named.
 * An untouched export verifies.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Leaf } from '../../../lib/core/evidence/leaf.ts';
import { recordHash } from '../../../lib/core/evidence/record-hash.ts';
import { type VerifyResult, verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { buildExportLines, type ExportParts, type ExportRecord } from '../../../lib/core/log/export-lines.ts';
import {
  type Built,
  buildExport,
  buildWorld,
  FIRST_KEY,
  FORGERS_KEY,
  SECOND_KEY,
  textOf,
  type World,
} from './export-world.ts';

let world: World;
let built: Built;
beforeAll(() => {
  world = buildWorld(1_950);
  built = buildExport(world);
});

const check = (lines: readonly string[], options: { key?: string; anchor?: string } = {}): Promise<VerifyResult> =>
  verifyExport(lines, { now: world.exportedAt + 1_000, ...options });
/** With the anchor alone: no key tells the forger apart. */
const anchored = (lines: readonly string[]): Promise<VerifyResult> => check(lines, { anchor: built.anchor });
const wrongOf = async (result: Promise<VerifyResult>) => {
  const found = await result;
  return 'wrong' in found ? found.wrong : found.status;
};

const linesOf = (parts: Partial<ExportParts>): readonly string[] => [...buildExportLines({ ...built.parts, ...parts })];
const recordNamed = (kind: string, id: string): ExportRecord =>
  world.records.find((one) => one.kind === kind && one.id === id) as ExportRecord;
const leafOf = (kind: string, id: string): number => recordNamed(kind, id).leaf as number;
/** The file with one record in another form. */
const withRecord = (changed: ExportRecord): readonly string[] =>
  linesOf({
    records: [...built.parts.records].map((one) =>
      one.kind === changed.kind && one.id === changed.id ? changed : one,
    ),
  });
/**
 * The world with other leaves; everything above them is computed anew, and signed by whoever is
 * named.
 */
const rebuilt = (leaves: readonly Leaf[], records: readonly ExportRecord[] = world.records, signers = [FORGERS_KEY]) =>
  buildExport(
    { ...world, leaves, records, sizes: [...world.sizes.filter((size) => size < leaves.length), leaves.length] },
    signers,
  );

describe('an untouched export', () => {
  it('has the leaves the suite is about, and verifies in every way', async () => {
    expect(world.leaves.length).toBeGreaterThan(5_000);
    expect(await check(built.lines)).toMatchObject({ status: 'consistent', isSigned: false, isAnchored: false });
    expect(await anchored(built.lines)).toMatchObject({ status: 'verified', isSigned: false, isAnchored: true });
    for (const key of [FIRST_KEY, SECOND_KEY])
      expect(await check(built.lines, { key: textOf(key), anchor: built.anchor })).toMatchObject({
        status: 'verified',
      });
  });

  it('verifies against every checkpoint it ever had', async () => {
    for (const anchor of built.parts.checkpoints)
      expect(await check(built.lines, { key: textOf(FIRST_KEY), anchor })).toMatchObject({ status: 'verified' });
  });
});

describe('a record of an anchored export', () => {
  it.each<[string, string, string, (record: ExportRecord) => ExportRecord, string]>([
    [
      'edited outcome',
      'effect',
      'con-700#0',
      (one) => ({ ...one, fixed: { ...one.fixed, state: 'failed' } }),
      'it was changed: its hash is not the one in the log',
    ],
    [
      'edited reason',
      'decision',
      'con-701',
      (one) => ({ ...one, fixed: { ...one.fixed, reason: 'because' } }),
      'it was changed: its hash is not the one in the log',
    ],
    [
      'edited decider',
      'approval',
      '',
      (one) => ({ ...one, fixed: { ...one.fixed, decider: 'somebody' } }),
      'it was changed: its hash is not the one in the log',
    ],
    [
      'edited commit',
      'commit',
      '50',
      (one) => ({ ...one, fixed: { ...one.fixed, actor: 'somebody' } }),
      'it was changed: its hash is not the one in the log',
    ],
    [
      'edited tombstone',
      'tombstone',
      'object-1',
      (one) => ({ ...one, fixed: { ...one.fixed, covers: [] } }),
      'it was changed: its hash is not the one in the log',
    ],
    [
      'edited output',
      'effect',
      'con-702#0',
      (one) => ({ ...one, content: { ...one.content, output: 'sent' } }),
      'its output was changed',
    ],
    [
      'erased content',
      'effect',
      'con-703#0',
      ({ content: _gone, ...one }) => one,
      'its content is missing, and it is not marked as forgotten',
    ],
    [
      'content erased as if forgotten',
      'decision',
      'con-704',
      ({ content: _gone, ...one }) => ({ ...one, isForgotten: true }),
      'its content is missing, and no tombstone of the log covers it',
    ],
    ['missing leaf', 'effect', 'con-705#0', ({ leaf: _gone, ...one }) => one, 'it says it has no leaf, and has one'],
    [
      'another kind',
      'effect',
      'con-706#0',
      (one) => ({ ...one, kind: 'decision' }),
      'its record does not have a known form',
    ],
    [
      'another version',
      'effect',
      'con-707#0',
      (one) => ({ ...one, fixed: { ...one.fixed, v: 2 } }),
      'its record does not have a known form',
    ],
  ])('with an %s is named', async (_, kind, id, change, what) => {
    const found = id === '' ? (world.records.find((one) => one.kind === kind) as ExportRecord) : recordNamed(kind, id);
    const changed = change(found);
    const lines = linesOf({ records: [...built.parts.records].map((one) => (one === found ? changed : one)) });
    expect(await wrongOf(anchored(lines))).toStrictEqual({
      kind: changed.kind,
      id: found.id,
      index: changed.leaf ?? null,
      what,
    });
  });

  it('with an edited action or facts is named', async () => {
    const found = recordNamed('decision', 'con-800');
    const content = found.content as { actions: { action: object; facts: object[] }[] };
    const [shown] = content.actions;
    const edited = (change: object): ExportRecord => ({
      ...found,
      content: { ...content, actions: [{ ...shown, ...change }] },
    });
    const named = { kind: 'decision', id: 'con-800', index: leafOf('decision', 'con-800') };
    expect(await wrongOf(anchored(withRecord(edited({ action: { ...shown?.action, to: 'evil' } }))))).toStrictEqual({
      ...named,
      what: 'action 0 was changed',
    });
    expect(await wrongOf(anchored(withRecord(edited({ facts: [] }))))).toStrictEqual({
      ...named,
      what: 'the facts of action 0 were changed',
    });
  });

  it('that is deleted, doubled or out of order is named', async () => {
    const records = [...built.parts.records];
    const at = records.indexOf(recordNamed('decision', 'con-900'));
    const [one, other] = [records[at] as ExportRecord, records[at + 1] as ExportRecord];
    const named = { kind: 'decision', id: 'con-900', index: one.leaf };
    const missing = 'its record is missing';
    expect(await wrongOf(anchored(linesOf({ records: records.toSpliced(at, 1) })))).toStrictEqual({
      ...named,
      what: missing,
    });
    expect(await wrongOf(anchored(linesOf({ records: records.toSpliced(at, 2, other, one) })))).toStrictEqual({
      ...named,
      what: missing,
    });
    expect(await wrongOf(anchored(linesOf({ records: records.toSpliced(at, 0, one) })))).toStrictEqual({
      ...named,
      what: 'it is there twice, out of order, or its leaf is not its last',
    });
  });

  it('whose trace was swapped with another is named', async () => {
    const [one, other] = [recordNamed('decision', 'con-1003'), recordNamed('decision', 'con-1004')];
    const traceOf = (record: ExportRecord) => (record.fixed as { actions: { trace: unknown }[] }).actions[0]?.trace;
    const swapped = (record: ExportRecord, trace: unknown): ExportRecord => {
      const { actions } = record.fixed as { actions: object[] };
      return { ...record, fixed: { ...record.fixed, actions: [{ ...actions[0], trace }] } };
    };
    expect(traceOf(one)).not.toStrictEqual(traceOf(other));
    const records = [...built.parts.records].map((record) => {
      if (record === one) return swapped(one, traceOf(other));
      return record === other ? swapped(other, traceOf(one)) : record;
    });
    expect(await wrongOf(anchored(linesOf({ records })))).toMatchObject({
      kind: 'decision',
      id: 'con-1003',
      index: one.leaf,
    });
  });

  it('that is inserted is named, whether it says it has a leaf or not', async () => {
    const found = recordNamed('decision', 'con-1100');
    const { leaf: _none, ...bare } = { ...found, id: 'con-new', fixed: { ...found.fixed, signalId: 'con-new' } };
    const records = [...built.parts.records];
    const late = records.toSpliced(records.length - 2, 0, bare as ExportRecord);
    expect(await wrongOf(anchored(linesOf({ records: late })))).toStrictEqual({
      kind: 'decision',
      id: 'con-new',
      index: null,
      what: 'it is older than the merge delay and has no leaf',
    });
    const placed = { ...bare, leaf: found.leaf as number };
    expect(
      await wrongOf(anchored(linesOf({ records: records.toSpliced(records.indexOf(found), 0, placed) }))),
    ).toStrictEqual({
      kind: 'decision',
      id: 'con-new',
      index: found.leaf,
      what: 'its leaf is of another record: decision con-1100',
    });
  });
});

describe('the log of an anchored export', () => {
  /** A decision in the middle; its tile is the tenth. */
  let at: number;
  beforeAll(() => {
    at = world.leaves.findIndex(({ kind }, index) => index >= 2_500 && kind === 'decision');
  });
  const nameAt = (leaves: readonly Leaf[], index: number) => ({
    kind: leaves[index]?.kind,
    id: leaves[index]?.id,
    index,
  });

  /**
   * The forger changes leaves and their places in the file, but keeps the tiles and checkpoints
   * that were signed.
   */
  const underOldTiles = (leaves: readonly Leaf[]): readonly string[] =>
    linesOf({ leaves: rebuilt(leaves).parts.leaves, size: leaves.length });

  it.each<[string, (leaves: readonly Leaf[]) => readonly Leaf[]]>([
    ['edited', (leaves) => leaves.with(at, { ...(leaves[at] as Leaf), at: 1 })],
    ['reordered', (leaves) => leaves.with(at, leaves[at + 1] as Leaf).with(at + 1, leaves[at] as Leaf)],
    ['replaced by another', (leaves) => leaves.with(at, { ...(leaves[at] as Leaf), id: 'new' } as Leaf)],
  ])('with leaves %s names the first of them', async (_, change) => {
    const leaves = change(world.leaves);
    expect(await wrongOf(anchored(underOldTiles(leaves)))).toStrictEqual({
      ...nameAt(leaves, at),
      what: 'its leaf is not the one in the log (tile/0/009 holds another)',
    });
  });

  it('with a leaf line deleted or doubled names the one in its place', async () => {
    const line = built.lines.findIndex((text) => text.startsWith(`{"type":"leaf","index":${at},`));
    expect(await wrongOf(anchored(built.lines.toSpliced(line, 1)))).toStrictEqual({
      ...nameAt(world.leaves, at + 1),
      index: at,
      what: `its leaf stands where ${at} is due and says ${at + 1}`,
    });
    expect(await wrongOf(anchored(built.lines.toSpliced(line, 0, built.lines[line] as string)))).toStrictEqual({
      ...nameAt(world.leaves, at),
      index: at + 1,
      what: `its leaf stands where ${at + 1} is due and says ${at}`,
    });
  });

  it.each<[string, (leaves: readonly Leaf[]) => readonly Leaf[]]>([
    ['edited', (leaves) => leaves.with(at, { ...(leaves[at] as Leaf), at: 1 })],
    ['deleted', (leaves) => leaves.toSpliced(at, 1)],
    ['reordered', (leaves) => leaves.with(at, leaves[at + 1] as Leaf).with(at + 1, leaves[at] as Leaf)],
    ['inserted', (leaves) => leaves.toSpliced(at, 0, { ...(leaves[0] as Leaf), id: 'new' })],
  ])('rewritten with fresh hashes around a leaf that is %s gives no anchored root', async (_, change) => {
    const leaves = change(world.leaves);
    const lines = rebuilt(leaves, world.records).lines;
    const wrong = await wrongOf(anchored(lines));
    expect(wrong).not.toBe('verified');
    expect(['anchor', 'log', 'checkpoint']).toContain((wrong as { kind: string }).kind);
  });

  it('rewritten around a doubled leaf names the second', async () => {
    const at = leafOf('decision', 'con-900');
    const leaves = world.leaves.toSpliced(at + 1, 0, world.leaves[at] as Leaf);
    expect(await wrongOf(anchored(rebuilt(leaves).lines))).toStrictEqual({
      kind: 'decision',
      id: 'con-900',
      index: at + 1,
      what: `it has a leaf already, ${at}, and may have only one`,
    });
  });

  it('rewritten whole, records and all, gives no anchored root and is signed by no known key', async () => {
    const index = leafOf('effect', 'con-1200#0');
    const found = recordNamed('effect', 'con-1200#0');
    const fixed = { ...found.fixed, reason: 'nothing happened' };
    const forged = { ...(world.leaves[index] as Leaf), hash: recordHash('effect', fixed) };
    const records = world.records.map((one) => (one === found ? { ...one, fixed } : one));
    const leaves = world.leaves.with(index, forged).map((leaf) => (leaf.kind === 'rotation' ? { ...leaf } : leaf));
    const own = rebuilt(leaves, records);
    expect(await wrongOf(anchored(own.lines))).toMatchObject({ kind: 'checkpoint' });
    // Even signed with the real keys (by a thief of them), it is not what was anchored.
    const signed = buildExport({ ...world, leaves, records });
    expect(await wrongOf(check(signed.lines))).toBe('consistent');
    expect(await wrongOf(anchored(signed.lines))).toStrictEqual({
      kind: 'anchor',
      id: `passepartout/default ${world.leaves.length}`,
      index: world.leaves.length,
      what: `the leaves from 0 to ${world.leaves.length - 1} do not give its root`,
    });
  });

  it('with its tail taken away is older than its anchor, and so is an old copy; a changed record is wrong all the same', async () => {
    const old = buildExport(buildWorld(1_000));
    const size = 4_000;
    const cut = buildExport({
      ...world,
      leaves: world.leaves.slice(0, size),
      records: world.records.filter(({ leaf }) => leaf !== undefined && leaf < size),
      sizes: world.sizes.filter((one) => one <= size),
    });
    for (const [lines, count] of [
      [cut.lines, size],
      [old.lines, old.parts.size],
    ] as const)
      expect(await anchored(lines)).toMatchObject({
        status: 'older',
        isAnchored: false,
        missing: [
          `The anchor is newer than this export (${world.leaves.length} leaves, the file has ${count}): use an older anchor or a newer export.`,
        ],
      });
    const changed = old.lines.map((line) => line.replace('sent 30"', 'sent 31"'));
    expect(await wrongOf(anchored(changed))).toMatchObject({ kind: 'effect', id: 'con-30#0' });
  });

  it('with a checkpoint replaced, taken from elsewhere, doubled or missing names it', async () => {
    const notes = [...built.parts.checkpoints];
    const forged = [...rebuilt(world.leaves).parts.checkpoints];
    const key = textOf(FIRST_KEY);
    const second = { kind: 'checkpoint', id: 'passepartout/default 2000', index: 2_000 };
    const wrong = (checkpoints: readonly string[]) =>
      wrongOf(check(linesOf({ checkpoints }), { key, anchor: built.anchor }));
    expect(await wrong(notes.with(1, forged[1] as string))).toStrictEqual({
      ...second,
      what: `the key ${FIRST_KEY.verifier.id} did not sign it`,
    });
    expect(
      await wrong(notes.with(1, (notes[1] as string).replace(/\n[A-Za-z0-9+/]{43}=\n/, `\n${'A'.repeat(43)}=\n`))),
    ).toMatchObject(second);
    expect(await wrong(notes.with(1, notes[0] as string))).toMatchObject({ id: 'passepartout/default 1000' });
    expect(await wrong(notes.slice(0, -1))).toStrictEqual({
      kind: 'checkpoint',
      id: 'passepartout/default',
      index: 5_000,
      what: 'no checkpoint covers the leaves from 5000 on',
    });
  });

  it('with a tile changed, missing or added names it', async () => {
    const tiles = [...built.parts.tiles];
    const changed = Buffer.from(tiles[3]?.bytes ?? []);
    changed[40] = (changed[40] ?? 0) ^ 1;
    const wrong = (list: typeof tiles) => wrongOf(anchored(linesOf({ tiles: list })));
    expect(await wrong(tiles.with(3, { ref: { level: 0, index: 3, width: 256 }, bytes: changed }))).toMatchObject({
      kind: 'tile',
      id: 'tile/0/003',
    });
    expect(await wrong(tiles.toSpliced(3, 1))).toMatchObject({ kind: 'tile', id: 'tile/0/003' });
    expect(await wrong([...tiles, tiles[0] as (typeof tiles)[number]])).toMatchObject({
      what: 'the log has no such tile',
    });
  });
});
