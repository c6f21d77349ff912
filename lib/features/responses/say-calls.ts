/** Calls of a program's functions as the words that its door reads. Loaded late. */
import { isObject } from '../../core/base/json.ts';
import type { Proposal } from '../../core/signal/decision.ts';
import { callLine } from './call-lines.ts';
import type { OfferedFunction } from './functions.ts';

const MIXED = 'a call of a function of the program ends the turn: call your own tools first, and it alone afterwards';

/** @returns a problem for the model if calls of other tools stand beside */
export const sayCalls = (
  offered: readonly OfferedFunction[],
  proposal: Proposal,
): Proposal | { readonly problem: string } => {
  const { text = '', calls } = proposal;
  const lines = calls.flatMap(({ tool, args, explanation }) => {
    const found = offered.find(({ name }) => name === tool);
    if (found === undefined) return [];
    // Each tool of ours is called with one; a function may have a field of that name.
    const hasOwn = isObject(found.parameters.properties) && Object.hasOwn(found.parameters.properties, 'explanation');
    return [callLine(found.own, hasOwn ? { ...args, explanation } : args)];
  });
  if (lines.length === 0) return proposal;
  if (lines.length < calls.length) return { problem: MIXED };
  return { text: [text, lines.join('\n')].filter((one) => one !== '').join('\n\n'), calls: [] };
};
