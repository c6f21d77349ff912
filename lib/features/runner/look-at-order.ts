/**
 * The heartbeat's look at a job that one of the owner's machines has or is to take: sends it again,
 * because queues may have lost it, says once that it waits, and has Act settle one that is over. A
 * repeat changes nothing.
 */
import { utcMinute } from '../../core/base/utc-minute.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { parseEffect } from '../../core/ledger/ledger.ts';
import type { RestoredHook, TickDeps, TickHook } from '../../core/operations/hooks.ts';
import { partsOfOrderId } from '../../core/signal/ids.ts';
import { tellOfRun } from '../../core/stages/upkeep/tell-of-run.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Item } from '../../core/store/table.ts';
import { isOver, loseOrder, noteLook, type OrderRow, parseOrderRowItem, settleOrderRow } from './order-row.ts';
import { loadRunners } from './runner-powers.ts';
import { machineNotices } from './texts.ts';

/** Act may have settled the effect, and died before it noted that in the row. */
const isEffectOpen = async ({ table, space }: TickDeps, { id }: OrderRow): Promise<boolean> => {
  const { signalId, n } = partsOfOrderId(id);
  const item = await loadItem(table, signalKeys.effect(space, signalId, n));
  if (item === undefined) return false;
  const { state } = parseEffect(signalId, item);
  return state === 'suspended' || state === 'claimed';
};

const sendAgain = async (deps: TickDeps, row: OrderRow): Promise<void> => {
  const { runners } = await loadRunners(deps.table, deps.space);
  const runner = runners.find(({ name }) => name === row.runner);
  if (runner !== undefined) await deps.sendOrderOf(runner.slot, { ...row, sends: row.sends + 1 });
};

/** @param item of the index of jobs */
const lookAtOrder = async (deps: TickDeps, item: Item): Promise<void> => {
  const { table, space, now } = deps;
  const row = parseOrderRowItem(item);
  if (!(await isEffectOpen(deps, row))) return settleOrderRow(table, space, row.id, now);
  const { signalId, n } = partsOfOrderId(row.id);
  if (isOver(row, now)) {
    const message = perceiveMessage({ space, session: row.session, id: signalId });
    await deps.publishPerceive(message, `runner:${n}:${row.state}:${row.sends}`);
    return noteLook(table, space, row, now, false);
  }
  if (row.state === 'queued') await sendAgain(deps, row);
  const isToTell = row.state === 'queued' && row.toldAt === undefined;
  if (isToTell)
    await tellOfRun(deps, signalId, [machineNotices.runnerAway(row.runner, utcMinute(row.waitsUntil), signalId)]);
  return noteLook(table, space, row, now, isToTell);
};

export const lookAtOrders: TickHook['look'] = async (deps, items) => {
  const looked = await Promise.allSettled(items.map((item) => lookAtOrder(deps, item)));
  return { started: 0, fault: looked.find((one) => one.status === 'rejected')?.reason };
};

/** A machine may have run them since the copy was made: none runs a second time. */
export const loseOrders: RestoredHook['lose'] = async ({ table, space, now }, items) => {
  for (const item of items) await loseOrder(table, space, parseOrderRowItem(item).id, now);
};
