/**
 * A table that is found behind its newest anchored checkpoint is an older copy: what happened since is not in it. It starts stopped:
 * effects under way become `unknown`, nobody's approval counts any more, and nothing is published until an approver resumes. What
 * was forgotten since is listed from what was kept outside the table, for Act to erase; nothing is shown or resumed before that
 * is done. Checked once by each process of the heartbeat, before it sweeps, and again where the log has less than it had.
 * Repeating any part of it changes nothing; what is written last says that this copy was dealt with.
 */
import { endUnspent, parseApproval, settleApproval } from '../../approvals/approval.ts';
import { ConditionError } from '../../base/errors.ts';
import { KEPT_TOMBSTONES_MAX, MINUTE_MS } from '../../base/limits.ts';
import { loadKillSwitch, setKillSwitch } from '../../ledger/kill-switch.ts';
import { endSuspended, parseEffect, parseRecord } from '../../ledger/ledger.ts';
import { describeFailure } from '../../ledger/recover-failure.ts';
import type { Anchors } from '../../log/anchor.ts';
import { loadLogHead } from '../../log/read-log.ts';
import {
  forgottenListKey,
  isForgetting,
  loadForgetProgress,
  loadRestoreState,
  type RestoreState,
  restoreKey,
} from '../../log/restore-state.ts';
import { equals } from '../../store/condition.ts';
import { indexPartitions, logKeys, signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Item, Table } from '../../store/table.ts';
import { SWEEP_PAGES_MAX, SWEEP_SIGNALS_MAX } from './sweep.ts';

/** What is kept is looked through from so long before the copy's log ends: clocks of functions differ. */
const RESTORE_MARGIN_MS = 10 * MINUTE_MS;

/** Who stopped a restored space: shown wherever it says by whom it was stopped. */
export const RESTORE_ACTOR = 'restored copy';

export interface RestoreDeps {
  readonly table: Table;
  readonly space: string;
  readonly anchors: Pick<Anchors, 'newest' | 'forgottenSince'>;
  readonly now: () => number;
}

export interface Restored extends Pick<RestoreState, 'anchored' | 'found'> {
  /** When the newest of the copy's leaves were made, epoch milliseconds. */
  readonly copiedAt: number;
}

/**
 * Whether a tombstone that was kept outside since is not in the table: a copy that was dealt with grows for a while before it is
 * anchored again, and may itself be replaced by an older one. The log's writer puts each into the table first.
 */
const hasLost = async (
  { table, space, anchors }: Pick<RestoreDeps, 'table' | 'space' | 'anchors'>,
  since: number,
): Promise<boolean> => {
  const kept = await anchors.forgottenSince(since);
  const objects = new Set(kept.flatMap(({ tombstones }) => tombstones.map(({ object }) => object)));
  const items = await table.load(
    [...objects].map((object) => logKeys.forgotten(space, object)),
    { isConsistent: true },
  );
  return items.some((item) => item === undefined);
};

/** @returns nothing where the table has all that was anchored, or this copy was dealt with. */
export const findRestored = async ({ table, space, anchors }: RestoreDeps): Promise<Restored | undefined> => {
  const newest = await anchors.newest();
  if (newest === undefined) return undefined;
  const head = await loadLogHead(table, space);
  const found = head?.checkpointSize ?? 0;
  if (found >= newest.size) return undefined;
  const dealt = await loadRestoreState(table, space);
  const isDealt = dealt?.anchored === newest.size && dealt.forgetting !== 'listing';
  if (isDealt && !(await hasLost({ table, space, anchors }, dealt.at))) return undefined;
  return { anchored: newest.size, found, copiedAt: head?.at ?? 0 };
};

const itemsOf = async (table: Table, partition: string): Promise<readonly Item[]> => {
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < SWEEP_PAGES_MAX; page += 1) {
    const answer = await table.queryIndex({ index: 'unfinished', partition, limit: SWEEP_SIGNALS_MAX, cursor });
    const keys = answer.items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    const items = await table.load(keys, { isConsistent: true });
    found.push(...items.flatMap((item) => (item === undefined ? [] : [item])));
    cursor = answer.cursor;
    if (cursor === undefined) break;
  }
  return found;
};

const REASON = 'the table is an older copy: what became of this since is not known';

const changeEffect = async (
  { table, space, now }: RestoreDeps,
  id: string,
  n: number,
  from: 'claimed' | 'suspended',
): Promise<void> => {
  const settled = { reason: REASON, settledAt: now() };
  const unknown = { state: 'unknown', unfinishedSpace: indexPartitions.unknownEffects(space), unfinishedAt: now() };
  await table
    .update(
      signalKeys.effect(space, id, n),
      { set: { ...settled, ...(from === 'claimed' ? unknown : { state: 'refused' }) } },
      { name: `effect is ${from}`, holds: equals('state', from) },
    )
    .catch((error: unknown) => {
      if (!(error instanceof ConditionError)) throw error;
    });
};

const effectsOf = async ({ table, space }: RestoreDeps, id: string) => {
  const page = await table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#', isConsistent: true });
  return page.items.map((item) => parseEffect(id, item));
};

