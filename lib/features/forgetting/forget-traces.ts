/**
 * Forgets a note outside memory: erases what the signals, decisions, effects and approvals say in
 * the turns that wrote it or were shown it. Envelopes, states, traces and hashes stay (I10). A
 * person may name further signals, whose turns lose their words too. The records that lose their
 * content are noted before anything is erased, for the tombstone in the log. Changes nothing that
 * permits or spends (I14). Repeating it changes nothing.
 * @throws UnavailableError (retryable).
 */
import { parseApproval } from '../../core/approvals/approval.ts';
import { HOUR_S } from '../../core/base/limits.ts';
import { noteErasure } from '../../core/ledger/last-erasure.ts';
import { loadPartition, parseRecord } from '../../core/ledger/ledger.ts';
import { coversKey } from '../../core/memory/keys.ts';
import { sourcesOf } from '../../core/memory/made-notes.ts';
import type { MemoryStore } from '../../core/memory/memory.ts';
import { partSignalsOf } from '../../core/memory/tree-update.ts';
import { rootOf } from '../../core/signal/ids.ts';
import { storedIn } from '../../core/signal/picture.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { type EraseMode, eraseAction, eraseItem } from '../../core/stages/act/erase-replies.ts';
import { FORGOTTEN } from '../../core/stages/act/forgotten.ts';
import { type Condition, present } from '../../core/store/condition.ts';
import type { Contents } from '../../core/store/contents.ts';
import { approvalKey, type Key, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Item, Table } from '../../core/store/table.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { eraseScriptState } from '../../core/tools/script-state.ts';
import { type DerivedMemory, type FindDerived, loadDerived } from './find-derived.ts';
import { findStanding } from './find-standing.ts';
import { findTraces, holdsLiteral, literalsOf, type TraceQuestion, type Traces } from './find-traces.ts';
import { forgetAuthority } from './forget-authority.ts';
import type { ErasedTraces, ForgetTraces } from './tools.ts';

const DAY_MS = 24 * HOUR_S * 1000;

export type ForgetTable = Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update'>;

export interface ForgetDeps {
  readonly table: ForgetTable;
  readonly space: string;
  readonly memory: DerivedMemory & Pick<MemoryStore, 'linkedRecords'>;
  /** The store of pictures and documents; absent if there are none. */
  readonly contents?: Pick<Contents, 'erase'> | undefined;
}

interface Forgetting extends Pick<ForgetDeps, 'table' | 'space' | 'contents'> {
  readonly objectId: string;
  readonly signalId: string;
  readonly now: number;
  /** Names of the records that lose their content: `decision <signal>`, `effect <signal>#<n>`. */
  readonly covers: Set<string>;
  /** Roots of turns that a person named. An older copy of the table forgets them again. */
  readonly namedRoots: Set<string>;
  /** Signals that were erased. */
  readonly erased: Set<string>;
}

const listIn = (item: Item | undefined, name: string): readonly string[] =>
  Array.isArray(item?.[name]) ? item[name].map(String) : [];

const startForgetting = async (
  { table, space, contents }: Pick<ForgetDeps, 'table' | 'space' | 'contents'>,
  { id, signalId, now }: Pick<ForgetTraces, 'id' | 'signalId' | 'now'>,
  named: readonly string[],
): Promise<Forgetting> => {
  await noteErasure(table, space, now);
  const stored = await loadItem(table, coversKey(space, id));
  const covers = new Set(listIn(stored, 'covers'));
  const namedRoots = new Set([...listIn(stored, 'asked'), ...named]);
  return { table, space, contents, objectId: id, signalId, now, covers, namedRoots, erased: new Set() };
};

/** Before anything is erased, so that the tombstone names it even after a crash. */
const saveCovers = ({ table, space, objectId, covers, namedRoots }: Forgetting): Promise<void> =>
  table.put(coversKey(space, objectId), {
    schemaVersion: 1,
    covers: [...covers],
    ...(namedRoots.size === 0 ? {} : { asked: [...namedRoots] }),
  });

const IS_THERE: Condition = { name: 'the item exists', holds: present('pk') };

const updateIfThere = (table: ForgetTable, key: Key, set: Item, remove: readonly string[] = []): Promise<boolean> =>
  updateIf(table, key, { set, ...(remove.length === 0 ? {} : { remove: [...remove] }) }, IS_THERE);

/** @returns the signal of the person who decided it. */
const eraseApproval = async ({ table, space }: Forgetting, { approvalId: id }: Item): Promise<readonly string[]> => {
  if (typeof id !== 'string') return [];
  const item = await loadItem(table, approvalKey(space, id));
  if (item === undefined) return [];
  const { action, lines, notable, decider, decidedBy } = parseApproval(id, item);
  const set = {
    action: eraseAction(action),
    ...(lines && { lines: [FORGOTTEN] }),
    ...(notable && { notable: [FORGOTTEN] }),
  };
  await updateIfThere(table, approvalKey(space, id), set);
  return decider === undefined || decidedBy === undefined ? [] : [decidedBy];
};

