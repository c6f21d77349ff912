/**
 * The owner's policy as the pipeline uses it: a hash that names it, and a ruling for each action. Parsed once per text, then
 * evaluated pre-parsed. Fails closed: a text that does not parse or type-check, an engine that is not there, and any error
 * while evaluating deny, and say so. Where no rule speaks, the ruling has no tier and the default permissions count.
 */
import { POLICY_REASON_CHARS_MAX } from '../limits.ts';
import { makeVisible } from '../signal/make-visible.ts';
import { TOOLS } from '../tools/catalogue.ts';
import { isAlwaysDenied, type Tier } from './default-permissions.ts';
import type { Cedar } from './engine.ts';
import { type PolicyRequest, policyHash } from './policy-domain.ts';

export interface PolicyRuling {
  /** Undefined where no rule speaks about the action. */
  readonly tier: Tier | undefined;
  /** The rules that decided, or what went wrong; empty where no rule speaks. */
  readonly reason: string;
}

export interface SpacePolicy {
  /** Empty without a policy. */
  readonly hash: string;
  readonly rule: (request: PolicyRequest) => PolicyRuling;
  /** Tools no call of which can pass: not shown to the model. */
  readonly hiddenTools: ReadonlySet<string>;
}

/** Where no rule speaks. */
export const SILENT: PolicyRuling = { tier: undefined, reason: '' };

export const hiddenByDefault = (): readonly string[] =>
  TOOLS.map(({ name }) => name).filter((name) => isAlwaysDenied(name));

export const NO_POLICY: SpacePolicy = {
  hash: '',
  rule: () => SILENT,
  hiddenTools: new Set(hiddenByDefault()),
};

/** Bounded, with nothing invisible. */
export const shortened = (text: string): string => makeVisible(text).slice(0, POLICY_REASON_CHARS_MAX).toWellFormed();

export const deny = (reason: string): PolicyRuling => ({ tier: 'deny', reason: shortened(reason) });

/** A policy that cannot be used denies everything, and says why. */
export const brokenPolicy = (hash: string, problem: string): SpacePolicy => ({
  hash,
  rule: () => deny(`the policy cannot be used: ${problem}`),
  hiddenTools: new Set(),
});

export type LoadPolicy = (text: string) => Promise<SpacePolicy>;

/** Keeps the last policy ready, so that a warm function parses each text once. @param load brings in the engine. */
export const buildLoadPolicy = (load: () => Promise<Cedar>): LoadPolicy => {
  let last = NO_POLICY;
  return async (text) => {
    const hash = policyHash(text);
    if (hash === '') return NO_POLICY;
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
