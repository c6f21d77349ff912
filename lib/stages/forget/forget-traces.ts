/**
 * Forgetting beyond memory: what the signals, decisions, effects and approvals of the turns in which an object was written or shown
 * said is erased; envelopes, states, traces and hashes stay. Which evidence lost its content is kept beside memory's commits
 * before anything is erased, for the tombstone in the log. Repeating it changes nothing. Nothing that permits or spends is
 * changed (I14): an approval whose action lost its words only stops fitting it (see `forget-authority.ts`). A person may name
 * further signals whose turns are to lose theirs. @throws UnavailableError (retryable).
 */
import { parseApproval } from '../../approvals/decide-approval.ts';
import { ConditionError } from '../../base/errors.ts';
import { HOUR_S } from '../../base/limits.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import { loadPartition } from '../../ledger/load-partition.ts';
import { coversKey } from '../../memory/keys.ts';
import type { MemoryStore } from '../../memory/memory.ts';
import { partSignalsOf } from '../../memory/tree-parts.ts';
import { rootOf } from '../../signal/ids.ts';
import { type Condition, present } from '../../store/condition.ts';
import { approvalKey, type Key, signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Item, Table } from '../../store/table.ts';
import type { ErasedTraces, ForgetTraces } from '../../tools/tool.ts';
import { eraseItem } from './erase-items.ts';
import { type EraseMode, eraseAction } from './erase-signal.ts';
import { findTraces, holdsLiteral, literalsOf } from './find-traces.ts';
import { forgetAuthority } from './forget-authority.ts';
import { withSummaries } from './forget-summaries.ts';

/** Versions whose words are looked for so: each is read by itself. */
const FORGET_VERSIONS_MAX = 300;

export type ForgetTable = Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update'>;

const IS_THERE: Condition = { name: 'the item exists', holds: present('pk') };
const DAY_MS = 24 * HOUR_S * 1000;

type Store = Pick<MemoryStore, 'linkedRecords' | 'audit' | 'loadAsOf' | 'view' | 'storedVersions'>;

/** What the objects say and said. Empty once they are forgotten. */
const textsOf = async (memory: Store, ids: readonly string[]): Promise<readonly string[]> => {
  const texts: string[] = [];
  let versions = 0;
  for (const id of ids)
    for (const { commit } of (await memory.audit(id))?.versions ?? []) {
      versions += 1;
      if (versions > FORGET_VERSIONS_MAX) return texts;
      const object = await memory.loadAsOf(id, commit);
      if (object?.state === 'live') texts.push(object.attributes.title ?? '', object.content);
    }
  return texts;
};

const createdAt = async (memory: Store, ids: readonly string[], now: number): Promise<number> => {
  const { objects } = await memory.view();
  return ids.reduce((first, id) => Math.min(first, objects.get(id)?.createdAt ?? now), now);
};

