/**
 * A shell command is judged by its class: the worst of everything that would run.
 * - stops: commands that leave the machine or run what nobody has seen, unless a rule of the
 *   owner's policy names their class or programs; commands that nobody put in a class (I3)
 * - asks: commands that destroy, also those a rule names. No policy and no grant answers this
 * - lets through: commands that only read or change; the permissions ask about the latter
 */
import type { Action } from '../../signal/action.ts';
import type { CommandClass, Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { effectsOf } from './tool-effects.ts';

/** The class in the words of cards and traces. */
export const CLASS_WORDS: Readonly<Record<CommandClass, string>> = {
  reads: 'the command only reads',
  changes: 'the command changes files',
  destroys: 'the command destroys what it did not make, or rewrites history',
  leaves: 'the command leaves the machine',
  unseen: 'the command runs what nobody has seen',
};

export const checkCommandClass = (action: Action, facts: Facts): Verdict => {
  if (effectsOf(action, facts).runsCommand === undefined) return PASS;
  const { class: found, because = [], destroys } = facts.shell ?? {};
  if (found === undefined) return { verdict: 'block', reason: 'nobody put this command in a class' };
  const reason = [CLASS_WORDS[found], because.join('; ')].filter((part) => part !== '').join(': ');
  switch (found) {
    case 'reads':
    case 'changes':
      return { verdict: 'pass', reason };
    case 'destroys':
      return { verdict: 'ask', reason };
    case 'leaves':
    case 'unseen':
      if (facts.isCommandNamed && destroys) return { verdict: 'ask', reason: `${reason}; it destroys too` };
      if (facts.isCommandNamed) return { verdict: 'pass', reason: `${reason}; the policy names it` };
      return { verdict: 'block', reason: `${reason}; only a rule of the policy that names it can permit it` };
    default:
      found satisfies never;
      return { verdict: 'block', reason: 'unknown class of command' };
  }
};
