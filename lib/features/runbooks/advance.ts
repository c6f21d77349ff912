/**
 * Takes a run one signal further: what became of the last step, and which step is next. The same
 * run with the same results always becomes the same run, so a repeat does the same again. It ends
 * by itself: the number of steps, the time of each and of the whole are bounded. Pure.
 */
import { MINUTE_MS } from '../../core/base/limits.ts';
import { type CurrentStep, type EndedStep, isLive, type Run, type StepState } from '../../core/ledger/run.ts';
import { type ActionResult, joinOrigins } from '../../core/signal/signal.ts';
import { RUN_STEPS_MAX, type Runbook, type RunbookStep } from './runbook.ts';
import { type FoundStep, stepAt, type Walk } from './walk.ts';

/** First look of the heartbeat at a run that goes on: a step takes seconds. */
export const RUN_LOOK_MS = MINUTE_MS;

export interface AdvanceDeps {
  readonly runbook: Runbook;
  readonly walk: Walk;
  /** Hashes of the outputs that expressions and templates may name, by the ids of steps. */
  readonly outputHashes: Run['hashes'];
  readonly now: number;
}

/** How a step ended, with the words of what went wrong. */
interface StepEnd {
  readonly state: 'done' | 'failed' | 'refused' | 'unknown';
  readonly why: string;
}

const endOf = (results: readonly ActionResult[]): StepEnd => {
  const bad = results.find(({ state }) => state === 'unknown') ?? results.find(({ state }) => state !== 'done');
  if (bad === undefined) return { state: 'done', why: '' };
  const state = bad.state === 'unknown' || bad.state === 'refused' ? bad.state : 'failed';
  return { state, why: bad.output };
};

const nameOf = ({ place, id }: RunbookStep): string => (id === undefined ? `step ${place}` : `step ${place} (${id})`);

/** It is no longer looked at. */
const end = (run: Run, state: Run['state'], why: string | undefined, now: number): Run => {
  const {
    current: _current,
    dueAt: _due,
    undoneFrom: _from,
    unfinishedSpace: _space,
    unfinishedAt: _at,
    ...rest
  } = run;
  return { ...rest, state, changedAt: now, ...(why === undefined ? {} : { why }) };
};

const record = (run: Run, { at }: CurrentStep, n: number, state: StepState): Run => ({
  ...run,
  ended: [...run.ended, { at, n, state }],
});

const changeState = (ended: readonly EndedStep[], index: number, state: StepState): EndedStep[] =>
  ended.map((one, place) => (place === index ? { ...one, state } : one));

/** It does this step with the signal that is under way. */
const begin = (run: Run, current: Omit<CurrentStep, 'since' | 'endsAt'>, step: RunbookStep, now: number): Run => {
  const { dueAt: _due, ...rest } = run;
  const limitMs = 'timeLimitMs' in step ? step.timeLimitMs : 0;
  const undoing = current.kind === 'undo';
  const endsAt = undoing ? now + limitMs : Math.min(run.endsAt, now + limitMs);
  const waiting = step.kind === 'wait' && !undoing ? now + step.waitMs : undefined;
  const dueAt = waiting;
  return {
    ...rest,
    state: dueAt === undefined ? 'running' : 'waiting',
    current: { ...current, since: now, endsAt: dueAt === undefined ? endsAt : run.endsAt },
    ...(dueAt === undefined ? {} : { dueAt }),
    looks: 0,
    changedAt: now,
    unfinishedAt: dueAt === undefined ? now + RUN_LOOK_MS : Math.min(dueAt, run.endsAt),
  };
};

const finish = (run: Run, now: number): Run =>
  run.ended.length === 0 ? end(run, 'did-nothing', 'each step was left out', now) : end(run, 'done', undefined, now);

const goTo = (run: Run, found: FoundStep, { now }: AdvanceDeps): Run => {
  if (found.kind === 'problem') return end(run, 'failed', found.problem, now);
  if (found.kind === 'end') return finish(run, now);
  if (run.n > RUN_STEPS_MAX)
    return end(run, 'failed', `it has performed ${RUN_STEPS_MAX} steps, and no run may perform more`, now);
  return begin(run, { at: found.at, kind: 'step', tries: 0 }, found.step, now);
};

