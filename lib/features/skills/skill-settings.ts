/**
 * The owner's settings of skills (`/skill`): the skills that are active, and the tier that those
 * meant ask for. Pure.
 */
import { type OwnerSettings, settingOf } from '../../core/ledger/owner-settings.ts';
import type { StepCue } from '../../core/llm/choose-model.ts';
import type { Tier } from '../../core/llm/provider-table.ts';
import { isSkillOn } from './skill-on.ts';
import { SKILLS, type Skill } from './skills.ts';

/** Undefined if the record cannot be read. */
export type SkillSettings = OwnerSettings | undefined;

/** The owner's setting, or else what the skill asks for. */
export const tierOf = (skill: Pick<Skill, 'name' | 'tier'>, settings: OwnerSettings): Skill['tier'] => {
  const value = settingOf(settings, `skill.${skill.name}.tier`);
  return value === 'cognition' || value === 'reasoning' || value === 'auto' ? value : skill.tier;
};

/** The owner's value for a setting that an added skill declares; empty for its default. */
export const skillValue = (name: string, key: string, settings: SkillSettings): string =>
  settings === undefined ? '' : settingOf(settings, `skill.${name}.set.${key}`);

/** Skills that are on and of whose tools one is offered, in the table's order. */
export const activeSkills = (
  toolNames: readonly string[],
  settings: SkillSettings,
  skills: readonly Skill[] = SKILLS,
): readonly Skill[] =>
  settings === undefined ? [] : skills.filter((skill) => isSkillOn(skill.name, settings) && toolNames.some(skill.owns));

const isMeant = ({ trigger, owns }: Skill, { sensor, text, resultTools }: StepCue): boolean =>
  trigger.sensors.includes(sensor) || trigger.words?.test(text) === true || resultTools.some(owns);

export interface SkillTier {
  readonly skill: string;
  readonly tier: Tier;
  /** An approver set it; else the skill asks for it by itself. */
  readonly isSet: boolean;
}

const rankOf = ({ tier, isSet }: SkillTier): number => (isSet ? 2 : 0) + (tier === 'reasoning' ? 1 : 0);

/**
 * A tier that was set comes first, and the larger before the smaller.
 * @param shown the added skill whose text the turn is shown: it is meant
 */
export const skillTier = (
  active: readonly Skill[],
  settings: SkillSettings,
  cue: StepCue,
  shown?: Pick<Skill, 'name' | 'tier'>,
): SkillTier | undefined => {
  if (settings === undefined) return undefined;
  const tiers = [...active.filter((skill) => isMeant(skill, cue)), ...(shown === undefined ? [] : [shown])].flatMap(
    (skill): readonly SkillTier[] => {
      const tier = tierOf(skill, settings);
      const isSet = settingOf(settings, `skill.${skill.name}.tier`) !== '';
      return tier === 'auto' ? [] : [{ skill: skill.name, tier, isSet }];
    },
  );
  return tiers.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
};
