/**
 * The added skills of one turn: those that take part, and the one whose text it is shown. Most
 * turns trigger none and read nothing more. A member's turn has none: skills may speak of what is
 * the owner's alone.
 */

import { defined } from '../../core/base/defined.ts';
import { ownersText } from '../../core/stages/reason/choose-model.ts';
import type { LoadedTurn } from '../../core/stages/reason/load-turn.ts';
import type { ReasonDeps } from '../../core/stages/reason/reason-deps.ts';
import { loadLazy } from '../../core/stages/reason/reason-deps.ts';
import type { ActiveSkill } from './active.ts';
import { readActiveSkills, skillFileOf } from './active.ts';
import { chooseSkill } from './choose-skill.ts';
import { fillMandate } from './mandates.ts';
import { registerSkills } from './register.ts';
import { bodyOf } from './skill-files.ts';
import { isSkillOn } from './skill-on.ts';
import { skillValue } from './skill-settings.ts';
import { loadSkillFile } from './skill-store.ts';
import type { SkillTexts } from './skill-texts.ts';

export interface TurnSkills {
  /** In order. */
  readonly on: readonly ActiveSkill[];
  /** The triggered skill, with its instructions. */
  readonly shown?: { readonly skill: ActiveSkill; readonly body: string };
  /** By the code of skills that are the owner's, and of the triggered one. */
  readonly texts?: SkillTexts;
}

type Deps = Pick<ReasonDeps, 'table' | 'identity' | 'budget' | 'now'>;

export const loadTurnSkills = async (deps: Deps, turn: LoadedTurn): Promise<TurnSkills> => {
  const { record, root, asker, records } = turn;
  const { settings } = turn.owner;
  const { space, payload } = record.signal;
  if (
    settings === undefined ||
    asker === 'member' ||
    payload.sensor === 'session-summary' ||
    payload.sensor === 'run-prompt'
  )
    return { on: [] };
  const { on } = registerSkills(readActiveSkills(records.skills)?.skills ?? [], (name) => isSkillOn(name, settings));
  const skill = chooseSkill(on, { payload: root.payload, text: ownersText(root.payload) });
  const text = skill && (await loadSkillFile(deps.table, space, skillFileOf(skill)));
  const body = text === undefined ? '' : bodyOf(text);
  const shown = skill === undefined || body === '' ? undefined : { skill, body };
  const computing = on.filter(({ definition }) => definition.functions !== undefined);
  if (computing.length === 0) return { on, ...defined({ shown }) };
  const { loadSkillTexts } = (await loadLazy()).REASON_LATE;
  const texts = await loadSkillTexts(deps, turn, computing, shown?.skill.name);
  return { on, texts, ...defined({ shown }) };
};

type Facts = Readonly<Record<'owner' | 'assistant' | 'zone', string>>;

/** The values of a skill's settings by name. */
export const settingsOf = ({ name, definition }: ActiveSkill, turn: LoadedTurn): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(definition.settings).map(([key, setting]) => [
      key,
      skillValue(name, key, turn.owner.settings) || setting.default,
    ]),
  );

/** A skill's mandates with the facts they name. */
const mandatesOf = (skill: ActiveSkill, turn: LoadedTurn, facts: Facts): readonly string[] => {
  const values = Object.entries(settingsOf(skill, turn)).map(([key, value]) => [`settings.${key}`, value]);
  const all = { ...facts, ...Object.fromEntries(values) };
  return skill.definition.mandates.map((mandate) => fillMandate(mandate, all));
};

/** Standing mandates: only of skills whose words count as the owner's (I13). */
export const addedMandates = ({ on }: TurnSkills, turn: LoadedTurn, facts: Facts): readonly string[] =>
  on.filter(({ trust }) => trust === 'owner').flatMap((skill) => mandatesOf(skill, turn, facts));

/** The triggered skill's section. One from elsewhere has mandates and texts in it. */
export const skillSection = ({ shown, texts }: TurnSkills, turn: LoadedTurn, facts: Facts) => {
  if (shown === undefined) return undefined;
  const { skill, body } = shown;
  if (skill.trust === 'owner') return { name: skill.name, origin: skill.trust, text: body };
  const mandates = mandatesOf(skill, turn, facts).map((mandate) => `- ${mandate}`);
  return { name: skill.name, origin: skill.trust, text: [body, ...mandates, ...(texts?.ofShown ?? [])].join('\n') };
};
