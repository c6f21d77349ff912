/**
 * Commands about grants (`/grants`, `/revoke <id>`, and `grant-add`, which the command line sends),
 * and "allow similar" on a card. A repeated message changes nothing more.
 */

import type { Approval } from '../../../approvals/approval.ts';
import { parseApproval } from '../../../approvals/approval.ts';
import { type Grant, isUsable } from '../../../approvals/grant.ts';
import {
  buildGrant,
  countGrant,
  GrantWish,
  loadGrants,
  revokeGrant,
  saveGrant,
  uncountGrants,
} from '../../../approvals/grants.ts';
import type { SimilarChoice } from '../../../approvals/similar.ts';
import { readJson } from '../../../base/json.ts';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../base/limits.ts';
import { approvalNotices } from '../../../judge/approval-notices.ts';
import { describeGrant } from '../../../judge/card.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { loadPolicyVersion } from '../../../judge/judge.ts';
import type { Notice } from '../../../judge/notices.ts';
import { type CodeContext, type Command, say } from '../../../operations/code-context.ts';
import { MAIN_CONSOLE } from '../../../signal/channels.ts';
import type { ToolEffects } from '../../../signal/facts.ts';
import type { Signal } from '../../../signal/signal.ts';
import { approvalKey } from '../../../store/keys.ts';
import { loadItem } from '../../../store/load-named.ts';
import { findTool } from '../../../tools/catalogue.ts';

const effectsOfTool = ({ tool = '' }: Approval['action']): ToolEffects => findTool(tool)?.effects ?? {};

type GrantContext = Pick<CodeContext, 'table' | 'gateSet' | 'now'>;

/** Stores a grant, and counts it for prompts. @returns why it cannot be stored; empty if it was */
const saveCounted = async ({ table, now }: GrantContext, grant: Grant): Promise<string> => {
  const problem = await saveGrant(table, grant, now);
  if (problem === '') await countGrant(table, grant);
  return problem;
};

/**
 * Grants this very action, here, within the chosen bounds or the usual ones. Untrusted text is
 * covered only if the card named its source.
 */
export const grantSimilar = async (
  context: GrantContext,
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
  const grant = buildGrant(approval, effectsOfTool(approval.action), wish, by, context.now);
  const problem = typeof grant === 'string' ? grant : await saveCounted(context, grant);
  return typeof grant === 'string' || problem !== ''
    ? approvalNotices.approvedOnly(problem)
    : approvalNotices.granted(grant);
};

export const listGrants: Command = async ({ table, signal, now }) => {
  const grants = await loadGrants(table, signal.space);
  return say(commandNotices.grants(grants.filter((grant) => isUsable(grant, now)).map(describeGrant)));
};

export const revoke: Command = async ({ table, signal }, id) => {
  const isFound = await revokeGrant(table, signal.space, id, signal.sender.id);
  if (isFound) await uncountGrants(table, signal.space, [id]);
  return say(isFound ? approvalNotices.revoked(id) : approvalNotices.noSuchGrant());
};

/** The command line spells out every bound. A chat has the button on the card instead. */
export const addGrant: Command = async (context, rest, name) =>
  say(
    context.signal.source === MAIN_CONSOLE.target
      ? await grantWish(context, rest)
      : commandNotices.unknownCommand(name),
  );

const grantWish = async (context: CodeContext, rest: string): Promise<Notice> => {
  const { table, signal, gateSet, now } = context;
  const wish = GrantWish.safeParse(readJson(rest)).data;
  if (wish === undefined) return approvalNotices.notGranted('its bounds are not of the right form');
  const item = await loadItem(table, approvalKey(signal.space, wish.approval));
  if (item === undefined) return approvalNotices.notGranted('there is no such approval');
  const approval = parseApproval(wish.approval, item);
  if (approval.policyVersion !== (await loadPolicyVersion(table, signal.space, gateSet)))
    return approvalNotices.notGranted('the rules have changed since it was asked for');
  const grant = buildGrant(approval, effectsOfTool(approval.action), wish, signal, now);
  if (typeof grant === 'string') return approvalNotices.notGranted(grant);
  const problem = await saveCounted(context, grant);
  return problem === '' ? approvalNotices.grantAdded(describeGrant(grant)) : approvalNotices.notGranted(problem);
};
