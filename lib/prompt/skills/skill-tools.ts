/** Which tools are which skill's own: all that Act has to know of skills. Data. */
import { isMcpTool } from '../../signal/mcp-name.ts';

/** In the order skills are shown; `mcp-…` stands for every tool of an MCP server. */
export const SKILL_TOOLS = {
  notes: ['remember', 'recall', 'list-memory', 'forget'],
  calculation: ['calculate', 'current-time'],
  programs: ['run-code'],
  'long-outputs': ['read-output'],
  webhooks: ['call-webhook'],
  servers: ['mcp-…'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type SkillName = keyof typeof SKILL_TOOLS;

/** Name of the skill a tool belongs to; undefined for nobody's. */
export const skillOf = (tool: string): string | undefined => {
  const name: SkillName = 'servers';
  if (isMcpTool(tool)) return name;
  return Object.entries(SKILL_TOOLS).find(([, tools]) => tools.some((one) => one === tool))?.[0];
};
