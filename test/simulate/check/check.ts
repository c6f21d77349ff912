import type { Observed, Violation } from '../types.ts';
export const check = (o: Observed): readonly Violation[] =>
  o.isUnfinished ? [{ rule: 'unfinished', sentence: 'x' }] : [];
