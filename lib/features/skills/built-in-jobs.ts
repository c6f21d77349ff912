/** The jobs of built-in skills: each is for what its skill is for. */
import { BUILT_IN } from './built-in.ts';
import { jobNamesOf } from './choose-skill.ts';

export const SKILL_JOBS: readonly (readonly [job: string, purpose: string])[] = BUILT_IN.flatMap(({ definition }) =>
  jobNamesOf(definition).map((job) => [job, definition.description] as const),
);
