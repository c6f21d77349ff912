/**
 * A skill: what the agent can do of one kind, as data. What it is for, when it is meant (sensors, words), the mandates it adds to
 * every prompt while its tools are offered, the tools that are its own, and the tier it asks for. A table of skills is checked
 * when it is made: names and tools once each, and mandates within their bound, because no prompt ever cuts them. Pure.
 */

import { ConfigError } from '../../base/errors.ts';
import { estimateTokens } from '../../base/estimate-tokens.ts';
import type { Tier } from '../../llm/provider-table.ts';
import type { Sensor } from '../../signal/sensors.ts';

/** Standing mandates of all skills together: never trimmed, so a table of skills with more is refused when it is made. */
export const MANDATES_TOKENS_MAX = 400;

export interface Skill {
  /** Lower-case words joined by `-`. */
  readonly name: string;
  /** What it is for, in one line for the owner. */
  readonly purpose: string;
  /** It is meant by what these bring, and by the owner's words where one of these stands among them. */
  readonly trigger: { readonly sensors: readonly Sensor[]; readonly words: RegExp | undefined };
  /** Sentences to the model. */
  readonly mandates: readonly string[];
  /** Whether a tool of this name is the skill's own. */
  readonly owns: (tool: string) => boolean;
  /** Its tools, as a person reads them. */
  readonly tools: readonly string[];
  /** `auto`: whatever else says how hard a question is. */
  readonly tier: Tier | 'auto';
}

const NAME = /^[a-z][a-z-]{0,31}$/;

/** @throws ConfigError naming all that is wrong with the table. */
export const defineSkills = (skills: readonly Skill[]): readonly Skill[] => {
  const tools = skills.flatMap((skill) => skill.tools);
  const tokens = skills.flatMap(({ mandates }) => mandates).reduce((sum, one) => sum + estimateTokens(`- ${one}\n`), 0);
  const problems = [
    ...skills.filter(({ name }) => !NAME.test(name)).map(({ name }) => `${name} is no name of a skill`),
    ...skills
      .filter(({ name }, n) => skills.findIndex((one) => one.name === name) !== n)
      .map(({ name }) => `there are two skills ${name}`),
    ...tools.filter((tool, n) => tools.indexOf(tool) !== n).map((tool) => `the tool ${tool} is of two skills`),
    ...skills
      .filter(({ mandates }) => mandates.some((one) => one.includes('\n')))
      .map(({ name }) => `a mandate of ${name} is no single line`),
    ...(tokens > MANDATES_TOKENS_MAX
      ? [`the mandates take ${tokens} tokens, and ${MANDATES_TOKENS_MAX} are allowed`]
      : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return skills;
};
