/**
 * What a policy says of an action: a ruling, and the policies that need no engine to give one: none at all, and one that cannot be
 * used, which denies everything. Pure.
 */
import { makeVisible } from '../../base/make-visible.ts';
import { TOOLS } from '../../tools/catalogue.ts';
import { isAlwaysDenied, type Tier } from './default-permissions.ts';
import type { PolicyRequest } from './policy-domain.ts';

/** The names of the rules that decided, as facts and traces hold them. */
const POLICY_REASON_CHARS_MAX = 200;

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
