/** Machines in the answers of other verbs: `/status`, `/doctor` and `/undo`. */
import type { FeatureViews, LookAtChange } from '../../core/operations/feature-views.ts';
import { RUNNER_CODE_TTL_MS } from './pairing-code.ts';
import { loadRunners } from './runner-powers.ts';
import { findRunnerProblems, loadRunnerStatus } from './runner-status.ts';
import { machineTexts } from './texts.ts';

/** A machine that was paired later by another code is another machine. */
const lookAtRunner: LookAtChange = async ({ table, signal }, { args, at }) => {
  const { runners } = await loadRunners(table, signal.space);
  const runner = runners.find(({ name }) => name === args.name);
  if (runner === undefined || runner.pairedAt > at + RUNNER_CODE_TTL_MS) return undefined;
  return { state: runner.isPaused ? 'paused' : 'active', args: { name: runner.name } };
};

export const RUNNER_VIEWS: FeatureViews = {
  status: async ({ table, space, now, language }) => {
    const { machine } = await machineTexts.in(language);
    return { lines: (await loadRunnerStatus(table, space, now)).map(machine) };
  },
  findProblems: findRunnerProblems,
  changes: { runner: lookAtRunner },
};
