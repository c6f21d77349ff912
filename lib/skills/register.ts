/**
 * Registration: which added skills take part, in which order, and why the others do not. One wrong
 * skill is off and says why; it stops no other. A skill comes after those it requires; otherwise
 * the higher priority comes first, ties by name. Pure.
 */
import { estimateTokens } from '../base/estimate-tokens.ts';
import type { ActiveSkill } from './active.ts';
import { byPriority, MANDATES_TOKENS_MAX, SKILLS } from './skills.ts';

export interface Registration {
  /** In order. */
  readonly on: readonly ActiveSkill[];
  readonly off: readonly { readonly name: string; readonly why: string }[];
}

export const OFF_BY_OWNER = 'it is switched off';

/** The names on the way from a skill back to itself; undefined if there is no such way. */
const circleOf = (start: ActiveSkill, byName: ReadonlyMap<string, ActiveSkill>): readonly string[] | undefined => {
  const seen = new Set<string>();
  const walk = (name: string, way: readonly string[]): readonly string[] | undefined => {
    for (const next of byName.get(name)?.definition.requires ?? []) {
      if (next === start.name) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...way, next]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(start.name, [start.name]);
};

/** Why a skill is off by itself, whatever becomes of others. */
const ownFault = (
  skill: ActiveSkill,
  byName: ReadonlyMap<string, ActiveSkill>,
  isSwitchedOn: (name: string) => boolean,
): string | undefined => {
  if (!isSwitchedOn(skill.name)) return OFF_BY_OWNER;
  if (SKILLS.some(({ name }) => name === skill.name)) return 'a built-in skill has its name';
  const circle = circleOf(skill, byName);
  if (circle !== undefined) return `it requires itself: ${circle.join(' → ')}`;
  const isBuiltIn = (name: string) => SKILLS.some((one) => one.name === name);
  const unknown = skill.definition.requires.filter((name) => !byName.has(name) && !isBuiltIn(name));
  if (unknown.length > 0) return `it requires ${unknown.join(', ')}, which is not there`;
  const off = skill.definition.requires.filter((name) => isBuiltIn(name) && !isSwitchedOn(name));
  return off.length > 0 ? `it requires ${off.join(', ')}, which is off` : undefined;
};

const tokensOf = (mandates: readonly string[]): number =>
  mandates.reduce((sum, one) => sum + estimateTokens(`- ${one}\n`), 0);

/** @param isSwitchedOn the owner's setting, for built-in skills too */
export const registerSkills = (
  skills: readonly ActiveSkill[],
  isSwitchedOn: (name: string) => boolean,
): Registration => {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const on = new Map<string, ActiveSkill>();
  const off = new Map<string, string>();
  let tokens = 0;
  const place = (skill: ActiveSkill): void => {
    if (on.has(skill.name) || off.has(skill.name)) return;
    const fault = ownFault(skill, byName, isSwitchedOn);
    if (fault !== undefined) return void off.set(skill.name, fault);
    const required = skill.definition.requires.flatMap((name) => byName.get(name) ?? []);
    for (const one of required) place(one);
    const missing = required.filter(({ name }) => !on.has(name));
    // Mandates of skills from elsewhere are part of their texts, not of every prompt.
    const own = skill.trust === 'owner' ? tokensOf(skill.definition.mandates) : 0;
    if (missing.length > 0) off.set(skill.name, `it requires ${missing[0]?.name}, which is off`);
    else if (tokens + own > MANDATES_TOKENS_MAX) off.set(skill.name, 'there is no room for its mandates');
    else {
      tokens += own;
      on.set(skill.name, skill);
    }
  };
  for (const skill of byPriority(skills)) place(skill);
  return { on: [...on.values()], off: [...off].map(([name, why]) => ({ name, why })) };
};

/** Which of these skills takes no part, and why. */
export const missingSkills = (
  wanted: readonly string[],
  skills: readonly ActiveSkill[],
  isSwitchedOn: (name: string) => boolean,
): readonly { readonly name: string; readonly why: string }[] => {
  const { on, off } = registerSkills(skills, isSwitchedOn);
  return wanted.flatMap((name) => {
    const isThere = SKILLS.some((skill) => skill.name === name) || on.some((skill) => skill.name === name);
    if (isThere && isSwitchedOn(name)) return [];
    const why = off.find((one) => one.name === name)?.why ?? (isThere ? OFF_BY_OWNER : 'there is no such skill');
    return [{ name, why }];
  });
};
