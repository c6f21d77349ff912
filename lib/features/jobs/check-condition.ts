/**
 * Checks the condition of a job over a few stored facts, without a model. The job runs when the
 * condition has become true, and not again before it was false. A condition that cannot be
 * evaluated counts as a failure, so that the job is paused and somebody hears of it.
 */
import { MINUTE_MS } from '../../core/base/limits.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { parseRecordHead } from '../../core/memory/commit.ts';
import { commitKeys, snapshotKeys } from '../../core/memory/keys.ts';
import { jobSession, parseDaySpend, spendKey } from '../../core/money/day-spend.ts';
import type { TickDeps } from '../../core/operations/hooks.ts';
import { type ConditionOutcome, evaluateCondition } from '../../core/sandbox/evaluate-condition.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import { type TellDeps, tellOfRun } from '../../core/stages/upkeep/tell-of-run.ts';
import { indexPartitions, jobKeys } from '../../core/store/keys.ts';
import { loadItem, loadNamed } from '../../core/store/load-named.ts';
import { SETTINGS } from '../../core/store/settings.ts';
import type { Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { changeWrites, dueChange, isAsRead } from './change-job.ts';
import type { ConditionFacts } from './condition-facts.ts';
import type { Job } from './job.ts';
import { jobNotices } from './notice-texts.ts';
import { occurrenceId } from './occurrence.ts';
import { nextStart } from './plan-due.ts';
import { whyNot } from './start-run.ts';
import { beginOccurrence, type NewOccurrence } from './write-occurrence.ts';

/** Counts of open things stop here: a condition compares them with small numbers. */
const COUNTED_MAX = 100;
const MICRO = 1_000_000;

type FactDeps = TellDeps & Pick<TickDeps, 'autoSaveMinutes'>;

/** The facts that a condition may use, read only if one is due. */
const loadFacts = async ({ table, space, now, autoSaveMinutes }: FactDeps): Promise<ConditionFacts> => {
  const items = await loadNamed(table, {
    spend: spendKey(space, now),
    memory: commitKeys.head(space),
    snapshot: snapshotKeys.newest(space),
  });
  const memoryCommits = Number(items.memory?.number ?? 0);
  const saved = Number(items.snapshot?.number ?? 0);
  const unsaved = saved < memoryCommits ? await loadItem(table, commitKeys.record(space, saved + 1)) : undefined;
  const unsavedMs = unsaved === undefined ? 0 : now - parseRecordHead(unsaved).at;
  const count = async (partition: string): Promise<number> =>
    (await table.queryIndex({ index: 'unfinished', partition, limit: COUNTED_MAX })).items.length;
  const { usd, tokens } = parseDaySpend(items.spend);
  return {
    now,
    usdToday: usd / MICRO,
    tokensToday: tokens,
    approvalsWaiting: await count(indexPartitions.pendingApprovals(space)),
    unknownEffects: await count(indexPartitions.unknownEffects(space)),
    stoppedConversations: await count(indexPartitions.stoppedSessions(space)),
    memoryCommits,
    unsavedMinutes: Math.max(0, Math.floor(unsavedMs / MINUTE_MS)),
    autoSaveMinutes: autoSaveMinutes ?? Number(SETTINGS.MEMORY_AUTO_SAVE_MINUTES.default),
  };
};

const evaluate = async (deps: FactDeps, holds: string): Promise<ConditionOutcome> =>
  evaluateCondition(await loadSandbox(), holds, await loadFacts(deps));

interface Checked {
  readonly writes: readonly Write[];
  readonly one?: NewOccurrence;
  readonly isPaused?: boolean;
}

const fail = ({ space, now }: TellDeps, job: Job, problem: string): Checked => {
  const { pauseAfter } = job.definition;
  const failures = job.failures + 1;
  const why = `the condition ${problem}`;
  const one: NewOccurrence = {
    signalId: occurrenceId(job.name, now),
    kind: 'condition',
    instant: now,
    state: 'missed',
    why,
  };
  const begun = beginOccurrence(space, job, one, now);
  if (pauseAfter > 0 && failures >= pauseAfter) {
    const changer = { space, signalId: one.signalId, effectId: `${space}/${one.signalId}`, by: 'system', now };
    const change = {
      definition: job.definition,
      state: 'paused',
      why: `paused after ${failures} failures in a row`,
    } as const;
    return { writes: [...begun, ...changeWrites(changer, job, change).writes], one, isPaused: true };
  }
  const due = dueChange(space, 'active', nextStart(job.definition, now));
  const change = { ...due, set: { ...due.set, accountedTo: now, failures } };
  return {
    writes: [...begun, { kind: 'update', key: jobKeys.record(space, job.name), change, condition: isAsRead(job) }],
    one,
  };
};

const note = ({ space, now }: TellDeps, job: Job, holds: boolean): Checked => {
  const hasBecomeTrue = holds && job.held !== true;
  const why = whyNot(job);
  const state = why === undefined ? 'fired' : 'skipped';
  const one: NewOccurrence | undefined = hasBecomeTrue
    ? {
        signalId: occurrenceId(job.name, now),
        kind: 'condition',
        instant: now,
        state,
        ...(why === undefined ? {} : { why }),
      }
    : undefined;
  const due = dueChange(space, 'active', nextStart(job.definition, now));
  const running = one?.state === 'fired' ? 1 : 0;
  const change = { ...due, set: { ...due.set, accountedTo: now, held: holds }, add: { running } };
  const move: Write = { kind: 'update', key: jobKeys.record(space, job.name), change, condition: isAsRead(job) };
  return { writes: [move, ...(one === undefined ? [] : beginOccurrence(space, job, one, now))], ...(one && { one }) };
};

/** @returns the number of runs started, 0 or 1 */
export const checkCondition = async (deps: FactDeps, job: Job): Promise<number> => {
  const { when } = job.definition;
  if (when.kind !== 'condition') return 0;
  const outcome = await evaluate(deps, when.holds);
  const checked = outcome.kind === 'value' ? note(deps, job, outcome.value) : fail(deps, job, outcome.problem);
  // Another heartbeat was first, or the job was changed meanwhile.
  if (!(await wasWritten(deps.table.transact(checked.writes)))) return 0;
  const { one } = checked;
  if (checked.isPaused === true && one !== undefined)
    await tellOfRun(deps, one.signalId, [
      jobNotices.jobPaused(job.name, 'paused because its condition fails', one.why ?? ''),
    ]);
  if (one?.state !== 'fired') return 0;
  await deps.publishPerceive(
    perceiveMessage({ space: deps.space, session: jobSession(job.name), id: one.signalId }),
    'perceive:0',
  );
  return 1;
};
