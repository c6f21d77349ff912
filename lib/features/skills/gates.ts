/** The gates of skills, by the record of those in force: most spaces have none. */
import type { FindGates } from '../../core/stages/found-gates.ts';

export const findGatesOfSkills: FindGates = async ({ skills }, settings) =>
  skills === undefined ? undefined : (await import('./load-skill-gates.ts')).findSkillGates(skills, settings);
