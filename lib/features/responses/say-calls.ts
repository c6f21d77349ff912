/** Calls of a program's functions as the words that its door reads. Loaded late. */
import { isObject } from '../../core/base/json.ts';
import type { Proposal } from '../../core/signal/decision.ts';
import { callLine } from './call-lines.ts';
import type { OfferedFunction } from './functions.ts';

/** Beside calls of other tools they stay calls, of tools that do not exist: the gates say so. */
export const sayCalls = (offered: readonly OfferedFunction[], proposal: Proposal): Proposal => {
  const { text = '', calls } = proposal;
  const lines = calls.flatMap(({ tool, args, explanation }) => {
    const found = offered.find(({ name }) => name === tool);
    if (found === undefined) return [];
    // Each tool of ours is called with one; a function may have a field of that name.
    const hasOwn = isObject(found.parameters.properties) && Object.hasOwn(found.parameters.properties, 'explanation');
    return [callLine(found.own, hasOwn ? { ...args, explanation } : args)];
  });
  if (lines.length === 0 || lines.length < calls.length) return proposal;
  return { text: [text, lines.join('\n')].filter((one) => one !== '').join('\n\n'), calls: [] };
};
