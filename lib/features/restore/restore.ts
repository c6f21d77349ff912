/**
 * Holds a table that is an older copy: one behind its newest anchored checkpoint. Effects under way
 * and jobs of machines become `unknown`, approvals expire, and nothing is published until an
 * approver resumes. Objects forgotten since the copy are listed for Act to erase first. Each
 * process of the heartbeat checks this once, and again if the log has shrunk. Repeating is safe.
 */

import { endUnspent, parseApproval, settleApproval } from '../../core/approvals/approval.ts';
import { defined } from '../../core/base/defined.ts';
import { KEPT_TOMBSTONES_MAX, MINUTE_MS } from '../../core/base/limits.ts';
import { loadKillSwitch, setKillSwitch } from '../../core/ledger/kill-switch.ts';
import { endSuspended, parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import { describeFailure } from '../../core/ledger/recover-failure.ts';
import type { Anchors } from '../../core/log/anchor.ts';
import { loadLogHead } from '../../core/log/read-log.ts';
import {
  forgottenListKey,
  isForgetting,
  loadForgetProgress,
  loadRestoreState,
  restoreKey,
} from '../../core/log/restore-state.ts';
import type { BuildHold, HoldDeps, OlderCopy } from '../../core/operations/hooks.ts';
import { loadUnfinished } from '../../core/stages/upkeep/sweep.ts';
import { equals } from '../../core/store/condition.ts';
import { indexPartitions, logKeys, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { AFTER_RESTORE, RESTORED_HOOKS } from '../restored.ts';

/** Kept tombstones are read from so long before the log's end: clocks differ. */
const RESTORE_MARGIN_MS = 10 * MINUTE_MS;

/** The name shown as the author of the stop of a restored space. */
export const RESTORE_ACTOR = 'restored copy';

export interface RestoreDeps {
  readonly table: Table;
  readonly space: string;
  readonly anchors: Pick<Anchors, 'newest' | 'forgottenSince'>;
  readonly now: () => number;
}

export interface Restored extends OlderCopy {
  /** When the newest of the copy's leaves were made, epoch milliseconds. */
  readonly copiedAt: number;
  /** Its contents, for people, if that was checked. */
  readonly rights?: readonly string[];
}

/**
 * Whether the table lacks a tombstone that was kept outside since then. A copy that was dealt with
 * may itself be replaced by an older one before it is anchored again.
 */
const lacksTombstone = async (
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

/** @returns undefined if the table has all that was anchored, or this copy was dealt with */
const findRestored = async ({ table, space, anchors }: RestoreDeps): Promise<Restored | undefined> => {
  const newest = await anchors.newest();
  if (newest === undefined) return undefined;
  const head = await loadLogHead(table, space);
  const found = head?.checkpointSize ?? 0;
  if (found >= newest.size) return undefined;
  const dealt = await loadRestoreState(table, space);
  const isDealt = dealt?.anchored === newest.size && dealt.forgetting !== 'listing';
  if (isDealt && !(await lacksTombstone({ table, space, anchors }, dealt.at))) return undefined;
  return { anchored: newest.size, found, copiedAt: head?.at ?? 0 };
};

/** Whether a moment after the copy had its run is not known: none is caught up with. */
const JOB_REASON = 'the table is an older copy: whether this moment had its run is not known';
const REASON = 'the table is an older copy: what became of this since is not known';

const changeEffect = async (
  { table, space, now }: RestoreDeps,
  id: string,
  n: number,
  from: 'claimed' | 'suspended',
): Promise<void> => {
  const settled = { reason: REASON, settledAt: now() };
  const unknown = { state: 'unknown', unfinishedSpace: indexPartitions.unknownEffects(space), unfinishedAt: now() };
  const set = { ...settled, ...(from === 'claimed' ? unknown : { state: 'refused' }) };
  const isAsRead = { name: `effect is ${from}`, holds: equals('state', from) };
  await updateIf(table, signalKeys.effect(space, id, n), { set }, isAsRead);
};

const effectsOf = async ({ table, space }: RestoreDeps, id: string) => {
  const page = await table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#', isConsistent: true });
  return page.items.map((item) => parseEffect(id, item));
};

/** Effects under way when the copy was made may or may not have happened. */
const markUnknownEffects = async (deps: RestoreDeps): Promise<void> => {
  for (const item of await loadUnfinished(deps.table, indexPartitions.unfinishedSignals(deps.space))) {
    const { signal } = parseRecord(String(item.pk), item);
    for (const effect of await effectsOf(deps, signal.id))
      if (effect.state === 'claimed') await changeEffect(deps, signal.id, effect.n, 'claimed');
  }
};

/** Approvals stay in the index until the first sweep after the resume, which tells of them. */
const expireApprovals = async (deps: RestoreDeps): Promise<void> => {
  const { table, space, now } = deps;
  for (const item of await loadUnfinished(table, indexPartitions.pendingApprovals(space))) {
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

/** Features may have gone on since the copy was made: what they did then is not done again. */
const loseRows = async ({ table, space, now }: RestoreDeps): Promise<void> => {
  const items = await loadUnfinished(table, indexPartitions.jobs(space));
  for (const { takes, lose } of RESTORED_HOOKS) {
    const own = items.filter(takes);
    if (own.length > 0) await lose({ table, space, now: now() }, own);
  }
};

/** Lists the last tombstone of each object: it covers the most. */
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

/** @returns the number of objects to be forgotten again */
export const stopRestored = async (
  deps: RestoreDeps,
  { anchored, found, copiedAt, rights }: Restored,
): Promise<number> => {
  const { table, space } = deps;
  const at = deps.now();
  const state = {
    schemaVersion: 1 as const,
    anchored,
    found,
    at,
    ...(rights === undefined ? {} : { rights: [...rights] }),
  };
  // From here on nothing is shown to anybody.
  await table.put(restoreKey(space), { ...state, forgetting: 'listing' });
  await setKillSwitch(table, space, { isStopped: true, by: RESTORE_ACTOR, at });
  await markUnknownEffects(deps);
  await expireApprovals(deps);
  await loseRows(deps);
  for (const account of AFTER_RESTORE) await account({ table, space, now: at }, JOB_REASON);
  try {
    const { total, lists } = await listForgotten(deps, copiedAt);
    await table.put(restoreKey(space), { ...state, forgetting: total === 0 ? 'done' : 'due', total, lists });
    return total;
  } catch (error) {
    await table.put(restoreKey(space), { ...state, forgetting: 'listing', problem: describeFailure(error) });
    throw error;
  }
};

/** @returns whether something that was forgotten may still be there */
const continueForgetting = async (deps: HoldDeps, slot: string): Promise<boolean> => {
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
      ...defined({ problem: progress?.problem }),
    });
  await deps.forgetAgain(slot);
  return true;
};

/**
 * Says whether the space is held: it is a restored copy in which something is still to be
 * forgotten, or which nobody has resumed. Reads the anchors once, and again if the log has shrunk.
 */
export const buildRestoreGuard: BuildHold = (deps) => {
  let isOver = false;
  let isChecked = deps.anchors === undefined;
  let sizeSeen = 0;
  return async (slot) => {
    if (deps.anchors !== undefined) {
      const size = (await loadLogHead(deps.table, deps.space))?.checkpointSize ?? 0;
      // A log that begins with many leaves came from a backup.
      if (size < sizeSeen || (sizeSeen === 0 && size > 0)) isOver = isChecked = false;
      sizeSeen = size;
    }
    if (isOver) return false;
    if (!isChecked && deps.anchors !== undefined) {
      const own = { ...deps, anchors: deps.anchors };
      const restored = await findRestored(own);
      if (restored !== undefined) {
        deps.onOlderCopy(restored);
        await stopRestored(own, restored);
      }
      isChecked = true;
    }
    const isForgettingStill = await continueForgetting(deps, slot);
    const killSwitch = await loadKillSwitch(deps.table, deps.space);
    const isStopped = killSwitch?.isStopped === true && killSwitch.by === RESTORE_ACTOR;
    isOver = !isStopped && !isForgettingStill;
    return !isOver;
  };
};
