/** The tools of skills, and what they add to the powers and the look-ups of tools. */
import type { AddedSkills } from './added-skills.ts';
import { editSkill } from './tools/edit-skill.ts';
import { addSkill, keepSkillFile, removeSkill, switchSkillJobs } from './tools/manage-skills.ts';
import { readSkill } from './tools/read-skill.ts';
import { runSkill } from './tools/run-skill.ts';

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly skills?: AddedSkills;
  }
  interface FormLookups {
    /** All files of an added skill. */
    readonly readSkill?: AddedSkills['readAll'];
    /** Whether a skill is on; undefined if the settings cannot be read. */
    readonly isSkillOn?: (name: string) => Promise<boolean | undefined>;
  }
}

export const SKILL_TOOLS = [
  addSkill,
  keepSkillFile,
  removeSkill,
  switchSkillJobs,
  readSkill,
  runSkill,
  editSkill,
] as const;
