import { codeOfEffect } from '../../ledger/old-sentences.ts';
import type { Effect } from '../../signal/decision.ts';
import { isHeld } from './flood.ts';

/** Refused because somebody or something stopped it, and for nothing it is itself. Pure. */
export const wasStopped = (effect: Effect): boolean =>
  effect.state === 'refused' && (isHeld(effect) || codeOfEffect(effect)?.code === 'stopped');
