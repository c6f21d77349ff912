/**
 * The heartbeat's work each minute, without a model (I12): publishes unfinished signals again with
 * back-off, dead-letters them after the last try, and ends approvals and grants past their time. A
 * local start begins with empty queues, so `isRecovering` takes every unfinished signal at once,
 * without counting.
 */
import { sweepGrants } from '../../approvals/grants.ts';
import { StoredItemError } from '../../base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { leaveTurn, parseHead } from '../../ledger/session.ts';
import type { Hooks } from '../../operations/hooks.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { isFinal, type Signal } from '../../signal/signal.ts';
import { allOf, type Condition, equals } from '../../store/condition.ts';
import { indexPartitions, sessionKey, settingKey, signalKeys } from '../../store/keys.ts';
import { loadEntries, loadIndexed, loadItem } from '../../store/load-named.ts';
import type { Publish } from '../../store/queue.ts';
import type { IndexQuery, Item, Page, Table } from '../../store/table.ts';
import { updateIf } from '../../store/update-if.ts';

export const loadLazy = () => import('./lazy.ts');

/** Unfinished signals one sweep looks at: the next minute takes the rest. */
const SWEEP_SIGNALS_MAX = 100;
/** Pages that a local start takes up again: 10,000 accepted messages. */
const SWEEP_PAGES_MAX = 100;

type IndexTable = Pick<Table, 'load' | 'queryIndex'>;

export interface SweepDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  /** Loaded only if something is judged: most minutes judge nothing. */
  readonly loadGateSet: () => Promise<GateSet>;
  readonly hooks: Hooks;
  readonly space: string;
  readonly now: number;
  /** Wakes the log's writer; absent if the tick has done so already. */
  readonly wakeLog?: () => Promise<void>;
}

export interface SweepReport {
  readonly republished: number;
  readonly deadLettered: number;
  readonly expired: number;
  /** Roots of the signals that a recovery took up again. */
  readonly takenUp?: readonly string[];
}

export const sweep = async (deps: SweepDeps, isRecovering: boolean): Promise<SweepReport> => {
  const { items: due, hasAny } = await dueSignals(deps, isRecovering);
  const { records, unreadable } = readRecords(due);
  let republished = 0;
  let deadLettered = 0;
  const takenUp = new Set<string>();
  const isUnderWay = buildIsUnderWay(deps);
  for (const record of records) {
    const done = await sweepSignal(deps, record, isUnderWay, isRecovering);
    if (done === 'republished') republished += 1;
    if (done === 'republished') takenUp.add(record.signal.root);
    if (done === 'dead-lettered') deadLettered += 1;
  }
  const expired = await endApprovals(deps);
  if (hasAny || expired > 0) await deps.wakeLog?.();
  await sweepGrants(deps.table, deps.space, () => loadCurrentVersion(deps), deps.now);
  await noteTick(deps.table, deps.space, deps.now);
  if (unreadable !== undefined) throw unreadable;
  return { republished, deadLettered, expired, ...(isRecovering ? { takenUp: [...takenUp] } : {}) };
};

const loadCurrentVersion = async (deps: SweepDeps): Promise<string> => {
  const { loadPolicyVersion } = await loadLazy();
  return loadPolicyVersion(deps.table, deps.space, await deps.loadGateSet());
};

const endApprovals = async (deps: SweepDeps): Promise<number> => {
  const open = await loadUnfinished(deps.table, indexPartitions.pendingApprovals(deps.space));
  if (open.length === 0) return 0;
  const { expireApprovals } = await loadLazy();
  return expireApprovals({ ...deps, gateSet: await deps.loadGateSet() }, open);
};

const bury = async (deps: SweepDeps, signal: Signal, why: string): Promise<void> => {
  const { buryDead } = await loadLazy();
  return buryDead({ ...deps, gateSet: await deps.loadGateSet() }, signal, why);
};

/** Notes for the health answer that the heartbeat was here. */
export const noteTick = (table: Pick<Table, 'put'>, space: string, now: number): Promise<void> =>
  table.put(settingKey(space, 'heartbeat'), { schemaVersion: 1, at: now });

const inOrder = new Intl.Collator('en', { numeric: true });

/** In the order they were accepted. @returns the first unreadable one as an error, for the end */
export const readRecords = (
  items: readonly Item[],
): { readonly records: readonly SignalRecord[]; readonly unreadable: StoredItemError | undefined } => {
  const records: SignalRecord[] = [];
  let unreadable: StoredItemError | undefined;
  for (const item of items) {
    try {
      records.push(parseRecord(String(item.pk), item));
    } catch (error) {
      if (!(error instanceof StoredItemError)) throw error;
      unreadable ??= error;
    }
  }
  records.sort((a, b) => a.signal.receivedAt - b.signal.receivedAt || inOrder.compare(a.signal.id, b.signal.id));
  return { records, unreadable };
};

type ReadPage = (query: IndexQuery) => Promise<Page>;

const readPages = async (readPage: ReadPage, partition: string): Promise<readonly Item[]> => {
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < SWEEP_PAGES_MAX; page += 1) {
    const answer = await readPage({ index: 'unfinished', partition, limit: SWEEP_SIGNALS_MAX, cursor });
    found.push(...answer.items);
    cursor = answer.cursor;
    if (cursor === undefined) break;
  }
  return found;
};

