/** Puts one action through the gates with freshly gathered facts, and gives the whole judgement as it is stored. */

import { hashOf } from '../base/canonical.ts';
import { type GateSet, verifyFully } from '../gates/engine/verify.ts';
import { type Action, actionHash } from '../signal/action.ts';
import type { Decision, JudgedAction } from '../signal/decision.ts';
import { TOOLS } from '../tools/catalogue.ts';
import type { GatherFacts } from './gather-facts.ts';
import { DEFAULT_PERMISSIONS } from './policy/default-permissions.ts';

export const judgeAction = async (
  gateSet: GateSet,
  action: Action,
  gatherFacts: GatherFacts,
): Promise<JudgedAction> => {
  const verification = await verifyFully(gateSet, action, gatherFacts);
  return {
    action: verification.action,
    hash: actionHash(verification.action),
    outcome: verification.outcome,
    trace: [...verification.trace],
    facts: [...verification.facts],
  };
};

/**
 * Version of everything that judges: gate set, default permissions, the owner's policy with its schema. Approvals are bound to
 * it (I5). @param policyHash of the policy in force; empty for none.
 */
export const buildPolicyVersion = (gateSet: GateSet, policyHash = ''): string =>
  hashOf('policy', {
    schema: 1,
    gateSet: gateSet.version,
    tiers: TOOLS.map((tool) => [tool.name, tool.tier]),
    permissions: DEFAULT_PERMISSIONS,
    policy: policyHash,
  });

/** The decision of a signal that code alone decides: its notices. */
export const codeDecision = (
  signalId: string,
  now: number,
  versions: { readonly gateSet: string; readonly policyVersion: string },
  outcome: Decision['outcome'],
  reason: string,
  actions: readonly JudgedAction[],
): Decision => ({
  schemaVersion: 1,
  signalId,
  at: now,
  outcome,
  reason,
  gateSet: versions.gateSet,
  policyVersion: versions.policyVersion,
  attemptCount: 0,
  actions: [...actions],
});
