/**
 * The grants of a run that was approved as a whole: one for each step that calls something, for as
 * many uses as the step may run. A value of an event must be one word; one of an answer must have
 * the shape that the runbook gives, else the step asks. Only that step can use the grant, in no
 * other run or conversation; in a job that was approved as a whole, in so many of its runs. Tools
 * that are always asked about, or destroy data, are not covered. Pure.
 */

import { GRANT_LOOSENED_MAX, GRANT_WORDS_MAX, type Grant, type Loosened } from '../../core/approvals/grant.ts';
import { taintSource } from '../../core/approvals/taint-source.ts';
import { defined } from '../../core/base/defined.ts';
import type { Json } from '../../core/base/json.ts';
import type { Run } from '../../core/ledger/run.ts';
import type { Action } from '../../core/signal/action.ts';
import { findTemplates } from '../../core/text/template.ts';
import type { MayCover } from '../../core/tools/may-cover.ts';
import { withInputs } from './describe-runbook.ts';
import { grantIdOf, stepName } from './grant-of-step.ts';
import { RUN_STEPS_MAX, type Runbook, type RunbookCall, type RunbookStep } from './runbook.ts';

/** Gates whose questions the card of the whole answers: it shows every step with its arguments. */
const GATES = ['permissions', 'provenance', 'network', 'high-impact'] as const;

const pointer = (path: string, key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A text with values that are known only when the step runs. */
interface OpenText {
  readonly path: string;
  readonly template: string;
}

const openTexts = (value: Json, path = ''): readonly OpenText[] => {
  if (typeof value === 'string') return findTemplates(value).paths.length > 0 ? [{ path, template: value }] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) => openTexts(one, pointer(path, key)));
};

/** Fills in inputs; an input that the event gives becomes the template of its value. */
const fillInputs = (value: Json, inputs: Run['inputs']): Json => {
  if (typeof value === 'string') return withInputs(value, inputs);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => fillInputs(one, inputs));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillInputs(one, inputs)]));
};

type Shapes = Extract<RunbookStep, { kind: 'call' }>['shapes'];

interface GrantedCall {
  /** `5.1`, `5.1 undone`. */
  readonly name: string;
  /** With the values of inputs. */
  readonly call: RunbookCall;
  readonly shapes: Shapes;
  /** How often it may be done in one run. */
  readonly uses: number;
}

/** A call of a runbook, and whether a yes to the whole covers it. */
export interface WholeCall extends GrantedCall {
  readonly loosened: readonly Loosened[];
  readonly isCovered: boolean;
}

const callsOf = (steps: readonly RunbookStep[], times = 1): readonly GrantedCall[] =>
  steps.flatMap((step): readonly GrantedCall[] => {
    if (step.kind === 'each') return callsOf(step.steps, times * step.most);
    if (step.kind !== 'call') return [];
    const { place, call, undo, shapes, ifFails } = step;
    const uses = Math.min(times, RUN_STEPS_MAX);
    return [
      { name: stepName(place, false), call, shapes, uses: Math.min(times * (1 + ifFails.retry), RUN_STEPS_MAX) },
      ...(undo === undefined ? [] : [{ name: stepName(place, true), call: undo, shapes, uses }]),
    ];
  });

/** How a grant opens a text; undefined if nobody has seen what its values may be. */
const loosen = ({ path, template }: OpenText, shapes: Shapes): Loosened | undefined => {
  const { paths } = findTemplates(template);
  const [only = '', ...others] = paths;
  const shape = others.length === 0 && Object.hasOwn(shapes, only) ? shapes[only] : undefined;
  if (shape !== undefined) return { path, kind: 'shape', template, shape };
  const isOfEvent = paths.every((one) => one.startsWith('event.')) && paths.length <= GRANT_WORDS_MAX;
  return isOfEvent ? { path, kind: 'words', template } : undefined;
};

/** Every call of a runbook in its order. */
export const listWholeCalls = (
  steps: readonly RunbookStep[],
  inputs: Run['inputs'],
  mayCover: MayCover,
): readonly WholeCall[] =>
  callsOf(steps).map(({ name, call: { tool, args: given }, shapes, uses }) => {
    const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, fillInputs(value, inputs)]));
    const open = openTexts(args);
    const loosened = open.flatMap((text) => loosen(text, shapes) ?? []);
    const isBounded = loosened.length === open.length && open.length <= GRANT_LOOSENED_MAX;
    return {
      name,
      call: { tool, args },
      shapes,
      uses,
      loosened,
      isCovered: isBounded && mayCover(tool, open.length > 0),
    };
  });

export interface GrantMaking {
  readonly space: string;
  /** Makes the action of a call, with its address. */
  readonly buildAction: (call: RunbookCall) => Action;
  readonly mayCover: MayCover;
  readonly now: number;
}

export const buildRunGrants = (run: Run, { steps }: Runbook, making: GrantMaking): readonly Grant[] => {
  const { approved, id, session, inputs, endsAt } = run;
  if (approved === undefined) return [];
  const signal = { payload: { sensor: 'run-step', run: id, n: 0, results: [] }, session } as const;
  const { job } = approved;
  return listWholeCalls(steps, inputs, making.mayCover).flatMap(
    ({ name, call, uses, loosened, isCovered }): Grant[] => {
      if (!isCovered) return [];
      const action = making.buildAction(call);
      return [
        {
          schemaVersion: 1,
          id: grantIdOf(job?.id ?? id, name),
          space: making.space,
          session,
          policyVersion: approved.policyVersion,
          gates: [...GATES],
          target: action.target,
          ...defined({ tool: action.tool, to: action.to, url: action.url, args: action.args }),
          loosened: [...loosened],
          taintSource: taintSource({ ...signal, payload: { ...signal.payload, results: [] } }, {}),
          usesMax: uses * (job?.runs ?? 1),
          uses: 0,
          state: 'live',
          createdAt: making.now,
          createdBy: approved.by,
          fromSignal: id,
          fromN: 0,
          expiresAtMs: job?.until ?? endsAt,
        },
      ];
    },
  );
};