/** Takes back what was done, the newest first; then the run has failed. */
const undoNext = (run: Run, deps: AdvanceDeps): Run => {
  for (let index = (run.undoneFrom ?? run.ended.length) - 1; index >= 0; index -= 1) {
    const one = run.ended[index];
    const step = one && stepAt(deps.runbook, one.at);
    if (one === undefined || step?.kind !== 'call' || step.undo === undefined) continue;
    // An unknown one may have been done.
    if (one.state !== 'done' && one.state !== 'unknown') continue;
    return begin({ ...run, undoneFrom: index }, { at: one.at, kind: 'undo', tries: 0 }, step, deps.now);
  }
  const isLeft = run.ended.some(({ state }) => state === 'not-undone');
  return end(run, 'failed', `${run.why ?? ''}${isLeft ? '' : '; what it had done was taken back'}`, deps.now);
};

const failStep = (
  run: Run,
  step: RunbookStep,
  current: CurrentStep,
  { state, why }: StepEnd,
  deps: AdvanceDeps,
): Run => {
  const { now, walk } = deps;
  const failures = 'ifFails' in step ? step.ifFails : { retry: 0, waitMs: 0, next: 'stop' as const };
  const said = `${nameOf(step)} ${state === 'unknown' ? 'has an unknown outcome' : 'was not done'}: ${why}`;
  const isOver = now >= run.endsAt;
  if (state === 'failed' && current.tries < failures.retry && !isOver) {
    const dueAt = now + failures.waitMs * 2 ** current.tries;
    const again: CurrentStep = { ...current, kind: 'again', tries: current.tries + 1, since: now, endsAt: run.endsAt };
    const unfinishedAt = Math.min(dueAt, run.endsAt);
    return { ...run, state: 'waiting', why: said, current: again, dueAt, looks: 0, changedAt: now, unfinishedAt };
  }
  const ended = { ...record(run, current, run.n - 1, state === 'unknown' ? 'unknown' : 'failed'), why: said };
  if (failures.next === 'skip' && !isOver) return goTo(ended, walk.after(current.at), deps);
  if (failures.next === 'undo') return undoNext(ended, deps);
  return end(ended, 'failed', said, now);
};

const settleUndo = (run: Run, step: RunbookStep, results: readonly ActionResult[], deps: AdvanceDeps): Run => {
  const { state, why } = endOf(results);
  const ended = changeState(run.ended, run.undoneFrom ?? 0, state === 'done' ? 'undone' : 'not-undone');
  if (state === 'done') return undoNext({ ...run, ended }, deps);
  return undoNext({ ...run, ended, why: `${run.why ?? ''}; ${nameOf(step)} could not be taken back: ${why}` }, deps);
};

const OVER = 'the time limit of the run is over';

const settle = (run: Run, current: CurrentStep, results: readonly ActionResult[], deps: AdvanceDeps): Run => {
  const step = stepAt(deps.runbook, current.at);
  if (step === undefined) return end(run, 'failed', 'the run does not fit its runbook', deps.now);
  if (current.kind === 'undo') return settleUndo(run, step, results, deps);
  const isOver = deps.now >= run.endsAt;
  if (current.kind === 'again')
    return isOver
      ? failStep(run, step, current, { state: 'refused', why: OVER }, deps)
      : begin(run, { at: current.at, kind: 'step', tries: current.tries }, step, deps.now);
  if (step.kind === 'wait')
    return isOver ? end(run, 'failed', OVER, deps.now) : goTo(run, deps.walk.after(current.at), deps);
  const ending = endOf(results);
  if (ending.state !== 'done') return failStep(run, step, current, ending, deps);
  const done = record({ ...run, hashes: { ...run.hashes, ...deps.outputHashes } }, current, run.n - 1, 'done');
  if (isOver && deps.walk.after(current.at).kind !== 'end') return end(done, 'failed', OVER, deps.now);
  return goTo(done, deps.walk.after(current.at), deps);
};

/** @param results of the last step's actions; none for a wait */
export const advance = (run: Run, results: readonly ActionResult[], deps: AdvanceDeps): Run => {
  if (!isLive(run)) return run;
  const { why: _why, ...rest } = run;
  const origin = joinOrigins([run.origin, ...results.map((one) => one.origin)]);
  // A run that takes back keeps saying why it does, and one that goes on what it has left behind.
  const next: Run = { ...(run.current?.kind === 'again' ? rest : run), n: run.n + 1, origin };
  return run.current === undefined ? goTo(next, deps.walk.first(), deps) : settle(next, run.current, results, deps);
};
