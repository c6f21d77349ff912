/** What follows from what the owner said of skills (`/skill`): which are active, and which tier the ones that are meant ask for. Pure. */

import { type OwnerSettings, settingOf } from '../../ledger/owner-settings.ts';
import type { Tier } from '../../llm/provider-table.ts';
import type { Sensor } from '../../signal/sensors.ts';
import type { Skill } from './skill.ts';
import { SKILLS } from './skill-table.ts';
import { isSkillOn } from './why-off.ts';

/** Undefined where the record cannot be read. */
export type SkillSettings = OwnerSettings | undefined;

export const findSkill = (name: string, skills: readonly Skill[] = SKILLS): Skill | undefined =>
  skills.find((skill) => skill.name === name);

/** What the owner set, else what the skill itself asks for. */
export const tierOf = (skill: Skill, settings: OwnerSettings): Skill['tier'] => {
  const value = settingOf(settings, `skill.${skill.name}.tier`);
  return value === 'cognition' || value === 'reasoning' || value === 'auto' ? value : skill.tier;
};

/** Skills that are on and of whose tools at least one is offered, in the table's order. */
export const activeSkills = (
  toolNames: readonly string[],
  settings: SkillSettings,
  skills: readonly Skill[] = SKILLS,
): readonly Skill[] =>
  settings === undefined ? [] : skills.filter((skill) => isSkillOn(skill.name, settings) && toolNames.some(skill.owns));

/** What a signal brings that says which skill is meant. */
export interface SkillCue {
  readonly sensor: Sensor;
  /** The owner's own words: nobody else's choose a skill. */
  readonly text: string;
  /** Tools whose results it brings. */
  readonly resultTools: readonly string[];
}

const isMeant = ({ trigger, owns }: Skill, { sensor, text, resultTools }: SkillCue): boolean =>
  trigger.sensors.includes(sensor) || trigger.words?.test(text) === true || resultTools.some(owns);

export interface SkillTier {
  readonly skill: string;
  readonly tier: Tier;
  /** An approver set it; else the skill asks for it by itself. */
  readonly isSet: boolean;
}

/** The tier asked for by the active skills that are meant: what was set before what is asked for, the larger before the smaller. */
export const skillTier = (active: readonly Skill[], settings: SkillSettings, cue: SkillCue): SkillTier | undefined => {
  if (settings === undefined) return undefined;
  const asked = active
    .filter((skill) => isMeant(skill, cue))
    .flatMap((skill): readonly SkillTier[] => {
      const tier = tierOf(skill, settings);
      const isSet = settingOf(settings, `skill.${skill.name}.tier`) !== '';
      return tier === 'auto' ? [] : [{ skill: skill.name, tier, isSet }];
    });
  const ranked = asked.toSorted((a, b) => Number(b.isSet) - Number(a.isSet) || rank(b.tier) - rank(a.tier));
  return ranked[0];
};

const rank = (tier: Tier): number => (tier === 'reasoning' ? 1 : 0);
