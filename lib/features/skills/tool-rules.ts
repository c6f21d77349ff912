/** The rules of skills: tools of one that is off; webhooks and places that added ones bring. */
import type { ToolRules } from '../../core/judge/tool-rules.ts';
import { whyOff } from './skill-on.ts';
import { skillPlaces, skillTargets } from './skill-targets.ts';

export const skillRules: ToolRules = {
  whyOff,
  webhooks: ({ skills }, settings) => skillTargets(skills, settings),
  places: ({ skills }, settings) => skillPlaces(skills, settings),
};
