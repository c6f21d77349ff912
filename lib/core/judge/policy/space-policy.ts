/**
 * The owner's policy as the stages use it: a hash that names it, and a ruling for each action.
 * Fails closed: a text that does not parse or type-check, a missing engine and any error deny, and
 * say so. If no rule speaks, the ruling has no tier and the tool's own tier counts.
 */
import type * as CedarEngine from '@cedar-policy/cedar-wasm/nodejs';
import { makeVisible } from '../../base/make-visible.ts';
import type { Facts } from '../../signal/facts.ts';
import { TOOLS } from '../../tools/catalogue.ts';
import type { PastReading, ReadPast } from './past.ts';
import type { PolicyRequest } from './policy-domain.ts';

export type Tier = Facts['tier'];

/** The Cedar engine: a package beside the bundles, loaded only for a space with a policy. */
export type Cedar = typeof CedarEngine;

/** @throws if the package is missing: the caller must block then. */
export const importCedar = (): Promise<Cedar> => import('@cedar-policy/cedar-wasm/nodejs');

/** Length of a ruling's reason in facts and traces. */
const POLICY_REASON_CHARS_MAX = 200;

export interface PolicyRuling {
  /** Undefined if no rule speaks about the action. */
  readonly tier: Tier | undefined;
  /** The rules that decided, or the fault; empty if no rule speaks. */
  readonly reason: string;
  /** A rule that permits it names classes or programs of commands. */
  readonly isCommandNamed?: true;
}

/** The signal that is judged, and the past as it was read for it, if the policy asks for it. */
export interface Before {
  readonly signalId: string;
  /** The action's number, once it is decided. */
  readonly n?: number;
  reading?: PastReading | undefined;
}

export interface SpacePolicy {
  /** Empty without a policy. */
  readonly hash: string;
  readonly rule: (request: PolicyRequest) => PolicyRuling;
  /** Only if a rule asks what was done before, which has to be read first. */
  readonly readPast?: ReadPast;
  /** Tools no call of which can pass. The model is not shown these. */
  readonly hiddenTools: ReadonlySet<string>;
}

/** The ruling if no rule speaks. */
export const SILENT: PolicyRuling = { tier: undefined, reason: '' };

export const hiddenByDefault = (): readonly string[] =>
  TOOLS.filter(({ tier }) => tier === 'deny').map(({ name }) => name);

export const NO_POLICY: SpacePolicy = {
  hash: '',
  rule: () => SILENT,
  hiddenTools: new Set(hiddenByDefault()),
};

/** Cuts a reason to its bound and shows invisible characters. */
export const shortened = (text: string): string => makeVisible(text).slice(0, POLICY_REASON_CHARS_MAX).toWellFormed();

export const deny = (reason: string): PolicyRuling => ({ tier: 'deny', reason: shortened(reason) });

/** Why a call is denied that has not the arguments a rule may look at. */
export const NOT_EVALUATED = 'the policy cannot be evaluated on this action';

/** A policy that cannot be used denies everything, and says why. */
export const brokenPolicy = (hash: string, problem: string): SpacePolicy => ({
  hash,
  rule: () => deny(`the policy cannot be used: ${problem}`),
  hiddenTools: new Set(),
});

export type LoadPolicy = (text: string) => Promise<SpacePolicy>;

/** Keeps the last policy, so that a warm function parses each text once. @param load the engine */
export const buildLoadPolicy = (load: () => Promise<Cedar>): LoadPolicy => {
  let last = NO_POLICY;
  return async (text) => {
    if (text === '') return NO_POLICY;
    // Loaded only for spaces with a policy.
    const { compilePolicy, policyHash } = await import('./compile-policy.ts');
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
