/** The rules of features about tools. `judge/rules-of-features.ts` alone imports this list. */
import type { ToolRules } from '../core/judge/tool-rules.ts';
import { skillRules } from './skills/tool-rules.ts';

export const TOOL_RULES: readonly ToolRules[] = [skillRules];
