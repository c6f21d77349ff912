/**
 * Makes the jobs of built-in skills that are on, and gives them the work of this release. The owner
 * never approved such a job: the program brings it. A job that was paused or removed stays so, and
 * times and destinations that a person set stay as well. The heartbeat calls it once in its life.
 */

import { ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import type { Maintain } from '../../core/operations/hooks.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../core/signal/signal.ts';
import { IS_NEW } from '../../core/store/condition.ts';
import { jobKeys, signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Item, Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { changeWrites, type JobChange } from '../jobs/change-job.ts';
import { type Job, type JobDefinition, parseJob } from '../jobs/job.ts';
import { loadVersion } from '../jobs/read-jobs.ts';
import { BUILT_IN } from './built-in.ts';
import { BUILT_IN_FILES } from './built-in-files.ts';
import { sha256Of } from './skill-files.ts';
import { buildJobs, type HashOf, madeBy } from './skill-jobs.ts';
import { isSkillOn } from './skill-on.ts';

export const builtInHashOf =
  (skill: string): HashOf =>
  (file) => {
    const text = BUILT_IN_FILES[skill]?.find(({ path }) => path === file)?.text;
    return text === undefined ? undefined : sha256Of(text);
  };

type MaintenanceDeps = Parameters<Maintain>[0];

/** The one actor that is no person. */
const SYSTEM = 'system';

interface WantedJob {
  readonly skill: string;
  readonly definition: JobDefinition;
}

const wantedJobs = async ({ zone, now, home }: MaintenanceDeps): Promise<readonly WantedJob[]> => {
  const wanted: WantedJob[] = [];
  for (const { definition: skill } of BUILT_IN) {
    const hashOf = builtInHashOf(skill.name);
    const jobs = buildJobs(skill, 'owner', { zone, now, here: home, hashOf });
    wanted.push(...jobs.map((definition) => ({ skill: skill.name, definition })));
  }
  return wanted;
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @returns undefined if the job stays as it is */
const changeOf = async (
  { table, space }: MaintenanceDeps,
  { skill, definition }: WantedJob,
  job: Job | undefined,
): Promise<JobChange | undefined> => {
  if (job === undefined) return { definition, state: 'active', why: madeBy(skill) };
  const { name, version, state } = job;
  const { work, to } = job.definition;
  const hasChanged = !isSame(work, definition.work) || !isSame(to, definition.to);
  if (!hasChanged || state === 'removed') return undefined;
  // A job of the same name that the owner made is theirs.
  if ((await loadVersion(table, space, name, 1))?.why !== madeBy(skill)) return undefined;
  const isUntouched = (await loadVersion(table, space, name, version))?.by === SYSTEM;
  const next = { ...job.definition, work: definition.work, ...(isUntouched ? { to: definition.to } : {}) };
  return isSame(next, job.definition) ? undefined : { definition: next, state, why: 'changed by a new release' };
};

/** Stands for the tick in the evidence log, which knows each version by the signal that made it. */
const buildSignal = ({ space, now }: MaintenanceDeps, job: string): Signal => {
  const id = `maintenance-${job}-${now}`;
  return {
    schemaVersion: SIGNAL_SCHEMA_VERSION,
    id,
    type: 'EVENT',
    source: 'system',
    space,
    session: 'system:maintenance',
    root: id,
    depth: 0,
    receivedAt: now,
    sender: { id: SYSTEM, isApprover: false },
    reply: { target: 'system', to: '' },
    payload: { sensor: 'heartbeat', scheduledAt: now },
  };
};

/** The record of a signal that has ended without words, for the log's writer. */
const recordWrite = (signal: Signal, why: string): Write => ({
  kind: 'put',
  key: signalKeys.record(signal.space, signal.id),
  item: {
    ...buildRecordItem(signal, 'dropped', signal.receivedAt),
    stateReason: why,
    awaitsLog: true,
    ends: 1,
  },
  condition: IS_NEW,
});

/** @returns whether this call changed the job */
const change = async (deps: MaintenanceDeps, wanted: WantedJob, item: Item | undefined): Promise<boolean> => {
  const { table, space, now } = deps;
  const job = item === undefined ? undefined : parseJob(item);
  const found = await changeOf(deps, wanted, job);
  if (found === undefined) return false;
  const { name } = wanted.definition;
  const signal = buildSignal(deps, name);
  const changer = { space, signalId: signal.id, effectId: `${space}/${signal.id}`, by: SYSTEM, now };
  // Somebody else changed the job first. The next process of the heartbeat looks again.
  return wasWritten(
    table.transact([recordWrite(signal, `${name}: ${found.why}`), ...changeWrites(changer, job, found).writes]),
  );
};

/** @returns the number of jobs made or changed. @throws RetryLaterError, StoredItemError */
export const keepBuiltInJobs = async (deps: MaintenanceDeps): Promise<number> => {
  const { table, space } = deps;
  const wanted = await wantedJobs(deps);
  if (wanted.length === 0) return 0;
  const keys = wanted.map(({ definition }) => jobKeys.record(space, definition.name));
  const items = await loadNamed(table, { owner: ownerSettingsKey(space), jobs: keys });
  const settings = readOwnerSettings(items.owner);
  if (settings === undefined) return 0;
  let changed = 0;
  for (const [n, one] of wanted.entries())
    if (isSkillOn(one.skill, settings) && (await change(deps, one, items.jobs[n]))) changed += 1;
  return changed;
};
