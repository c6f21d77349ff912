/**
 * Collects an export of one moment from a log that goes on growing: all records, then the leaves up
 * to one checkpoint and again what changed, until they agree. A part that never agrees is reported
 * and written as it is. Records are kept as text, so that 100,000 leaves fit a laptop's memory.
 */

import { hashOf } from '../base/canonical.ts';
import { EVIDENCE_REQUESTS_MAX, RECORDS_PAGE_SIGNALS_MAX } from '../base/limits.ts';
import { recordHash } from '../evidence/record-hash.ts';
import { parseEntryBundle, TILE_WIDTH, type Tile, tilePath, tilesOfGrowth } from '../evidence/tiles.ts';
import type { GateSetContent } from '../gates/engine/gate-set-content.ts';
import { atLeaf, type Cut, type CutLeaf, compareRecords, cutAt, nameOf, type ReadRecord } from './cut.ts';
import type { LooseRecord } from './evidence-records.ts';
import type { ExportParts, ExportRecord } from './export-lines.ts';
import type { LogSource, LogStanding, SignalEvidence } from './source.ts';

/** Rounds of reading changed records, if nobody waits for the log's writer. */
const EXPORT_ROUNDS_MAX = 5;
const UNSETTLED_NAMED_MAX = 3;

export interface CollectOptions {
  readonly source: LogSource;
  /** Gate sets that are known without the log: those of this release and the one before. */
  readonly gateSets: readonly GateSetContent[];
  readonly onProgress: (message: string) => void;
  /** The export lacks the record, or has it as it is. */
  readonly onProblem: (problem: string) => void;
  /** False after waiting long enough. Without it nobody is waited for. */
  readonly pause?: () => Promise<boolean>;
}

export interface CollectedExport extends ExportParts {
  /** Records newer than the moment of the export: a later one has them. */
  readonly leftOut: number;
}

interface Collection {
  readonly options: CollectOptions;
  /** The key is kind and id. */
  readonly records: Map<string, ReadRecord>;
  /** Names of each signal's records. */
  readonly signals: Map<string, readonly string[]>;
  /** The key is the signal's id; the empty id has the records of the log itself. */
  readonly problems: Map<string, string>;
  readonly leaves: string[];
  readonly lastLeaves: Map<string, CutLeaf>;
  /** Signals are listed in the order they were accepted; the next reading goes on from here. */
  cursor: string | undefined;
  /** Commits up to this one have been read with the tombstones that their leaves are of. */
  lastCommit: number;
  loggedCommit: number;
}

const TIMES = [
  ...['at', 'claimedAt', 'settledAt', 'createdAt', 'decidedAt', 'spentAt', 'endedAt', 'forgottenAt'],
  ...['closedAt', 'from'],
];

const timeOf = (fixed: object): number =>
  Math.max(0, ...Object.entries(fixed).flatMap(([name, value]) => (TIMES.includes(name) ? [Number(value)] : [])));

const coversOf = (fixed: object): readonly string[] =>
  'covers' in fixed && Array.isArray(fixed.covers) ? fixed.covers.map(String) : [];

const buildReadRecord = (record: LooseRecord): ReadRecord => ({
  kind: record.kind,
  id: record.id,
  hash: recordHash(record.kind, record.fixed),
  at: timeOf(record.fixed),
  isErased: record.isForgotten === true,
  covers: record.kind === 'tombstone' ? coversOf(record.fixed) : [],
  text: JSON.stringify(record),
});

/** Only what places a leaf's record: the verifier decides whether it is a leaf at all. */
const parseLeafText = (text: string): Omit<CutLeaf, 'index'> & { readonly name: string } => {
  try {
    const { kind, id, hash, signal, state = '' } = Object(JSON.parse(text));
    return { name: `${kind} ${id}`, hash: String(hash), signal: String(signal), state: String(state) };
  } catch {
    return { name: '', hash: '', signal: '', state: '' };
  }
};

/** Replaces the records of a signal by what was read now. */
const addSignal = (
  { records, signals, problems }: Collection,
  { id, records: found, problem }: SignalEvidence,
): void => {
  if (problem === undefined) problems.delete(id);
  else problems.set(id, problem);
  for (const name of signals.get(id) ?? []) records.delete(name);
  const read = found.map(buildReadRecord);
  signals.set(id, read.map(nameOf));
  for (const record of read) records.set(nameOf(record), record);
};

