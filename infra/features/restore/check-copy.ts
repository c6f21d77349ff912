/**
 * Checks a copy of a space before anybody works on it: the evidence log by the verifier of exports,
 * every hash of memory, page by page, against itself and the commits, and who said what.
 */
import { ProtocolError, StoredItemError } from '../../../lib/core/base/errors.ts';
import { rootOf } from '../../../lib/core/evidence/merkle.ts';
import { parseVerifierKey } from '../../../lib/core/evidence/signed-note.ts';
import { readLeaf } from '../../../lib/core/evidence/verifier/read-leaf.ts';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { gateSetContent } from '../../../lib/core/gates/engine/gate-set-content.ts';
import { loadLogState } from '../../../lib/core/log/append.ts';
import { collectExport } from '../../../lib/core/log/collect-export.ts';
import { buildExportLines } from '../../../lib/core/log/export-lines.ts';
import { loadKeys } from '../../../lib/core/log/read-log.ts';
import { checkRights } from '../../../lib/core/log/rights.ts';
import { buildTableSource } from '../../../lib/core/log/source.ts';
import { memoryKeys, OBJECT_PREFIX } from '../../../lib/core/memory/keys.ts';
import { contentHashOf, type MemoryObject, objectHashOf, parseObject } from '../../../lib/core/memory/object.ts';
import { buildReader } from '../../../lib/core/memory/read.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { VERIFIER_KNOWLEDGE } from '../../../lib/features/verifier-knowledge.ts';
import { type ProvenSignals, proveSignals } from './prove-signals.ts';

export interface CheckInput {
  readonly table: Table;
  readonly space: string;
  /** The moment that the copy is of, epoch milliseconds. */
  readonly at: number;
  /** The moment of the restore, epoch milliseconds. */
  readonly now: number;
  /** A signed checkpoint that the log must hold. */
  readonly anchor: string | undefined;
  readonly onProgress: (what: string) => void;
}

export interface Checked {
  readonly objects: number;
  readonly leaves: number;
  /** The permissions that hold without another question, for people. */
  readonly rights: readonly string[];
  readonly signals: ProvenSignals;
  /** Sentences; empty if all is as it should be. */
  readonly problems: readonly string[];
}

