/**
 * No shell command that destroys, leaks or runs what nobody has seen, whatever it is wrapped in. Takes `facts.shell`: what
 * `find-shell-dangers.ts` found in exactly this command.
 * - stops: destructive file, disk, git, database and cloud commands, fork bombs, downloads piped to interpreters, reading
 *   credentials, sending data out, commands that cannot be read; and any command nobody looked into (I3)
 * - lets through: `rm -rf ./build`, `echo "rm -rf /"`, `git push`; a person is asked by other gates
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

const SHELL_TOOL = 'shell';

export const checkShellSafety = (action: Action, facts: Facts): Verdict => {
  if (action.tool !== SHELL_TOOL) return PASS;
  if (facts.shell === null) return { verdict: 'block', reason: 'nobody looked into this command' };
  if (facts.shell.dangers.length === 0) return PASS;
  return { verdict: 'block', reason: `the command must not run: ${facts.shell.dangers.join('; ')}` };
};
