/**
 * A machine that its owner ended, or never started, takes nothing by itself. The heartbeat tells of
 * one that is only away, and where nobody is answered, by a notice of the same id.
 */
import { utcMinute } from '../../../base/utc-minute.ts';
import { notices } from '../../../judge/notices.ts';
import { RUNNER_GRACE_MS, RUNNER_RUN_MS_MAX } from '../../../runner/order.ts';
import { loadRunners } from '../../../runner/runner-powers.ts';
import type { EffectNotice } from '../after.ts';

export const awayNotice: EffectNotice['build'] = async ({ table }, { record }, { effect: { handedTo } }) => {
  const { id, space, reply } = record.signal;
  if (handedTo === undefined || reply.target === 'system') return undefined;
  const { runners } = await loadRunners(table, space);
  const runner = runners.find(({ name }) => name === handedTo.runner);
  if (runner === undefined || (runner.isStopped !== true && runner.seenAt !== undefined)) return undefined;
  const waitsUntil = handedTo.until - RUNNER_RUN_MS_MAX - RUNNER_GRACE_MS;
  return { suffix: 'away', notice: notices.runnerAway(runner.name, utcMinute(waitsUntil), id) };
};
