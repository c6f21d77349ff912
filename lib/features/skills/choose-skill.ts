/**
 * Chooses the added skill whose text a turn is shown: the one of highest priority among those that
 * the turn's beginning triggers. It may only narrow the tools the model is offered. Pure.
 */
import type { Payload } from '../../core/signal/signal.ts';
import type { ActiveSkill } from './active.ts';
import { byPriority } from './skills.ts';
import { buildWords } from './words.ts';

/** The beginning of a turn, as far as it says which skill is meant. */
export interface TurnStart {
  readonly payload: Payload;
  /** The owner's own words. Nobody else's choose a skill. */
  readonly text: string;
}

/** Names of the jobs a skill brings; their turns trigger it. */
export const jobNamesOf = ({
  name,
  trigger,
  jobs,
}: Pick<ActiveSkill['definition'], 'name' | 'trigger' | 'jobs'>): readonly string[] => [
  ...(trigger.schedule === undefined ? [] : [name]),
  ...jobs.map((job) => `${name}-${job.name}`),
];

const isTriggered = ({ definition }: ActiveSkill, { payload, text }: TurnStart): boolean => {
  const { name, trigger } = definition;
  if (payload.sensor === 'job-due' && jobNamesOf(definition).includes(payload.job)) return true;
  if (trigger.sensors.includes(payload.sensor)) return true;
  // The owner may always call it by its name.
  return buildWords([...trigger.words, name, name.replaceAll('-', ' ')])?.test(text) === true;
};

export const chooseSkill = (on: readonly ActiveSkill[], start: TurnStart): ActiveSkill | undefined =>
  byPriority(on.filter((skill) => isTriggered(skill, start)))[0];

/** Lists of the tools that the model keeps while the skill's text is shown: one is in each. */
export const listsOf = ({ allowedTools, tools }: ActiveSkill['definition']): readonly (readonly string[])[] =>
  [allowedTools, tools].filter((list) => list !== undefined);
