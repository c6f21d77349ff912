/** The code of `afters.ts`, loaded when a machine has an action. */
import { utcMinute } from '../../core/base/utc-minute.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import type { Effect } from '../../core/signal/decision.ts';
import type { ActDeps, ActTurn } from '../../core/stages/act/act-context.ts';
import type { EffectNotice } from '../../core/stages/act/after.ts';
import { RUNNER_GRACE_MS, RUNNER_RUN_MS_MAX } from './order.ts';
import { isOver, loadOrderRow } from './order-row.ts';
import { loadRunners } from './runner-powers.ts';
import { machineNotices } from './texts.ts';

/**
 * A machine that its owner ended, or never started, takes nothing by itself. The heartbeat tells of
 * one that is only away, and where nobody is answered, by a notice of the same id.
 */
export const awayNotice: EffectNotice['build'] = async ({ table }, { record }, { effect: { handedTo } }) => {
  const { id, space, reply } = record.signal;
  if (handedTo === undefined || reply.target === 'system') return undefined;
  const { runners } = await loadRunners(table, space);
  const runner = runners.find(({ name }) => name === handedTo.runner);
  if (runner === undefined || (runner.isStopped !== true && runner.seenAt !== undefined)) return undefined;
  const waitsUntil = handedTo.until - RUNNER_RUN_MS_MAX - RUNNER_GRACE_MS;
  return { suffix: 'away', notice: machineNotices.runnerAway(runner.name, utcMinute(waitsUntil), id) };
};

/** A machine may end its job before Act has closed the signal: then nobody heard of it. */
export const wakeIfOver = async (deps: ActDeps, turn: ActTurn, effects: readonly Effect[]): Promise<void> => {
  const { signal } = turn.record;
  for (const { n, state, handedTo } of effects) {
    if (state !== 'suspended' || handedTo === undefined || turn.effects.get(n)?.handedTo !== undefined) continue;
    const row = await loadOrderRow(deps.table, signal.space, `${signal.id}#${n}`);
    if (row !== undefined && isOver(row, deps.now()))
      await deps.publishPerceive(perceiveMessage(signal), `runner:${n}:${row.state}:closed`);
  }
};
