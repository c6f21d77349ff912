/**
 * Making and revoking grants: a person's act, carried by a signal whose sender is an approver. Both are written so that the
 * same signal, delivered again, changes nothing more; a grant's id follows from the signal that made it.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { ConditionError } from '../base/errors.ts';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT, HOUR_S } from '../base/limits.ts';
import type { Signal } from '../signal/signal.ts';
import { equals } from '../store/condition.ts';
import { grantKey, indexPartitions } from '../store/keys.ts';
import { putOnce } from '../store/put-once.ts';
import type { Table } from '../store/table.ts';
import type { Approval } from './approval.ts';
import { loadGrant, loadGrants } from './find-grant.ts';
import { type Grant, hasArgument, isUsable, Loosened } from './grant.ts';
import { GRANT_LOOSENED_MAX } from './limits.ts';

/** Standing yeses in one space: a list a person still reads. */
export const GRANTS_MAX = 30;
const GRANT_USES_MAX = 1_000;
const GRANT_HOURS_MAX = 30 * 24;

/** What a person may say about a grant beside the approval it is made from. */
export const GrantWish = z.strictObject({
  approval: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  loosen: z._default(z.array(Loosened).check(z.maxLength(GRANT_LOOSENED_MAX)), []),
  count: z._default(z.int().check(z.minimum(1), z.maximum(GRANT_USES_MAX)), GRANT_USES_DEFAULT),
  hours: z._default(z.int().check(z.minimum(1), z.maximum(GRANT_HOURS_MAX)), GRANT_HOURS_DEFAULT),
  coversTaint: z._default(z.boolean(), false),
  anySession: z._default(z.boolean(), false),
});
export type GrantWish = z.infer<typeof GrantWish>;

/** 48 bits are enough to name one; knowing an id gives nobody anything. */
export const grantIdFor = (signalId: string): string =>
  createHash('sha256').update(`passepartout/grant\n${signalId}`).digest('hex').slice(0, 12);

/** Pure. @returns the grant, or why there can be none. */
export const buildGrant = (
  approval: Approval,
  wish: Omit<GrantWish, 'approval'> & { readonly expiresAtMs?: number | undefined },
  by: Pick<Signal, 'id' | 'sender'>,
  now: number,
): Grant | string => {
  const { action } = approval;
  if (action.author !== 'model') return 'only what the model proposes can be granted';
  const source = wish.coversTaint ? approval.taintSource : undefined;
  if (wish.coversTaint && source === undefined)
    return 'nothing outside was named when it was asked for, so the grant cannot cover outside text';
  const missing = wish.loosen.find(({ path }) => !hasArgument(action.args, path));
  if (missing !== undefined) return 'an argument that was to be loosened is not there';
  const gates = [...new Set((approval.asks ?? []).map(({ gate }) => gate))];
  if (gates.length === 0) return 'it is not known what was asked';
  const expiresAtMs = wish.expiresAtMs ?? now + wish.hours * HOUR_S * 1000;
  return {
    schemaVersion: 1,
    id: grantIdFor(by.id),
    space: approval.space,
    ...(wish.anySession ? {} : { session: approval.session }),
    policyVersion: approval.policyVersion,
    gates,
    target: action.target,
    ...defined({ tool: action.tool, to: action.to, url: action.url, text: action.text, args: action.args }),
    loosened: wish.loosen,
    ...defined({ taintSource: source }),
    usesMax: wish.count,
    uses: 0,
    state: 'live',
    createdAt: now,
    createdBy: by.sender.id,
    fromSignal: approval.signalId,
    fromN: approval.n,
    expiresAtMs,
    unfinishedSpace: indexPartitions.grants(approval.space),
    unfinishedAt: expiresAtMs,
  };
};

/** Stores a grant, once. @returns what is wrong, or an empty text. */
export const saveGrant = async (
  table: Pick<Table, 'put' | 'load' | 'queryIndex'>,
  grant: Grant,
  now: number,
): Promise<string> => {
  const others = (await loadGrants(table, grant.space)).filter((one) => one.id !== grant.id && isUsable(one, now));
  if (others.length >= GRANTS_MAX) return `there are ${GRANTS_MAX} grants already: revoke some first`;
  await putOnce(table, grantKey(grant.space, grant.id), { ...grant });
  return '';
};

/** @returns false when there is no such grant. One that is revoked stays so. */
export const revokeGrant = async (
  table: Pick<Table, 'load' | 'queryIndex' | 'update'>,
  space: string,
  id: string,
  by: string,
): Promise<boolean> => {
  const grant = /^[0-9a-f]{12}$/.test(id) ? await loadGrant(table, space, id) : undefined;
  if (grant === undefined) return false;
  if (grant.state === 'revoked') return true;
  await table
    .update(
      grantKey(space, id),
      { set: { state: 'revoked', revokedBy: by }, remove: ['unfinishedSpace', 'unfinishedAt'] },
      { name: 'grant is live', holds: equals('state', 'live') },
    )
    .catch((error: unknown) => {
      if (!(error instanceof ConditionError)) throw error;
    });
  return true;
};
