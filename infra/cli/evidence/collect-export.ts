/**
 * Collects an evidence export from a log that goes on growing, as of one moment: all records first;
 * then, until they agree, the leaves up to one checkpoint and again whatever changed, with waits
 * for the log's writer between. What is newer than the moment is left out and counted. Nothing is
 * mended: what does not agree at the end is told, and written as it is found, for the verifier to
 * name. Keeps records as text, so that a log of 100,000 leaves fits the memory of a laptop.
 */
import { hashOf } from '../../../lib/base/canonical.ts';
import { EVIDENCE_REQUESTS_MAX, RECORDS_PAGE_SIGNALS_MAX } from '../../../lib/base/limits.ts';
import { parseEntryBundle } from '../../../lib/evidence/entry-bundle.ts';
import { recordHash } from '../../../lib/evidence/record-hash.ts';
import { TILE_WIDTH, type Tile, type TileRef, tilePath, tilesOfGrowth } from '../../../lib/evidence/tiles.ts';
import type { GateSetContent } from '../../../lib/log/gate-set-content.ts';
import type { LooseRecord } from '../../../lib/log/records.ts';
import type { LogSource, LogStanding, SignalEvidence } from '../../../lib/log/source.ts';
import { atLeaf, type Cut, type CutLeaf, compareKept, cutAt, type Kept, nameOf } from './cut.ts';
import type { ExportParts, ExportRecord } from './export-lines.ts';

/** Readings of what changed while an export was made, where nobody is waited for. */
const EXPORT_ROUNDS_MAX = 5;

export interface Collecting {
  readonly source: LogSource;
  /** Known without the log: those of this release and the one before. */
  readonly gateSets: readonly GateSetContent[];
  /** Told now and then. */
  readonly onProgress: (what: string) => void;
  /** Told of what could not be read, or does not agree; the export lacks it, or has it as it is. */
  readonly onProblem: (problem: string) => void;
  /**
   * Gives the log's writer, and whoever is at work, a moment; false where it was waited for long
   * enough. Absent: no waiting.
   */
  readonly pause?: () => Promise<boolean>;
}

export interface Collected extends ExportParts {
  /** Records newer than the moment the export is of: a later one has them. */
  readonly leftOut: number;
}

const TIMES = ['at', 'claimedAt', 'settledAt', 'createdAt', 'decidedAt', 'spentAt', 'endedAt', 'forgottenAt'];

const timeOf = (fixed: object): number =>
  Math.max(0, ...Object.entries(fixed).flatMap(([name, value]) => (TIMES.includes(name) ? [Number(value)] : [])));

const coversOf = (fixed: object): readonly string[] =>
  'covers' in fixed && Array.isArray(fixed.covers) ? fixed.covers.map(String) : [];

const keep = (record: LooseRecord): Kept => ({
  kind: record.kind,
  id: record.id,
  hash: recordHash(record.kind, record.fixed),
  at: timeOf(record.fixed),
  isErased: record.isForgotten === true,
  covers: record.kind === 'tombstone' ? coversOf(record.fixed) : [],
  text: JSON.stringify(record),
});

/**
 * Of a leaf's text, only what places its record: whether it is a leaf at all is the verifier's to
 * say.
 */
const readLeafText = (text: string): Omit<CutLeaf, 'index'> & { readonly name: string } => {
  try {
    const { kind, id, hash, signal, state = '' } = Object(JSON.parse(text));
    return { name: `${kind} ${id}`, hash: String(hash), signal: String(signal), state: String(state) };
  } catch {
    return { name: '', hash: '', signal: '', state: '' };
  }
};

const withoutTwice = (gateSets: readonly GateSetContent[]): readonly GateSetContent[] => [
  ...new Map(gateSets.map((content) => [hashOf('gate-set', content), content])).values(),
];

const UNSETTLED_TOLD_MAX = 3;

