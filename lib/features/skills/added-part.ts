/** The part of added skills in a turn, and whether one of them hears of a failure. */
import { defined } from '../../core/base/defined.ts';
import { identityOf } from '../../core/ledger/owner-settings.ts';
import type { PromptInput } from '../../core/prompt/prompt-input.ts';
import type { LoadedTurn } from '../../core/stages/reason/load-turn.ts';
import type { ReasonDeps } from '../../core/stages/reason/reason-deps.ts';
import type { HearsFailure, TurnPart } from '../../core/stages/reason/reason-feature.ts';
import { readActiveSkills } from './active.ts';
import { listsOf } from './choose-skill.ts';
import { countUse } from './count-use.ts';
import type { SkillDefinition } from './skill-definition.ts';
import { addedMandates, loadTurnSkills, skillSection, type TurnSkills } from './turn-skills.ts';

export interface AddedPart extends Omit<TurnPart, 'mandates' | 'tier'> {
  /** Mandates of the skills that count as the owner's. */
  readonly added: readonly string[];
  /** Of the skill that is shown. */
  readonly definition?: SkillDefinition | undefined;
}

/** Skills in the prompt. One from elsewhere by name alone: its words would taint turns (I13). */
const listedSkills = ({ on, texts }: TurnSkills): Pick<PromptInput, 'skills'> =>
  on.length === 0
    ? {}
    : {
        skills: [
          ...on.map(({ name, trust, definition }) =>
            trust === 'owner' ? { name, description: definition.description } : { name },
          ),
          ...(texts?.ownTools ?? []),
        ],
      };

export const loadAddedPart = async (
  deps: Pick<ReasonDeps, 'table' | 'identity' | 'budget' | 'now'>,
  turn: LoadedTurn,
): Promise<AddedPart> => {
  const skills = await loadTurnSkills(deps, turn);
  const { on, shown, texts } = skills;
  const skill = shown?.skill;
  const { user, assistant } = identityOf(turn.owner.settings, deps.identity);
  const facts = { owner: user || 'the owner', assistant: assistant || 'Passepartout', zone: deps.identity.zone };
  return {
    shown: skill && { name: skill.name, hash: skill.hash, only: listsOf(skill.definition).map((list) => [...list]) },
    hasUse: (tool) =>
      (!['read-skill', 'edit-skill'].includes(tool) || on.length > 0) &&
      (tool !== 'run-skill' || texts?.hasTools === true),
    added: addedMandates(skills, turn, facts),
    definition: skill?.definition,
    prompt: {
      ...listedSkills(skills),
      ...defined({ skill: skillSection(skills, turn, facts) }),
      computed: texts?.own,
    },
    ...((shown ?? texts) === undefined ? {} : { onDecided: (...step) => countUse(skills, ...step) }),
  };
};

export const skillHears: HearsFailure = ({ skills }, kind) =>
  readActiveSkills(skills)?.skills.some(({ definition }) =>
    definition.handlers.some(({ on }) => on.includes(`error:${kind}`)),
  ) === true;
