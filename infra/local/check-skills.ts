/**
 * The skills that must take part (`MANDATORY_SKILLS`), compared with those that do, when a local
 * stack starts: without one of them it does not.
 */
import { ConfigError } from '../../lib/base/errors.ts';
import { loadOwnerSettings } from '../../lib/ledger/owner-settings.ts';
import { missingSkills } from '../../lib/skills/register.ts';
import { isSkillOn } from '../../lib/skills/skill-settings.ts';
import { loadActiveSkills } from '../../lib/skills/skill-store.ts';
import type { Table } from '../../lib/store/table.ts';

/** @throws ConfigError in one sentence for each that is missing; StoredItemError */
export const checkMandatorySkills = async (
  table: Pick<Table, 'load'>,
  space: string,
  mandatory: readonly string[],
): Promise<void> => {
  if (mandatory.length === 0) return;
  const settings = await loadOwnerSettings(table, space);
  const { skills } = await loadActiveSkills(table, space);
  const missing = missingSkills(mandatory, skills, (name) => isSkillOn(name, settings));
  if (missing.length > 0)
    throw new ConfigError(missing.map(({ name, why }) => `MANDATORY_SKILLS: the skill ${name} is missing (${why})`));
};
