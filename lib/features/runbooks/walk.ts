/**
 * Finds the next step of a runbook: goes through the steps in the order of the file, leaves out
 * those whose `if` is false, and goes through the steps of an `each` once for every entry. Lists
 * are evaluated again each time, so that no run keeps an output. Pure.
 */
import type { Json } from '../../core/base/json.ts';
import type { StepPlace } from '../../core/ledger/run.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import { evaluateEach, evaluateIf } from './expression.ts';
import type { Scope } from './fill-template.ts';
import type { Runbook, RunbookStep } from './runbook.ts';

/** Expressions evaluated between two performed steps; each takes a millisecond or more. */
const RUN_EXPRESSIONS_MAX = 500;

/** All that expressions and templates may name, outside of any `each`. */
export type OuterScope = Omit<Scope, 'item'>;

export interface WalkDeps {
  readonly runbook: Runbook;
  readonly scope: OuterScope;
  readonly sandbox: Sandbox;
}

export type FoundStep =
  | { readonly kind: 'step'; readonly at: StepPlace; readonly step: RunbookStep }
  | { readonly kind: 'end' }
  /** A sentence: an expression that fails, or too many of them. */
  | { readonly kind: 'problem'; readonly problem: string };

const stepsAt = ({ steps }: Runbook, place: StepPlace): readonly RunbookStep[] => {
  let list = steps;
  for (let depth = 0; depth + 2 < place.length; depth += 2) {
    const step = list[place[depth] ?? 0];
    list = step?.kind === 'each' ? step.steps : [];
  }
  return list;
};

/** Undefined if the runbook has no such step. */
export const stepAt = (runbook: Runbook, place: StepPlace): RunbookStep | undefined =>
  stepsAt(runbook, place)[place.at(-1) ?? 0];

class Problem extends Error {}

export const buildWalk = ({ runbook, scope, sandbox }: WalkDeps) => {
  let evaluated = 0;
  const lists = new Map<string, readonly Json[]>();

  const count = (): void => {
    evaluated += 1;
    if (evaluated > RUN_EXPRESSIONS_MAX)
      throw new Problem(`it has more than ${RUN_EXPRESSIONS_MAX} expressions between two steps`);
  };

  /** The entry of the innermost `each` around a step. */
  const scopeAt = (place: StepPlace): Scope => {
    if (place.length < 3) return scope;
    const item = listAt(place.slice(0, -2))[place.at(-2) ?? 0];
    if (item === undefined) throw new Problem(`the list of step ${nameOf(place.slice(0, -2))} is shorter than it was`);
    return { ...scope, item };
  };

  const nameOf = (place: StepPlace): string => stepAt(runbook, place)?.place ?? '?';

  const listAt = (place: StepPlace): readonly Json[] => {
    const key = place.join('.');
    const known = lists.get(key);
    if (known !== undefined) return known;
    const step = stepAt(runbook, place);
    if (step?.kind !== 'each') throw new Problem('the run does not fit its runbook');
    count();
    const list = evaluateEach(sandbox, step.list, scopeAt(place), step.most);
    if (list.kind === 'problem') throw new Problem(`the list of step ${step.place} ${list.problem}`);
    lists.set(key, list.value);
    return list.value;
  };

  const isLeftOut = (step: RunbookStep, place: StepPlace): boolean => {
    if (step.condition === undefined) return false;
    count();
    const outcome = evaluateIf(sandbox, step.condition, scopeAt(place));
    if (outcome.kind === 'problem') throw new Problem(`the condition of step ${step.place} ${outcome.problem}`);
    return !outcome.value;
  };

  /** The place behind this one; undefined at the end of the runbook. */
  const behind = (place: StepPlace): StepPlace | undefined => {
    const index = place.at(-1) ?? 0;
    if (index + 1 < stepsAt(runbook, place).length) return [...place.slice(0, -1), index + 1];
    if (place.length < 3) return undefined;
    const around = place.slice(0, -2);
    const entry = (place.at(-2) ?? 0) + 1;
    return entry < listAt(around).length ? [...around, entry, 0] : behind(around);
  };

  const find = (from: StepPlace | undefined): FoundStep => {
    let at = from;
    while (at !== undefined) {
      const step = stepAt(runbook, at);
      if (step === undefined) throw new Problem('the run does not fit its runbook');
      if (isLeftOut(step, at)) at = behind(at);
      else if (step.kind !== 'each') return { kind: 'step', at, step };
      else at = listAt(at).length > 0 ? [...at, 0, 0] : behind(at);
    }
    return { kind: 'end' };
  };

  const orProblem = <T>(make: () => T): T | { readonly kind: 'problem'; readonly problem: string } => {
    try {
      return make();
    } catch (error) {
      if (error instanceof Problem) return { kind: 'problem', problem: error.message };
      throw error;
    }
  };

  return {
    first: (): FoundStep => orProblem(() => find([0])),
    after: (place: StepPlace): FoundStep => orProblem(() => find(behind(place))),
    scopeAt: (place: StepPlace) => orProblem(() => ({ kind: 'scope' as const, scope: scopeAt(place) })),
  };
};
export type Walk = ReturnType<typeof buildWalk>;
