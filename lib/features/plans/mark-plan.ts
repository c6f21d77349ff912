/**
 * Writes the states of a plan's steps into its notes, as the records of its run have them, and at
 * the end says whether all of it was done. A step that a person closed keeps that person's word.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { isLive, type StepState } from '../../core/ledger/run.ts';
import type { Edit } from '../../core/memory/edit.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import { childrenOf } from '../../core/memory/outline.ts';
import type { Objects } from '../../core/memory/read.ts';
import { powerOf, type ToolContext, type ToolOutput } from '../../core/tools/tool.ts';
import { isCallPlace, isClosed, planOfRun, stepOfPlace } from './plan-steps.ts';
import type { PlanRun } from './tools.ts';

const WORDS: Readonly<Record<StepState, string>> = {
  done: 'DONE',
  failed: 'FAILED',
  unknown: 'UNKNOWN',
  undone: 'FAILED',
  'not-undone': 'FAILED',
};

export interface MarkedStep {
  /** Beginning of the id of its note. */
  readonly note: string;
  /** Undefined of a step that has not ended. */
  readonly state: string | undefined;
}

/** The states of all approved steps, by the records of the run alone. Pure. */
export const statesOf = ({ run, notes }: PlanRun): readonly MarkedStep[] => {
  const here = isLive(run) ? (run.current?.at[0] ?? 0) : Number.POSITIVE_INFINITY;
  return notes.map((note, n) => {
    const ended = run.ended.find(({ at }) => isCallPlace(at) && stepOfPlace(at) === n);
    return { note, state: ended === undefined ? (here > 2 * n ? 'SKIPPED' : undefined) : WORDS[ended.state] };
  });
};

const markEdit = (object: LiveObject, todo: string | undefined): readonly Edit[] => {
  const { id, attributes, origin, version } = object;
  if (todo === undefined || attributes.todo === todo || isClosed(object)) return [];
  return [{ kind: 'update', id, attributes: { ...attributes, todo }, origin, expectedVersion: version }];
};

const markEdits = (objects: Objects, plan: LiveObject, steps: readonly MarkedStep[]): readonly Edit[] => {
  const isEnded = steps.every(({ state }) => state !== undefined);
  const isDone = steps.every(({ state }) => state === 'DONE');
  return [
    ...childrenOf(objects, plan).flatMap((object) => {
      const state = steps.find(({ note }) => object.id.startsWith(note))?.state;
      return object.state === 'live' ? markEdit(object, state) : [];
    }),
    ...markEdit(plan, isEnded ? (isDone ? 'DONE' : 'FAILED') : undefined),
  ];
};

export const markPlan = async (
  { plan: id, isLast = false }: { readonly plan: string; readonly isLast?: boolean | undefined },
  context: ToolContext,
): Promise<ToolOutput> => {
  const { memory, powers, signalId, effectId, actor, now } = context;
  const found = await powerOf(powers, 'planRuns').load(signalId);
  if (found === undefined || planOfRun(found.run) !== id) throw new ProtocolError('only the run of a plan marks it');
  const steps = statesOf(found);
  const done = steps.filter(({ state }) => state === 'DONE').length;
  if (isLast && done < steps.length)
    throw new ProtocolError(`${done} of ${steps.length} steps of the plan were done: /plan show ${id.slice(0, 8)}`);
  const { objects } = await memory.view();
  const plan = objects.get(id);
  const by = { signalId, effectId, actor, now };
  if (!isLast && plan?.state === 'live') await memory.edit({ by, edits: () => markEdits(objects, plan, steps) });
  return { output: `${done} of ${steps.length} steps of the plan are done.`, origin: 'owner' };
};