/** Collects everything; the parts are read lazily by whoever writes them out. */
export const collectExport = async (collecting: Collecting): Promise<Collected> => {
  const { source, gateSets, onProgress, onProblem, pause } = collecting;
  const records = new Map<string, Kept>();
  const namesOf = new Map<string, readonly string[]>();
  const problems = new Map<string, string>();
  const leaves: string[] = [];
  const last = new Map<string, CutLeaf>();
  let cursor: string | undefined;
  /** Commits up to this one have been read with the tombstones their leaves are of. */
  let lastCommit = 0;
  let loggedCommit = 0;

  const take = ({ id, records: found, problem }: SignalEvidence): void => {
    if (problem === undefined) problems.delete(id);
    else problems.set(id, problem);
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

  /**
   * A tombstone is stored before its leaf and after its commit: those of commits without a leaf are
   * read again.
   */
  const readCommits = async (): Promise<void> => {
    let after = lastCommit;
    for (let isAll = false; !isAll; ) {
      const page = await source.commits(after);
      for (const record of page.records) records.set(`${record.kind} ${record.id}`, keep(record));
      isAll = page.isAll || page.last === after;
      after = page.last;
    }
    lastCommit = Math.min(after, loggedCommit);
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
      if (entries === undefined) {
        problems.set('', `the entries from ${leaves.length} on cannot be read`);
        return;
      }
      problems.delete('');
      for (const entry of entries.slice(leaves.length - index * TILE_WIDTH)) {
        const text = Buffer.from(entry).toString();
        const { name, ...leaf } = readLeafText(text);
        if (/^commit \d{1,15}$/.test(name)) loggedCommit = Number(name.slice('commit '.length));
        last.set(name, { ...leaf, index: leaves.length });
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

  /** What is erased is read before the tombstones that cover it, which are stored later. */
  const round = async (standing: LogStanding): Promise<Cut> => {
    await readSignals();
    await readLeaves(standing.size);
    await readAgain(findChanged());
    await readCommits();
    return cutAt(records, last, standing.now);
  };

  let standing = await source.standing();
  await readSignals();
  let cut: Cut;
  for (let tries = 1; ; tries += 1) {
    standing = await source.standing();
    cut = await round(standing);
    if (cut.unsettled.size === 0) break;
    onProgress(`waiting: ${cut.unsettled.size} records are under way`);
    const mayPass = pause !== undefined && [...cut.unsettled.values()].some((problem) => problem.mayPass);
    if (!mayPass && tries >= EXPORT_ROUNDS_MAX) break;
    if (pause !== undefined && !(await pause())) break;
  }
  for (const problem of problems.values()) onProblem(problem);
  for (const [name, { why }] of [...cut.unsettled].slice(0, UNSETTLED_TOLD_MAX)) onProblem(`${name}: ${why}`);
  if (cut.unsettled.size > UNSETTLED_TOLD_MAX) onProblem(`and ${cut.unsettled.size - UNSETTLED_TOLD_MAX} more`);

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

  const sorted = [...cut.records].sort(compareKept(last));
  function* exportRecords(): Generator<ExportRecord> {
    for (const one of sorted) {
      const record: ExportRecord = JSON.parse(one.text);
      const leaf = last.get(nameOf(one));
      if (leaf === undefined) yield record;
      else if (cut.unsettled.size > 0) yield { ...record, leaf: leaf.index };
      else yield { ...(atLeaf(record, leaf.hash) ?? record), leaf: leaf.index };
    }
  }

  return {
    space: standing.space,
    origin: standing.origin,
    exportedAt: standing.now,
    size: standing.size,
    // A key that came with a later leaf is none of this export.
    keys: (await source.keys()).slice(0, 1 + [...last.keys()].filter((name) => name.startsWith('rotation ')).length),
    gateSets: withoutTwice([...(await source.gateSets()), ...gateSets]),
    leaves,
    tiles,
    checkpoints,
    records: exportRecords(),
    leftOut: cut.leftOut,
  };
};
