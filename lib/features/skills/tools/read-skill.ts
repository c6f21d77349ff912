/** Reads a file of an added skill, with the trust an approver gave: else outside text (I13). */
import * as z from 'zod/mini';
import { quoted } from '../../../core/text/quoted.ts';
import { defineTool, powerOf } from '../../../core/tools/tool.ts';
import { SkillName } from '../skill-change.ts';

export const readSkill = defineTool({
  name: 'read-skill',
  description:
    'Read the instructions of a skill in the list of skills before you do what it is for; with file, a file they name.',
  sentence: ({ skill, file }) => `Read ${file === undefined ? '' : `${quoted(file)} of `}the skill ${skill}`,
  args: z.strictObject({
    skill: SkillName,
    file: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ skill: name, file }, { powers }) => {
    const { skill, text, files } = await powerOf(powers, 'skills').read(name, file);
    const others = files.map(({ path }) => path).join(', ');
    return { output: `Files of ${name}: ${others}\n\n${text}`, origin: skill.trust };
  },
});
