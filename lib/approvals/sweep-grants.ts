/**
 * Takes grants that can never be used again out of the list of those in force: past their time, used up, or given under rules
 * that are no longer those in force (these are revoked, so that going back to old rules does not revive them). Repeating it
 * changes nothing; until it has run, the last mile refuses them anyway.
 */

import { ConditionError } from '../base/errors.ts';
import { type Condition, equals } from '../store/condition.ts';
import { grantKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { loadGrants } from './find-grant.ts';
import { isUsable } from './grant.ts';
import { forgetGrants } from './grants-in-force.ts';

/** @param loadVersion the version of the rules in force; asked for only where there are grants. */
export const sweepGrants = async (
  table: Pick<Table, 'load' | 'queryIndex' | 'update'>,
  space: string,
  loadVersion: () => Promise<string>,
  now: number,
): Promise<void> => {
  const grants = await loadGrants(table, space);
  if (grants.length === 0) return;
  const policyVersion = await loadVersion();
  const ended = grants.filter((grant) => !isUsable(grant, now) || grant.policyVersion !== policyVersion);
  for (const grant of ended) {
    const isOutdated = grant.policyVersion !== policyVersion;
    const isAsRead: Condition = { name: `grant is ${grant.state}`, holds: equals('state', grant.state) };
    const change = {
      remove: ['unfinishedSpace', 'unfinishedAt'],
      ...(isOutdated && grant.state === 'live' ? { set: { state: 'revoked', revokedBy: 'policy' } } : {}),
    };
    await table.update(grantKey(space, grant.id), change, isAsRead).catch((error: unknown) => {
      if (!(error instanceof ConditionError)) throw error;
    });
  }
  await forgetGrants(
    table,
    space,
    ended.map(({ id }) => id),
  );
};
