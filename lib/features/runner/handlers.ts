/** The answers to the verbs of runners: each is one call of a tool, which Act performs. */
import { change, type Handler } from '../../core/operations/operation.ts';
import { runnersList, runnersPair, runnersPause, runnersRemove, runnersResume } from './operations.ts';

export const RUNNER_HANDLERS: readonly Handler[] = [
  change(runnersList, () => ({ call: { tool: 'list-runners', args: {} } })),
  change(runnersPair, (_, args) => ({ call: { tool: 'pair-runner', args } })),
  change(runnersPause, (_, args) => ({ call: { tool: 'pause-runner', args } })),
  change(runnersResume, (_, args) => ({ call: { tool: 'resume-runner', args } })),
  change(runnersRemove, (_, args) => ({ call: { tool: 'remove-runner', args } })),
];
