/**
 * Forgetting beyond memory: what the signals, decisions, effects and approvals of the turns in which an object was written or shown
 * said is erased; envelopes, states, traces and hashes stay. Which evidence lost its content is kept beside memory's commits
 * before anything is erased, for the tombstone in the log. Repeating it changes nothing. Nothing that permits or spends is
 * changed (I14): an approval whose action lost its words only stops fitting it. @throws UnavailableError (retryable).
 */
import { parseApproval } from '../approvals/decide-approval.ts';
import { type Condition, present } from '../aws/condition.ts';
import { approvalKey, type Key, signalKeys } from '../aws/keys.ts';
import type { Item, Table } from '../aws/table.ts';
import { partSignalsOf } from '../commands/tree-parts.ts';
import { ConditionError } from '../errors.ts';
import { FORGET_VERSIONS_MAX, HOUR_S } from '../limits.ts';
import { coversKey } from '../memory/keys.ts';
import type { MemoryStore } from '../memory/memory.ts';
import { Attempt } from '../signal/decision.ts';
import type { ErasedTraces, ForgetTraces } from '../tools/tool.ts';
import { parseEffect } from './effects.ts';
import {
  type EraseMode,
  eraseAction,
  eraseAttempt,
  eraseDecision,
  eraseEffect,
  eraseReplies,
  eraseSignal,
  FORGOTTEN,
} from './erase-signal.ts';
import { findTraces, holdsLiteral, literalsOf } from './find-traces.ts';
import { parseDecision, parseRecord } from './ledger.ts';
import { packAttempt, packDecision, packEffect } from './pack.ts';
import { parseStored } from './record.ts';

export type ForgetTable = Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update'>;

const IS_THERE: Condition = { name: 'the item exists', holds: present('pk') };
const DAY_MS = 24 * HOUR_S * 1000;

type Store = Pick<MemoryStore, 'linkedRecords' | 'audit' | 'loadAsOf' | 'view'>;

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

const stripKey = (item: Item): Item => {
  const { pk: _pk, sk: _sk, ...rest } = item;
  return rest;
};

