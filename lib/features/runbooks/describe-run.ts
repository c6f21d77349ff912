/** A run in lines for a person, each step with the signal that tells more. Pure. */
import { localTime } from '../../core/base/clock.ts';
import { isLive, type Run, type StepPlace } from '../../core/ledger/run.ts';
import { childId, stepSuffix } from '../../core/signal/ids.ts';
import type { Inputs } from './inputs.ts';
import type { Runbook } from './runbook.ts';
import type { RunbookWords } from './texts.ts';
import { stepAt } from './walk.ts';

export interface RunView {
  readonly run: Run;
  /** Undefined if its text is gone: steps are then told by number. */
  readonly runbook: Runbook | undefined;
  /** With the values that an event gave. */
  readonly inputs: Inputs;
  /** The current step waits on a card. */
  readonly isAsking: boolean;
}

/** `5.1`, as the file counts; `5.1, entry 3` within an `each`. */
const placeWords = (say: RunbookWords, at: StepPlace): string => {
  const steps = at.filter((_, index) => index % 2 === 0).map((index) => index + 1);
  const entries = at.filter((_, index) => index % 2 === 1).map((index) => index + 1);
  return `${steps.join('.')}${entries.length === 0 ? '' : say.entry(entries.join('.'))}`;
};

const stepName = (say: RunbookWords, at: StepPlace, runbook: Runbook | undefined): string => {
  const id = runbook && stepAt(runbook, at)?.id;
  return `${say.step(placeWords(say, at))}${id === undefined ? '' : ` (${id})`}`;
};

const doingWords = (say: RunbookWords, { run, runbook, isAsking }: RunView, zone: string): string => {
  const { current, state, dueAt } = run;
  if (current === undefined) return say.begins;
  const until = state === 'waiting' && dueAt !== undefined ? localTime(say, dueAt, zone) : undefined;
  const step = runbook && stepAt(runbook, current.at);
  const tries = current.tries === 0 ? '' : say.tryOf(current.tries + 1);
  if (current.kind === 'again' || (until !== undefined && step?.kind !== 'wait'))
    return say.again(current.tries, until);
  if (until !== undefined) return say.waitsUntil(until);
  const isUndo = current.kind === 'undo';
  if (isAsking) return `${say.waitsForYes(isUndo)}${tries}`;
  if (step?.kind === 'model') return `${say.asksModel}${tries}`;
  return `${isUndo ? say.takenBack : say.beingDone}${tries}`;
};

/** `Tue 2026-11-24 08:00  deploy-gate: running, step 2 since Tue … · run-…` */
export const describeRunShortly = (
  say: RunbookWords,
  { run, isAsking }: Pick<RunView, 'run' | 'isAsking'>,
  zone: string,
): string => {
  const { id, runbook, why, current, startedAt } = run;
  const state = isAsking ? say.asking : say.states[run.state];
  const at = current === undefined ? '' : say.atStep(placeWords(say, current.at), localTime(say, current.since, zone));
  return `${localTime(say, startedAt, zone)}  ${runbook}: ${state}${at}${why === undefined ? '' : `: ${say.stored(why)}`}  ${id}`;
};

/** @param zone the owner's */
export const describeRun = (say: RunbookWords, view: RunView, zone: string): readonly string[] => {
  const { run, runbook } = view;
  const { id, state, why, current, n } = run;
  const signalOf = (number: number): string => `/why ${childId(id, stepSuffix(number))}`;
  const now =
    current === undefined || !isLive(run)
      ? []
      : [
          `${say.now(stepName(say, current.at, runbook), localTime(say, current.since, zone), doingWords(say, view, zone))}  ${signalOf(n)}`,
        ];
  const end = isLive(run) ? localTime(say, run.endsAt, zone) : undefined;
  return [
    `${say.run(id, run.runbook, say.states[state])}${why === undefined ? '' : `: ${say.stored(why)}`}`,
    say.begun(localTime(say, run.startedAt, zone), run.by, end),
    ...Object.entries(view.inputs).map(([name, value]) => say.input(name, value)),
    ...run.ended.map((one) => `${stepName(say, one.at, runbook)}: ${say.ends[one.state]}  ${signalOf(one.n)}`),
    ...now,
    ...(isLive(run) ? [say.toStop(id)] : []),
  ];
};
