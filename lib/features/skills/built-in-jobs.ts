/** The jobs of built-in skills: each is for what its skill is for. */
import { BUILT_IN } from './built-in.ts';
import { jobNamesOf } from './choose-skill.ts';

export const purposeOfJob = (job: string): string | undefined =>
  BUILT_IN.find(({ definition }) => jobNamesOf(definition).includes(job))?.definition.description;

export const SKILL_KNOWLEDGE = { builtInJobs: BUILT_IN.flatMap(({ definition }) => jobNamesOf(definition)) } as const;
