/**
 * Looks whether a plan stands as it was approved: now, and again in the claim of its step, so that
 * no change between the two is missed. The hash of the plan's note covers all below it.
 */
import type { Run } from '../../core/ledger/run.ts';
import { memoryKeys } from '../../core/memory/keys.ts';
import { buildReader, type Objects } from '../../core/memory/read.ts';
import type { Look } from '../../core/stages/act/guard.ts';
import { equals } from '../../core/store/condition.ts';
import type { Table } from '../../core/store/table.ts';
import { loadPlanRun } from './load-plan-run.ts';
import { isCallPlace, isClosed, planOfRun, planParts, planRunbook, stepOfPlace } from './plan-steps.ts';

const changed = (id: string): string =>
  `the plan was changed since its yes, which so is over: /plan approve ${id.slice(0, 8)} asks anew`;

/** The note of a plan and those right below it. */
const loadNotes = async (table: Table, space: string, id: string): Promise<Objects> => {
  const reader = buildReader(table, space);
  const { number } = await reader.loadHead();
  const plan = (await reader.loadMany([id], number)).get(id);
  if (plan?.state !== 'live') return new Map();
  const below = await reader.loadMany(
    plan.children.map((child) => child.id),
    number,
  );
  return new Map([...below, [id, plan]]);
};

export const lookAtPlan = async (table: Table, space: string, run: Run | undefined): Promise<Look> => {
  const id = run === undefined ? undefined : planOfRun(run);
  // A runbook of a similar name is no plan, and is performed as any other.
  if (run === undefined || id === undefined) return {};
  const { notes = [] } = (await loadPlanRun(table, space, run)) ?? {};
  const ended = run.ended.flatMap(({ at }) => (isCallPlace(at) ? [notes[stepOfPlace(at)] ?? ''] : []));
  const objects = await loadNotes(table, space, id);
  const plan = objects.get(id);
  const parts = plan?.state === 'live' && !isClosed(plan) ? planParts(objects, plan, ended) : undefined;
  if (plan === undefined || parts === undefined || planRunbook(parts).hash !== run.hash) return { over: changed(id) };
  const check = {
    kind: 'check',
    key: memoryKeys.object(space, id),
    condition: { name: 'the plan stands as it was approved', holds: equals('hash', plan.hash) },
  } as const;
  return { atClaim: async () => ({ writes: [check] }) };
};
