/**
 * Changes memory, each change as one commit: notes, edits of trees, whole trees, forgetting. Plans
 * are made on fresh reads inside the commit's loop, so that two writers lose nothing. Fails as
 * `commit` does.
 */
import { ProtocolError } from '../base/errors.ts';
import type { Origin } from '../signal/signal.ts';
import { type Condition, present } from '../store/condition.ts';
import type { Maker } from './children.ts';
import type { By, CommitKind } from './commit.ts';
import type { ObjectChange, WriteDeps } from './commit-writes.ts';
import { applyEdits, type Edit, idsOf } from './edit.ts';
import { descendantsOf, emptyForest, findLive, runReading } from './forest.ts';
import { type ExistingTree, type IngestPlan, planIngest, planRemoval, type TreeNode } from './ingest.ts';
import { memoryKeys } from './keys.ts';
import {
  buildForgotten,
  buildNote,
  type ForgottenObject,
  type MemoryObject,
  memoryIdOf,
  type NewNote,
} from './object.ts';
import type { MemoryScope } from './object-parts.ts';
import { childrenOf } from './outline.ts';
import type { MemoryView } from './read.ts';
import { buildKeepSummary, type KeepSummary } from './summary.ts';
import type { Commit, CommitResult, PlanBase } from './write.ts';

interface ChangeRequest {
  readonly by: By;
  readonly kind?: CommitKind;
  /** The maker gives the same ids and nonces for every try of the effect. */
  readonly edits: (maker: Maker) => readonly Edit[];
}

interface IngestRequest {
  readonly by: By;
  readonly tree: TreeNode;
  readonly origin: Origin;
  readonly scope?: MemoryScope;
  /** Root of the tree in memory; without it, the root with the tree's key. */
  readonly rootId?: string;
  /** Parent of a new tree; without it the tree is a root. */
  readonly parentId?: string;
  /** The tree leaves memory. */
  readonly isGone?: boolean | undefined;
  /** Hash that the root has, '' if there is none; anything if absent. */
  readonly seen?: string | undefined;
}

export interface Ingested {
  readonly rootId: string;
  /** Absent after a repeat. */
  readonly counts?: IngestPlan['counts'];
  readonly result: CommitResult;
}

export interface Forget {
  readonly id: string;
  readonly signalId: string;
  readonly now: number;
  /** Made from signal and object if it is not given. */
  readonly effectId?: string;
  /** Sender's id; `agent` if it is not given. */
  readonly actor?: string;
  /** Also if it was forgotten before: the next tombstone covers what was erased since. */
  readonly isAgain?: boolean;
}

export interface ChangeMemory {
  readonly remember: (note: NewNote) => Promise<MemoryObject>;
  readonly edit: (request: ChangeRequest) => Promise<CommitResult>;
  /** Makes memory's tree equal to this one: see `planIngest`. */
  readonly ingestTree: (request: IngestRequest) => Promise<Ingested>;
  readonly forget: (what: Forget) => Promise<ForgottenObject | undefined>;
  readonly keepSummary: KeepSummary;
}

export interface ChangeDeps extends WriteDeps {
  readonly commit: Commit;
  readonly view: () => Promise<MemoryView>;
}

/** Ids follow from the effect, so that a repeated try makes the same objects. */
export const buildMaker = (by: By, newNonce: () => string): Maker => {
  let made = 0;
  return {
    signalId: by.signalId,
    effectId: by.effectId,
    now: by.now,
    newId: () => {
      made += 1;
      return memoryIdOf(by.effectId, made);
    },
    newNonce,
  };
};

/** Objects read together with the head: more would need a second request. */
const FIRST_READ_MAX = 90;

const planEdits = async (
  { newToken }: ChangeDeps,
  base: PlanBase,
  by: By,
  edits: (maker: Maker) => readonly Edit[],
): Promise<readonly ObjectChange[]> => {
  const maker = buildMaker(by, newToken);
  return runReading(applyEdits(edits(maker), maker), base.read);
};

const edit = (deps: ChangeDeps, { by, edits, kind = 'write' }: ChangeRequest): Promise<CommitResult> => {
  const ids = [...new Set(edits(buildMaker(by, deps.newToken)).flatMap(idsOf))].slice(0, FIRST_READ_MAX);
  return deps.commit({ by, ids, plan: async (base) => ({ kind, changes: await planEdits(deps, base, by, edits) }) });
};

const loadNow = async ({ reader }: ChangeDeps, id: string): Promise<MemoryObject | undefined> => {
  const { number } = await reader.loadHead();
  return (await reader.loadMany([id], number)).get(id);
};

const remember = async (deps: ChangeDeps, note: NewNote): Promise<MemoryObject> => {
  const object = buildNote(note);
  const by = { signalId: note.signalId, effectId: note.effectId, actor: note.actor ?? 'agent', now: note.now };
  const result = await deps.commit({
    by,
    ids: [object.id],
    plan: async (base) => {
      const edits = (): readonly Edit[] => [{ kind: 'create', object, place: { parentId: note.parentId } }];
      return { kind: 'write', changes: await planEdits(deps, base, by, edits) };
    },
  });
  if (result.state === 'committed') return { ...object, commit: result.record.number };
  const stored = await loadNow(deps, object.id);
  if (stored === undefined) throw new ProtocolError('what was remembered is not there');
  return stored;
};

