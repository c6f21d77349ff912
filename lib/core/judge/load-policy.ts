/** Reads policies by the feature that does; without one, a text that is there denies everything. */
import { POLICIES } from '../../features/policies.ts';
import { brokenPolicy, NO_POLICY, type PolicyFeature } from './space-policy.ts';

const NOBODY: PolicyFeature = {
  load: async (text) => (text === '' ? NO_POLICY : brokenPolicy('', 'the policy engine could not be loaded')),
  countDenied: async () => undefined,
};

export const { load: loadPolicy, countDenied } = POLICIES[0] ?? NOBODY;
