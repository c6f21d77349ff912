/**
 * What permits, and words that are being forgotten. Approvals that wait and grants in force are authority, which forgetting never
 * touches (I14): those that hold the words are named, for a person to deny or revoke. A grant that has ended permits nothing; one
 * made from a turn whose words go loses its copy of them, and whose action it was, the decision's hash still says.
 */
import { grantIdFor } from '../../approvals/change-grant.ts';
import { parseApproval } from '../../approvals/decide-approval.ts';
import { loadGrant, loadGrants } from '../../approvals/find-grant.ts';
import { type Grant, isUsable } from '../../approvals/grant.ts';
import { ConditionError } from '../../base/errors.ts';
import { PENDING_APPROVALS_MAX } from '../../base/limits.ts';
import { rootOf } from '../../signal/ids.ts';
import { type Condition, equals } from '../../store/condition.ts';
import { grantKey, indexPartitions } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import { holdsLiteral, resembles } from './find-traces.ts';

type AuthorityTable = Pick<Table, 'load' | 'queryIndex' | 'update'>;

export interface AuthorityQuestion {
  /** Words to be found, by `literalsOf`. */
  readonly literals: readonly string[];
  /** Roots of the turns whose words go. */
  readonly roots: ReadonlySet<string>;
  /** Signals of people that may have made a grant. */
  readonly makers: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Authority {
  /** `<signal>#<n>` of actions that wait for a person. Never the approval's own id: that is the capability (I5). */
  readonly approvals: readonly string[];
  /** Ids of grants in force. */
  readonly grants: readonly string[];
  /** Signals whose grants were made from a turn whose words go. */
  readonly makers: readonly string[];
}

const waitingApprovals = async (
  table: AuthorityTable,
  space: string,
  { literals, roots }: AuthorityQuestion,
): Promise<readonly string[]> => {
  const partition = indexPartitions.pendingApprovals(space);
  const page = await table.queryIndex({ index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
  const keys = page.items.map((item) => ({ pk: String(item.pk), sk: String(item.sk) }));
  const items = await table.load(keys, { isConsistent: true });
  return items.flatMap((item): readonly string[] => {
    if (item === undefined) return [];
    const { signalId, n, action, state } = parseApproval(String(item.id), item);
    const isWaiting = (state === 'pending' || state === 'approved') && !roots.has(rootOf(signalId));
    return isWaiting && holdsLiteral(action, literals) ? [`${signalId}#${n}`] : [];
  });
};

const eraseGrant = async (table: AuthorityTable, grant: Grant, now: number): Promise<void> => {
  const isAsRead: Condition = { name: `grant is ${grant.state}`, holds: equals('state', grant.state) };
  const change = { set: { loosened: [], forgottenAt: grant.forgottenAt ?? now }, remove: ['args', 'text'] };
  await table.update(grantKey(grant.space, grant.id), change, isAsRead).catch((error: unknown) => {
    if (!(error instanceof ConditionError)) throw error;
  });
};

export const forgetAuthority = async (
  table: AuthorityTable,
  space: string,
  question: AuthorityQuestion,
): Promise<Authority> => {
  const { literals, roots, now } = question;
  const all = new Map((await loadGrants(table, space)).map((grant) => [grant.id, grant]));
  const makers: string[] = [];
  for (const maker of new Set(question.makers)) {
    const grant = await loadGrant(table, space, grantIdFor(maker));
    if (grant === undefined) continue;
    all.set(grant.id, grant);
    if (roots.has(rootOf(grant.fromSignal))) makers.push(maker);
  }
  const grants: string[] = [];
  for (const grant of all.values()) {
    const isLinked = roots.has(rootOf(grant.fromSignal));
    const said = [grant.args, grant.text, grant.loosened];
    if (isUsable(grant, now)) {
      if (holdsLiteral(said, literals) || (isLinked && resembles(said, literals))) grants.push(grant.id);
    } else if (isLinked) await eraseGrant(table, grant, now);
  }
  return { approvals: await waitingApprovals(table, space, question), grants, makers };
};
