/**
 * The kinds of action that a skill makes possible while it is on. Its text, lists of tools, gates
 * and mandates only narrow or advise, so they are none. Pure.
 */
import { type Reach, type TierOf, webhookKind } from '../../core/approvals/say-reach.ts';
import { jobNamesOf } from './choose-skill.ts';
import type { SkillDefinition } from './skill-definition.ts';

/** @param skill undefined for none in force */
export const skillReach = (skill: SkillDefinition | undefined, tierOf: TierOf): Reach => {
  if (skill === undefined) return new Map();
  const { name, targets = [], places = [], functions = [], runbooks = [], handlers } = skill;
  return new Map([
    ...targets.map(
      (one) =>
        [
          webhookKind(one.name, 'POST', one.url),
          tierOf('call-webhook', { webhook: one.name, body: {} }, one.name),
        ] as const,
    ),
    // A text to a place by its name is asked about, unless a policy says more.
    ...places.map((one) => [`a text to ${one.name} (${one.channel} ${one.place})`, 'ask'] as const),
    ...functions
      .filter(({ gives }) => gives === 'tool')
      .map(
        (tool) => [`its tool ${tool.name}`, tierOf('run-skill', { skill: name, tool: tool.name, args: {} })] as const,
      ),
    ...runbooks.map(
      (one) =>
        [
          `a run of ${one.name}`,
          tierOf('run-runbook', { runbook: one.name, hash: '', inputs: {}, approveWhole: false }),
        ] as const,
    ),
    // Each of their actions is judged as it comes.
    ...jobNamesOf(skill).map((job) => [`the job ${job} begins by itself`, 'allow'] as const),
    ...handlers.map((one) => [`its code ${one.name} runs at ${one.on.join(', ')}`, 'allow'] as const),
  ]);
};
