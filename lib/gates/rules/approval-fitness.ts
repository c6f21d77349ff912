/**
 * Whether the approval named at the last mile may be spent on exactly this action, now (I5). A capability fits in every
 * part or not at all; the transaction that claims the action checks and spends it once more.
 * Pure; gives what is wrong, in plain words, or an empty text.
 */
import type { Facts } from '../../signal/facts.ts';

/** @param hash canonical hash of the action at hand, computed here and now, not read from a message. */
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
  // Spent in time: repeating the same effect later is not spending again.
  if (approval.state !== 'spent-here' && !(facts.now < approval.expiresAt)) return 'the approval has expired';
  if (approval.id === '') return 'the approval has no id';
  return '';
};
