/** All that the tools load with their first call. */
import { runSkillTool } from './tools/run-skill-tool.ts';

export const SKILL_PARTS = { runSkillTool } as const;
