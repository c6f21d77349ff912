/**
 * The owner's policy as the pipeline uses it: a hash that names it, and a ruling for each action. Parsed once per text, then
 * evaluated pre-parsed. Fails closed: a text that does not parse or type-check, an engine that is not there, and any error
 * while evaluating deny, and say so. Where no rule speaks, the ruling has no tier and the default permissions count.
 */
import type { Cedar } from './engine.ts';
import { brokenPolicy, NO_POLICY, type SpacePolicy } from './ruling.ts';

export type LoadPolicy = (text: string) => Promise<SpacePolicy>;

/** Keeps the last policy ready, so that a warm function parses each text once. @param load brings in the engine. */
export const buildLoadPolicy = (load: () => Promise<Cedar>): LoadPolicy => {
  let last = NO_POLICY;
  return async (text) => {
    if (text === '') return NO_POLICY;
    // What a policy can talk about is spelled out only where there is one.
    const { policyHash } = await import('./policy-domain.ts');
    const hash = policyHash(text);
    if (last.hash === hash) return last;
    try {
      const { compilePolicy } = await import('./compile-policy.ts');
      const policy = compilePolicy(await load(), text);
      last = policy;
      return policy;
    } catch {
      // Not remembered: the next signal tries again.
      return brokenPolicy(hash, 'the policy engine could not be loaded');
    }
  };
};
