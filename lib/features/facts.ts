/** The facts that features gather. `judge/gather-facts.ts` alone imports this list. */
import type { GatherFacts } from '../core/judge/fact-sources.ts';
import { gatherShell } from './runner/facts/command-class.ts';
import { gatherRunner } from './runner/facts/confinement.ts';

/** In this order: each is told the facts above it. */
export const FEATURE_FACTS: readonly GatherFacts[] = [gatherRunner, gatherShell];
