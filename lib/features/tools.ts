/**
 * The tools of features: one row each, by their place among the others. `tools/catalogue.ts` alone
 * imports this list.
 */
import type { Tool } from '../tools/tool.ts';
import { LEARNING_TOOLS } from './learning/tools.ts';
import { MACHINE_TOOLS, PAIRING_TOOLS } from './runner/tools.ts';

/**
 * A prompt lists tools in this order, and a small one has no room for the last. The version of the
 * rules, to which cards are bound, covers it too.
 */
type Place = 'pairing' | 'skills' | 'machines';

export const FEATURE_TOOLS: Readonly<Record<Place, readonly Tool[]>> = {
  pairing: [...PAIRING_TOOLS],
  skills: [...LEARNING_TOOLS],
  machines: [...MACHINE_TOOLS],
};
