/**
 * Makes the owner's policy of its text. Fails closed: a text that does not parse or type-check, a
 * missing engine and any error deny, and say so.
 */
import { type Cedar, importCedar } from '../../core/judge/code/cedar-engine.ts';
import { brokenPolicy, type LoadPolicy, NO_POLICY, type PolicyFeature } from '../../core/judge/space-policy.ts';

const loadCompiler = () => import('./compile-policy.ts');

/** Keeps the last policy, so that a warm function parses each text once. @param load the engine */
export const buildLoadPolicy = (load: () => Promise<Cedar>): LoadPolicy => {
  let last = NO_POLICY;
  return async (text) => {
    if (text === '') return NO_POLICY;
    // Loaded only for spaces with a policy.
    const { compilePolicy, policyHash } = await import('../../features/policy/compile-policy.ts');
    const hash = policyHash(text);
    if (last.hash === hash) return last;
    try {
      last = compilePolicy(await load(), text);
      return last;
    } catch {
      // The failure is not cached, so that the next signal tries again.
      return brokenPolicy(hash, 'the policy engine could not be loaded');
    }
  };
};

export const cedarPolicy: PolicyFeature = {
  load: buildLoadPolicy(importCedar),
  countDenied: async (...denied) => (await loadCompiler()).countDenied(...denied),
};
