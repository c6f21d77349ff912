/** The reader of the owner's policy: one row at most. `judge/load-policy.ts` alone imports it. */
import type { PolicyFeature } from '../core/judge/space-policy.ts';
import { cedarPolicy } from './policy/load-policy.ts';

export const POLICIES: readonly PolicyFeature[] = [cedarPolicy];
