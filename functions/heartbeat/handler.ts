/**
 * Heartbeat, each minute and without a model (I12): publishes unfinished signals again and starts
 * what is due. A tick delivered twice or late does the rest of what the other did. A local start,
 * with empty queues, sends `recover`.
 */

import * as z from 'zod/mini';
import { defined } from '../../lib/base/defined.ts';
import { parseWith } from '../../lib/base/json.ts';
import { once } from '../../lib/base/once.ts';
import { buildLive } from '../../lib/ledger/live-settings.ts';
import { findAnchors } from '../../lib/log/anchor-bucket.ts';
import { buildFindListeners } from '../../lib/skills/find-listeners.ts';
import { loadLate, noteTick, type SweepReport, sweep } from '../../lib/stages/upkeep/sweep.ts';
import { sweepDue } from '../../lib/stages/upkeep/sweep-due.ts';
import { tellTick } from '../../lib/stages/upkeep/tell-tick.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { openRaisingTable } from '../../lib/store/data-version.ts';
import { readEnvironment } from '../../lib/store/env.ts';
import { buildLog } from '../../lib/store/log.ts';
import {
  buildPublish,
  buildPublishForgetAgain,
  buildPublishLog,
  buildPublishMany,
  buildSendOrder,
} from '../../lib/store/queue.ts';
import { HEARTBEAT_HOOKS } from '../../lib/wings/hooks/heartbeat.ts';
import { buildRestoreGuard } from '../../lib/wings/restore/restore.ts';

const env = readEnvironment('heartbeat');
const log = buildLog(env.LOG_LEVEL);
const sqs = sqsClient();
const table = openRaisingTable(env);
const loadGateSets = once(async () => (await loadLate()).buildGateSets(table, env.SPACE));
const loadGateSet = async () => (await loadGateSets()).load();
const publishLog = buildPublishLog(sqs, env.LOG_QUEUE_URL, env.SPACE);
const live = buildLive({ table, space: env.SPACE, build: (variables) => readEnvironment('heartbeat', variables) });
const deps = {
  table,
  publishPerceive: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  publishManyPerceive: buildPublishMany(sqs, env.PERCEIVE_QUEUE_URL),
  sendOrderOf: buildSendOrder(sqs, env.RUNNER_QUEUE_URLS),
  loadGateSet,
  findListeners: buildFindListeners(table, env.SPACE, Date.now),
  hooks: HEARTBEAT_HOOKS,
  space: env.SPACE,
};
/** An older copy of the table is held until forgettings are repeated and somebody resumes. */
const isHeld = buildRestoreGuard({
  ...deps,
  anchors: findAnchors(env),
  now: Date.now,
  forgetAgain: buildPublishForgetAgain(sqs, env.ACT_QUEUE_URL, env.SPACE),
  onRestored: ({ anchored, found }) => log('error', 'restored-copy', { anchored, found }),
});
/** Jobs of built-in skills are made once in a process's life; a failure tries again. */
let isMaintained = env.MAINTENANCE === 'off';
const maintain = async (): Promise<void> => {
  if (isMaintained) return;
  const { homeOf, keepBuiltInJobs } = await loadLate();
  const set = await live();
  const home = homeOf(set.HOME_CHAT, set.DEFAULT_ACTUATOR);
  await keepBuiltInJobs({ table, space: env.SPACE, now: Date.now(), zone: set.TIME_ZONE, home });
  isMaintained = true;
};
const Tick = z.object({ scheduledAt: z.union([z.string(), z.number()]), recover: z.optional(z.boolean()) });

type Report = SweepReport & { readonly started: number };

export const handler = async (event: unknown): Promise<Report> => {
  const { scheduledAt, recover } = parseWith('tick', event, Tick);
  const wakeLog = () => publishLog(`tick:${scheduledAt}`, 0, Date.now());
  const isRecovering = recover === true;
  // Before the log's writer: what it adds would hide how far an older copy is behind.
  const isStill = await isHeld(`tick:${scheduledAt}`);
  // A start wakes it only for something: on an empty space it would cost nothing but time.
  if (!isRecovering) await wakeLog();
  if (isStill) {
    await noteTick(deps.table, deps.space, Date.now());
    return { republished: 0, deadLettered: 0, expired: 0, started: 0 };
  }
  const { takenUp, ...report } = await sweepAll(isRecovering ? { wakeLog } : {}, isRecovering);
  await tellTick({ ...deps, homeChat: (await live()).HOME_CHAT, now: Date.now() }, String(scheduledAt), report);
  if (env.ANCHOR_CHAT) await tellAnchor(env.ANCHOR_CHAT);
  // Not with a start, which nobody should wait for. A deploy moves this function last, so that the
  // first job, which the release before cannot read, comes only when its shift is over.
  if (!isRecovering) await maintain();
  if (!isRecovering && env.RELEASE_URL) await (await loadLate()).lookForRelease(deps, env.RELEASE_URL, Date.now());
  return { ...report, ...defined({ takenUp }) };
};

/** Jobs start also if a signal cannot be read; the error ends the tick afterwards. */
const sweepAll = async (wake: { readonly wakeLog?: () => Promise<void> }, isRecovering: boolean): Promise<Report> => {
  const { HOME_CHAT: homeChat } = await live();
  const [swept, jobs] = await Promise.allSettled([
    sweep({ ...deps, now: Date.now(), ...wake }, isRecovering),
    sweepDue({ ...deps, homeChat, now: Date.now() }, isRecovering),
  ]);
  if (swept.status === 'rejected') throw swept.reason;
  if (jobs.status === 'rejected') throw jobs.reason;
  return { ...swept.value, started: jobs.value };
};

const tellAnchor = async (chat: string): Promise<void> => {
  const { sendAnchor } = await loadLate();
  await sendAnchor({ ...deps, gateSet: await loadGateSet(), chat, now: Date.now() });
};
