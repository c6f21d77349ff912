/**
 * The grants of a run that was approved as a whole: one for each step that calls something, exact
 * but for the values that come from outputs, for as many uses as the step may run. Only the step
 * that names its grant can use it, so that it covers no other step, run or conversation. A tool
 * that is always asked about, or destroys data, is not covered. Pure.
 */
import type { Grant, Loosened } from '../approvals/grant.ts';
import { GRANT_LOOSENED_MAX } from '../approvals/grant.ts';
import { taintSource } from '../approvals/taint-source.ts';
import { defined } from '../base/defined.ts';
import type { Json } from '../base/json.ts';
import type { Action } from '../signal/action.ts';
import { grantIdOf, stepName } from './grant-of-step.ts';
import type { Run } from './run.ts';
import { RUN_STEPS_MAX, type Runbook, type RunbookCall, type RunbookStep } from './runbook.ts';
import { fillArgs, findTemplates } from './template.ts';

/** Gates whose questions the card of the whole answers: it shows every step with its arguments. */
const GATES = ['permissions', 'provenance', 'network', 'high-impact'] as const;

const pointer = (path: string, key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Places of values that are known only when the step runs. */
const openPlaces = (value: Json, path = ''): readonly string[] => {
  if (typeof value === 'string') {
    const { paths } = findTemplates(value);
    return paths.every((one) => one.startsWith('inputs.')) ? [] : [path];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) => openPlaces(one, pointer(path, key)));
};

/** Fills in what is known already; the other templates stay as they are. */
const fillInputs = (value: Json, inputs: Run['inputs']): Json => {
  if (typeof value === 'string') {
    const filled = openPlaces(value).length > 0 ? undefined : fillArgs({ value }, { inputs, steps: {} });
    return filled?.kind === 'value' ? (filled.value.value ?? value) : value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => fillInputs(one, inputs));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillInputs(one, inputs)]));
};

interface Call {
  readonly name: string;
  readonly call: RunbookCall;
  /** How often it may run. */
  readonly uses: number;
}

const callsOf = (steps: readonly RunbookStep[], times = 1): readonly Call[] =>
  steps.flatMap((step): readonly Call[] => {
    if (step.kind === 'each') return callsOf(step.steps, times * step.most);
    if (step.kind !== 'call') return [];
    const { place, call, undo, ifFails } = step;
    const uses = Math.min(times, RUN_STEPS_MAX);
    return [
      { name: stepName(place, false), call, uses: Math.min(times * (1 + ifFails.retry), RUN_STEPS_MAX) },
      ...(undo === undefined ? [] : [{ name: stepName(place, true), call: undo, uses }]),
    ];
  });

export interface GrantMaking {
  readonly space: string;
  /** Makes the action of a call, with its address. */
  readonly buildAction: (call: RunbookCall) => Action;
  /** Whether one card may answer for this tool. */
  readonly mayCover: (tool: string, isOpen: boolean) => boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

export const buildRunGrants = (run: Run, { steps }: Runbook, making: GrantMaking): readonly Grant[] => {
  const { approved, id, session, inputs, endsAt } = run;
  if (approved === undefined) return [];
  const signal = { payload: { sensor: 'run-step', run: id, n: 0, results: [] }, session } as const;
  return callsOf(steps).flatMap(({ name, call, uses }): readonly Grant[] => {
    const open = Object.entries(call.args).flatMap(([key, value]) => openPlaces(value, pointer('', key)));
    if (open.length > GRANT_LOOSENED_MAX || !making.mayCover(call.tool, open.length > 0)) return [];
    const args = Object.fromEntries(Object.entries(call.args).map(([key, value]) => [key, fillInputs(value, inputs)]));
    const action = making.buildAction({ tool: call.tool, args });
    const loosened = open.map((path): Loosened => ({ path, kind: 'any' }));
    return [
      {
        schemaVersion: 1,
        id: grantIdOf(id, name),
        space: making.space,
        session,
        policyVersion: approved.policyVersion,
        gates: [...GATES],
        target: action.target,
        ...defined({ tool: action.tool, to: action.to, url: action.url, args: action.args }),
        loosened,
        taintSource: taintSource({ ...signal, payload: { ...signal.payload, results: [] } }, {}),
        usesMax: uses,
        uses: 0,
        state: 'live',
        createdAt: making.now,
        createdBy: approved.by,
        fromSignal: id,
        fromN: 0,
        expiresAtMs: endsAt,
      },
    ];
  });
};
