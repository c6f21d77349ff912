/** The part of skills in Reason. That of added ones is loaded in spaces that have some. */
import { loadLazy } from '../../core/stages/reason/reason-deps.ts';
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import type { AddedPart } from './added-part.ts';
import { activeSkills, skillTier } from './skill-settings.ts';

/** Tools for which there is no use without an added skill. */
const OF_ADDED_SKILLS: readonly string[] = ['read-skill', 'edit-skill', 'run-skill'];

const NONE: AddedPart = { hasUse: (tool) => !OF_ADDED_SKILLS.includes(tool), added: [], prompt: {} };

export const reasonSkills: ReasonFeature = {
  loadPart: async (deps, turn) => {
    const { records } = turn;
    const { settings } = turn.owner;
    const { added, definition, ...part } =
      records.skills === undefined ? NONE : await (await loadLazy()).REASON_LATE.loadAddedPart(deps, turn);
    return {
      ...part,
      mandates: (tools) => [...activeSkills(tools, settings).flatMap(({ mandates }) => mandates), ...added],
      tier: (tools, cue) => skillTier(activeSkills(tools, settings), settings, cue, definition),
    };
  },
};
