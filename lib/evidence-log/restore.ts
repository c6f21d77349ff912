/**
 * A table that is found behind its newest anchored checkpoint is an older copy: what happened since is not in it. It starts stopped:
 * effects under way become `unknown`, nobody's approval counts any more, and nothing is published until an approver resumes.
 * Checked once by each process of the heartbeat, before it sweeps. Repeating any part of it changes nothing; what is
 * written last says that this copy was dealt with.
 */
import * as z from 'zod/mini';
import { endUnspent, parseApproval, settleApproval } from '../approvals/decide-approval.ts';
import { equals } from '../aws/condition.ts';
import { indexPartitions, settingKey, signalKeys } from '../aws/keys.ts';
import type { Item, Table } from '../aws/table.ts';
import { ConditionError } from '../errors.ts';
import { SWEEP_PAGES_MAX, SWEEP_SIGNALS_MAX } from '../limits.ts';
import { endSuspended, parseEffect } from '../pipeline/effects.ts';
import { loadKillSwitch, setKillSwitch } from '../pipeline/kill-switch.ts';
import { parseRecord } from '../pipeline/ledger.ts';
import { parseStored } from '../pipeline/record.ts';
import type { Anchors } from './anchor.ts';
import { loadLogHead } from './read-log.ts';

/** Who stopped a restored space: shown wherever it says by whom it was stopped. */
export const RESTORE_ACTOR = 'restored copy';

export interface RestoreDeps {
  readonly table: Table;
  readonly space: string;
  readonly anchors: Anchors;
  readonly now: () => number;
}

export interface Restored {
  /** Leaves of the newest anchored checkpoint, and of the table's. */
  readonly anchored: number;
  readonly found: number;
}

const Dealt = z.object({ schemaVersion: z.literal(1), anchored: z.int(), found: z.int(), at: z.int() });

const restoreKey = (space: string) => settingKey(space, 'restore');

/** @returns nothing where the table has all that was anchored, or this copy was dealt with. */
export const findRestored = async ({ table, space, anchors }: RestoreDeps): Promise<Restored | undefined> => {
  const newest = await anchors.newest();
  if (newest === undefined) return undefined;
  const found = (await loadLogHead(table, space))?.checkpointSize ?? 0;
  if (found >= newest.size) return undefined;
  const [item] = await table.load([restoreKey(space)], { isConsistent: true });
  const dealt = item === undefined ? undefined : parseStored('setting restore', item, Dealt);
  return dealt?.anchored === newest.size ? undefined : { anchored: newest.size, found };
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
    if (approval.state === 'approved') await endUnspent(table, approval);
    else await settleApproval(table, approval, { state: 'expired', by: RESTORE_ACTOR }, now());
    await changeEffect(deps, approval.signalId, approval.n, 'suspended');
    const [record] = await table.load([signalKeys.record(space, approval.signalId)], { isConsistent: true });
    if (record === undefined) continue;
    const { signal } = parseRecord(approval.signalId, record);
    await endSuspended(table, signal, await effectsOf(deps, signal.id), now());
  }
};

export const stopRestored = async (deps: RestoreDeps, { anchored, found }: Restored): Promise<void> => {
  const at = deps.now();
  await setKillSwitch(deps.table, deps.space, { isStopped: true, by: RESTORE_ACTOR, at });
  await loseEffects(deps);
  await expireApprovals(deps);
  await deps.table.put(restoreKey(deps.space), { schemaVersion: 1, anchored, found, at });
};

/**
 * Whether the space is held: a restored copy nobody has resumed. Looks at the anchors once; from then on, only while it is held, at
 * the kill switch.
 */
export const buildRestoreGuard = (
  deps: Omit<RestoreDeps, 'anchors'> & {
    readonly anchors: Anchors | undefined;
    readonly onRestored: (restored: Restored) => void;
  },
): (() => Promise<boolean>) => {
  let isOver = false;
  let isChecked = deps.anchors === undefined;
  return async () => {
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
    const killSwitch = await loadKillSwitch(deps.table, deps.space);
    const isHeld = killSwitch?.isStopped === true && killSwitch.by === RESTORE_ACTOR;
    isOver = !isHeld;
    return isHeld;
  };
};
