/**
 * The card of a plan and what its yes begins: a run of exactly the steps that it shows, if memory
 * still has them so. The hash that the yes is bound to is that of the run's own text.
 */
import { showPlainly } from '../../core/approvals/show-plainly.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { problemWords } from '../../core/base/file-problem.ts';
import { type JsonObject, parseWith } from '../../core/base/json.ts';
import { editableNote } from '../../core/memory/plan-edit.ts';
import { runbookRunId } from '../../core/signal/ids.ts';
import { joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { UNMARKED } from '../../core/tools/marks.ts';
import { mayCover } from '../../core/tools/may-cover.ts';
import { powerOf, type ToolContext, type ToolForm, type ToolOutput } from '../../core/tools/tool.ts';
import { parseRunbook } from '../runbooks/parse-runbook.ts';
import { runbookToolProblems } from '../runbooks/runbook-tools.ts';
import { PLAN_FIELDS, PlanArgs } from './plan-args.ts';
import { callLine, planParts, planRunbook, runbookNameOf } from './plan-steps.ts';

export const APPROVED = 'APPROVED';

const CHANGED = 'the plan was changed since the card was made: approve it again';

/** @returns the runbook, or what is wrong with it in sentences */
const parsePlan = (args: PlanArgs) => {
  const made = planRunbook(args);
  const parsed = parseRunbook(runbookNameOf(args.plan), made.text);
  if (parsed.kind === 'problems') return parsed.problems.map(problemWords);
  const problems = runbookToolProblems({ tools: args.steps.map((one) => one.tool) });
  return problems.length > 0 ? problems : { ...made, runbook: parsed.runbook };
};

const ALL = 'Your yes covers each of these calls once, in this order. Any change of the plan ends it.';
const NONE =
  'Words from outside have a part in it: each call asks you when it comes. Any change of the plan ends your yes.';

/** Faults in sentences; empty if the plan can be performed. */
export const planProblems = (args: JsonObject): readonly string[] => {
  const problems = argumentProblems({ args: PlanArgs, fields: PLAN_FIELDS }, args);
  const { data } = PlanArgs.safeParse(args);
  if (problems.length > 0 || data === undefined) return problems;
  const parsed = parsePlan(data);
  if (!('runbook' in parsed)) return parsed;
  return parsed.hash === data.hash ? [] : ['hash is not that of these steps'];
};

export const RUN_PLAN_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => planProblems(args),
  describe: async (args, _context, mark = UNMARKED) => {
    const { title, steps, hash, approveWhole } = parseWith('the plan', args, PlanArgs);
    const asked = steps.flatMap((one, n) => (mayCover(one.tool, false) ? [] : [`${n + 1} (${one.tool})`]));
    return [
      `The plan as it stands: ${showPlainly(title)}`,
      ...steps.flatMap((one, n) => [`${n + 1}. ${showPlainly(one.words)}`, showPlainly(`   ${callLine(one)}`)]),
      mark(approveWhole ? ALL : NONE),
      ...(asked.length > 0 && approveWhole ? [`Asks you each time: step ${asked.join(', step ')}.`] : []),
      'If a step fails, those behind it are left out.',
      `SHA-256 of the plan: ${hash}`,
    ];
  },
};

/** @throws ProtocolError unless memory has exactly what was approved */
const loadOrigins = async ({ plan, hash }: PlanArgs, { memory }: ToolContext): Promise<readonly Origin[]> => {
  const { objects } = await memory.view();
  const note = editableNote(objects.get(plan), plan);
  const parts = planParts(objects, note);
  if (parts === undefined || planRunbook(parts).hash !== hash) throw new ProtocolError(CHANGED);
  return [note, ...parts.steps.map((one) => objects.get(one.note))].flatMap((one) => one?.origin ?? []);
};

/** The node says that it is approved. It is a label: only records count. */
const markApproved = async ({ plan }: PlanArgs, context: ToolContext): Promise<void> => {
  const { memory, signalId, effectId, actor, now } = context;
  const { objects } = await memory.view();
  const note = editableNote(objects.get(plan), plan);
  const { attributes, origin } = note;
  await memory.edit({
    by: { signalId, effectId, actor, now },
    edits: () => [{ kind: 'update', id: plan, attributes: { ...attributes, todo: APPROVED }, origin }],
  });
};

export const startPlan = async (given: unknown, context: ToolContext): Promise<ToolOutput> => {
  const args = parseWith('the plan', given, PlanArgs);
  const { powers, approvedBy, actor, policyVersion, signalId, effectId, now } = context;
  const parsed = parsePlan(args);
  if (!('runbook' in parsed)) throw new ProtocolError(parsed.join('; '));
  const origin = joinOrigins([...(await loadOrigins(args, context)), context.origin]);
  await markApproved(args, context);
  const by = approvedBy ?? actor;
  // A yes on the card is needed: a policy that permits the call approves no step.
  const isWhole = args.approveWhole && origin !== 'outside' && approvedBy !== undefined && policyVersion !== undefined;
  const { runbook, text, inputs } = parsed;
  const run = await powerOf(powers, 'runbooks').begin(
    {
      ...{ id: runbookRunId(effectId), runbook, text, inputs, origin, by, askedBy: 'owner' },
      ...(isWhole ? { approved: { by, policyVersion } } : {}),
    },
    signalId,
    now,
  );
  return {
    output: `The plan runs: /plan show ${args.plan.slice(0, 8)} shows its steps, /runbook stop ${run.id} ends it.`,
    origin: 'owner',
  };
};