const readNewSignals = async (collection: Collection): Promise<void> => {
  const { source, onProgress } = collection.options;
  for (let hasMore = true; hasMore; ) {
    const page = await source.records({ cursor: collection.cursor, limit: RECORDS_PAGE_SIGNALS_MAX });
    for (const signal of page.signals) addSignal(collection, signal);
    hasMore = page.cursor !== undefined;
    collection.cursor = page.cursor ?? collection.cursor;
    onProgress(`${collection.records.size} records`);
  }
};

const readLeaves = async (collection: Collection, size: number): Promise<void> => {
  const { options, leaves, lastLeaves, problems } = collection;
  while (leaves.length < size) {
    const index = Math.floor(leaves.length / TILE_WIDTH);
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const bytes = await options.source.tile(tilePath({ level: 'entries', index, width }));
    if (bytes === undefined) {
      problems.set('', `the entries from ${leaves.length} on cannot be read`);
      return;
    }
    problems.delete('');
    for (const entry of parseEntryBundle(bytes, width).slice(leaves.length - index * TILE_WIDTH)) {
      const text = Buffer.from(entry).toString();
      const { name, ...leaf } = parseLeafText(text);
      if (/^commit \d{1,15}$/.test(name)) collection.loggedCommit = Number(name.slice('commit '.length));
      lastLeaves.set(name, { ...leaf, index: leaves.length });
      leaves.push(text);
    }
    options.onProgress(`${leaves.length} leaves`);
  }
};

/** Reads signals again if a record of theirs is not what its last leaf says. */
const readChangedSignals = async (collection: Collection): Promise<void> => {
  const { options, records, lastLeaves } = collection;
  const changed = new Set<string>();
  for (const [name, { hash, signal }] of lastLeaves) {
    const isOfSignal = /^(decision|effect|approval|occurrence|job|skill) /.test(name);
    if (isOfSignal && records.get(name)?.hash !== hash) changed.add(signal);
  }
  const ids = [...changed];
  for (let first = 0; first < ids.length; first += EVIDENCE_REQUESTS_MAX) {
    const reads = ids.slice(first, first + EVIDENCE_REQUESTS_MAX).map((id) => options.source.signalRecords(id));
    for (const signal of await Promise.all(reads)) addSignal(collection, signal);
  }
};

/** Tombstones of commits without a leaf are read again: they are stored between the two. */
const readCommits = async (collection: Collection): Promise<void> => {
  let after = collection.lastCommit;
  for (let isAll = false; !isAll; ) {
    const page = await collection.options.source.commits(after);
    for (const record of page.records) collection.records.set(nameOf(record), buildReadRecord(record));
    isAll = page.isAll || page.last === after;
    after = page.last;
  }
  collection.lastCommit = Math.min(after, collection.loggedCommit);
};

/** Erased records are read before the tombstones that cover them, which are stored later. */
const readRound = async (collection: Collection, standing: LogStanding): Promise<Cut> => {
  await readNewSignals(collection);
  await readLeaves(collection, standing.size);
  await readChangedSignals(collection);
  await readCommits(collection);
  return cutAt(collection.records, collection.lastLeaves, standing.now);
};

/** Reads until records and leaves agree, or nothing more is to be hoped for. */
const readUntilSettled = async (collection: Collection): Promise<{ standing: LogStanding; cut: Cut }> => {
  const { source, onProgress, pause } = collection.options;
  for (let round = 1; ; round += 1) {
    const standing = await source.standing();
    const cut = await readRound(collection, standing);
    if (cut.unsettled.size === 0) return { standing, cut };
    onProgress(`waiting: ${cut.unsettled.size} records are under way`);
    const mayPass = pause !== undefined && [...cut.unsettled.values()].some((problem) => problem.mayPass);
    if (!mayPass && round >= EXPORT_ROUNDS_MAX) return { standing, cut };
    if (pause !== undefined && !(await pause())) return { standing, cut };
  }
};