/** @returns signals of people who decided what it asked. */
const eraseSignalItems = async (at: Forgetting, id: string, mode: EraseMode): Promise<readonly string[]> => {
  const { table, space, contents, covers } = at;
  const pk = signalKeys.partition(space, id);
  const all = await loadPartition(table, space, id, Number.POSITIVE_INFINITY);
  // The decision that forgets stays: it is under way.
  const items = id === at.signalId ? all.filter(({ sk }) => sk === 'record') : all;
  const erasures = items.flatMap((item) => eraseItem(id, item, mode, at.now) ?? []);
  const fresh = erasures.flatMap((one) => (one.covers === undefined || covers.has(one.covers) ? [] : [one.covers]));
  for (const name of fresh) covers.add(name);
  if (fresh.length > 0) await saveCovers(at);
  // The bytes first: afterwards nothing names them.
  for (const { output } of items) {
    const stored = typeof output === 'string' ? storedIn(output) : undefined;
    if (stored !== undefined) await contents?.erase(stored.hash);
  }
  for (const { sk, set, remove } of erasures) await updateIfThere(table, { pk, sk }, set, remove);
  const record = all.find(({ sk }) => sk === 'record');
  const session = record === undefined ? undefined : parseRecord(id, record).signal.session;
  if (session !== undefined) await eraseScriptState(table, space, { session, root: rootOf(id), now: at.now });
  const deciders: string[] = [];
  for (const item of items)
    if (String(item.sk).startsWith('effect#')) deciders.push(...(await eraseApproval(at, item)));
  return deciders;
};

/** Erases each signal once. @returns signals of people who decided what they asked */
const eraseSignals = async (at: Forgetting, ids: readonly string[], mode: EraseMode): Promise<readonly string[]> => {
  const deciders: string[] = [];
  for (const id of ids) {
    if (at.erased.has(id)) continue;
    at.erased.add(id);
    deciders.push(...(await eraseSignalItems(at, id, mode)));
  }
  return deciders;
};

const loadSignals = async (
  { table, space }: Pick<ForgetDeps, 'table' | 'space'>,
  ids: readonly string[],
): Promise<readonly Signal[]> => {
  const keys = ids.map((id) => signalKeys.record(space, id));
  const items = await table.load(keys, { isConsistent: true });
  return items.flatMap((item, n) => (item === undefined ? [] : [parseRecord(ids[n] ?? '', item).signal]));
};

/** Keys of files name notes everywhere; an editor's keys are of one buffer. */
const FILE_KEY = /^[0-9a-f]{32}$/;

interface TracedNote extends TraceQuestion {
  /** Turns that a note of the agent was made of. */
  readonly madeOf: readonly string[];
  /** Summaries and notes made from it. */
  readonly summaries: readonly string[];
  readonly findDerived: FindDerived;
  /** Signals that a person named. */
  readonly named: readonly string[];
}

/** The note's objects, words, sources and summaries; undefined if there is none. */
const readNote = async (deps: ForgetDeps, what: ForgetTraces): Promise<TracedNote | undefined> => {
  const { memory } = deps;
  const { objectIds, signals, keys } = await memory.linkedRecords(what.id);
  if (objectIds.length === 0) return undefined;
  const versions = (await Promise.all(objectIds.map(memory.storedVersions))).flat();
  const texts = versions.flatMap((one) => (one.state === 'live' ? [one.attributes.title ?? '', one.content] : []));
  const named = await loadSignals(deps, [...new Set((what.signals ?? []).map(rootOf))]);
  const roots = new Set([...signals, ...named.map(({ id }) => id)].map(rootOf));
  const findDerived = await loadDerived(memory);
  const writtenAt = Math.min(what.now, ...versions.map(({ createdAt }) => createdAt));
  const note: TracedNote = {
    objectIds: new Set(objectIds),
    sources: new Set(signals),
    keys: new Set(keys.filter((key) => FILE_KEY.test(key))),
    literals: what.literals ?? literalsOf(texts),
    since: what.since ?? Math.min(writtenAt - DAY_MS, ...named.map(({ receivedAt }) => receivedAt)),
    madeOf: versions.flatMap((one) => (one.state === 'live' ? sourcesOf(one).turns : [])),
    summaries: [],
    findDerived,
    named: named.map(({ id }) => id),
  };
  return withDerived(deps, note, roots);
};

/** The note with all that was made of it, or of these turns. */
const withDerived = async (
  { memory }: ForgetDeps,
  note: TracedNote,
  roots: ReadonlySet<string>,
): Promise<TracedNote> => {
  const found = note.findDerived(note.objectIds, roots);
  const sources = new Set(note.sources);
  for (const id of found) for (const source of (await memory.linkedRecords(id)).signals) sources.add(source);
  return {
    ...note,
    objectIds: new Set([...note.objectIds, ...found]),
    sources,
    summaries: [...note.summaries, ...found],
  };
};

