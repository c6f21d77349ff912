/**
 * Writes a plan as notes, or calls into steps of a plan that a person wrote in words. Nothing of it
 * is a right: each call is performed only after a person's yes to a card with its bytes.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { parseWith } from '../../core/base/json.ts';
import type { Edit } from '../../core/memory/edit.ts';
import { buildObject } from '../../core/memory/object.ts';
import { visibleOf } from '../../core/memory/outline.ts';
import { editableNote } from '../../core/memory/plan-edit.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { loadIsHidden } from '../../core/tools/hidden-notes.ts';
import type { ToolContext, ToolForm, ToolOutput } from '../../core/tools/tool.ts';
import { WRITE_FIELDS, WriteArgs } from './plan-args.ts';
import { callLine, isClosed, readSteps } from './plan-steps.ts';

/** The tag by which plans are listed. */
export const PLAN_TAG = 'plan';
export const OPEN = 'PLAN';

/** A step may call what a step of a runbook may. */
const isForSteps = (name: string): boolean => {
  const found = findTool(name.toLowerCase());
  return (
    isMcpTool(name.toLowerCase()) ||
    (found !== undefined && !found.isForPeople && !found.isMaintenance && found.onlyFor === undefined)
  );
};

const formProblems = ({ title, plan, steps }: WriteArgs): readonly string[] => [
  ...((title === undefined) === (plan === undefined)
    ? ['give title for a new plan, or plan for one that there is']
    : []),
  ...steps.flatMap(({ step, words, tool: name }, n) => [
    ...(isForSteps(name) ? [] : [`steps[${n}].tool is no tool that a plan may call`]),
    ...(plan === undefined && words === undefined ? [`steps[${n}].words is missing`] : []),
    ...((plan === undefined) === (step === undefined) ? [] : [`steps[${n}].step belongs to a plan that there is`]),
  ]),
];

export const WRITE_PLAN_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => {
    const problems = argumentProblems({ args: WriteArgs, fields: WRITE_FIELDS }, args);
    const { data } = WriteArgs.safeParse(args);
    return problems.length > 0 || data === undefined ? problems : formProblems(data);
  },
  describe: async (args) => {
    const { title, plan, steps } = WriteArgs.parse(args);
    return [
      `Plan: ${title ?? plan ?? ''}`,
      ...steps.map((one, n) => `${n + 1}. ${one.words ?? one.step ?? ''}: ${callLine(one)}`),
    ];
  },
};

const newPlan = async ({ title = '', steps }: WriteArgs, context: ToolContext): Promise<string> => {
  const { memory, signalId, effectId, actor, now } = context;
  const origin = joinOrigins(['agent', context.origin]);
  let plan = '';
  await memory.edit({
    by: { signalId, effectId, actor, now },
    edits: ({ newId, newNonce }) => {
      const build = (id: string, name: string, content: string, tags: string[]) =>
        buildObject({
          ...{ id, type: 'headline', scope: 'memex', content, origin, effectId, signalId, now },
          attributes: { title: name, tags, todo: OPEN },
          nonce: newNonce(),
        });
      plan = newId();
      return [
        { kind: 'create', object: build(plan, title, '', [PLAN_TAG]), place: {} },
        ...steps.map(
          (one): Edit => ({
            kind: 'create',
            object: build(newId(), one.words ?? one.tool, callLine(one), []),
            place: { parentId: plan },
          }),
        ),
      ];
    },
  });
  return plan;
};

/** A call goes only into an open step without one: what stands there is never replaced. */
const fillPlan = async (id: string, { steps }: WriteArgs, context: ToolContext): Promise<void> => {
  const { memory, signalId, effectId, actor, now, origin } = context;
  const by = { signalId, effectId, actor, now };
  const { objects } = await memory.view();
  const isHidden = await loadIsHidden(context);
  const visible = new Set(visibleOf(objects, isHidden).map((one) => one.id));
  const plan = editableNote(visible.has(id) ? objects.get(id) : undefined, id);
  const noted = readSteps(objects, plan).filter(({ note }) => visible.has(note.id));
  if ((await memory.edit({ by, edits: () => [] })).state === 'repeated') return;
  const edits = steps.map(({ step, ...call }): Edit => {
    const found = noted.find(({ note }) => note.id === step);
    if (found === undefined || found.call !== undefined || isClosed(found.note))
      throw new ProtocolError(`the step ${step?.slice(0, 8)} is no open step in words alone of this plan`);
    const { note, words } = found;
    const attributes = { ...note.attributes, title: words };
    return { kind: 'update', id: note.id, attributes, content: callLine(call), origin, expectedVersion: note.version };
  });
  await memory.edit({ by, edits: () => edits });
};

export const writePlan = async (given: unknown, context: ToolContext): Promise<ToolOutput> => {
  const args = parseWith('the plan', given, WriteArgs);
  const id = args.plan ?? (await newPlan(args, context));
  if (args.plan !== undefined) await fillPlan(id, args, context);
  return {
    output: `It stands in the note ${id}. The owner may edit it, and has it performed by: /plan approve ${id.slice(0, 8)}`,
    origin: joinOrigins(['agent', context.origin]),
  };
};
