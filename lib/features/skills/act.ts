/** The part of skills in Act: the powers of their tools. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildAddedSkills } from './added-skills.ts';

export const actSkills: ActFeature = {
  buildPowers: ({ table, space, home, contents }) => ({ skills: buildAddedSkills(table, space, home, contents) }),
};