/** Loads all items of a partition of the index of unfinished things, oldest first. */
export const loadUnfinished = (table: IndexTable, partition: string): Promise<readonly Item[]> =>
  readPages((query) => loadIndexed(table, query), partition);

const isEnded = (item: Item): boolean => item.awaitsLog === true;

/**
 * Finds signals that are under way and due, oldest first; a recovery takes all of them. Signals
 * that have ended stand in the same index until they are in the log, and are passed over.
 * @returns `hasAny`: something is under way, or has ended and is not in the log
 */
const dueSignals = async (
  deps: SweepDeps,
  isRecovering: boolean,
): Promise<{ readonly items: readonly Item[]; readonly hasAny: boolean }> => {
  const partition = indexPartitions.unfinishedSignals(deps.space);
  if (isRecovering) {
    const all = await loadUnfinished(deps.table, partition);
    return { items: all.filter((item) => !isEnded(item)), hasAny: all.length > 0 };
  }
  const items: Item[] = [];
  let hasAny = false;
  let cursor: string | undefined;
  for (let page = 0; page < SWEEP_PAGES_MAX && items.length < SWEEP_SIGNALS_MAX; page += 1) {
    const query = { index: 'unfinished', partition, limit: SWEEP_SIGNALS_MAX, cursor } as const;
    const answer = await deps.table.queryIndex(query);
    hasAny ||= answer.items.length > 0;
    const due = answer.items.filter(({ unfinishedAt }) => Number(unfinishedAt) <= deps.now);
    items.push(...(await loadEntries(deps.table, due)).filter((item) => !isEnded(item)));
    cursor = answer.cursor;
    if (cursor === undefined || due.length < answer.items.length) break;
  }
  return { items: items.slice(0, SWEEP_SIGNALS_MAX), hasAny };
};

const sweepSignal = async (
  deps: SweepDeps,
  record: SignalRecord,
  isUnderWay: IsUnderWay,
  isRecovering: boolean,
): Promise<'republished' | 'dead-lettered' | 'nothing'> => {
  const { signal } = record;
  if (isFinal(record.state)) return 'nothing';
  const isBehind = record.state === 'perceived' && record.sweeps > 0 && (await isBehindTurn(deps, isUnderWay, signal));
  const backoffMs = SWEEP_BACKOFF_MS[record.sweeps];
  if (!isRecovering && backoffMs === undefined && !isBehind) {
    await bury(deps, signal, `still ${record.state} after ${record.sweeps} tries`);
    return 'dead-lettered';
  }
  const seen: Condition = {
    name: 'no other sweep came first',
    holds: allOf(equals('round', record.round), equals('state', record.state)),
  };
  const next = SWEEP_BACKOFF_MS[record.sweeps + 1] ?? SWEEP_BACKOFF_MS[SWEEP_BACKOFF_MS.length - 1] ?? 0;
  const change = isRecovering
    ? { add: { round: 1 } }
    : { add: { round: 1, sweeps: isBehind ? 0 : 1 }, set: { unfinishedAt: deps.now + next } };
  const isFirst = await updateIf(deps.table, signalKeys.record(signal.space, signal.id), change, seen);
  if (!isFirst) return 'nothing';
  await deps.publishPerceive(perceiveMessage(signal), `perceive:${record.round + 1}`);
  return 'republished';
};

/** Whether a signal of this turn is unfinished. */
type IsUnderWay = (turn: string) => Promise<boolean>;

/** Reads the index once a tick, and again before it says no: the turn may have begun since. */
const buildIsUnderWay = ({ table, space }: SweepDeps): IsUnderWay => {
  let entries: readonly Item[] | undefined;
  return async (turn) => {
    const partition = signalKeys.partition(space, turn);
    const isIn = async (known: readonly Item[]): Promise<boolean> => {
      const own = known.filter(({ pk }) => pk === partition || String(pk).startsWith(`${partition}/`));
      return (await loadEntries(table, own)).some((item) => !isEnded(item));
    };
    if (entries !== undefined && (await isIn(entries))) return true;
    entries = await readPages(table.queryIndex, indexPartitions.unfinishedSignals(space));
    return isIn(entries);
  };
};

/**
 * Whether a signal waits behind a turn that goes on: then its tries are not counted. A turn whose
 * signals have all ended without handing it on would hold its session for ever, so the sweep passes
 * it on.
 */
const isBehindTurn = async (deps: SweepDeps, isUnderWay: IsUnderWay, waiting: Signal): Promise<boolean> => {
  const item = await loadItem(deps.table, sessionKey(waiting.space, waiting.session));
  const head = item === undefined ? undefined : parseHead(waiting.session, item);
  if (head?.turn === undefined || head.turn === waiting.root) return false;
  if (await isUnderWay(head.turn)) return true;
  const next = await leaveTurn(deps.table, { ...waiting, root: head.turn }, head);
  if (next !== undefined)
    await deps.publishPerceive(perceiveMessage({ ...waiting, id: next }), `turn:${head.turn}:${deps.now}`);
  return false;
};
