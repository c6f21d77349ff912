/**
 * `/jobs dry-run`: what a run of a job would do now, without doing it. Steps are judged by the real
 * gates and the owner's policy; of a prompt the offered tools and their permissions are shown. It
 * asks no model and changes nothing.
 */
import { momentLines } from '../../jobs/describe-rule.ts';
import type { Job, JobDefinition } from '../../jobs/job.ts';
import { toolsIn } from '../../jobs/task-tools.ts';
import { copiesOf, replyRouteOf } from '../../jobs/write-occurrence.ts';
import { type FactSources, permissionOf } from '../../judge/gather-facts.ts';
import { NOT_EVALUATED } from '../../judge/policy/space-policy.ts';
import { jobSession } from '../../money/day-spend.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { asRunbook } from '../../runbooks/steps-runbook.ts';
import type { Action } from '../../signal/action.ts';
import { loadFacts } from '../../stages/perceive/load-facts.ts';
import { TOOLS } from '../../tools/catalogue.ts';
import { dryRunRunbook } from '../runbooks/dry-run.ts';

const sourcesOf = (context: CodeContext, definition: JobDefinition): Promise<FactSources> =>
  loadFacts(context, {
    reply: replyRouteOf(definition),
    origin: 'owner',
    session: jobSession(definition.name),
    sensor: 'job-due',
    askedBy: 'owner',
    copies: copiesOf(definition),
  });

const WHOLE =
  'You approved this job as a whole: within the bounds of that yes, its calls are done without asking; questions are asked.';

const callOf = (tool: string): Action => ({ target: 'tool', tool, args: {}, explanation: '', author: 'model' });

/** The policy is asked about the arguments of each call. */
const UNCLEAR = 'by what is in the call';

const toolLines = (sources: FactSources, left: readonly string[] | undefined): readonly string[] => {
  const offered = TOOLS.filter(
    ({ name, isForPeople, isMaintenance, onlyFor }) =>
      isForPeople !== true && isMaintenance !== true && onlyFor === undefined && left?.includes(name) !== false,
  );
  const tiers = offered.map(({ name }) => {
    const { tier, policyReason } = permissionOf(callOf(name), false, sources);
    return [name, policyReason === NOT_EVALUATED ? UNCLEAR : tier] as const;
  });
  return (['allow', 'ask', 'deny', UNCLEAR] as const).flatMap((tier) => {
    const names = tiers.filter(([, one]) => one === tier).map(([name]) => name);
    return names.length === 0 ? [] : [`Tools, ${tier}: ${names.join(', ')}`];
  });
};

/** @returns lines for a person */
export const dryRun = async (context: CodeContext, { definition, approved }: Job): Promise<readonly string[]> => {
  const { zone, now } = context;
  const { name, when, work } = definition;
  const moments = momentLines(when, zone, now).map((line, n) => `${n === 0 ? 'Next: ' : '      '}${line}`);
  if (work.kind === 'prompt') {
    const tools = toolLines(await sourcesOf(context, definition), toolsIn(work.text));
    return [`A run of ${name} now (nothing was done):`, `It would ask the model: ${work.text}`, ...tools, ...moments];
  }
  const { kind: _kind, whole, ...known } = asRunbook(name, work);
  const lines = await dryRunRunbook(
    context,
    { ...known, approveWhole: false },
    { reply: replyRouteOf(definition), session: jobSession(name), copies: [...copiesOf(definition)] },
  );
  const isWhole = approved !== undefined && whole !== undefined && whole.until > now;
  return [...lines, ...(isWhole ? [WHOLE] : []), ...moments];
};