async function* readPrefix({ table, space }: CheckInput, skPrefix: string): AsyncGenerator<readonly MemoryObject[]> {
  let cursor: string | undefined;
  do {
    const page = await table.query({ pk: memoryKeys.partition(space), skPrefix, isConsistent: true, cursor });
    yield page.items.map(parseObject);
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** Current objects: one of a commit under way gives way to the version before it. */
async function* readCurrent(input: CheckInput): AsyncGenerator<MemoryObject> {
  const reader = buildReader(input.table, input.space);
  const { number } = await reader.loadHead();
  for await (const page of readPrefix(input, OBJECT_PREFIX)) {
    const later = page.filter(({ commit }) => commit > number).map(({ id }) => id);
    yield* page.filter(({ commit }) => commit <= number);
    if (later.length > 0) yield* (await reader.loadVersions(later, number)).values();
  }
}

/** Commits read at once. */
const COMMITS_AT_ONCE = 500;

interface Committed {
  readonly head: number;
  /** Version and hash that a commit names, by its number and the object: a leaf has them. */
  readonly versions: ReadonlyMap<string, string>;
  /** Records of commits. */
  readonly count: number;
}

const loadCommitted = async ({ table, space }: CheckInput): Promise<Committed> => {
  const reader = buildReader(table, space);
  const { number: head } = await reader.loadHead();
  const versions = new Map<string, string>();
  let count = 0;
  for (let first = 1; first <= head; first += COMMITS_AT_ONCE)
    for (const { number, changes } of await reader.loadRecords(first, Math.min(head, first + COMMITS_AT_ONCE - 1))) {
      count += 1;
      for (const { id, version, newHash } of changes) versions.set(`${number} ${id}`, `${version} ${newHash}`);
    }
  return { head, versions, count };
};

const hashFault = (committed: Committed, object: MemoryObject): string | undefined => {
  if (object.state !== 'live') return undefined;
  const { id, version, commit, hash } = object;
  const isOwn = objectHashOf(object) === hash && contentHashOf(object.content) === object.contentHash;
  if (!isOwn) return `memory object ${id}, version ${version}: its hash is not its own`;
  // A big commit under way has no record yet, and nobody sees its versions.
  const isNamed = commit > committed.head || committed.versions.get(`${commit} ${id}`) === `${version} ${hash}`;
  return isNamed ? undefined : `memory object ${id}, version ${version}: commit ${commit} names another hash`;
};

const checkMemory = async (input: CheckInput): Promise<Pick<Checked, 'objects' | 'problems'>> => {
  const hashes = new Map<string, string>();
  const committed = await loadCommitted(input);
  if (committed.count !== committed.head)
    return { objects: 0, problems: [`memory has ${committed.count} commits, and its head names ${committed.head}`] };
  for await (const page of readPrefix(input, 'version#')) {
    const fault = page.map((object) => hashFault(committed, object)).find((one) => one !== undefined);
    if (fault !== undefined) return { objects: 0, problems: [fault] };
  }
  for await (const object of readCurrent(input)) {
    const fault = hashFault(committed, object);
    if (fault !== undefined) return { objects: hashes.size, problems: [fault] };
    if (object.state !== 'removed') hashes.set(object.id, object.hash);
    if (hashes.size % 10_000 === 0) input.onProgress(`${hashes.size} objects of memory`);
  }
  for await (const object of readCurrent(input)) {
    const children = object.state === 'live' ? object.children : [];
    const wrong = children.find(({ id, hash }) => hashes.get(id) !== hash);
    if (wrong !== undefined)
      return { objects: hashes.size, problems: [`memory object ${object.id} lists ${wrong.id} with another hash`] };
  }
  return { objects: hashes.size, problems: [] };
};

/** Hash in the newest leaf of each right, and of the signal in each decision's leaf. */
const readLeaves = (texts: Iterable<string>) => {
  const rights = new Map<string, string>();
  const envelopes = new Map<string, string>();
  let commits = 0;
  for (const text of texts) {
    const leaf = readLeaf(text);
    if (leaf?.kind === 'right') rights.set(leaf.id, leaf.hash);
    if (leaf?.kind === 'commit') commits += 1;
    const envelope = leaf?.fields.envelope;
    if (leaf !== undefined && typeof envelope === 'string') envelopes.set(leaf.id, envelope);
  }
  return { rights, envelopes, commits };
};

interface CheckedLog extends Pick<Checked, 'leaves' | 'rights' | 'problems'> {
  readonly envelopes: ReadonlyMap<string, string>;
}

/** The log's own head says where the writer goes on: it must be at the end of what was verified. */
const checkHead = async ({ table, space }: CheckInput, root: string, commits: number): Promise<readonly string[]> => {
  try {
    const { head, edge } = await loadLogState(table, space);
    // Leaves behind the newest checkpoint are not verified yet: the writer signs them next.
    if (head === undefined || head.size !== head.checkpointSize) return [];
    const keys = (await loadKeys(table, space)).map(parseVerifierKey);
    const isAtEnd =
      Buffer.from(rootOf(edge.range)).toString('base64') === root &&
      head.lastCommit === commits &&
      head.keyId === keys.at(-1)?.id &&
      head.keyCount === keys.length;
    return isAtEnd ? [] : ['the head of the log is not at its end'];
  } catch (error) {
    if (error instanceof StoredItemError || error instanceof ProtocolError)
      return [`the head of the log: ${error.message}`];
    throw error;
  }
};

const checkLog = async (input: CheckInput): Promise<CheckedLog> => {
  const { table, space, at, anchor, onProgress } = input;
  const problems: string[] = [];
  const parts = await collectExport({
    source: buildTableSource(table, space, () => at),
    gateSets: [gateSetContent(GATE_SET)],
    onProgress,
    onProblem: (problem) => problems.push(problem),
  });
  const { rights: logged, envelopes, commits } = readLeaves(parts.leaves);
  const { problems: ofRights, standing: rights } = await checkRights(table, space, logged);
  problems.push(...ofRights);
  const options = { anchor, now: at, ...VERIFIER_KNOWLEDGE };
  const found = await verifyExport(buildExportLines(parts), options);
  if (!('wrong' in found)) {
    problems.push(...(await checkHead(input, found.root, commits)));
    const isShort = found.status === 'older' || found.status === 'withheld';
    return { leaves: found.leaves, rights, envelopes, problems: [...problems, ...(isShort ? found.missing : [])] };
  }
  const { kind, id, what } = found.wrong;
  return { leaves: parts.size, rights, envelopes, problems: [...problems, `${kind} ${id}: ${what}`] };
};

export const checkCopy = async (input: CheckInput): Promise<Checked> => {
  const memory = await checkMemory(input);
  const { envelopes, ...log } = await checkLog(input);
  const signals = await proveSignals(input.table, input.space, envelopes, input.now);
  const problems = [...memory.problems, ...log.problems, ...signals.problems];
  return { ...log, objects: memory.objects, problems, signals };
};
