/**
 * Takes a run one step further: what the last step came to, which step is next, and one decision
 * with its actions, judged as if a model had proposed them. The run is stored before the decision,
 * and only if it was one step behind, so a repeat finds it and decides the same. No step is decided
 * for a run that was stopped.
 */

import { PipelineError } from '../../core/base/errors.ts';
import { notices } from '../../core/judge/notices.ts';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { isLive, parseRun, type Run } from '../../core/ledger/run.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import { type CodeAnswer, type CodeContext, say } from '../../core/operations/code-context.ts';
import { payloadOf } from '../../core/operations/hooks.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import { QUESTION_SUFFIX } from '../../core/signal/ids.ts';
import { type ActionResult, buildChild, type Payload } from '../../core/signal/signal.ts';
import { runKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { advance } from './advance.ts';
import { buildStepSignal } from './begin-run.ts';
import { decideStep } from './decide-step.ts';
import { grantSteps } from './grant-steps.ts';
import { loadScope } from './load-scope.ts';
import { planStep, type StepPlan } from './plan-step.ts';
import type { Runbook } from './runbook.ts';
import { loadRunbook, saveRun } from './store-run.ts';
import { buildWalk, stepAt, type Walk } from './walk.ts';

/** The next signal of the run. A repeat changes nothing. */
export const acceptStep = async (
  { table, publishPerceive, signal, now }: CodeContext,
  run: Run,
  n: number,
  results: readonly ActionResult[],
): Promise<void> => {
  await acceptSignal({ table, publish: publishPerceive }, buildStepSignal(signal.space, run, n, results, now));
};

interface Loaded {
  readonly run: Run;
  readonly runbook: Runbook;
  readonly walk: Walk;
}

/** Moves the run on, unless an earlier delivery did. Undefined if another one moved it further. */
const loadAt = async (
  { table, signal: { space }, now }: CodeContext,
  run: Run,
  n: number,
  results: readonly ActionResult[],
): Promise<Loaded | undefined> => {
  const runbook = await loadRunbook(table, space, run);
  const { scope, outputHashes } = await loadScope(table, space, run, runbook);
  const walk = buildWalk({ runbook, scope, sandbox: await loadSandbox() });
  if (run.n === n) return { run, runbook, walk };
  if (run.n !== n - 1) return undefined;
  const moved = advance(run, results, { runbook, walk, outputHashes, now });
  return { run: await saveRun(table, space, moved), runbook, walk };
};

/** How many steps it did, for its last words. */
const countDone = ({ ended }: Run): number => ended.filter(({ state }) => state === 'done').length;

/** One that is done has no more to say; any other end shows in its own run. */
const endOf = ({ state }: Run): CodeAnswer => ({
  ending: `the run is ${state}`,
  ...(state === 'done' ? { because: { code: 'run-over' } } : {}),
});

/** A person who started it hears how it ended. A job says so itself, but for a failure. */
const answerEnded = (run: Run): CodeAnswer => {
  const { runbook, id, state, why = '' } = run;
  if (state === 'failed') return say(notices.runFailed(runbook, id, why));
  if (jobOf(run.session) !== undefined || state === 'stopped') return endOf(run);
  return say(notices.runEnded(runbook, countDone(run)));
};

const askModel = async (
  context: CodeContext,
  run: Run,
  { prompt, material, answerChars }: Extract<StepPlan, { kind: 'model' }>,
): Promise<CodeAnswer> => {
  const { table, publishPerceive, signal, now } = context;
  const asked = `${prompt}\n\nAnswer with one call of give-answer: its text is all of your answer, and has ${answerChars} characters at most.`;
  const payload: Payload = {
    sensor: 'run-prompt',
    text: [
      // An approver read the question on the card; values in it may be of others.
      { text: asked, origin: run.origin },
      ...(material === '' ? [] : [{ text: material, origin: run.origin, label: 'material' }]),
    ],
  };
  await acceptSignal({ table, publish: publishPerceive }, buildChild(signal, QUESTION_SUFFIX, payload, now));
  return { ending: 'the model is asked', because: { code: 'model' } };
};

const performStep = async (context: CodeContext, { run, runbook, walk }: Loaded): Promise<CodeAnswer> => {
  const plan = planStep(run, runbook, walk);
  const place = run.current === undefined ? '' : (stepAt(runbook, run.current.at)?.place ?? '');
  switch (plan.kind) {
    case 'ended':
      return answerEnded(run);
    case 'wait':
      return { ending: 'it waits', because: { code: 'waits' } };
    case 'model':
      return askModel(context, run, plan);
    case 'problem':
      await acceptStep(context, run, run.n + 1, [
        { n: 0, state: 'refused', output: `it ${plan.problem}`, origin: 'agent' },
      ]);
      return { ending: plan.problem };
    case 'call':
    case 'text':
      return { decision: await decideStep(context, run, plan, place) };
    default:
      return plan satisfies never;
  }
};

/** @throws PipelineError if there is no such run */
export const answerRunStep = async (context: CodeContext): Promise<CodeAnswer> => {
  const { run: id, n, results } = payloadOf(context, 'run-step');
  const { table, signal } = context;
  const item = await loadItem(table, runKeys.record(signal.space, id));
  if (item === undefined) throw new PipelineError(`there is no run ${id}`, signal.id, false);
  const run = parseRun(item);
  if (n === 0) {
    if (run.approved !== undefined) await grantSteps(context, run);
    await acceptStep(context, run, 1, []);
    return { ending: 'it goes on with its steps', because: { code: 'steps' } };
  }
  // It may have ended with this very signal, and somebody is to be told.
  if (!isLive(run) && run.n !== n) return endOf(run);
  const loaded = await loadAt(context, run, n, results);
  if (loaded === undefined || loaded.run.n !== n)
    return { ending: 'the run has gone on', because: { code: 'run-over' } };
  return performStep(context, loaded);
};
