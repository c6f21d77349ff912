/**
 * The added skills of one turn: those that take part, and the one whose text it is shown. Most
 * turns trigger none and read nothing more. A member's turn has none: skills may speak of what is
 * the owner's alone.
 */
import { PassepartoutError } from '../../base/errors.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import type { ActiveSkill } from '../../skills/active.ts';
import { skillFileOf } from '../../skills/active.ts';
import { chooseSkill } from '../../skills/choose-skill.ts';
import { fillMandate } from '../../skills/mandates.ts';
import { registerSkills } from '../../skills/register.ts';
import { bodyOf } from '../../skills/skill-files.ts';
import { isSkillOn, skillValue } from '../../skills/skill-settings.ts';
import { loadSkillFile } from '../../skills/skill-store.ts';
import { countSkillUse } from '../../skills/skill-use.ts';
import { ownersText } from './choose-model.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps, TurnContext } from './reason-deps.ts';

export interface TurnSkills {
  /** In order. */
  readonly on: readonly ActiveSkill[];
  /** The triggered skill, with its instructions. */
  readonly shown?: { readonly skill: ActiveSkill; readonly body: string };
}

const NONE: TurnSkills = { on: [] };

export const loadTurnSkills = async (
  { table }: Pick<ReasonDeps, 'table'>,
  { record, rootPayload, asker, settings, skills }: LoadedTurn,
): Promise<TurnSkills> => {
  const { space, payload } = record.signal;
  if (
    settings === undefined ||
    asker === 'member' ||
    payload.sensor === 'session-summary' ||
    payload.sensor === 'run-prompt'
  )
    return NONE;
  const { on } = registerSkills(skills.skills, (name) => isSkillOn(name, settings));
  const skill = chooseSkill(on, { payload: rootPayload, text: ownersText(rootPayload) });
  const text = skill && (await loadSkillFile(table, space, skillFileOf(skill)));
  const body = text === undefined ? '' : bodyOf(text);
  return skill === undefined || body === '' ? { on } : { on, shown: { skill, body } };
};

const chargesIn = ({ rejected }: TurnContext, { attempt }: Decision): readonly Attempt[] =>
  attempt === undefined ? rejected : [...rejected.filter(({ n }) => n !== attempt.n), attempt];

/** Counts what the triggered skill was used for. A turn does not end because this fails. */
export const countUse = async (context: TurnContext, decision: Decision, startedAt: number): Promise<void> => {
  const { deps, turn, skills } = context;
  if (skills.shown === undefined) return;
  const { signal } = turn.record;
  const results = 'results' in signal.payload ? signal.payload.results : [];
  const hasFailed =
    decision.outcome !== 'act' || results.some(({ state }) => state === 'failed' || state === 'refused');
  const costs = chargesIn(context, decision).flatMap(({ cost }) => cost ?? []);
  const use = {
    runs: signal.id === signal.root ? 1 : 0,
    failures: hasFailed ? 1 : 0,
    ms: deps.now() - startedAt,
    tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: costs.reduce((sum, { usd }) => sum + usd, 0),
  };
  try {
    await countSkillUse(deps.table, signal.space, skills.shown.skill.name, use);
  } catch (error) {
    if (!(error instanceof PassepartoutError)) throw error;
  }
};

type Facts = Readonly<Record<'owner' | 'assistant' | 'zone', string>>;

/** A skill's mandates with the facts they name. */
const mandatesOf = ({ name, definition }: ActiveSkill, turn: LoadedTurn, facts: Facts): readonly string[] => {
  const values = Object.entries(definition.settings).map(([key, setting]) => [
    `settings.${key}`,
    skillValue(name, key, turn.settings) || setting.default,
  ]);
  return definition.mandates.map((mandate) => fillMandate(mandate, { ...facts, ...Object.fromEntries(values) }));
};

/** Standing mandates: only of skills whose words count as the owner's (I13). */
export const addedMandates = ({ on }: TurnSkills, turn: LoadedTurn, facts: Facts): readonly string[] =>
  on.filter(({ trust }) => trust === 'owner').flatMap((skill) => mandatesOf(skill, turn, facts));

/** The section of the triggered skill. Mandates of one from elsewhere are part of its text. */
export const skillSection = ({ shown }: TurnSkills, turn: LoadedTurn, facts: Facts) => {
  if (shown === undefined) return undefined;
  const { skill, body } = shown;
  const mandates = skill.trust === 'owner' ? [] : mandatesOf(skill, turn, facts).map((mandate) => `- ${mandate}`);
  return { name: skill.name, origin: skill.trust, text: [body, ...mandates].join('\n') };
};
