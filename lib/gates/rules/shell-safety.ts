/**
 * No shell command runs that destroys, leaks or runs unknown code, whatever it is wrapped in.
 * Judges `facts.shell`: the finding of `lib/shell` about exactly this command.
 * - stops: destructive file, disk, git, database and cloud commands; downloads piped to
 *   interpreters; reading credentials; sending data out; commands that cannot be read or were not
 *   read (I3)
 * - lets through: `rm -rf ./build`, `echo "rm -rf /"`, `git push`; other gates ask a person
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { effectsOf } from './tool-effects.ts';

export const checkShellSafety = (action: Action, facts: Facts): Verdict => {
  if (effectsOf(action, facts).runsCommand === undefined) return PASS;
  if (facts.shell === null) return { verdict: 'block', reason: 'nobody looked into this command' };
  if (facts.shell.dangers.length === 0) return PASS;
  return { verdict: 'block', reason: `the command must not run: ${facts.shell.dangers.join('; ')}` };
};