/** Whatever was being performed when the copy was made may or may not have happened. */
const loseEffects = async (deps: RestoreDeps): Promise<void> => {
  for (const item of await itemsOf(deps.table, indexPartitions.unfinishedSignals(deps.space))) {
    const { signal } = parseRecord(String(item.pk), item);
    for (const effect of await effectsOf(deps, signal.id))
      if (effect.state === 'claimed') await changeEffect(deps, signal.id, effect.n, 'claimed');
  }
};

/** They stay in the index until the first sweep after the resume, which tells the model and the chats. */
const expireApprovals = async (deps: RestoreDeps): Promise<void> => {
  const { table, space, now } = deps;
  for (const item of await itemsOf(table, indexPartitions.pendingApprovals(space))) {
    const approval = parseApproval(String(item.pk), item);
    if (approval.state === 'approved') await endUnspent(table, approval, now());
    else await settleApproval(table, approval, { state: 'expired', by: RESTORE_ACTOR }, now());
    await changeEffect(deps, approval.signalId, approval.n, 'suspended');
    const record = await loadItem(table, signalKeys.record(space, approval.signalId));
    if (record === undefined) continue;
    const { signal } = parseRecord(approval.signalId, record);
    await endSuspended(table, signal, await effectsOf(deps, signal.id), now());
  }
};

/** Of each object what was kept last: it covers the most. */
const listForgotten = async ({ table, space, anchors }: RestoreDeps, copiedAt: number) => {
  const kept = await anchors.forgottenSince(Math.max(0, copiedAt - RESTORE_MARGIN_MS));
  const byObject = new Map(kept.flatMap(({ tombstones }) => tombstones.map((one) => [one.object, one] as const)));
  const all = [...byObject.values()];
  let lists = 0;
  for (let first = 0; first < all.length; first += KEPT_TOMBSTONES_MAX) {
    const tombstones = all.slice(first, first + KEPT_TOMBSTONES_MAX);
    await table.put(forgottenListKey(space, lists), { schemaVersion: 1, tombstones });
    lists += 1;
  }
  return { total: all.length, lists };
};

export const stopRestored = async (deps: RestoreDeps, { anchored, found, copiedAt }: Restored): Promise<void> => {
  const { table, space } = deps;
  const at = deps.now();
  const state = { schemaVersion: 1, anchored, found, at } as const;
  // From here on nothing is shown.
  await table.put(restoreKey(space), { ...state, forgetting: 'listing' });
  await setKillSwitch(table, space, { isStopped: true, by: RESTORE_ACTOR, at });
  await loseEffects(deps);
  await expireApprovals(deps);
  try {
    const { total, lists } = await listForgotten(deps, copiedAt);
    await table.put(restoreKey(space), { ...state, forgetting: total === 0 ? 'done' : 'due', total, lists });
  } catch (error) {
    await table.put(restoreKey(space), { ...state, forgetting: 'listing', problem: describeFailure(error) });
    throw error;
  }
};

export interface RestoreGuardDeps extends Omit<RestoreDeps, 'anchors'> {
  readonly anchors: RestoreDeps['anchors'] | undefined;
  readonly onRestored: (restored: Restored) => void;
  /** Tells Act that there is something to be forgotten again. @param slot of this time */
  readonly forgetAgain: (slot: string) => Promise<void>;
}

/** @returns whether something that was forgotten may still be there. */
const goOnForgetting = async (deps: RestoreGuardDeps, slot: string): Promise<boolean> => {
  const { table, space } = deps;
  const state = await loadRestoreState(table, space);
  if (state?.forgetting !== 'due') return isForgetting(state);
  const progress = await loadForgetProgress(table, space, state);
  const { problem: _before, ...rest } = state;
  if (progress?.isDone === true) {
    await table.put(restoreKey(space), { ...rest, forgetting: 'done' });
    return false;
  }
  if (progress?.problem !== state.problem)
    await table.put(restoreKey(space), {
      ...rest,
      ...(progress?.problem === undefined ? {} : { problem: progress.problem }),
    });
  await deps.forgetAgain(slot);
  return true;
};

/**
 * Whether the space is held: a restored copy that is not yet brought up to what was forgotten, or that nobody has resumed. Looks at
 * the anchors once, and again where the log has less than it had: then another table stands in its place.
 */
export const buildRestoreGuard = (deps: RestoreGuardDeps): ((slot: string) => Promise<boolean>) => {
  let isOver = false;
  let isChecked = deps.anchors === undefined;
  let sizeSeen = 0;
  return async (slot) => {
    if (deps.anchors !== undefined) {
      const size = (await loadLogHead(deps.table, deps.space))?.checkpointSize ?? 0;
      if (size < sizeSeen) isOver = isChecked = false;
      sizeSeen = size;
    }
    if (isOver) return false;
    if (!isChecked && deps.anchors !== undefined) {
      const own = { ...deps, anchors: deps.anchors };
      const restored = await findRestored(own);
      if (restored !== undefined) {
        deps.onRestored(restored);
        await stopRestored(own, restored);
      }
      isChecked = true;
    }
    const isForgettingStill = await goOnForgetting(deps, slot);
    const killSwitch = await loadKillSwitch(deps.table, deps.space);
    const isStopped = killSwitch?.isStopped === true && killSwitch.by === RESTORE_ACTOR;
    isOver = !isStopped && !isForgettingStill;
    return !isOver;
  };
};
