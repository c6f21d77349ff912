/** A run in lines for a person, each step with the signal that tells more. Pure. */
import { localTime } from '../jobs/describe-rule.ts';
import { childId, stepSuffix } from '../signal/ids.ts';
import type { Inputs } from './inputs.ts';
import { isLive, type Place, type Run, type StepState } from './run.ts';
import type { Runbook } from './runbook.ts';
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

const END_WORDS = {
  done: 'done',
  failed: 'failed',
  unknown: 'its outcome is unknown',
  undone: 'done, and taken back',
  'not-undone': 'done, and could not be taken back',
} as const satisfies Readonly<Record<StepState, string>>;

/** `5.1`, as the file counts; `5.1, entry 3` within an `each`. */
const placeWords = (at: Place): string => {
  const steps = at.filter((_, index) => index % 2 === 0).map((index) => index + 1);
  const entries = at.filter((_, index) => index % 2 === 1).map((index) => index + 1);
  return `${steps.join('.')}${entries.length === 0 ? '' : `, entry ${entries.join('.')}`}`;
};

const stepName = (at: Place, runbook: Runbook | undefined): string => {
  const id = runbook && stepAt(runbook, at)?.id;
  return `step ${placeWords(at)}${id === undefined ? '' : ` (${id})`}`;
};

const doingWords = ({ run, runbook, isAsking }: RunView, zone: string): string => {
  const { current, state, dueAt } = run;
  if (current === undefined) return 'it begins';
  const until = state === 'waiting' && dueAt !== undefined ? localTime(dueAt, zone) : undefined;
  const step = runbook && stepAt(runbook, current.at);
  const tries = current.tries === 0 ? '' : `, try ${current.tries + 1}`;
  if (current.kind === 'again' || (until !== undefined && step?.kind !== 'wait'))
    return `it failed${current.tries > 1 ? ` ${current.tries} times` : ''} and is tried again at ${until ?? 'once'}`;
  if (until !== undefined) return `it waits until ${until}`;
  const isUndo = current.kind === 'undo';
  if (isAsking) return `${isUndo ? 'to take it back, ' : ''}it waits for an approver, on its card${tries}`;
  return step?.kind === 'model'
    ? `the model is asked${tries}`
    : `${isUndo ? 'it is taken back' : 'it is being done'}${tries}`;
};

/** `Tue 2026-11-24 08:00  deploy-gate: running, step 2 since Tue … · run-…` */
export const describeRunShortly = ({ run, isAsking }: Pick<RunView, 'run' | 'isAsking'>, zone: string): string => {
  const { id, runbook, why, current, startedAt } = run;
  const state = isAsking ? 'waits for your yes' : run.state;
  const at = current === undefined ? '' : `, step ${placeWords(current.at)} since ${localTime(current.since, zone)}`;
  return `${localTime(startedAt, zone)}  ${runbook}: ${state}${at}${why === undefined ? '' : `: ${why}`}  ${id}`;
};

/** @param zone the owner's */
export const describeRun = (view: RunView, zone: string): readonly string[] => {
  const { run, runbook } = view;
  const { id, state, why, current, n } = run;
  const signalOf = (number: number): string => `/why ${childId(id, stepSuffix(number))}`;
  const now =
    current === undefined || !isLive(run)
      ? []
      : [
          `Now: ${stepName(current.at, runbook)}, since ${localTime(current.since, zone)}: ${doingWords(view, zone)}  ${signalOf(n)}`,
        ];
  const end = isLive(run) ? `; it ends at ${localTime(run.endsAt, zone)} at the latest` : '';
  return [
    `${id}: the runbook ${run.runbook}: ${state}${why === undefined ? '' : `: ${why}`}`,
    `Begun ${localTime(run.startedAt, zone)} by ${run.by}${end}.`,
    ...Object.entries(view.inputs).map(([name, value]) => `Input ${name}: ${value}`),
    ...run.ended.map((one) => `${stepName(one.at, runbook)}: ${END_WORDS[one.state]}  ${signalOf(one.n)}`),
    ...now,
    ...(isLive(run) ? [`/runbook stop ${id} ends it.`] : []),
  ];
};
