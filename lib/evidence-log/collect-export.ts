/**
 * Collects an evidence export from a log that goes on growing: first all records, then the leaves up to one checkpoint, then
 * again whatever changed between. Nothing is mended: what does not agree at the end is written as it is found, for the
 * verifier to name. Keeps records as text, so that a log of 100,000 leaves fits the memory of a laptop.
 */
import { parseEntryBundle } from '../evidence/entry-bundle.ts';
import type { ExportParts, ExportRecord, GateSetContent } from '../evidence/export-lines.ts';
import { type RecordKind, recordHash } from '../evidence/record-hash.ts';
import { TILE_WIDTH, type Tile, type TileRef, tilePath, tilesOfGrowth } from '../evidence/tiles.ts';
import { EVIDENCE_REQUESTS_MAX, EXPORT_ROUNDS_MAX, RECORDS_PAGE_SIGNALS_MAX } from '../limits.ts';
import type { LooseRecord } from './records.ts';
import type { LogSource, LogStanding, SignalEvidence } from './source.ts';

export interface Collecting {
  readonly source: LogSource;
  readonly gateSets: readonly GateSetContent[];
  /** Told now and then. */
  readonly onProgress: (what: string) => void;
  /** Told of what could not be read; the export lacks it. */
  readonly onProblem: (problem: string) => void;
}

interface Kept {
  readonly kind: RecordKind;
  readonly id: string;
  readonly hash: string;
  /** When it last changed; 0 where it does not say. */
  readonly at: number;
  readonly text: string;
}

interface LastLeaf {
  readonly index: number;
  readonly hash: string;
  readonly signal: string;
}

const TIMES = ['at', 'claimedAt', 'settledAt', 'createdAt', 'decidedAt', 'spentAt', 'forgottenAt'];

const timeOf = (fixed: object): number =>
  Math.max(0, ...Object.entries(fixed).flatMap(([name, value]) => (TIMES.includes(name) ? [Number(value)] : [])));

const keep = (record: LooseRecord): Kept => ({
  kind: record.kind,
  id: record.id,
  hash: recordHash(record.kind, record.fixed),
  at: timeOf(record.fixed),
  text: JSON.stringify(record),
});

