/** The look-ups of skills for forms and cards. */
import { ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { BuildLookups } from '../../core/tools/tool.ts';
import { isSkillOn } from './skill-on.ts';
import { readWholeSkill } from './skill-store.ts';

export const skillLookups: BuildLookups = (table, space) => ({
  readSkill: (name) => readWholeSkill(table, space, name),
  isSkillOn: async (name) => {
    const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(space)));
    return settings && isSkillOn(name, settings);
  },
});
