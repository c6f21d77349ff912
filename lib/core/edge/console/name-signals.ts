/**
 * Names signals of a list as a person would: the step of a run by its runbook, and the decision on
 * an approval by the action. Reads the runs and approvals of one page of the list in one read, and
 * each runbook's text once. A signal whose run or approval is gone keeps its plain name.
 */

import { STEP_COUNTERS } from '../../../features/step-counters.ts';
import { parseApproval } from '../../approvals/approval.ts';
import { defined } from '../../base/defined.ts';
import type { Language } from '../../base/language.ts';
import { cardWords } from '../../judge/card.ts';
import { parseDecision } from '../../ledger/ledger.ts';
import { parseRun, type Run } from '../../ledger/run.ts';
import type { Signal } from '../../signal/signal.ts';
import { approvalKey, type Key, runKeys, signalKeys } from '../../store/keys.ts';
import { readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';
import type { ConsoleDeps } from './router.ts';
import type { ListedSignal } from './views.ts';

export type About = NonNullable<ListedSignal['about']>;

const keyOf = (space: string, { payload }: Signal): Key | undefined => {
  if (payload.sensor === 'run-step') return runKeys.record(space, payload.run);
  return payload.sensor === 'approval-decision' ? approvalKey(space, payload.approvalId) : undefined;
};

/** @returns undefined if nothing here knows them */
const countSteps = async (deps: ConsoleDeps, run: Run): Promise<number | undefined> => {
  const counts = await Promise.all(STEP_COUNTERS.map((count) => count(deps, run)));
  return counts.find((count) => count !== undefined);
};

const nameStep = (run: Run, n: number, of: number | undefined): About => {
  const at = run.ended.find((step) => step.n === n)?.at ?? (run.n === n ? run.current?.at : undefined);
  const { runbook, state } = run;
  return { kind: 'step', runbook, state, ...defined({ n: at?.[0] === undefined ? undefined : at[0] + 1, of }) };
};

/** @returns the names by the ids of the signals */
export const nameSignals = async (
  deps: ConsoleDeps,
  signals: readonly Signal[],
  language: Language,
): Promise<ReadonlyMap<string, About>> => {
  const wanted = signals.flatMap((signal) => {
    const key = keyOf(deps.space, signal);
    return key === undefined ? [] : [{ signal, key }];
  });
  if (wanted.length === 0) return new Map();
  const keys = [...new Map(wanted.map(({ key }) => [`${key.pk} ${key.sk}`, key])).values()];
  const found = await deps.table.load(keys);
  const items = new Map(found.flatMap((item): [string, Item][] => (item ? [[`${item.pk} ${item.sk}`, item]] : [])));
  const say = await cardWords.in(language);
  const steps = new Map<string, Promise<number | undefined>>();
  const names = await Promise.all(
    wanted.map(async ({ signal: { id, payload }, key }): Promise<[string, About] | undefined> => {
      const item = items.get(`${key.pk} ${key.sk}`);
      if (item === undefined) return undefined;
      if (payload.sensor === 'approval-decision') {
        const approval = readOrSkip(item, (known) => parseApproval(payload.approvalId, known));
        if (approval === undefined) return undefined;
        return [id, { kind: 'approval', decision: payload.decision, sentence: say.sentence(approval.action) }];
      }
      if (payload.sensor !== 'run-step') return undefined;
      const run = readOrSkip(item, parseRun);
      if (run === undefined) return undefined;
      const of = steps.get(run.hash) ?? countSteps(deps, run);
      steps.set(run.hash, of);
      return [id, nameStep(run, payload.n, await of)];
    }),
  );
  return new Map(names.filter((name) => name !== undefined));
};

/** Model calls of a turn are counted in its first steps. Few turns have more. */
const COST_STEPS_MAX = 4;

/** @returns micro-dollars of these turns by the ids of their roots, by their last attempt */
export const costsOf = async (
  { table, space }: ConsoleDeps,
  roots: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const steps = roots.flatMap((root) =>
    Array.from({ length: COST_STEPS_MAX }, (_, n) => ({ root, id: `${root}${'/1'.repeat(n)}` })),
  );
  const items = await table.load(steps.map(({ id }) => signalKeys.decision(space, id)));
  const costs = new Map<string, number>();
  for (const [n, { root, id }] of steps.entries()) {
    const item = items[n];
    const usd = readOrSkip(item, (known) => parseDecision(id, known))?.attempt?.cost?.turnUsd;
    if (usd !== undefined) costs.set(root, usd);
  }
  return costs;
};
