/**
 * Whether the owner switched off what a tool belongs to (`/skill off`): asked by Reason and at the last mile by Act. Settings nobody can
 * read let no skill's tool through (I3). Pure.
 */
import { type OwnerSettings, settingOf } from '../../ledger/owner-settings.ts';
import { skillOf } from './skill-tools.ts';

const UNREADABLE = 'which skills are on cannot be read';

export const isSkillOn = (name: string, settings: OwnerSettings): boolean =>
  settingOf(settings, `skill.${name}.is`) !== 'off';

/**
 * Why no model may use this tool, as a gate's reason tells it; undefined where the skills do not mind.
 * @param settings undefined where they cannot be read
 */
export const whyOff = (tool: string, settings: OwnerSettings | undefined): string | undefined => {
  const name = skillOf(tool);
  if (name === undefined) return undefined;
  if (settings === undefined) return UNREADABLE;
  return isSkillOn(name, settings) ? undefined : `the skill ${name} is off`;
};

/** Whether a permission's reason is one of those. */
export const isSkillReason = (reason: string): boolean =>
  reason === UNREADABLE || /^the skill [a-z-]+ is off$/.test(reason);
