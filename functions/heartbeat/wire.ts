/**
 * Puts the heartbeat together from its environment, for its handler and the simulation of the
 * tests.
 */
import { HOUR_MS } from '../../lib/core/base/limits.ts';
import { once } from '../../lib/core/base/once.ts';
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { findAnchors } from '../../lib/core/log/anchor-bucket.ts';
import { type HoldDeps, type OlderCopy, tellWork } from '../../lib/core/operations/hooks.ts';
import { loadLazy, noteTick, type SweepReport, sweep } from '../../lib/core/stages/upkeep/sweep.ts';
import { sweepDue } from '../../lib/core/stages/upkeep/sweep-due.ts';
import { type Around, inProcess } from '../../lib/core/stages/wiring.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import type { Log } from '../../lib/core/store/log.ts';
import type { Environment } from '../../lib/core/store/settings.ts';
import { HEARTBEAT_HOOKS, HOLDS } from './features.ts';

type DueDeps = Parameters<typeof sweepDue>[0];
interface HeartbeatWays extends Pick<DueDeps, 'table' | 'publishPerceive' | 'publishManyPerceive' | 'sendOrderOf'> {
  /** Wakes the log's writer. @param why the same one is told once */
  readonly wakeLog: (why: string) => Promise<void>;
  readonly forgetAgain: HoldDeps['forgetAgain'];
  readonly log: Log;
}

export const wireHeartbeat = (env: Environment<'heartbeat'>, around: Around & HeartbeatWays) => {
  const { source, now, gateSet, wakeLog, forgetAgain, log, resolveAddresses: _, ...ways } = inProcess(around);
  const { table } = ways;
  const space = env.SPACE;
  const loadGateSets = once(async () => (await loadLazy()).buildGateSets(table, space, gateSet));
  const live = buildLive({ table, space, source, now, build: (variables) => readEnvironment('heartbeat', variables) });
  const deps = {
    ...ways,
    loadGateSet: async () => (await loadGateSets()).load(),
    hooks: HEARTBEAT_HOOKS,
    space,
  };
  const held = {
    ...deps,
    anchors: findAnchors(env),
    now,
    forgetAgain,
    onOlderCopy: ({ anchored, found }: OlderCopy) => log('error', 'restored-copy', { anchored, found }),
  };
  const holds = HOLDS.map((build) => build(held));
  /** A failure tries again. */
  let isMaintained = env.MAINTENANCE === 'off';
  const maintainOnce = async (): Promise<void> => {
    if (isMaintained) return;
    const { homeOf } = await loadLazy();
    const set = await live();
    const home = homeOf(set.HOME_CHAT, set.DEFAULT_ACTUATOR);
    for (const { maintain } of HEARTBEAT_HOOKS)
      await maintain?.({ table, space, now: now(), zone: set.TIME_ZONE, home });
    isMaintained = true;
  };
  let answersLookedAt = 0;
  /** Words of a week about answers given too fast. Looked at once an hour of a process's life. */
  const tellAnswers = async (): Promise<void> => {
    if (env.MAINTENANCE === 'off' || now() - answersLookedAt < HOUR_MS) return;
    answersLookedAt = now();
    const { tellOfAnswers } = await loadLazy();
    await tellOfAnswers({ ...deps, homeChat: (await live()).HOME_CHAT, now: now() });
  };
  const tellAnchor = async (chat: string): Promise<void> => {
    const { sendAnchor } = await loadLazy();
    await sendAnchor({ ...deps, gateSet: await deps.loadGateSet(), chat, now: now() });
  };
  /** Publishes unfinished signals again. @param wake absent if the log's writer is awake */
  const republish = (isRecovering: boolean, wake: { readonly wakeLog?: () => Promise<void> } = {}) =>
    sweep({ ...deps, now: now(), ...wake }, isRecovering);
  /** @returns the runs of jobs that it started */
  const startDue = async (isRecovering: boolean): Promise<number> => {
    const { HOME_CHAT: homeChat, MEMORY_AUTO_SAVE_MINUTES: autoSaveMinutes } = await live();
    return sweepDue({ ...deps, homeChat, autoSaveMinutes, now: now() }, isRecovering);
  };

  /** @param moment the scheduled one @param isRecovering a local start, with empty queues */
  const tick = async (moment: string, isRecovering: boolean): Promise<SweepReport & { readonly started: number }> => {
    const wake = () => wakeLog(`tick:${moment}`);
    // Before the log's writer: what it adds would hide how far an older copy is behind.
    const isStill = (await Promise.all(holds.map((hold) => hold(`tick:${moment}`)))).includes(true);
    // A start wakes it only for something: on an empty space it would cost nothing but time.
    if (!isRecovering) await wake();
    if (isStill) {
      await noteTick(table, space, now());
      return { republished: 0, deadLettered: 0, expired: 0, started: 0 };
    }
    // Jobs start also if a signal cannot be read; the error ends the tick afterwards.
    const [swept, jobs] = await Promise.allSettled([
      republish(isRecovering, isRecovering ? { wakeLog: wake } : {}),
      startDue(isRecovering),
    ]);
    if (swept.status === 'rejected') throw swept.reason;
    if (jobs.status === 'rejected') throw jobs.reason;
    const report = { ...swept.value, started: jobs.value };
    const { takenUp: _takenUp, ...told } = report;
    await tellWork(deps.hooks, { ...deps, homeChat: (await live()).HOME_CHAT, now: now() }, moment, told);
    if (env.ANCHOR_CHAT) await tellAnchor(env.ANCHOR_CHAT);
    if (isRecovering) return report;
    // Not with a start, which nobody should wait for. A deploy moves this function last, so that
    // the first job, which the release before cannot read, comes only when its shift is over.
    await maintainOnce();
    await tellAnswers();
    if (env.RELEASE_URL) await (await loadLazy()).lookForRelease(deps, env.RELEASE_URL, now());
    return report;
  };
  return { tick, republish, startDue, tellAnswers };
};
