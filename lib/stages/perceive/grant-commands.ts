/**
 * What an approver says about grants: "allow similar" on a card, `/grants` and `/revoke <id>` in a chat, and what the command
 * line asks of the console. Answers with the notice to send; a repeated message changes nothing more.
 */
import type { Approval } from '../../approvals/approval.ts';
import { buildGrant, GrantWish, revokeGrant, saveGrant } from '../../approvals/change-grant.ts';
import { parseApproval } from '../../approvals/decide-approval.ts';
import { describeGrant } from '../../approvals/describe-grant.ts';
import { loadGrants } from '../../approvals/find-grant.ts';
import { type Grant, isUsable } from '../../approvals/grant.ts';
import { forgetGrants, noteGrant } from '../../approvals/grants-in-force.ts';
import type { SimilarChoice } from '../../approvals/similar.ts';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { loadPolicyVersion } from '../../judge/judge.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import type { Signal } from '../../signal/signal.ts';
import { approvalKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';

export interface GrantDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update' | 'queryIndex'>;
  readonly gateSet: GateSet;
  readonly now: number;
}

/** Stores it, and counts it for prompts to say. */
const saveNoted = async (deps: GrantDeps, grant: Grant): Promise<string> => {
  const problem = await saveGrant(deps.table, grant, deps.now);
  if (problem === '') await noteGrant(deps.table, grant);
  return problem;
};

/**
 * This very action, here; outside text only where the card named it; as often and as long as was
 * chosen, or the usual bounds.
 */
export const grantSimilar = async (
  deps: GrantDeps,
  approval: Approval,
  by: Pick<Signal, 'id' | 'sender'>,
  chosen?: SimilarChoice,
): Promise<Notice> => {
  const wish = {
    loosen: [],
    count: chosen?.uses ?? GRANT_USES_DEFAULT,
    expiresAtMs: chosen?.expiresAtMs,
    hours: GRANT_HOURS_DEFAULT,
    coversTaint: approval.taintSource !== undefined,
    anySession: false,
  };
  const grant = buildGrant(approval, wish, by, deps.now);
  const problem = typeof grant === 'string' ? grant : await saveNoted(deps, grant);
  return typeof grant === 'string' || problem !== ''
    ? notices.approvedOnly(problem)
    : notices.granted(describeGrant(grant));
};

export const answerGrantCommand = async (
  deps: GrantDeps,
  signal: Signal,
  name: 'grants' | 'revoke' | 'grant-add',
  rest: string,
): Promise<Notice> => {
  switch (name) {
    case 'grants': {
      const grants = await loadGrants(deps.table, signal.space);
      return notices.grants(grants.filter((grant) => isUsable(grant, deps.now)).map(describeGrant));
    }
    case 'revoke': {
      const isFound = await revokeGrant(deps.table, signal.space, rest, signal.sender.id);
      if (isFound) await forgetGrants(deps.table, signal.space, [rest]);
      return isFound ? notices.revoked(rest) : notices.noSuchGrant();
    }
    case 'grant-add':
      // Made by the command line with every bound spelled out; a chat has the button on the card.
      return signal.source === 'console' ? addGrant(deps, signal, rest) : notices.unknownCommand(name);
    default:
      return name satisfies never;
  }
};

const parseWish = (rest: string): GrantWish | undefined => {
  try {
    return GrantWish.safeParse(JSON.parse(rest)).data;
  } catch {
    return undefined;
  }
};

const addGrant = async (deps: GrantDeps, signal: Signal, rest: string): Promise<Notice> => {
  const wish = parseWish(rest);
  if (wish === undefined) return notices.notGranted('its bounds are not of the right form');
  const item = await loadItem(deps.table, approvalKey(signal.space, wish.approval));
  if (item === undefined) return notices.notGranted('there is no such approval');
  const approval = parseApproval(wish.approval, item);
  if (approval.policyVersion !== (await loadPolicyVersion(deps.table, signal.space, deps.gateSet)))
    return notices.notGranted('the rules have changed since it was asked for');
  const grant = buildGrant(approval, wish, signal, deps.now);
  if (typeof grant === 'string') return notices.notGranted(grant);
  const problem = await saveNoted(deps, grant);
  return problem === '' ? notices.grantAdded(describeGrant(grant)) : notices.notGranted(problem);
};
