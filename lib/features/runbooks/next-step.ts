/** A run's next signal, with this step's results, once each action has ended. */
import { buildActionResult } from '../../core/ledger/ledger.ts';
import { isLive, parseRun, type Run } from '../../core/ledger/run.ts';
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import type { Decision, Effect } from '../../core/signal/decision.ts';
import { stepOf } from '../../core/signal/ids.ts';
import type { ActionResult, Signal } from '../../core/signal/signal.ts';
import { runKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { buildStepSignal } from './begin-run.ts';
import { giveAnswer } from './runbook-steps.ts';

/** A blocked action says why. */
const resultOf = (effect: Effect, { actions }: Decision): ActionResult => {
  const judged = actions[effect.n];
  const result = buildActionResult(effect, judged?.action);
  const because = judged?.outcome === 'block' ? judged.trace.at(-1)?.reason : undefined;
  return because === undefined ? result : { ...result, output: because };
};

/** The model's answer alone counts; a refusal is a text to a person. */
const resultsOf = ({ payload }: Signal, decision: Decision, effects: readonly Effect[]): readonly ActionResult[] => {
  const all = [...effects].sort((a, b) => a.n - b.n).map((effect) => resultOf(effect, decision));
  if (payload.sensor !== 'run-prompt') return all;
  const answers = all.filter(({ tool }) => tool === giveAnswer.name);
  const output = ['the model gave no answer', decision.reason].filter((part) => part !== '').join(': ');
  return answers.length > 0 ? answers : [{ n: 0, state: 'failed', output, origin: 'agent' }];
};

/** The next signal of the run; undefined if this is no step, or the run goes on without it. */
export const buildNextStep = (
  signal: Signal,
  run: Run | undefined,
  decision: Decision,
  effects: readonly Effect[],
  now: number,
): Signal | undefined => {
  const n = stepOf(signal.id);
  const isOpen = effects.some(({ state }) => state === 'suspended' || state === 'claimed');
  if (n === undefined || run === undefined || isOpen || run.n !== n || !isLive(run)) return undefined;
  // A run whose end is told has no further step.
  if (run.current === undefined) return undefined;
  return buildStepSignal(signal.space, run, n + 1, resultsOf(signal, decision, effects), now);
};

export const nextStep: NonNullable<FeatureHooks['nextSignal']> = async ({ table, now }, ended) => {
  const { signal, decision, effects } = ended;
  const item = ended.run === undefined ? await loadItem(table, runKeys.record(signal.space, signal.root)) : undefined;
  return buildNextStep(signal, ended.run ?? (item && parseRun(item)), decision, effects, now());
};
