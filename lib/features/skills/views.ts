/** Skills in the answers of other verbs: those that fail, and those that a setting misses. */
import { loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { skillKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import { readActiveSkills } from './active.ts';
import { missingSkills } from './register.ts';
import { isSkillOn } from './skill-on.ts';
import { loadActiveSkills } from './skill-store.ts';
import { findFailingSkills, skillUseKey } from './skill-use.ts';

export const SKILL_VIEWS: FeatureViews = {
  findProblems: async ({ table, space }) => {
    const { skills, use } = await loadNamed(table, { skills: skillKeys.active(space), use: skillUseKey(space) });
    return findFailingSkills(use, readActiveSkills(skills)?.skills.map(({ name }) => name) ?? []);
  },
  missing: {
    MANDATORY_SKILLS: async (table, space, names) => {
      const [settings, { skills }] = await Promise.all([
        loadOwnerSettings(table, space),
        loadActiveSkills(table, space),
      ]);
      return missingSkills(names, skills, (name) => isSkillOn(name, settings));
    },
  },
};
