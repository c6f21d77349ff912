/**
 * A shell command is judged by its class: the worst of everything that would run.
 * - stops: a command that nobody put in a class (I3); one that leaves a machine without network
 * - asks: commands that destroy or leave, each time: no policy and no grant answers this. Also
 *   commands that run unseen code, if a rule would let them pass that does not name them, that was
 *   asked by outside text (I13), or on a machine whose network they may use
 * - lets through: commands that only read; those that change or run unseen code, which the
 *   permissions ask about
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

const NO_NETWORK =
  'runner.yaml of the machine allows no network: its owner writes the line "network: true" there, and is then asked each time';

/** Only a rule that names commands answers for a person about code that nobody has seen. */
export const maySkipQuestion = ({
  isCommandNamed,
  origin,
  runner,
}: Pick<Facts, 'isCommandNamed' | 'origin' | 'runner'>): boolean =>
  isCommandNamed === true && origin !== 'outside' && runner?.hasNetwork !== true;

export const checkCommandClass = (action: Action, facts: Facts): Verdict => {
  if (effectsOf(action, facts).runsCommand === undefined) return PASS;
  const { class: found, because = [], destroys } = facts.shell ?? {};
  if (found === undefined) return { verdict: 'block', reason: 'nobody put this command in a class' };
  const reason = [CLASS_WORDS[found], because.join('; ')].filter((part) => part !== '').join(': ');
  const ask = { verdict: 'ask', reason } as const;
  switch (found) {
    case 'reads':
    case 'changes':
      return { verdict: 'pass', reason };
    case 'destroys':
      return ask;
    case 'leaves':
      return facts.runner?.hasNetwork === true ? ask : { verdict: 'block', reason: `${reason}; ${NO_NETWORK}` };
    case 'unseen':
      if (destroys) return { verdict: 'ask', reason: `${reason}; it destroys too` };
      return facts.tier === 'allow' && !maySkipQuestion(facts) ? ask : { verdict: 'pass', reason };
    default:
      found satisfies never;
      return { verdict: 'block', reason: 'unknown class of command' };
  }
};
