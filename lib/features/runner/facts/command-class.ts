/** The effects of a shell command. Only tools that run one load the shell reader: it is large. */
import { effectsOf } from '../../../core/gates/rules/tool-effects.ts';
import type { Action } from '../../../core/signal/action.ts';
import type { Facts } from '../../../core/signal/facts.ts';
import { loadShellReader } from '../tools/runner-args.ts';

export const gatherShell = async (action: Action, _sources: object, found: Facts): Promise<Pick<Facts, 'shell'>> => {
  const { runsCommand = '' } = effectsOf(action, found);
  const { args = {} } = action;
  const command = Object.hasOwn(args, runsCommand) ? args[runsCommand] : undefined;
  if (typeof command !== 'string') return { shell: null };
  const folder = Object.hasOwn(args, 'folder') && typeof args.folder === 'string' ? args.folder : '';
  return { shell: (await loadShellReader()).shellFactsOf(command, { folder, home: found.runner?.home ?? '/' }) };
};
