/**
 * Checks a copy of a space before anybody works on it: the evidence log by the verifier of exports,
 * and every hash of memory, page by page.
 */
import { readLeaf } from '../../lib/evidence/verifier/read-leaf.ts';
import { verifyExport } from '../../lib/evidence/verifier/verify-export.ts';
import { GATE_SET } from '../../lib/gates/engine/gate-set.ts';
import { gateSetContent } from '../../lib/gates/engine/gate-set-content.ts';
import { collectExport } from '../../lib/log/collect-export.ts';
import { buildExportLines } from '../../lib/log/export-lines.ts';
import { checkRights } from '../../lib/log/rights.ts';
import { buildTableSource } from '../../lib/log/source.ts';
import { memoryKeys, OBJECT_PREFIX } from '../../lib/memory/keys.ts';
import { contentHashOf, type MemoryObject, objectHashOf, parseObject } from '../../lib/memory/object.ts';
import { buildReader } from '../../lib/memory/read.ts';
import { BUILT_IN } from '../../lib/skills/built-in.ts';
import { jobNamesOf } from '../../lib/skills/choose-skill.ts';
import type { Table } from '../../lib/store/table.ts';
import { computeMoments } from '../cli/commands/verify.ts';
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

const hashFault = (object: MemoryObject): string | undefined => {
  if (object.state !== 'live') return undefined;
  const isOwn = objectHashOf(object) === object.hash && contentHashOf(object.content) === object.contentHash;
  return isOwn ? undefined : `memory object ${object.id}, version ${object.version}: its hash is not its own`;
};

const checkMemory = async (input: CheckInput): Promise<Pick<Checked, 'objects' | 'problems'>> => {
  const hashes = new Map<string, string>();
  for await (const page of readPrefix(input, 'version#')) {
    const fault = page.map(hashFault).find((one) => one !== undefined);
    if (fault !== undefined) return { objects: 0, problems: [fault] };
  }
  for await (const object of readCurrent(input)) {
    const fault = hashFault(object);
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
  for (const text of texts) {
    const leaf = readLeaf(text);
    if (leaf?.kind === 'right') rights.set(leaf.id, leaf.hash);
    const envelope = leaf?.fields.envelope;
    if (leaf !== undefined && typeof envelope === 'string') envelopes.set(leaf.id, envelope);
  }
  return { rights, envelopes };
};

interface CheckedLog extends Pick<Checked, 'leaves' | 'rights' | 'problems'> {
  readonly envelopes: ReadonlyMap<string, string>;
}

const checkLog = async (input: CheckInput): Promise<CheckedLog> => {
  const { table, space, at, anchor, onProgress } = input;
  const problems: string[] = [];
  const parts = await collectExport({
    source: buildTableSource(table, space, () => at),
    gateSets: [gateSetContent(GATE_SET)],
    onProgress,
    onProblem: (problem) => problems.push(problem),
  });
  const { rights: logged, envelopes } = readLeaves(parts.leaves);
  const { problems: ofRights, standing: rights } = await checkRights(table, space, logged);
  problems.push(...ofRights);
  const builtInJobs = BUILT_IN.flatMap(({ definition }) => jobNamesOf(definition));
  const options = { anchor, now: at, momentsBetween: computeMoments, builtInJobs };
  const found = await verifyExport(buildExportLines(parts), options);
  if (!('wrong' in found)) {
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