const forget = async (
  deps: ChangeDeps,
  { id, signalId, now, effectId, actor = 'agent', isAgain = false }: Forget,
): Promise<ForgottenObject | undefined> => {
  const by = { signalId, effectId: effectId ?? `${signalId}/forget/${id}`, actor, now };
  const result = await deps.commit({
    by,
    ids: [id],
    plan: async (base) => {
      const there = (await base.read([id])).get(id);
      if (there?.state === 'forgotten' && isAgain)
        return { kind: 'forget', changes: [{ before: there, after: there }] };
      if (there === undefined || there.type === 'bucket') return { kind: 'forget', changes: [] };
      return { kind: 'forget', changes: await planEdits(deps, base, by, () => [{ kind: 'forget', id }]) };
    },
  });
  const forgotten = await loadNow(deps, id);
  if (forgotten?.state !== 'forgotten') return undefined;
  // After the commit nothing shows the object. If a crash comes before its versions are erased,
  // the effect's next try erases them.
  await eraseVersions(deps, [id, ...erasedBy(result)]);
  return forgotten;
};

const ingestTree = async (
  deps: ChangeDeps,
  { by, tree, origin, scope = 'memex', rootId, parentId, isGone = false, seen }: IngestRequest,
): Promise<Ingested> => {
  let planned: IngestPlan | undefined;
  const known = rootId ?? findRootByKey(await deps.view(), tree.key);
  const result = await deps.commit({
    by,
    ids: known === undefined ? [] : [known],
    plan: async (base) => {
      const existing = known === undefined ? undefined : await loadTree(base, known);
      if (seen !== undefined && seen !== (existing?.root.hash ?? ''))
        throw new ProtocolError('the note changed in memory since it was read: nothing was changed');
      const maker = buildMaker(by, deps.newToken);
      const plan = isGone ? planRemoval(existing) : planIngest(tree, existing, { maker, origin, scope, parentId });
      planned = plan;
      return { kind: 'import', changes: await runReading(applyEdits(plan.edits, maker), base.read) };
    },
  });
  if (planned !== undefined && result.state !== 'repeated')
    return { rootId: planned.rootId, counts: planned.counts, result };
  return { rootId: known ?? memoryIdOf(by.effectId, 1), result };
};

export const buildChangeMemory = (deps: ChangeDeps): ChangeMemory => ({
  remember: (note) => remember(deps, note),
  edit: (request) => edit(deps, request),
  ingestTree: (request) => ingestTree(deps, request),
  forget: (what) => forget(deps, what),
  keepSummary: buildKeepSummary({
    space: deps.space,
    commit: deps.commit,
    planEdits: (base, by, edits) => planEdits(deps, base, by, edits),
  }),
});

/** Objects whose versions a forget erases, also if it is repeated after a crash. */
const erasedBy = (result: CommitResult): readonly string[] =>
  result.state === 'unchanged' ? [] : result.record.changes.map((change) => change.id);

/** @throws ProtocolError if there is no such tree */
const loadTree = async ({ read }: PlanBase, rootId: string): Promise<ExistingTree> => {
  const forest = emptyForest();
  const root = await runReading(findLive(forest, rootId), read);
  const below = await runReading(descendantsOf(forest, root), read);
  const objects = new Map<string, MemoryObject>([root, ...below].map((object) => [object.id, object]));
  return { root, childrenOf: (node) => childrenOf(objects, node) };
};

/** @throws ProtocolError if memory is too large to be sure */
const findRootByKey = (view: MemoryView, key: string): string | undefined => {
  for (const object of view.objects.values())
    if (object.state === 'live' && object.parentId === undefined && object.attributes.key === key) return object.id;
  if (view.isPartial) throw new ProtocolError('memory is too large to find a tree by its key: name its root');
  return undefined;
};

const IS_VERSION: Condition = { name: 'the version exists', holds: present('pk') };
/** Objects erased at once: a tree of thousands has to fit one run of Act, or two. */
const OBJECTS_AT_ONCE = 8;

/** Erases all versions of forgotten objects; hash, place and tombstone stay. */
const eraseVersions = async (
  { table, space, reader }: Pick<WriteDeps, 'table' | 'space' | 'reader'>,
  ids: readonly string[],
): Promise<void> => {
  const pk = memoryKeys.partition(space);
  const erase = async ({ id, tombstone }: ForgottenObject): Promise<void> => {
    for (const { sk, object } of await reader.loadHistory(id))
      if (object.state === 'live') await table.put({ pk, sk }, buildForgotten(object, tombstone), IS_VERSION);
  };
  const { number } = await reader.loadHead();
  const all = [...(await reader.loadMany(ids, number)).values()].filter((object) => object.state === 'forgotten');
  for (let first = 0; first < all.length; first += OBJECTS_AT_ONCE)
    await Promise.all(all.slice(first, first + OBJECTS_AT_ONCE).map(erase));
};
