/** The facts that features gather. `judge/gather-facts.ts` alone imports this list. */
import type { GatherFacts } from '../judge/fact-sources.ts';
import { gatherShell } from '../judge/facts/command-class.ts';
import { gatherRunner } from '../judge/facts/confinement.ts';

/** In this order: each is told the facts above it. */
export const FEATURE_FACTS: readonly GatherFacts[] = [gatherRunner, gatherShell];
