/**
 * Registration: which added skills take part, in which order, and why the others do not. One wrong
 * skill is off and says why; it stops no other. A skill comes after those it requires; otherwise
 * the higher priority comes first, ties by name. Pure.
 */
import { estimateTokens } from '../../core/base/estimate-tokens.ts';
import type { ActiveSkill } from './active.ts';
import { byPriority, MANDATES_TOKENS_MAX, SKILLS } from './skills.ts';

export interface Registration {
  /** In order. */
  readonly on: readonly ActiveSkill[];
  readonly off: readonly { readonly name: string; readonly why: string }[];
}

export const OFF_BY_OWNER = 'it is switched off';

const isBuiltIn = (name: string): boolean => SKILLS.some((skill) => skill.name === name);

/** Mandates of skills from elsewhere are part of their texts, not of every prompt. */
const tokensOf = ({ trust, definition: { mandates } }: ActiveSkill): number =>
  trust === 'owner' ? mandates.reduce((sum, one) => sum + estimateTokens(`- ${one}\n`), 0) : 0;

/** @param isSwitchedOn the owner's setting, for built-in skills too */
export const registerSkills = (
  skills: readonly ActiveSkill[],
  isSwitchedOn: (name: string) => boolean,
): Registration => {
  const on: ActiveSkill[] = [];
  const isOn = (name: string): boolean =>
    isBuiltIn(name) ? isSwitchedOn(name) : on.some((skill) => skill.name === name);
  /** Why it takes no part, with those that are on so far. */
  const faultOf = (skill: ActiveSkill): string | undefined => {
    if (!isSwitchedOn(skill.name)) return OFF_BY_OWNER;
    if (isBuiltIn(skill.name)) return 'a built-in skill has its name';
    const missing = skill.definition.requires.find((name) => !isOn(name));
    if (missing !== undefined) {
      const isThere = isBuiltIn(missing) || skills.some(({ name }) => name === missing);
      return `it requires ${missing}, which is ${isThere ? 'off' : 'not there'}`;
    }
    const tokens = [...on, skill].reduce((sum, one) => sum + tokensOf(one), 0);
    return tokens > MANDATES_TOKENS_MAX ? 'there is no room for its mandates' : undefined;
  };
  let left = byPriority(skills);
  for (;;) {
    const next = left.find((skill) => faultOf(skill) === undefined);
    if (next === undefined) break;
    on.push(next);
    left = left.filter((skill) => skill !== next);
  }
  return { on, off: left.map((skill) => ({ name: skill.name, why: faultOf(skill) ?? '' })) };
};

/** The skills among these that take no part, and why. */
export const missingSkills = (
  wanted: readonly string[],
  skills: readonly ActiveSkill[],
  isSwitchedOn: (name: string) => boolean,
): readonly { readonly name: string; readonly why: string }[] => {
  const { on, off } = registerSkills(skills, isSwitchedOn);
  return wanted.flatMap((name) => {
    const isThere = isBuiltIn(name) || on.some((skill) => skill.name === name);
    if (isThere && isSwitchedOn(name)) return [];
    const why = off.find((one) => one.name === name)?.why ?? (isThere ? OFF_BY_OWNER : 'there is no such skill');
    return [{ name, why }];
  });
};
