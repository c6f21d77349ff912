/**
 * Gathers the facts of one action: everything the gates may know, as plain data, at one moment.
 * Clock, network and store are read here or before; from here on judging is pure (I9).
 */
import { FEATURE_FACTS } from '../../features/facts.ts';
import { type Action, actionHash } from '../signal/action.ts';
import { FACT_DEFAULTS, type Facts } from '../signal/facts.ts';
import type { FactSources, GatherFacts } from './fact-sources.ts';
import { gatherAsker } from './facts/access.ts';
import { gatherCodeProblem } from './facts/code-validity.ts';
import { gatherOutgoingWords } from './facts/configured-secrets.ts';
import { gatherGiven } from './facts/given.ts';
import { gatherNetwork } from './facts/network.ts';
import { gatherPassingRead } from './facts/passing-read.ts';
import { gatherPermission } from './facts/permissions.ts';
import { gatherPlainReply } from './facts/plain-reply.ts';
import { gatherKnownUrls } from './facts/provenance.ts';
import { gatherRepeat } from './facts/repeat.ts';
import { gatherArgumentProblems } from './facts/tool-arguments.ts';
import { gatherEffects } from './facts/tool-effects.ts';

/** In this order: each is told the facts above it. */
export const FACTS: readonly GatherFacts[] = [
  gatherAsker,
  gatherPlainReply,
  gatherEffects,
  gatherCodeProblem,
  ...FEATURE_FACTS,
  gatherPassingRead,
  gatherPermission,
  gatherArgumentProblems,
  gatherNetwork,
  gatherRepeat,
  gatherKnownUrls,
  gatherGiven,
  gatherOutgoingWords,
];

/** The moment. What the table above does not find yet is what it would be for an unknown action. */
const beginFacts = (action: Action, { stage, now, space, state: { policyVersion } }: FactSources): Facts => ({
  ...FACT_DEFAULTS,
  ...{ schemaVersion: 1, stage, now, space, actionHash: actionHash(action), policyVersion },
  ...{ isKnown: false, tier: 'deny', origin: 'outside' },
});

export const gatherFacts = async (action: Action, sources: FactSources): Promise<Facts> => {
  let facts = beginFacts(action, sources);
  for (const gather of FACTS) facts = { ...facts, ...(await gather(action, sources, facts)) };
  return facts;
};
