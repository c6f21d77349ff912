/** Facts of a shell command, as the stack and the machine both judge it. Pure. */

import type { ShellFacts } from '../../core/signal/facts.ts';
import { classifyCommand, SHELL_RULES_VERSION } from './shell/classify-command.ts';

export const shellFactsOf = (command: string, place: Parameters<typeof classifyCommand>[1]): ShellFacts => {
  const {
    lost: _lost,
    scripts: _scripts,
    launches: _launches,
    destroys,
    ...classified
  } = classifyCommand(command, place);
  return { rulesVersion: SHELL_RULES_VERSION, dangers: [], ...classified, ...(destroys && { destroys }) };
};
