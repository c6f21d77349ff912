/**
 * No shell command runs that nobody looked into.
 * - stops: commands that were not read (I3), and those in which an earlier release found a danger
 * - lets through: every other command; its class and its paths are judged by `command-class` and
 *   `confinement`
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
