/**
 * Finds the grant that covers an action Act would otherwise ask a person about, and puts it into the facts the gates judge
 * by. Reads only where something was asked. Found by the index, trusted only as the record stands.
 */

import { parseStored } from '../ledger/record.ts';
import { type Action, actionHash } from '../signal/action.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import type { GrantFacts } from '../signal/facts.ts';
import type { Signal } from '../signal/signal.ts';
import { grantKey, indexPartitions } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { Grant, isUsable, isWithin } from './grant.ts';
import { taintSource } from './taint-source.ts';

/** Grants read to find one: those in force, and those used up whose time has not come. */
export const GRANTS_READ_MAX = 100;

type GrantTable = Pick<Table, 'load' | 'queryIndex'>;

export const parseGrant = (item: Item): Grant => parseStored(`grant ${String(item.pk)}`, item, Grant);

/** Grants that are neither revoked nor used up, the one that lasts longest first. */
export const loadGrants = async (table: GrantTable, space: string): Promise<readonly Grant[]> => {
  const page = await table.queryIndex({
    index: 'unfinished',
    partition: indexPartitions.grants(space),
    limit: GRANTS_READ_MAX,
    isDescending: true,
  });
  const keys = page.items.map((item) => ({ pk: String(item.pk), sk: String(item.sk) }));
  const items = await table.load(keys, { isConsistent: true });
  return items.flatMap((item) => (item === undefined ? [] : [parseGrant(item)]));
};

export const loadGrant = async (table: GrantTable, space: string, id: string): Promise<Grant | undefined> => {
  const item = await loadItem(table, grantKey(space, id));
  return item === undefined ? undefined : parseGrant(item);
};

export interface FoundGrant {
  readonly grant: Grant;
  /** One of its uses was spent by an earlier claim of this very effect. */
  readonly isSpentHere: boolean;
}

/** @param effect as it stands; one that a grant was spent on keeps that grant. */
export const findGrant = async (
  table: GrantTable,
  signal: Signal,
  action: Action,
  effect: Effect | undefined,
  now: number,
): Promise<FoundGrant | undefined> => {
  if (effect !== undefined) {
    const grant = effect.grantId === undefined ? undefined : await loadGrant(table, signal.space, effect.grantId);
    return grant === undefined ? undefined : { grant, isSpentHere: effect.state !== 'suspended' };
  }
  const grants = await loadGrants(table, signal.space);
  const grant = grants.find((one) => isUsable(one, now) && isWithin(one, action, signal.session));
  return grant === undefined ? undefined : { grant, isSpentHere: false };
};

/** Pure. */
export const buildGrantFacts = (
  { grant, isSpentHere }: FoundGrant,
  signal: Signal,
  decision: Pick<Decision, 'seen'>,
  action: Action,
): GrantFacts => ({
  id: grant.id,
  actionHash: isWithin(grant, action, signal.session) ? actionHash(action) : '',
  policyVersion: grant.policyVersion,
  space: grant.space,
  state: stateOf(grant, isSpentHere),
  expiresAt: grant.expiresAtMs,
  gates: grant.gates,
  coversTaint: grant.taintSource === taintSource(signal, decision),
});

const stateOf = (grant: Grant, isSpentHere: boolean): GrantFacts['state'] => {
  if (isSpentHere) return 'spent-here';
  if (grant.state === 'revoked') return 'revoked';
  return grant.uses < grant.usesMax ? 'live' : 'used-up';
};