const change = async (table: ForgetTable, key: Key, set: Item, remove: readonly string[] = []): Promise<void> => {
  try {
    await table.update(key, { set, ...(remove.length === 0 ? {} : { remove: [...remove] }) }, IS_THERE);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};

/** @returns the signal of the person who decided it. */
const eraseApproval = async (table: ForgetTable, space: string, effect: Item): Promise<readonly string[]> => {
  const id = typeof effect.approvalId === 'string' ? effect.approvalId : undefined;
  const [item] = id === undefined ? [] : await table.load([approvalKey(space, id)], { isConsistent: true });
  if (id === undefined || item === undefined) return [];
  const { action, decider, decidedBy } = parseApproval(id, item);
  await change(table, approvalKey(space, id), { action: eraseAction(action) });
  return decider === undefined || decidedBy === undefined ? [] : [decidedBy];
};

/** @returns signals of people who decided what it asked. */
const eraseOne = async (
  table: ForgetTable,
  space: string,
  id: string,
  mode: EraseMode,
  { signalId, now }: ForgetTraces,
  noteCovers: (names: readonly string[]) => Promise<void>,
): Promise<readonly string[]> => {
  const pk = signalKeys.partition(space, id);
  const items = await loadPartition(table, space, id, Number.POSITIVE_INFINITY);
  const own = id === signalId ? items.filter(({ sk }) => sk === 'record') : items;
  const erasures = own.flatMap((item) => eraseItem(id, item, mode, now) ?? []);
  await noteCovers(erasures.flatMap(({ covers }) => (covers === undefined ? [] : [covers])));
  for (const { sk, set, remove } of erasures) await change(table, { pk, sk }, set, remove);
  const deciders: string[] = [];
  for (const item of own)
    if (String(item.sk).startsWith('effect#')) deciders.push(...(await eraseApproval(table, space, item)));
  return deciders;
};

/** Signals that hold parts of the trees these came with. */
const loadParts = async (table: ForgetTable, space: string, ids: readonly string[]): Promise<readonly string[]> => {
  const items = await table.load(
    ids.map((id) => signalKeys.record(space, id)),
    { isConsistent: true },
  );
  return items.flatMap((item, n) =>
    item === undefined ? [] : partSignalsOf(parseRecord(ids[n] ?? '', item).signal.payload),
  );
};

/** `decision <signal>` or `effect <signal>#<n>`. */
const signalOfCover = (name: string): string => name.slice(name.indexOf(' ') + 1).split('#')[0] ?? '';

/** Signals a person named that are there, and when they came. */
const loadNamed = async (
  table: ForgetTable,
  space: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const roots = [...new Set(ids.map(rootOf))];
  const items = await table.load(
    roots.map((id) => signalKeys.record(space, id)),
    { isConsistent: true },
  );
  return new Map(
    items.flatMap((item, n): readonly (readonly [string, number])[] => {
      const id = roots[n] ?? '';
      return item === undefined ? [] : [[id, parseRecord(id, item).signal.receivedAt]];
    }),
  );
};

/** Roots of turns a person named with an object: a copy of the table that is older forgets them again. */
const askedIn = (stored: Item | undefined): readonly string[] =>
  Array.isArray(stored?.asked) ? stored.asked.map(String) : [];

const buildCovers = (covers: ReadonlySet<string>, asked: ReadonlySet<string>): Item => ({
  schemaVersion: 1,
  covers: [...covers],
  ...(asked.size === 0 ? {} : { asked: [...asked] }),
});

/** Keys of files name their notes wherever they are sent (`infra/cli/notes/note.ts`); an editor's are of one buffer, and another may count the same. */
const FILE_KEY = /^[0-9a-f]{32}$/;

export const buildForgetTraces =
  (table: ForgetTable, space: string, memory: Store) =>
  async (what: ForgetTraces): Promise<ErasedTraces> => {
    const { id, signalId, now } = what;
    const linked = await memory.linkedRecords(id);
    const { objectIds } = linked;
    if (objectIds.length === 0)
      return {
        erased: [],
        covered: 0,
        literalSignals: [],
        literalObjects: [],
        approvals: [],
        grants: [],
        summaries: [],
        literals: [],
        isWhole: true,
      };
    const literals = what.literals ?? literalsOf(await textsOf(memory, objectIds));
    const asked = await loadNamed(table, space, what.signals ?? []);
    const { summaries, signals } = await withSummaries(memory, objectIds, linked.signals, [...asked.keys()]);
    const ids = new Set([...objectIds, ...summaries]);
    const since = what.since ?? Math.min((await createdAt(memory, objectIds, now)) - DAY_MS, ...asked.values());
    const keys = new Set(linked.keys.filter((key) => FILE_KEY.test(key)));
    const traces = await findTraces(table, space, { objectIds: ids, sources: signals, keys, literals, since });
    const key = coversKey(space, id);
    const stored = await loadItem(table, key);
    const covers = new Set<string>(Array.isArray(stored?.covers) ? stored.covers.map(String) : []);
    const coveredBefore = what.since === undefined ? [...covers].map(signalOfCover) : [];
    const named = new Set([...askedIn(stored), ...asked.keys()]);
    const save = () => table.put(key, buildCovers(covers, named));
    if (asked.size > 0) await save();
    const noteCovers = async (names: readonly string[]): Promise<void> => {
      const fresh = names.filter((name) => !covers.has(name));
      if (fresh.length === 0) return;
      for (const name of fresh) covers.add(name);
      await save();
    };
    // Parts go first: only the signal that names them says which they are.
    const written = [...new Set([...(await loadParts(table, space, traces.written)), ...traces.written])];
    const gone = new Set<string>();
    const erase = async (signals: readonly string[], mode: EraseMode): Promise<readonly string[]> => {
      const deciders: string[] = [];
      for (const one of signals) {
        if (gone.has(one)) continue;
        gone.add(one);
        deciders.push(...(await eraseOne(table, space, one, mode, what, noteCovers)));
      }
      return deciders;
    };
    const turnOf = (one: string): readonly string[] => traces.turns.get(rootOf(one)) ?? [rootOf(one)];
    const deciders = [
      ...(await erase([...written, ...[...asked.keys()].flatMap(turnOf)], 'source')),
      ...(await erase(traces.shown, 'shown')),
      // Said no words any more, when it was looked at: what has ended since is found through it.
      ...(await erase(coveredBefore.flatMap(turnOf), 'shown')),
    ];
    const roots = new Set([...gone].map(rootOf));
    const makers = [...deciders, ...traces.granting];
    const authority = await forgetAuthority(table, space, { literals, roots, makers, now });
    await erase([...deciders, ...authority.makers].flatMap(turnOf), 'shown');
    const { objects } = await memory.view();
    const literalObjects = [...objects.values()]
      .filter((object) => object.state === 'live' && !ids.has(object.id))
      .filter((object) => object.state === 'live' && holdsLiteral([object.content, object.attributes], literals))
      .map((object) => object.id);
    const erased = [...gone].filter((one) => one !== signalId);
    return {
      erased,
      covered: covers.size,
      literalSignals: traces.literal.filter((one) => one !== signalId && !gone.has(one)),
      literalObjects,
      approvals: authority.approvals,
      grants: authority.grants,
      summaries,
      literals,
      isWhole: traces.isWhole,
    };
  };

/** A forgotten object, and the records that lost their content with it, as its tombstone names them. */
export interface EraseCovered {
  readonly id: string;
  /** `decision <signal>`, `effect <signal>#<n>`. */
  readonly covers: readonly string[];
  /** Roots of turns of which all that was said went with it. */
  readonly asked: readonly string[];
  readonly signalId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const COVERED = /^(?:decision (.+)|effect (.+)#\d+)$/;

/** Erases what the signals of those records said, where they are there. Repeating it changes nothing. */
export const buildEraseCovered =
  (table: ForgetTable, space: string) =>
  async (what: EraseCovered): Promise<void> => {
    const covered = what.covers.flatMap((name) => COVERED.exec(name)?.slice(1, 3).filter(Boolean) ?? []);
    const signals = new Set([...what.asked, ...covered]);
    if (signals.size === 0) return;
    const key = coversKey(space, what.id);
    const stored = await loadItem(table, key);
    const covers = new Set<string>(Array.isArray(stored?.covers) ? stored.covers.map(String) : []);
    const noteCovers = async (names: readonly string[]): Promise<void> => {
      for (const name of names) covers.add(name);
      await table.put(key, buildCovers(covers, asked));
    };
    const asked = new Set([...askedIn(stored), ...what.asked]);
    for (const id of signals) {
      const mode = asked.has(rootOf(id)) ? 'source' : 'shown';
      await eraseOne(table, space, id, mode, what, noteCovers);
    }
  };