/** A copy gets no further leaf: the verifier judges what the next one would have settled. */
const reportProblems = ({ options: { onProblem, pause }, problems }: Collection, { unsettled }: Cut): void => {
  const isCopy = pause === undefined;
  const standing = [...unsettled].filter(([, { mayPass }]) => !(isCopy && mayPass));
  for (const problem of problems.values()) onProblem(problem);
  for (const [name, { why }] of standing.slice(0, UNSETTLED_NAMED_MAX)) onProblem(`${name}: ${why}`);
  if (standing.length > UNSETTLED_NAMED_MAX) onProblem(`and ${standing.length - UNSETTLED_NAMED_MAX} more`);
};

const readTiles = async ({ source, onProblem }: CollectOptions, size: number): Promise<readonly Tile[]> => {
  const tiles: Tile[] = [];
  for (const ref of tilesOfGrowth(0, size).filter(({ level }) => level !== 'entries')) {
    const bytes = await source.tile(tilePath(ref));
    if (bytes === undefined) onProblem(`${tilePath(ref)} cannot be read`);
    else tiles.push({ ref, bytes });
  }
  return tiles;
};

const readCheckpoints = async ({ source }: CollectOptions, size: number): Promise<readonly string[]> => {
  const notes: string[] = [];
  for (let after = 0; ; ) {
    const page = (await source.checkpoints(after)).filter((checkpoint) => checkpoint.size <= size);
    notes.push(...page.map(({ note }) => note));
    const newest = page.at(-1);
    // One that does not lead on would be read for ever.
    if (newest === undefined || newest.size <= after) return notes;
    after = newest.size;
  }
};

function* buildRecords({ lastLeaves }: Collection, { records, unsettled }: Cut): Generator<ExportRecord> {
  for (const one of [...records].sort(compareRecords(lastLeaves))) {
    const record: ExportRecord = JSON.parse(one.text);
    const leaf = lastLeaves.get(nameOf(one));
    if (leaf === undefined) yield record;
    else if (unsettled.size > 0) yield { ...record, leaf: leaf.index };
    else yield { ...(atLeaf(record, leaf.hash) ?? record), leaf: leaf.index };
  }
}

const dropRepeated = (gateSets: readonly GateSetContent[]): readonly GateSetContent[] => [
  ...new Map(gateSets.map((content) => [hashOf('gate-set', content), content])).values(),
];

/** The code that gate sets name; the verifier says what is missing. */
const readGateCode = async (
  { source, onProblem }: CollectOptions,
  gateSets: readonly GateSetContent[],
): Promise<readonly string[]> => {
  const named = new Set(gateSets.flatMap(({ gates }) => gates.flatMap(([, , , code]) => code ?? [])));
  const found: string[] = [];
  for (const sha256 of named) {
    const code = await source.gateCode(sha256);
    if (code === undefined) onProblem(`the code ${sha256.slice(0, 12)} of a skill's gate is missing`);
    else found.push(code);
  }
  return found;
};

/** The writer of the parts reads the records lazily. */
export const collectExport = async (options: CollectOptions): Promise<CollectedExport> => {
  const { source, gateSets } = options;
  const collection: Collection = {
    options,
    records: new Map(),
    signals: new Map(),
    problems: new Map(),
    leaves: [],
    lastLeaves: new Map(),
    cursor: undefined,
    lastCommit: 0,
    loggedCommit: 0,
  };
  await readNewSignals(collection);
  const { standing, cut } = await readUntilSettled(collection);
  reportProblems(collection, cut);
  const allGateSets = dropRepeated([...(await source.gateSets()), ...gateSets]);
  const rotations = [...collection.lastLeaves.keys()].filter((name) => name.startsWith('rotation ')).length;
  return {
    space: standing.space,
    origin: standing.origin,
    exportedAt: standing.now,
    size: standing.size,
    tiles: await readTiles(options, standing.size),
    checkpoints: await readCheckpoints(options, standing.size),
    // A key that came with a later leaf does not belong to this export.
    keys: (await source.keys()).slice(0, 1 + rotations),
    gateSets: allGateSets,
    gateCode: await readGateCode(options, allGateSets),
    leaves: collection.leaves,
    records: buildRecords(collection, cut),
    leftOut: cut.leftOut,
  };
};
