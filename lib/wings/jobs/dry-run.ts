/**
 * `/jobs dry-run`: what a run of a job would do now, without doing it. Steps are judged by the real
 * gates and the owner's policy; of a prompt the offered tools and their permissions are shown. It
 * asks no model and changes nothing.
 */
import { momentLines } from '../../jobs/describe-rule.ts';
import type { Job, JobDefinition } from '../../jobs/job.ts';
import { copiesOf, replyRouteOf } from '../../jobs/write-occurrence.ts';
import { type FactSources, permissionOf } from '../../judge/gather-facts.ts';
import { decideByCode, routesOf } from '../../judge/judge.ts';
import { NOT_EVALUATED } from '../../judge/policy/space-policy.ts';
import { jobSession } from '../../money/day-spend.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import type { Action } from '../../signal/action.ts';
import { loadFacts } from '../../stages/perceive/load-facts.ts';
import { TOOLS } from '../../tools/catalogue.ts';
import { dryRunRunbook } from '../runbooks/dry-run.ts';
import { judgedLines } from '../runbooks/judged-lines.ts';
import { buildSteps } from './answer-job-due.ts';

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

const toolLines = (sources: FactSources): readonly string[] => {
  const offered = TOOLS.filter(
    ({ isForPeople, isMaintenance, onlyFor }) =>
      isForPeople !== true && isMaintenance !== true && onlyFor === undefined,
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
  const { gateSet, signal, zone, now } = context;
  const { name, when, work } = definition;
  const sources = await sourcesOf(context, definition);
  const moments = momentLines(when, zone, now).map((line, n) => `${n === 0 ? 'Next: ' : '      '}${line}`);
  const head = `A run of ${name} now (nothing was done):`;
  if (work.kind === 'prompt') return [head, `It would ask the model: ${work.text}`, ...toolLines(sources), ...moments];
  if (work.kind === 'runbook') {
    const { runbook, hash, inputs } = work;
    const lines = await dryRunRunbook(
      context,
      { runbook, hash, inputs, approveWhole: false },
      { reply: replyRouteOf(definition), session: jobSession(name), copies: [...copiesOf(definition)] },
    );
    const whole = approved === undefined || work.whole === undefined || work.whole.until <= now ? [] : [WHOLE];
    return [...lines, ...whole, ...moments];
  }
  const actions = buildSteps(work.steps, name, routesOf(sources));
  const decision = await decideByCode(gateSet, { signalId: signal.id, outcome: 'act', reason: '' }, actions, sources);
  const lines = decision.actions.flatMap((judged, n) => {
    const [first = '', ...reasons] = judgedLines(judged);
    return [`${n + 1}. ${first}`, ...reasons];
  });
  return [head, ...lines, ...moments];
};
