/**
 * `/jobs dry-run`: what a run of a job would do now, without doing it. Steps are judged by the real
 * gates and the owner's policy; of a prompt the offered tools and their permissions are shown. It
 * asks no model and changes nothing.
 */

import type { FactSources } from '../../core/judge/fact-sources.ts';
import { permissionOf } from '../../core/judge/facts/permissions.ts';
import { NOT_EVALUATED } from '../../core/judge/space-policy.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import type { CodeContext } from '../../core/operations/code-context.ts';
import type { Action } from '../../core/signal/action.ts';
import { toolsIn } from '../../core/signal/task-tools.ts';
import { loadFacts } from '../../core/stages/perceive/load-facts.ts';
import { TOOLS } from '../../core/tools/catalogue.ts';
import { momentFields } from './describe-job.ts';
import { momentLines } from './describe-rule.ts';
import type { Job, JobDefinition } from './job.ts';
import { jobTexts } from './job-texts.ts';
import { type JobAnswers, jobAnswers } from './texts.ts';
import { copiesOf, replyRouteOf } from './write-occurrence.ts';

const sourcesOf = (context: CodeContext, definition: JobDefinition): Promise<FactSources> =>
  loadFacts(context, {
    reply: replyRouteOf(definition),
    origin: 'owner',
    session: jobSession(definition.name),
    sensor: 'job-due',
    turn: { askedBy: 'owner' },
    copies: copiesOf(definition),
  });

const callOf = (tool: string): Action => ({ target: 'tool', tool, args: {}, explanation: '', author: 'model' });

const toolLines = (say: JobAnswers, sources: FactSources, left: readonly string[] | undefined): readonly string[] => {
  const offered = TOOLS.filter(
    ({ name, isForPeople, isMaintenance, onlyFor }) =>
      isForPeople !== true && isMaintenance !== true && onlyFor === undefined && left?.includes(name) !== false,
  );
  const tiers = offered.map(({ name }) => {
    const { tier, policyReason } = permissionOf(callOf(name), false, sources);
    // The policy is asked about the arguments of each call.
    return [name, policyReason === NOT_EVALUATED ? 'unclear' : tier] as const;
  });
  return (['allow', 'ask', 'deny', 'unclear'] as const).flatMap((tier) => {
    const names = tiers.filter(([, one]) => one === tier).map(([name]) => name);
    return names.length === 0 ? [] : [say.tools(say.tiers[tier], names.join(', '))];
  });
};

/** @returns lines for a person */
export const dryRun = async (context: CodeContext, { definition, approved }: Job): Promise<readonly string[]> => {
  const { zone, now, language } = context;
  const [say, words] = await Promise.all([jobAnswers.in(language), jobTexts.in(language)]);
  const { name, when, work } = definition;
  const moments = momentFields(words, momentLines(words, when, zone, now));
  if (work.kind === 'prompt') {
    const tools = toolLines(say, await sourcesOf(context, definition), toolsIn(work.text));
    return [say.runNow(name), say.wouldAsk(work.text), ...tools, ...moments];
  }
  const whole = work.kind === 'runbook' ? work.whole : undefined;
  const lines = (
    await Promise.all(context.hooks.map(({ dryRunJob }) => dryRunJob?.(context, definition) ?? []))
  ).flat();
  const isWhole = approved !== undefined && whole !== undefined && whole.until > now;
  return [...lines, ...(isWhole ? [say.whole] : []), ...moments];
};
