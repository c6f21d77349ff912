/** The effects of a tool, as it declared them when the facts were gathered. Pure. */
import type { Action } from '../../signal/action.ts';
import type { Facts, ToolEffects } from '../../signal/facts.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';

/** For stored facts from before tools declared their effects. Never add a tool here. */
export const EFFECTS_OF_STORED_FACTS: Readonly<Record<string, ToolEffects>> = {
  forget: { destroys: true },
  'run-code': { runsCode: true },
  'add-mcp-server': { connectsTo: 'url' },
  'call-webhook': { leavesSpace: true },
};

export const effectsOf = ({ tool = '' }: Action, { effects }: Facts): ToolEffects => {
  if (effects !== undefined) return effects;
  if (isMcpTool(tool)) return { leavesSpace: true };
  return (Object.hasOwn(EFFECTS_OF_STORED_FACTS, tool) ? EFFECTS_OF_STORED_FACTS[tool] : undefined) ?? {};
};
