/**
 * Grants in the table: makes and revokes them, and takes those that have ended out of the list.
 * Making and revoking are a person's acts, carried by a signal whose sender is an approver; the
 * same signal, delivered again, changes nothing more. The index finds a grant; only its record
 * counts.
 */
import { createHash } from 'node:crypto';
import { defined } from '../base/defined.ts';
import { HOUR_S } from '../base/limits.ts';
import { isExactOnly } from '../gates/rules/approval-fitness.ts';
import { ownerSettingsKey } from '../ledger/owner-settings.ts';
import type { ToolEffects } from '../signal/facts.ts';
import { rootOf } from '../signal/ids.ts';
import type { Signal } from '../signal/signal.ts';
import { type Condition, equals } from '../store/condition.ts';
import { grantKey, indexPartitions } from '../store/keys.ts';
import { loadIndexed, loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import { putOnce } from '../store/put-once.ts';
import type { Item, Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';
import type { Approval } from './approval.ts';
import { Grant, hasArgument, isUsable, turnScope } from './grant.ts';
import type { GrantWish } from './grant-wish.ts';
import { similarProblem } from './similar.ts';

/** Grants that are read to find one: those in force, and used-up ones whose time is not over. */
export const GRANTS_READ_MAX = 100;

type GrantTable = Pick<Table, 'load' | 'queryIndex'>;

export const parseGrant = (item: Item): Grant => parseStored(item, Grant, `grant ${String(item.pk)}`);

/** Loads grants that are neither revoked nor used up, the one that lasts longest first. */
export const loadGrants = async (table: GrantTable, space: string): Promise<readonly Grant[]> => {
  const { items } = await loadIndexed(table, {
    index: 'unfinished',
    partition: indexPartitions.grants(space),
    limit: GRANTS_READ_MAX,
    isDescending: true,
  });
  return items.map(parseGrant);
};

export const loadGrant = async (table: GrantTable, space: string, id: string): Promise<Grant | undefined> => {
  const item = await loadItem(table, grantKey(space, id));
  return item === undefined ? undefined : parseGrant(item);
};

/** Between the gates and the claim its last use was spent, or a person took it back. */
export const isGrantOver = async (table: GrantTable, space: string, id: string, now: number): Promise<boolean> => {
  const current = await loadGrant(table, space, id);
  return current === undefined || !isUsable(current, now);
};

/** Grants of one space: a list that a person still reads. */
export const GRANTS_MAX = 30;

/** 48 bits are enough to name a grant; its id gives nobody any right. */
export const grantIdFor = (signalId: string): string =>
  createHash('sha256').update(`passepartout/grant\n${signalId}`).digest('hex').slice(0, 12);

/** `https://example.com` is also how `https://example.com.evil.net/` begins; `https:`, all do. */
const HOST_ONLY = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*|https?(?::\/?)?)$/i;

/** Pure. @returns the grant, or why there can be none */
export const buildGrant = (
  approval: Approval,
  effects: ToolEffects,
  wish: Omit<GrantWish, 'from'> & { readonly expiresAtMs?: number | undefined; readonly isForTask?: true },
  by: Pick<Signal, 'id' | 'sender'>,
  now: number,
): Grant | string => {
  const { action } = approval;
  const problem = similarProblem(approval);
  if (problem !== '') return problem;
  const source = wish.coversTaint ? approval.taintSource : undefined;
  if (wish.coversTaint && source === undefined)
    return 'nothing outside was named when it was asked for, so the grant cannot cover outside text';
  if (wish.loosen.length > 0 && isExactOnly(effects))
    return 'no argument can be left open for a tool that changes files, runs programs or changes rights';
  const missing = wish.loosen.find(({ path }) => !hasArgument(action.args, path));
  if (missing !== undefined) return 'an argument that was to be loosened is not there';
  if (wish.loosen.some((rule) => rule.kind === 'prefix' && HOST_ONLY.test(rule.prefix)))
    return 'a beginning of an address must go past its host, as https://example.com/ does';
  const gates = [...new Set((approval.asks ?? []).map(({ gate }) => gate))];
  const expiresAtMs = wish.expiresAtMs ?? now + wish.hours * HOUR_S * 1000;
  return {
    schemaVersion: 1,
    id: grantIdFor(by.id),
    space: approval.space,
    ...(wish.anySession ? {} : { session: approval.session }),
    ...(wish.isForTask ? { session: turnScope(rootOf(approval.signalId)), askedIn: approval.session } : {}),
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

/** Stores a grant, once. @returns the problem, or an empty text */
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

/** @returns false if there is no such grant. A revoked grant stays revoked. */
export const revokeGrant = async (
  table: Pick<Table, 'load' | 'queryIndex' | 'update'>,
  space: string,
  id: string,
  by: string,
): Promise<boolean> => {
  const grant = /^[0-9a-f]{12}$/.test(id) ? await loadGrant(table, space, id) : undefined;
  if (grant === undefined) return false;
  const change = { set: { state: 'revoked', revokedBy: by }, remove: ['unfinishedSpace', 'unfinishedAt'] };
  if (grant.state !== 'revoked') await updateIf(table, grantKey(space, id), change, isStill(grant));
  return true;
};

const isStill = ({ state }: Grant): Condition => ({ name: `grant is ${state}`, holds: equals('state', state) });

/**
 * Takes grants that can never be used again out of the list: past their time, used up, or given
 * under other rules. The latter are revoked, so that a return to old rules does not revive them.
 * Until then the last mile refuses them anyway.
 * @param loadVersion gives the version of the rules in force; asked only if there are grants
 */
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
    const isOutdated = grant.policyVersion !== policyVersion && grant.state === 'live';
    const change = {
      remove: ['unfinishedSpace', 'unfinishedAt'],
      ...(isOutdated ? { set: { state: 'revoked', revokedBy: 'policy' } } : {}),
    };
    await updateIf(table, grantKey(space, grant.id), change, isStill(grant));
  }
  const ids = ended.map(({ id }) => id);
  await uncountGrants(table, space, ids);
};

/** Begins fields that say until when each grant is in force, for prompts. Its record judges. */
const PREFIX = 'grant_';

/** Ends the name of such a field if the grant was accepted from the skill `learning`. */
const LEARNED = '_learned';

export const countGrant = async (
  table: Pick<Table, 'update'>,
  { space, id, expiresAtMs }: { readonly space: string; readonly id: string; readonly expiresAtMs: number },
  isLearned = false,
): Promise<void> => {
  const field = `${PREFIX}${id}${isLearned ? LEARNED : ''}`;
  await table.update(ownerSettingsKey(space), { set: { schemaVersion: 1, [field]: expiresAtMs } });
};

export const uncountGrants = async (
  table: Pick<Table, 'update'>,
  space: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  const remove = ids.flatMap((id) => [`${PREFIX}${id}`, `${PREFIX}${id}${LEARNED}`]);
  await table.update(ownerSettingsKey(space), { set: { schemaVersion: 1 }, remove });
};

const fieldsInForce = (item: Item | undefined, now: number): readonly string[] =>
  Object.entries(item ?? {}).flatMap(([name, until]) =>
    name.startsWith(PREFIX) && typeof until === 'number' && until > now ? [name.slice(PREFIX.length)] : [],
  );

/** @param item the owner's settings as they are stored */
export const grantsInForce = (item: Item | undefined, now: number): number => fieldsInForce(item, now).length;

/** Ids of those that were learned. */
export const learnedGrantsInForce = (item: Item | undefined, now: number): readonly string[] =>
  fieldsInForce(item, now).flatMap((name) => (name.endsWith(LEARNED) ? [name.slice(0, -LEARNED.length)] : []));
