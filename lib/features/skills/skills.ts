/**
 * The built-in skills: what the agent can do, each as data. A skill has cues that say
 * when it is meant (sensors, words), mandates that every prompt gets while its tools are offered,
 * its own tools, and a tier. Every tool a model is offered belongs to exactly one built-in skill. A
 * wrong table is refused when it is made, because no prompt ever cuts mandates. Pure.
 */
import { ConfigError } from '../../core/base/errors.ts';
import { estimateTokens } from '../../core/base/estimate-tokens.ts';
import type { Tier } from '../../core/llm/provider-table.ts';
import { listsTool } from '../../core/signal/narrow-tools.ts';
import type { Sensor } from '../../core/signal/signal.ts';
import { BUILT_IN_CUES } from './built-in-cues.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import type { SkillDefinition } from './skill-definition.ts';
import { buildWords } from './words.ts';

/** Mandates of all built-in skills together, and again of those that the owner added. */
export const MANDATES_TOKENS_MAX = 400;

export interface Skill {
  /** Lower-case words joined by `-`. */
  readonly name: string;
  /** The skill is meant by signals of these sensors, and by one of these words of the owner. */
  readonly trigger: { readonly sensors: readonly Sensor[]; readonly words: Pick<RegExp, 'test'> | undefined };
  /** Sentences to the model. */
  readonly mandates: readonly string[];
  readonly owns: (tool: string) => boolean;
  /** Its tools, or the beginnings of their names: `mcp-*`. */
  readonly tools: readonly string[];
  /** `auto`: `chooseTier` decides by its other rules. */
  readonly tier: Tier | 'auto';
}

/** The fields of a definition that each turn needs. */
export type SkillCues = Pick<SkillDefinition, 'name' | 'priority' | 'trigger' | 'mandates' | 'tier'>;

export interface BuiltInSkill {
  readonly definition: SkillDefinition;
}

const NAME = /^[a-z][a-z-]{0,31}$/;

/** @throws ConfigError naming all that is wrong with the table */
export const defineSkills = (skills: readonly Skill[]): readonly Skill[] => {
  const names = skills.map(({ name }) => name);
  const tools = skills.flatMap((skill) => skill.tools);
  const tokens = skills.flatMap(({ mandates }) => mandates).reduce((sum, one) => sum + estimateTokens(`- ${one}\n`), 0);
  const problems = [
    ...names.filter((name) => !NAME.test(name)).map((name) => `${name} is no name of a skill`),
    ...names.filter((name, n) => names.indexOf(name) !== n).map((name) => `there are two skills ${name}`),
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

const buildSkill = ({ name, trigger, mandates, tier }: SkillCues): Skill => {
  const words = buildWords(trigger.words);
  const { [name]: tools = [] } = BUILT_IN_TOOLS;
  const owns = (tool: string): boolean => listsTool(tools, tool);
  return { name, trigger: { ...trigger, words }, mandates, tools, owns, tier };
};

const inOrder = (a: SkillCues, b: SkillCues): number => b.priority - a.priority || (a.name < b.name ? -1 : 1);

/** Highest priority first, ties by name. */
export const byPriority = <T extends Pick<BuiltInSkill, 'definition'>>(skills: readonly T[]): readonly T[] =>
  skills.toSorted((a, b) => inOrder(a.definition, b.definition));

/** In the order they are shown. */
export const SKILLS: readonly Skill[] = defineSkills(BUILT_IN_CUES.toSorted(inOrder).map(buildSkill));
