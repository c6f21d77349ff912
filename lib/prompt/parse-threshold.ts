/**
 * The setting `CONTEXT_SEMANTIC_THRESHOLD`: how close to a message an object of memory must be to count as asked for. Read alike
 * by a deployment, the local stack and Reason. Not 0: then whatever shares a word would be shown, notes from outside too. Pure.
 */
import { CONTEXT_SEMANTIC_THRESHOLD } from './limits.ts';

export const THRESHOLD_PROBLEM = 'must be a number above 0 and up to 1, such as 0.75';

/** @returns undefined where it is none; the default where it is unset. */
export const parseThreshold = (text: string | undefined): number | undefined => {
  if (text === undefined || text === '') return CONTEXT_SEMANTIC_THRESHOLD;
  const value = /^[01](\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  return value > 0 && value <= 1 ? value : undefined;
};
