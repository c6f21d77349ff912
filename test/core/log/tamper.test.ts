/**
 * The tamper suite over a stored space: thousands of leaves written by the log's writer, then
 * whatever somebody with the whole table could do to it. Each is detected, against the public key
 * and a checkpoint kept elsewhere, and named.
 */
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MERGE_DELAY_MS } from '../../../lib/core/base/limits.ts';
import { originOf } from '../../../lib/core/evidence/checkpoint.ts';
import { buildLeafBytes, type Leaf, parseLeafBytes } from '../../../lib/core/evidence/leaf.ts';
import { signCheckpoint } from '../../../lib/core/evidence/signing-key.ts';
import { parseEntryBundle } from '../../../lib/core/evidence/tiles.ts';
import { type VerifyResult, verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { gateSetContent } from '../../../lib/core/gates/engine/gate-set-content.ts';
import { planStep } from '../../../lib/core/log/append.ts';
import { collectExport } from '../../../lib/core/log/collect-export.ts';
import { buildExportLines } from '../../../lib/core/log/export-lines.ts';
import { buildTableSource, type LogSource, type SignalEvidence } from '../../../lib/core/log/source.ts';
import { packEntries } from '../../../lib/core/log/stored.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { EMPTY_EDGE } from '../../support/empty-edge.ts';
import { TAKES_MORE } from '../../support/sample.ts';
import { fillSpace } from './fill.ts';
import { buildLogWorld, keyOf, type LogWorld, OTHER_SECRET, signersOf } from './log-world.ts';
import { copyTable, type TableCopy } from './table-copy.ts';

const SIGNALS = TAKES_MORE ? 570 : 200;
const LEAVES_MIN = TAKES_MORE ? 5_000 : 1_500;

let dynamo: TestDynamo;
let world: LogWorld;
let old: TableCopy;
let whole: TableCopy;
let anchor = '';
beforeAll(async () => {
  dynamo = await startDynamo();
  world = buildLogWorld(dynamo);
  const like = await world.say('hello');
  await fillSpace(dynamo, world, like, 0, SIGNALS - 100);
  await world.run();
  old = await copyTable(dynamo);
  await fillSpace(dynamo, world, like, SIGNALS - 100, 100);
  const { checkpoint } = await world.run();
  anchor = checkpoint?.note ?? '';
  whole = await copyTable(dynamo);
  // After this time a record without a leaf is not merely new.
  world.simulation.advance(2 * MERGE_DELAY_MS);
});
afterAll(() => dynamo.stop());

/** Evidence of untouched signals, read once: it is the same in each copy. */
const known = new Map<string, SignalEvidence>();
const sourceOf = (copy: TableCopy): LogSource => {
  const source = buildTableSource(copy.table, world.space, world.simulation.now);
  const read = async (id: string): Promise<SignalEvidence> => {
    const cached = copy.touched.has(`signal#${world.space}#${id}`) || copy === old ? undefined : known.get(id);
    const found = cached ?? (await source.signalRecords(id));
    if (copy === whole) known.set(id, found);
    return found;
  };
  const ids = copy.find(`signal#${world.space}#`, 'record').map(({ pk }) => String(pk).split('#')[2] ?? '');
  return { ...source, signalRecords: read, records: async () => ({ signals: await Promise.all(ids.map(read)) }) };
};

const verify = async (copy: TableCopy, options: { key?: string; anchor?: string } = {}): Promise<VerifyResult> => {
  const parts = await collectExport({
    source: sourceOf(copy),
    gateSets: [gateSetContent(GATE_SET)],
    onProgress: () => undefined,
    onProblem: () => undefined,
  });
  const given = { key: keyOf(world.space), anchor, ...options };
  return verifyExport(buildExportLines(parts), { now: world.simulation.now() + 1_000, ...given });
};
const wrongOf = async (copy: TableCopy, options?: { key?: string; anchor?: string }) => {
  const found = await verify(copy, options);
  return 'wrong' in found ? found.wrong : found.status;
};

const logPk = () => `log#${world.space}`;
const signalPk = (n: number) => `signal#${world.space}#tg-9-${n}`;
const entriesOf = (item: Item): readonly Uint8Array[] =>
  parseEntryBundle(inflateRawSync(item.packed as Uint8Array), Number(item.count));
/** Changes the entries of one chunk. */
const withEntries = (copy: TableCopy, at: number, change: (entries: Uint8Array[]) => Uint8Array[]): Item => {
  const item = copy.find(logPk(), 'entries#')[at] as Item;
  const changed = {
    ...item,
    ...packEntries(Number(item.start), change([...entriesOf(item)])),
    pk: item.pk,
    sk: item.sk,
  };
  copy.put(changed);
  return changed;
};
const allLeaves = (copy: TableCopy): Leaf[] =>
  copy.find(logPk(), 'entries#').flatMap((item) => entriesOf(item).map(parseLeafBytes));

/**
 * The log written anew from these leaves, as its writer would, signed with this secret: every hash
 * fresh.
 */
const rewrite = (copy: TableCopy, leaves: readonly Leaf[], secret: string): void => {
  for (const prefix of ['entries#', 'tile#', 'checkpoint#', 'head', 'edge', 'key#'])
    for (const { pk, sk } of copy.find(logPk(), prefix)) copy.remove(String(pk), String(sk));
  const signers = signersOf(world.space, secret);
  const { writes } = planStep(
    { space: world.space, head: undefined, edge: EMPTY_EDGE },
    {
      leaves: leaves.map((leaf) => ({ leaf })),
      signals: [],
      lastCommit: 0,
      keyId: signers.current.verifier.id,
      keyCount: 1,
      replacedKeyId: undefined,
      sign: (size, root) => signCheckpoint({ origin: originOf(world.space), size, root }, [signers.current]),
      now: world.simulation.now(),
      more: [
        {
          kind: 'put',
          key: { pk: logPk(), sk: 'key#0' },
          item: { schemaVersion: 1, key: keyOf(world.space, secret) },
        },
      ],
    },
  );
  for (const write of writes) if (write.kind === 'put') copy.put({ ...write.item, ...write.key });
};

describe('a stored space of thousands of leaves', () => {
  it('verifies untouched, against its key and its anchor', async () => {
    const found = await verify(whole);
    expect(found).toMatchObject({ status: 'verified', isSigned: true, isAnchored: true, pending: 0 });
    expect('wrong' in found ? 0 : found.leaves).toBeGreaterThan(LEAVES_MIN);
  });

  it('names an edited item', async () => {
    const copy = whole.copy();
    copy.put({ ...copy.get(signalPk(7), 'effect#3'), output: 'something else' });
    expect(await wrongOf(copy)).toMatchObject({
      kind: 'effect',
      id: 'tg-9-7#3',
      what: 'it was changed: its hash is not the one in the log',
    });
  });

  it('names an edited decision, and the trace in it', async () => {
    const copy = whole.copy();
    const item = copy.get(signalPk(8), 'decision');
    copy.put({
      ...item,
      actions: String(item.actions).replace('"kill-switch"', '{"gate":"kill-switch","verdict":"pass","reason":"fine"}'),
    });
    expect(await wrongOf(copy)).toMatchObject({ kind: 'decision', id: 'tg-9-8' });
  });

  it('names a deleted item', async () => {
    const copy = whole.copy();
    copy.remove(signalPk(9), 'effect#5');
    expect(await wrongOf(copy)).toMatchObject({ kind: 'effect', id: 'tg-9-9#5', what: 'its record is missing' });
  });

  it('names an inserted item', async () => {
    const copy = whole.copy();
    copy.put({ ...copy.get(signalPk(10), 'effect#7'), sk: 'effect#8', n: 8 });
    expect(await wrongOf(copy)).toMatchObject({ kind: 'effect', id: 'tg-9-10#8' });
  });

  it('names a record that was duplicated under another signal', async () => {
    const copy = whole.copy();
    for (const item of copy.find(signalPk(11), '').filter(({ pk }) => pk === signalPk(11)))
      copy.put({
        ...item,
        pk: signalPk(99_999),
        ...(item.signal === undefined ? {} : { signal: String(item.signal).replaceAll('tg-9-11', 'tg-9-99999') }),
        ...(item.signalId === undefined ? {} : { signalId: 'tg-9-99999' }),
      });
    expect(await wrongOf(copy)).toMatchObject({
      id: 'tg-9-99999',
      what: 'it is older than the merge delay and has no leaf',
    });
  });

  it('names the first of two decisions whose traces were swapped', async () => {
    const copy = whole.copy();
    const [one, two] = [copy.get(signalPk(12), 'decision'), copy.get(signalPk(13), 'decision')];
    // Alike in all else, as decisions on the same message are: only what the gates said is
    // exchanged.
    copy.put({ ...one, actions: String(two.actions).replace('"kill-switch"', '"permissions"') });
    copy.put({ ...two, actions: one.actions });
    expect(await wrongOf(copy)).toMatchObject({ kind: 'decision', id: 'tg-9-12' });
  });

  it('names the leaf where an entry was edited', async () => {
    const copy = whole.copy();
    withEntries(copy, 3, (entries) =>
      entries.with(2, buildLeafBytes({ ...parseLeafBytes(entries[2] as Uint8Array), actor: 'somebody' })),
    );
    expect(await wrongOf(copy)).toMatchObject({ what: expect.stringContaining('its leaf is not the one in the log') });
  });

  it('names the place where entries were reordered, doubled or taken out', async () => {
    const swapped = whole.copy();
    withEntries(swapped, 3, (entries) => [entries[1], entries[0], ...entries.slice(2)] as Uint8Array[]);
    expect(await wrongOf(swapped)).toMatchObject({ what: expect.stringContaining('not the one in the log') });
    const doubled = whole.copy();
    withEntries(doubled, 3, (entries) => [entries[0], entries[0], ...entries.slice(2)] as Uint8Array[]);
    expect(await wrongOf(doubled)).toMatchObject({ index: expect.any(Number) });
    const shorter = whole.copy();
    withEntries(shorter, 3, (entries) => entries.slice(1));
    expect(await wrongOf(shorter)).toMatchObject({ kind: 'log', what: expect.stringContaining('the header says') });
  });

  it('names a tail that was cut off, with everything that belongs to it', async () => {
    const copy = whole.copy();
    const leaves = allLeaves(copy).slice(0, -40);
    rewrite(copy, leaves, OTHER_SECRET);
    expect(await wrongOf(copy)).toMatchObject({ kind: 'checkpoint' });
  });

  it('names a chain that was written anew with fresh hashes, by the anchor alone, and by the key alone', async () => {
    const copy = whole.copy();
    const leaves = allLeaves(copy).map((leaf, at) => (at === 100 ? { ...leaf, actor: 'somebody' } : leaf));
    rewrite(copy, leaves, OTHER_SECRET);
    expect(await wrongOf(copy, { key: keyOf(world.space, OTHER_SECRET) })).toMatchObject({ kind: 'anchor' });
    expect(await wrongOf(copy, { anchor: undefined as never })).toMatchObject({ kind: 'checkpoint' });
  });

  it('names a checkpoint that was replaced', async () => {
    const copy = whole.copy();
    const [first, second] = copy.find(logPk(), 'checkpoint#') as [Item, Item];
    copy.put({ ...first, note: String(second.note).replace(/\n\d+\n/, `\n${first.size}\n`) });
    expect(await wrongOf(copy)).toMatchObject({ kind: 'checkpoint' });
  });

  it('names a tile that was changed', async () => {
    const copy = whole.copy();
    const [tile] = copy.find(logPk(), 'tile#0#') as [Item];
    const bytes = Buffer.from(tile.bytes as Uint8Array);
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    copy.put({ ...tile, bytes });
    expect(await wrongOf(copy)).toMatchObject({ kind: 'tile', id: 'tile/0/000' });
  });

  it('names a table rolled back to an older copy', async () => {
    expect(await verify(old, { anchor: undefined as never })).toMatchObject({ status: 'verified' });
    expect(await verify(old)).toMatchObject({ status: 'older', isAnchored: false });
  });
});