/** The members of a packed record that are kept as text. */
const packedOf = (packed: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(packed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** A changed item of a partition: what is set and what is taken away. */
interface Erasure {
  readonly sk: string;
  readonly set: Item;
  readonly remove?: readonly string[];
  /** The record of evidence that loses its content with it. */
  readonly covers?: string;
}

const eraseItem = (id: string, item: Item, mode: EraseMode, at: number): Erasure | undefined => {
  const sk = String(item.sk);
  if (sk === 'record') {
    const record = parseRecord(id, item);
    const replies = eraseReplies(record.replies);
    return {
      sk,
      set: { signal: JSON.stringify(eraseSignal(record.signal, mode)), ...(replies === undefined ? {} : { replies }) },
    };
  }
  if (sk === 'decision') {
    const erased = eraseDecision(parseDecision(id, item), at);
    const { actions = '', attempt = '' } = packedOf(packDecision(erased));
    const set = { actions, forgottenAt: erased.forgottenAt, ...(attempt === '' ? {} : { attempt }) };
    return { sk, set, covers: `decision ${id}` };
  }
  if (sk.startsWith('attempt#')) {
    const erased = eraseAttempt(parseStored(`attempt of ${id}`, stripKey(item), Attempt));
    const { judged = '' } = packedOf(packAttempt(erased));
    const { proposalHash } = erased;
    return { sk, set: { judged, ...(proposalHash === undefined ? {} : { proposalHash }) }, remove: ['proposal'] };
  }
  if (sk.startsWith('effect#')) {
    const effect = eraseEffect(parseEffect(id, item), at);
    const { facts = '' } = packedOf(packEffect(effect));
    const { factsHash, outputHash, forgottenAt, n } = effect;
    const set = { facts, factsHash, forgottenAt, ...(outputHash === undefined ? {} : { outputHash }) };
    return { sk, set, remove: ['output'], covers: `effect ${id}#${n}` };
  }
  if (sk.startsWith('output#')) return { sk, set: { text: FORGOTTEN, chars: FORGOTTEN.length } };
  return undefined;
};

const loadPartition = async (table: ForgetTable, pk: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await table.query({ pk, isConsistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
};

const change = async (table: ForgetTable, key: Key, set: Item, remove: readonly string[] = []): Promise<void> => {
  try {
    await table.update(key, { set, ...(remove.length === 0 ? {} : { remove: [...remove] }) }, IS_THERE);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};

const eraseApproval = async (table: ForgetTable, space: string, effect: Item): Promise<void> => {
  const id = typeof effect.approvalId === 'string' ? effect.approvalId : undefined;
  const [item] = id === undefined ? [] : await table.load([approvalKey(space, id)], { isConsistent: true });
  if (id === undefined || item === undefined) return;
  await change(table, approvalKey(space, id), { action: eraseAction(parseApproval(id, item).action) });
};

/** @returns names of the evidence that lost its content. */
const eraseOne = async (
  table: ForgetTable,
  space: string,
  id: string,
  mode: EraseMode,
  { signalId, now }: ForgetTraces,
  noteCovers: (names: readonly string[]) => Promise<void>,
): Promise<void> => {
  const pk = signalKeys.partition(space, id);
  const items = await loadPartition(table, pk);
  const own = id === signalId ? items.filter(({ sk }) => sk === 'record') : items;
  const erasures = own.flatMap((item) => eraseItem(id, item, mode, now) ?? []);
  await noteCovers(erasures.flatMap(({ covers }) => (covers === undefined ? [] : [covers])));
  for (const { sk, set, remove } of erasures) await change(table, { pk, sk }, set, remove);
  for (const item of own) if (String(item.sk).startsWith('effect#')) await eraseApproval(table, space, item);
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

export const buildForgetTraces =
  (table: ForgetTable, space: string, memory: Store) =>
  async (what: ForgetTraces): Promise<ErasedTraces> => {
    const { id, signalId, now } = what;
    const { signals, objectIds } = await memory.linkedRecords(id);
    if (objectIds.length === 0)
      return { erased: [], covered: 0, literalSignals: [], literalObjects: [], isWhole: true };
    const literals = literalsOf(await textsOf(memory, objectIds));
    const ids = new Set(objectIds);
    const since = what.since ?? (await createdAt(memory, objectIds, now)) - DAY_MS;
    const traces = await findTraces(table, space, { objectIds: ids, sources: new Set(signals), literals, since });
    const key = coversKey(space, id);
    const [stored] = await table.load([key], { isConsistent: true });
    const covers = new Set<string>(Array.isArray(stored?.covers) ? stored.covers.map(String) : []);
    const noteCovers = async (names: readonly string[]): Promise<void> => {
      const fresh = names.filter((name) => !covers.has(name));
      if (fresh.length === 0) return;
      for (const name of fresh) covers.add(name);
      await table.put(key, { schemaVersion: 1, covers: [...covers] });
    };
    // Parts go first: only the signal that names them says which they are.
    const written = [...new Set([...(await loadParts(table, space, traces.written)), ...traces.written])];
    for (const one of written) await eraseOne(table, space, one, 'source', what, noteCovers);
    for (const one of traces.shown) await eraseOne(table, space, one, 'shown', what, noteCovers);
    const { objects } = await memory.view();
    const literalObjects = [...objects.values()]
      .filter((object) => object.state === 'live' && !ids.has(object.id))
      .filter((object) => object.state === 'live' && holdsLiteral([object.content, object.attributes], literals))
      .map((object) => object.id);
    const erased = [...new Set([...written, ...traces.shown])].filter((one) => one !== signalId);
    return {
      erased,
      covered: covers.size,
      literalSignals: traces.literal.filter((one) => one !== signalId && !written.includes(one)),
      literalObjects,
      isWhole: traces.isWhole,
    };
  };
