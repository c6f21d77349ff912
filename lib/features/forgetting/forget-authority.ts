/**
 * Finds approvals that wait and grants in force that hold words being forgotten. Forgetting never
 * touches authority (I14): they are named, for a person to deny or revoke. A grant that has ended
 * permits nothing, so it loses its copy of the words if it was made from a turn whose words go.
 */

import { parseApproval } from '../../core/approvals/approval.ts';
import { type Grant, isUsable } from '../../core/approvals/grant.ts';
import { grantIdFor, loadGrant, loadGrants } from '../../core/approvals/grants.ts';
import { PENDING_APPROVALS_MAX } from '../../core/base/limits.ts';
import { rootOf } from '../../core/signal/ids.ts';
import { equals } from '../../core/store/condition.ts';
import { grantKey, indexPartitions } from '../../core/store/keys.ts';
import { loadIndexed } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { holdsLiteral } from './find-traces.ts';

type AuthorityTable = Pick<Table, 'load' | 'queryIndex' | 'update'>;

export interface AuthorityQuestion {
  /** Made by `literalsOf`. */
  readonly literals: readonly string[];
  /** Roots of the turns whose words go. */
  readonly roots: ReadonlySet<string>;
  /** Signals of people that may have made a grant. */
  readonly makers: readonly string[];
  readonly now: number;
}

export interface Authority {
  /** `<signal>#<n>` of waiting actions, never an approval's id, the capability (I5). */
  readonly approvals: readonly string[];
  /** Ids of grants in force. */
  readonly grants: readonly string[];
  /** Signals whose grants were made from a turn whose words go. */
  readonly makers: readonly string[];
}

const findWaitingApprovals = async (
  table: AuthorityTable,
  space: string,
  { literals, roots }: AuthorityQuestion,
): Promise<readonly string[]> => {
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
  return items.flatMap((item): readonly string[] => {
    const { signalId, n, action, state } = parseApproval(String(item.id), item);
    const isWaiting = (state === 'pending' || state === 'approved') && !roots.has(rootOf(signalId));
    return isWaiting && holdsLiteral(action, literals) ? [`${signalId}#${n}`] : [];
  });
};

const eraseGrant = async (table: AuthorityTable, grant: Grant, now: number): Promise<void> => {
  const isAsRead = { name: `grant is ${grant.state}`, holds: equals('state', grant.state) };
  const change = { set: { loosened: [], forgottenAt: grant.forgottenAt ?? now }, remove: ['args', 'text'] };
  await updateIf(table, grantKey(grant.space, grant.id), change, isAsRead);
};

export const forgetAuthority = async (
  table: AuthorityTable,
  space: string,
  question: AuthorityQuestion,
): Promise<Authority> => {
  const { literals, roots, now } = question;
  const all = new Map((await loadGrants(table, space)).map((grant) => [grant.id, grant]));
  const isLinked = ({ fromSignal }: Grant): boolean => roots.has(rootOf(fromSignal));
  const makers: string[] = [];
  for (const maker of new Set(question.makers)) {
    const grant = await loadGrant(table, space, grantIdFor(maker));
    if (grant === undefined) continue;
    all.set(grant.id, grant);
    if (isLinked(grant)) makers.push(maker);
  }
  const grants: string[] = [];
  for (const grant of all.values()) {
    if (isUsable(grant, now)) {
      if (holdsLiteral([grant.args, grant.text, grant.loosened], literals)) grants.push(grant.id);
    } else if (isLinked(grant)) await eraseGrant(table, grant, now);
  }
  return { approvals: await findWaitingApprovals(table, space, question), grants, makers };
};
