/** The part of claims in Reason: the line below an answer that speaks of a deed. */
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';

export const reasonClaims: ReasonFeature = {
  // A few kilobytes of their own: a plain answer waits for nothing else that is loaded late.
  lineBelow: async ({ text, asked, done }) => (await import('./turn-line.ts')).lineOfTurn(text, asked, done),
};