/** Notes made of a turn may be shown to further turns, of which notes are made. */
const DERIVED_ROUNDS_MAX = 4;

/** Notes made of the erased turns go too, with the turns that were shown those. */
const findAll = async (
  deps: ForgetDeps,
  first: TracedNote,
): Promise<{ readonly note: TracedNote; readonly traces: Traces }> => {
  let note = first;
  let traces = await findTraces(deps.table, deps.space, note);
  for (let round = 1; round < DERIVED_ROUNDS_MAX; round += 1) {
    const next = await withDerived(deps, note, new Set([...traces.written, ...traces.shown].map(rootOf)));
    if (next.objectIds.size === note.objectIds.size) break;
    note = next;
    traces = await findTraces(deps.table, deps.space, note);
  }
  return { note, traces };
};

const NOTHING: ErasedTraces = {
  erased: [],
  covered: 0,
  literalSignals: [],
  literalObjects: [],
  approvals: [],
  grants: [],
  jobs: [],
  skills: [],
  summaries: [],
  literals: [],
  isWhole: true,
};

export const forgetTraces = async (deps: ForgetDeps, what: ForgetTraces): Promise<ErasedTraces> => {
  const { table, space, memory } = deps;
  // 1. Read the note, and find the turns that said it.
  const read = await readNote(deps, what);
  if (read === undefined) return NOTHING;
  const { note, traces } = await findAll(deps, read);
  const { objectIds, literals, named, summaries } = note;
  const turnOf = (id: string): readonly string[] => traces.turns.get(rootOf(id)) ?? [rootOf(id)];
  // 2. Erase them. Parts of trees go first: only the signal that names them says which they are.
  const forgetting = await startForgetting(deps, what, named);
  const coveredBefore = what.since === undefined ? [...forgetting.covers].map(signalOfCover) : [];
  if (named.length > 0) await saveCovers(forgetting);
  const treeParts = (await loadSignals(deps, traces.written)).flatMap(({ payload }) => partSignalsOf(payload));
  const deciders = [
    ...(await eraseSignals(forgetting, [...treeParts, ...traces.written, ...named.flatMap(turnOf)], 'source')),
    // An earlier forgetting erased some: signals that joined their turns since are found through
    // them.
    ...(await eraseSignals(forgetting, [...traces.shown, ...coveredBefore.flatMap(turnOf)], 'shown')),
  ];
  // 3. Name approvals that wait and grants in force. Grants that have ended lose their words.
  const roots = new Set([...forgetting.erased].map(rootOf));
  const makers = [...deciders, ...traces.granting];
  const authority = await forgetAuthority(table, space, { literals, roots, makers, now: what.now });
  await eraseSignals(forgetting, [...deciders, ...authority.makers].flatMap(turnOf), 'shown');
  // 4. Name what it was made of, and signals, objects, jobs and skills with the same words but
  // without a recorded link.
  const { objects } = await memory.view();
  const literalObjects = [...objects.values()].filter(
    (object) =>
      object.state === 'live' &&
      !objectIds.has(object.id) &&
      holdsLiteral([object.content, object.attributes], literals),
  );
  return {
    erased: [...forgetting.erased].filter((id) => id !== what.signalId),
    covered: forgetting.covers.size,
    literalSignals: [...new Set([...note.madeOf, ...traces.literal])].filter(
      (id) => id !== what.signalId && !forgetting.erased.has(id),
    ),
    literalObjects: literalObjects.map(({ id }) => id),
    approvals: authority.approvals,
    grants: authority.grants,
    ...(await findStanding(table, space, literals)),
    summaries,
    literals,
    isWhole: traces.isWhole,
  };
};

/** The signal of `decision <signal>` or `effect <signal>#<n>`. */
const signalOfCover = (name: string): string => name.slice(name.indexOf(' ') + 1).split('#')[0] ?? '';

/** A forgotten object as its tombstone names it. */
export interface CoveredTraces {
  readonly id: string;
  /** `decision <signal>`, `effect <signal>#<n>`. */
  readonly covers: readonly string[];
  /** Roots of turns that a person named. */
  readonly asked: readonly string[];
  readonly signalId: string;
  readonly now: number;
}

/** Erases the words of the signals that a tombstone names. Repeating it changes nothing. */
export const eraseCovered = async (
  deps: Pick<ForgetDeps, 'table' | 'space' | 'contents'>,
  what: CoveredTraces,
): Promise<void> => {
  const signals = new Set([...what.asked, ...what.covers.map(signalOfCover)]);
  if (signals.size === 0) return;
  const forgetting = await startForgetting(deps, what, what.asked);
  for (const id of signals)
    await eraseSignalItems(forgetting, id, forgetting.namedRoots.has(rootOf(id)) ? 'source' : 'shown');
};
