import { codeOfEffect } from '../../ledger/old-sentences.ts';
import type { Effect } from '../../signal/decision.ts';

/** Whether a text is done, and nobody has it yet. Pure. */
export const isPutOff = (effect: Effect): boolean =>
  ['kept-back', 'in-digest'].includes(codeOfEffect(effect)?.code ?? '');
