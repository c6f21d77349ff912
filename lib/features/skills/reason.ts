/** The part of skills in Reason: what they say and leave in a turn, and what they are used for. */
import { defined } from '../../core/base/defined.ts';
import { identityOf } from '../../core/ledger/owner-settings.ts';
import type { PromptInput } from '../../core/prompt/prompt-input.ts';
import { loadLazy } from '../../core/stages/reason/reason-deps.ts';
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import { readActiveSkills } from './active.ts';
import { listsOf } from './choose-skill.ts';
import { activeSkills, skillTier } from './skill-settings.ts';
import { addedMandates, loadTurnSkills, skillSection, type TurnSkills } from './turn-skills.ts';

/** Tools for which there is no use without an added skill. */
const OF_ADDED_SKILLS: readonly string[] = ['read-skill', 'edit-skill'];

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

const shownIn = ({ shown }: TurnSkills) =>
  shown && {
    name: shown.skill.name,
    hash: shown.skill.hash,
    only: listsOf(shown.skill.definition).map((list) => [...list]),
  };

export const reasonSkills: ReasonFeature = {
  loadPart: async (deps, turn) => {
    const { settings } = turn;
    const skills = await loadTurnSkills(deps, turn);
    const { on, shown, texts } = skills;
    const { user, assistant } = identityOf(settings, deps.identity);
    const facts = { owner: user || 'the owner', assistant: assistant || 'Passepartout', zone: deps.identity.zone };
    return {
      shown: shownIn(skills),
      hasUse: (tool) =>
        (!OF_ADDED_SKILLS.includes(tool) || on.length > 0) && (tool !== 'run-skill' || texts?.hasTools === true),
      mandates: (tools) => [
        ...activeSkills(tools, settings).flatMap((skill) => skill.mandates),
        ...addedMandates(skills, turn, facts),
      ],
      prompt: {
        ...listedSkills(skills),
        ...defined({ skill: skillSection(skills, turn, facts) }),
        computed: texts?.own,
      },
      tier: (tools, cue) => skillTier(activeSkills(tools, settings), settings, cue, shown?.skill.definition),
      ...((shown ?? texts) === undefined
        ? {}
        : {
            onDecided: async (...step) => (await loadLazy()).REASON_LATE.countUse(skills, ...step),
          }),
    };
  },
  hearsFailure: ({ skills }, kind) =>
    readActiveSkills(skills)?.skills.some(({ definition }) =>
      definition.handlers.some(({ on }) => on.includes(`error:${kind}`)),
    ) === true,
};
