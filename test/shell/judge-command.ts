/** Both judgements of a command as a machine whose one folder is `~/site` would get them. */
import { classifyCommand } from '../../lib/shell/classify-command.ts';
import { findShellDangers } from '../../lib/shell/find-shell-dangers.ts';

export const HERE = { folder: '/home/ada/site', home: '/home/ada' };

export const classify = (command: string) => classifyCommand(command, HERE);

const isInside = (path: string): boolean => path === HERE.folder || path.startsWith(`${HERE.folder}/`);

/** Whether its class or its paths stop it, or make a person be asked about more than a change. */
export const isHeldByClass = (command: string): boolean => {
  const { class: found, reads, writes } = classify(command);
  return !['reads', 'changes'].includes(found) || ![...reads, ...writes].every(isInside);
};

export const isHeld = (command: string): boolean => findShellDangers(command).length > 0 || isHeldByClass(command);