const nameOf = ({ kind, id }: Pick<Kept, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Of a leaf's text, only what places its record: whether it is a leaf at all is the verifier's to say. */
const readLeafText = (text: string): { readonly name: string; readonly hash: string; readonly signal: string } => {
  try {
    const { kind, id, hash, signal } = Object(JSON.parse(text));
    return { name: `${kind} ${id}`, hash: String(hash), signal: String(signal) };
  } catch {
    return { name: '', hash: '', signal: '' };
  }
};

const inOrder = new Intl.Collator('en');
const ORDER: readonly RecordKind[] = ['commit', 'tombstone', 'decision', 'approval', 'effect', 'rotation'];

/** Collects everything; the parts are read lazily by whoever writes them out. */
export const collectExport = async ({ source, gateSets, onProgress, onProblem }: Collecting): Promise<ExportParts> => {
  const records = new Map<string, Kept>();
  const namesOf = new Map<string, readonly string[]>();
  const leaves: string[] = [];
  const last = new Map<string, LastLeaf>();
  let cursor: string | undefined;
  let lastCommit = 0;

  const take = ({ id, records: found, problem }: SignalEvidence): void => {
    if (problem !== undefined) onProblem(problem);
    for (const name of namesOf.get(id) ?? []) records.delete(name);
    const kept = found.map(keep);
    namesOf.set(id, kept.map(nameOf));
    for (const one of kept) records.set(nameOf(one), one);
  };

  /** From where the last reading ended: signals are listed in the order they were accepted. */
  const readSignals = async (): Promise<void> => {
    for (let isMore = true; isMore; ) {
      const page = await source.records({ cursor, limit: RECORDS_PAGE_SIGNALS_MAX });
      for (const signal of page.signals) take(signal);
      isMore = page.cursor !== undefined;
      cursor = page.cursor ?? cursor;
      onProgress(`${records.size} records`);
    }
  };

  const readCommits = async (): Promise<void> => {
    for (let isAll = false; !isAll; ) {
      const page = await source.commits(lastCommit);
      for (const record of page.records) records.set(`${record.kind} ${record.id}`, keep(record));
      isAll = page.isAll || page.last === lastCommit;
      lastCommit = page.last;
    }
  };

  const readBundle = async (ref: TileRef): Promise<readonly Uint8Array[] | undefined> => {
    const bytes = await source.tile(tilePath(ref));
    return bytes === undefined ? undefined : parseEntryBundle(bytes, ref.width);
  };

  const readLeaves = async (size: number): Promise<void> => {
    while (leaves.length < size) {
      const index = Math.floor(leaves.length / TILE_WIDTH);
      const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
      const entries = await readBundle({ level: 'entries', index, width });
      if (entries === undefined) return onProblem(`the entries from ${leaves.length} on cannot be read`);
      for (const entry of entries.slice(leaves.length - index * TILE_WIDTH)) {
        const text = Buffer.from(entry).toString();
        const { name, hash, signal } = readLeafText(text);
        last.set(name, { index: leaves.length, hash, signal });
        leaves.push(text);
      }
      onProgress(`${leaves.length} leaves`);
    }
  };

  /** Signals of which a record is not as its last leaf says. */
  const findChanged = (): readonly string[] => {
    const changed = new Set<string>();
    for (const [name, { hash, signal }] of last) {
      const isOfSignal = /^(decision|effect|approval) /.test(name);
      if (isOfSignal && records.get(name)?.hash !== hash) changed.add(signal);
    }
    return [...changed];
  };

  const readAgain = async (ids: readonly string[]): Promise<void> => {
    for (let at = 0; at < ids.length; at += EVIDENCE_REQUESTS_MAX) {
      const some = ids.slice(at, at + EVIDENCE_REQUESTS_MAX).map((id) => source.signalRecords(id));
      for (const signal of await Promise.all(some)) take(signal);
    }
  };

  /** @returns whether all that has a leaf is older than the moment the export is of. */
  const round = async (standing: LogStanding): Promise<boolean> => {
    await readSignals();
    await readCommits();
    await readLeaves(standing.size);
    await readAgain(findChanged());
    return ![...last.keys()].some((name) => (records.get(name)?.at ?? 0) > standing.now);
  };

  let standing = await source.standing();
  await readSignals();
  for (let tries = 1; ; tries += 1) {
    standing = await source.standing();
    if ((await round(standing)) || tries === EXPORT_ROUNDS_MAX) break;
  }

  const tiles: Tile[] = [];
  for (const ref of tilesOfGrowth(0, standing.size).filter(({ level }) => level !== 'entries')) {
    const bytes = await source.tile(tilePath(ref));
    if (bytes === undefined) onProblem(`${tilePath(ref)} cannot be read`);
    else tiles.push({ ref, bytes });
  }
  const checkpoints: string[] = [];
  for (let after = 0; ; ) {
    const page = (await source.checkpoints(after)).filter(({ size }) => size <= standing.size);
    checkpoints.push(...page.map(({ note }) => note));
    const newest = page.at(-1);
    if (newest === undefined) break;
    after = newest.size;
  }

  /** What has no leaf and no time to say since when is left for a later export: it waits for a person, and did nothing yet. */
  const isToCome = ({ at }: Kept, leaf: LastLeaf | undefined): boolean =>
    leaf === undefined && (at === 0 || at > standing.now);
  const sorted = [...records.values()]
    .map((one) => ({ one, leaf: last.get(nameOf(one)) }))
    .filter(({ one, leaf }) => !isToCome(one, leaf))
    .sort(
      (a, b) =>
        (a.leaf?.index ?? Number.MAX_SAFE_INTEGER) - (b.leaf?.index ?? Number.MAX_SAFE_INTEGER) ||
        ORDER.indexOf(a.one.kind) - ORDER.indexOf(b.one.kind) ||
        a.one.at - b.one.at ||
        inOrder.compare(a.one.id, b.one.id),
    );
  function* exportRecords(): Generator<ExportRecord> {
    for (const { one, leaf } of sorted) {
      const record: ExportRecord = JSON.parse(one.text);
      yield leaf === undefined ? record : { ...record, leaf: leaf.index };
    }
  }

  return {
    space: standing.space,
    origin: standing.origin,
    exportedAt: standing.now,
    size: standing.size,
    keys: await source.keys(),
    gateSets,
    leaves,
    tiles,
    checkpoints,
    records: exportRecords(),
  };
};
