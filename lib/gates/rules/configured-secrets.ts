/**
 * Values of the secrets this deployment holds never leave (I11). The search runs where the values are; this gate sees
 * only names and fields, so that neither facts nor traces ever hold a value.
 * - stops: any action in which a configured secret was found, also split, encoded or escaped (`find-secrets.ts`)
 * - lets through: everything else, also texts that only name a secret ("set the telegram token")
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

export const checkConfiguredSecrets = (_action: Action, facts: Facts): Verdict => {
  if (facts.secrets.length === 0) return PASS;
  const found = facts.secrets.map(({ name, field }) => `${name} in ${field}`).join(', ');
  return { verdict: 'block', reason: `it holds the value of a configured secret: ${found}` };
};
