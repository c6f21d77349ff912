/** Lists of tools that a turn is narrowed to, by a text that it is shown or by its job. Pure. */
import type { ShownSkill } from './decision.ts';

/** Tells whether a list of tools, or of beginnings of names (`mcp-*`), has the tool. */
export const listsTool = (tools: readonly string[], tool: string): boolean =>
  tools.some((one) => (one.endsWith('*') ? tool.startsWith(one.slice(0, -1)) : one === tool));

/** Tools that only read what a turn was shown in part, or work something out of it. */
const ALWAYS: readonly string[] = ['read-skill', 'run-skill', 'read-output'];

/** @param lists of the tools that the model keeps: one that it may use is in each */
export const leavesTool = (lists: readonly (readonly string[])[], tool: string): boolean =>
  ALWAYS.includes(tool) || lists.every((list) => listsTool(list, tool));

/** Why the skill shown, or the job, leaves the model no such tool. */
export const whyNarrowed = (tool: string, shown: ShownSkill | undefined): string | undefined => {
  if (shown === undefined || leavesTool(shown.only ?? [], tool)) return undefined;
  return `the ${shown.hash === '' ? 'job' : `skill ${shown.name}`} does not list it`;
};
