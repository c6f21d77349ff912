/**
 * Values of configured secrets never leave (I11). `find-secrets.ts` searches where the values are;
 * this gate sees only names and fields, so neither facts nor traces hold a value.
 * - stops: actions in which a secret was found, also split, encoded or escaped
 * - lets through: texts that only name a secret ("set the telegram token")
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

export const checkConfiguredSecrets = (_action: Action, facts: Facts): Verdict => {
  if (facts.secrets.length === 0) return PASS;
  const found = facts.secrets.map(({ name, field }) => `${name} in ${field}`).join(', ');
  return { verdict: 'block', reason: `it holds the value of a configured secret: ${found}` };
};
