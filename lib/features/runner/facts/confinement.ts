/** The machine that the action names. A tool of runners has one, paired or not. */

import type { FactSources } from '../../../core/judge/fact-sources.ts';
import type { Action } from '../../../core/signal/action.ts';
import type { Facts } from '../../../core/signal/facts.ts';
import { isRunnerTool } from '../../../core/signal/runner-tools.ts';
import { NO_RUNNERS, runnerFacts } from '../runners.ts';
import { skillRoots } from '../skill-folder.ts';

export const gatherRunner = (
  { tool, args = {} }: Action,
  { state: { records: { runners = NO_RUNNERS } = {} } }: Pick<FactSources, 'state'>,
): Pick<Facts, 'runner'> => {
  if (!isRunnerTool(tool)) return {};
  const name = Object.hasOwn(args, 'runner') ? args.runner : undefined;
  const runner = runnerFacts(runners, typeof name === 'string' ? name : '');
  return { runner: { ...runner, read: [...runner.read, ...skillRoots(args)] } };
};
