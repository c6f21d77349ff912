/**
 * Whether an approval or a grant may be spent on exactly this action, now (I5). It fits in every
 * part or not at all. The transaction that claims the action checks it once more and spends it.
 * Pure; each function gives the problem in plain words, or an empty text.
 */

import type { Facts, ToolEffects } from '../../signal/facts.ts';

/** @param hash canonical hash of this action, computed here and now. */
export const approvalProblem = (facts: Facts, hash: string): string => {
  const { approval } = facts;
  if (approval === null) return 'no approval was given';
  switch (approval.state) {
    case 'approved':
    case 'spent-here':
      break;
    case 'pending':
    case 'denied':
    case 'expired':
    case 'spent':
      return `the approval is ${approval.state}`;
    default:
      approval.state satisfies never;
      return 'the approval is in no known state';
  }
  if (approval.actionHash !== hash || facts.actionHash !== hash) return 'the approval is for another action';
  if (approval.policyVersion !== facts.policyVersion) return 'the policy has changed since the approval';
  if (approval.space !== facts.space) return 'the approval is for another space';
  // A repeat of the same effect does not spend again.
  if (approval.state !== 'spent-here' && !(facts.now < approval.expiresAt)) return 'the approval has expired';
  if (approval.id === '') return 'the approval has no id';
  return '';
};

/** Gates whose question a person answers each time: no grant ever does. */
export const NEVER_GRANTED: ReadonlySet<string> = new Set(['command-class', 'confinement']);

/**
 * Whether a grant covers the very arguments only. Of a tool that changes files, runs programs or
 * changes rights, a person must have seen every argument: content and path decide all.
 */
export const isExactOnly = ({ writesFiles, runsCommand, runsCode, destroys, changesAuthority }: ToolEffects): boolean =>
  (writesFiles ?? runsCommand ?? runsCode ?? destroys ?? changesAuthority) !== undefined;

/** @param gate that asks; @param hash canonical hash of this action, computed here and now. */
export const grantProblem = (facts: Facts, gate: string, hash: string): string => {
  const { grant } = facts;
  if (grant === undefined) return 'no grant covers it';
  switch (grant.state) {
    case 'live':
    case 'spent-here':
      break;
    case 'revoked':
    case 'used-up':
      return `the grant is ${grant.state}`;
    default:
      grant.state satisfies never;
      return 'the grant is in no known state';
  }
  if (grant.actionHash !== hash || facts.actionHash !== hash) return 'the grant was found for another action';
  if (grant.policyVersion !== facts.policyVersion) return 'the policy has changed since the grant';
  if (grant.space !== facts.space) return 'the grant is for another space';
  if (grant.state !== 'spent-here' && !(facts.now < grant.expiresAt)) return 'the grant has expired';
  if (NEVER_GRANTED.has(gate)) return 'no grant answers for what is asked about each time';
  if (grant.isLoosened && isExactOnly(facts.effects ?? {}))
    return 'a grant for a tool that changes files or runs programs covers its very arguments only';
  if (!grant.gates.includes(gate)) return 'the grant was not given for what this gate asks';
  if (facts.origin === 'outside' && !grant.coversTaint) return 'the grant does not cover what outside text asked for';
  if (grant.id === '') return 'the grant has no id';
  return '';
};
