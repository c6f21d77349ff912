/** What a shell command would do. Only tools that run commands load the shell reader: it is large. */
import { effectsOf } from '../../gates/rules/tool-effects.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts, RunnerFacts, ShellFacts, ToolEffects } from '../../signal/facts.ts';
import { loadShellReader } from '../../tools/tool.ts';

export const shellFacts = async (
  { args = {} }: Action,
  { runsCommand = '' }: ToolEffects = {},
  { home }: Pick<RunnerFacts, 'home'> = { home: '/' },
): Promise<ShellFacts | null> => {
  const command = Object.hasOwn(args, runsCommand) ? args[runsCommand] : undefined;
  if (typeof command !== 'string') return null;
  const folder = Object.hasOwn(args, 'folder') && typeof args.folder === 'string' ? args.folder : '';
  return (await loadShellReader()).shellFactsOf(command, { folder, home });
};

export const gatherShell = async (action: Action, _sources: object, found: Facts): Promise<Pick<Facts, 'shell'>> => ({
  shell: await shellFacts(action, effectsOf(action, found), found.runner),
});
