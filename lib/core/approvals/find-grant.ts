/**
 * Finds the grant that covers an action a person would be asked about, and tells the gates of it.
 * The index finds a grant; only its record counts.
 */
import { type Action, actionHash } from '../signal/action.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import type { GrantFacts } from '../signal/facts.ts';
import { rootOf } from '../signal/ids.ts';
import type { Signal } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';
import { type Grant, isUsable } from './grant.ts';
import { loadGrant, loadGrants } from './grants.ts';
import { isWithin } from './is-within.ts';
import { taintSource } from './taint-source.ts';

type GrantTable = Pick<Table, 'load' | 'queryIndex'>;

export interface FoundGrant {
  readonly grant: Grant;
  /** An earlier claim of this very effect has spent one of its uses. */
  readonly isSpentHere: boolean;
}

/** @param own id of a grant that was made for this very step, and is in no list */
export const findGrant = async (
  table: GrantTable,
  signal: Signal,
  action: Action,
  effect: Effect | undefined,
  now: number,
  own?: string,
): Promise<FoundGrant | undefined> => {
  if (effect !== undefined) {
    const grant = effect.grantId === undefined ? undefined : await loadGrant(table, signal.space, effect.grantId);
    return grant === undefined ? undefined : { grant, isSpentHere: effect.state !== 'suspended' };
  }
  const ofStep = own === undefined ? undefined : await loadGrant(table, signal.space, own);
  const grants = [...(ofStep === undefined ? [] : [ofStep]), ...(await loadGrants(table, signal.space))];
  const grant = grants.find((one) => isUsable(one, now) && isWithin(one, action, signal.session, rootOf(signal.id)));
  return grant === undefined ? undefined : { grant, isSpentHere: false };
};

export const buildGrantFacts = (
  { grant, isSpentHere }: FoundGrant,
  signal: Signal,
  decision: Pick<Decision, 'seen'>,
  action: Action,
): GrantFacts => ({
  id: grant.id,
  actionHash: isWithin(grant, action, signal.session, rootOf(signal.id)) ? actionHash(action) : '',
  policyVersion: grant.policyVersion,
  space: grant.space,
  state: stateOf(grant, isSpentHere),
  expiresAt: grant.expiresAtMs,
  gates: grant.gates,
  ...(grant.loosened.length === 0 ? {} : { isLoosened: true }),
  coversTaint:
    grant.taintSource === taintSource(signal, decision) ||
    (grant.isBeforeOutside === true && grant.loosened.length === 0),
});

const stateOf = (grant: Grant, isSpentHere: boolean): GrantFacts['state'] => {
  if (isSpentHere) return 'spent-here';
  if (grant.state === 'revoked') return 'revoked';
  return grant.uses < grant.usesMax ? 'live' : 'used-up';
};
