/** Runs an added skill's tool in the sandbox. The output has the skill's trust, or worse (I13). */
import * as z from 'zod/mini';
import { JsonObject } from '../../../core/base/json.ts';
import { quoted } from '../../../core/text/quoted.ts';
import { defineTool, loadParts, powerOf } from '../../../core/tools/tool.ts';
import { SkillName } from '../skill-change.ts';

export const runSkill = defineTool({
  name: 'run-skill',
  description: 'Work something out with a tool of a skill, as the list of skills or the skill describes it.',
  sentence: ({ skill, tool }) => `Work something out with ${quoted(tool)} of the skill ${skill}`,
  args: z.strictObject({
    skill: SkillName,
    tool: z.string().check(z.minLength(1), z.maxLength(32)),
    args: z._default(JsonObject, {}),
  }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'inputs',
  run: async ({ skill, tool, args }, { powers }) => {
    const found = await powerOf(powers, 'skills').findTool(skill, tool);
    const { runSkillTool } = (await loadParts()).FEATURE_PARTS;
    return { output: await runSkillTool(found, args), origin: found.skill.trust };
  },
});
