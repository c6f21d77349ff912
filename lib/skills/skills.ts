/**
 * Skills: what the agent can do, each as data. A skill has a purpose, cues that say when it is
 * meant (sensors, words), mandates that every prompt gets while its tools are offered, its own
 * tools, and a tier. Every tool a model is offered belongs to exactly one skill. A wrong table is
 * refused when it is made, because no prompt ever cuts mandates. Pure.
 */
import { ConfigError } from '../base/errors.ts';
import { estimateTokens } from '../base/estimate-tokens.ts';
import type { Tier } from '../llm/provider-table.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import type { Sensor } from '../signal/signal.ts';

/** Mandates of all skills together. */
export const MANDATES_TOKENS_MAX = 400;

export interface Skill {
  /** Lower-case words joined by `-`. */
  readonly name: string;
  /** One line for the owner. */
  readonly purpose: string;
  /** The skill is meant by signals of these sensors, and by one of these words of the owner. */
  readonly trigger: { readonly sensors: readonly Sensor[]; readonly words: RegExp | undefined };
  /** Sentences to the model. */
  readonly mandates: readonly string[];
  readonly owns: (tool: string) => boolean;
  /** Its tools, as a person reads them. */
  readonly tools: readonly string[];
  /** `auto`: `chooseTier` decides by its other rules. */
  readonly tier: Tier | 'auto';
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

/** In the order skills are shown. `mcp-…` stands for every tool of an MCP server. */
const SKILL_TOOLS = {
  notes: ['remember', 'recall', 'list-memory', 'forget'],
  calculation: ['calculate', 'current-time'],
  programs: ['run-code'],
  'long-outputs': ['read-output'],
  webhooks: ['call-webhook'],
  servers: ['mcp-…'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type SkillName = keyof typeof SKILL_TOOLS;

/** The skill a tool belongs to; undefined if none has it. */
export const skillOf = (tool: string): string | undefined => {
  const name: SkillName = 'servers';
  if (isMcpTool(tool)) return name;
  return Object.entries(SKILL_TOOLS).find(([, tools]) => tools.some((one) => one === tool))?.[0];
};

const named = (name: SkillName): Pick<Skill, 'name' | 'tools' | 'owns'> => ({
  name,
  tools: SKILL_TOOLS[name],
  owns: (tool) => skillOf(tool) === name,
});

export const SKILLS: readonly Skill[] = defineSkills([
  {
    ...named('notes'),
    purpose: 'keeps what should outlast a conversation, and finds it again',
    trigger: { sensors: [], words: /\b(remember|recall|note|notes|forget|merke?|erinnere?|notiz|notizen|vergiss)\b/iu },
    mandates: [
      'Before you say you do not know something about the owner, look for it with recall.',
      'Keep only what will matter in another conversation; read what you know before you keep it twice.',
    ],
    tier: 'auto',
  },
  {
    ...named('calculation'),
    purpose: 'works numbers and dates out exactly, instead of guessing them',
    trigger: { sensors: [], words: /\b(calculate|compute|percent|sum|average|berechne|prozent|summe|rechne)\b/iu },
    mandates: ['Work out every number with calculate; never estimate what can be computed.'],
    tier: 'auto',
  },
  {
    ...named('programs'),
    purpose: 'runs small programs in a sandbox, after the owner said yes',
    trigger: { sensors: [], words: /\b(javascript|(write|schreib) .{0,20}\b(script|program|skript|programm))\b/iu },
    mandates: ['Try a program with run-code before you say that it works.'],
    tier: 'reasoning',
  },
  {
    ...named('long-outputs'),
    purpose: 'reads on in outputs too long for one prompt',
    trigger: { sensors: [], words: undefined },
    mandates: ['Of a long output read on only as far as the answer needs.'],
    tier: 'auto',
  },
  {
    ...named('webhooks'),
    purpose: 'takes signed events of other systems, and calls the configured webhooks',
    trigger: { sensors: ['webhook'], words: /\b(webhook|webhooks|deploy)\b/iu },
    mandates: ['Call a webhook only for what was asked of you, with nothing in its body that this does not need.'],
    tier: 'auto',
  },
  {
    ...named('servers'),
    purpose: 'asks the tools of MCP servers the owner let in',
    trigger: { sensors: [], words: undefined },
    mandates: ['Give tools named mcp-… only what the question needs, and say whose answer it is.'],
    tier: 'auto',
  },
]);
