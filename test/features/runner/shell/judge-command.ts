/** A command as a machine whose one folder is `~/site` would judge it. */

import { findSecretPath } from '../../../../lib/core/text/find-secret-path.ts';
import { classifyCommand } from '../../../../lib/features/runner/shell/classify-command.ts';

export const HERE = { folder: '/home/ada/site', home: '/home/ada' };

export const classify = (command: string) => classifyCommand(command, HERE);

const isInside = (path: string): boolean => path === HERE.folder || path.startsWith(`${HERE.folder}/`);

/** Whether its class or its paths stop it, or make a person be asked about more than a change. */
export const isHeld = (command: string): boolean => {
  const { class: found, reads, writes } = classify(command);
  const isFree = (path: string): boolean => isInside(path) && findSecretPath(path) === undefined;
  return !['reads', 'changes'].includes(found) || ![...reads, ...writes].every(isFree);
};
