/** Reads what became of a helper's turn: its answer, what it was shown, and its own helpers. */
import type { Decision, SeenObject } from '../../core/signal/decision.ts';
import { DELEGATE } from '../../core/signal/job-run.ts';
import { joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { jobKeys } from '../../core/store/keys.ts';
import type { Table } from '../../core/store/table.ts';
import { shownInResults } from '../../core/tools/show-objects.ts';
import { loadEndedSignals } from '../jobs/ended-signals.ts';
import { parseTask, type Task, taskIdOf } from './task.ts';

export interface EndedTurn {
  readonly answer: string;
  readonly origin: Origin;
  /** Objects of memory that it was shown: a forgetting finds its report by them. */
  readonly shown: readonly SeenObject[];
  /** In plain words, why it has no answer. */
  readonly why: string | undefined;
}

/** A helper, with the number of the action that asked for it. */
export interface NumberedTask {
  readonly n: number;
  readonly id: string;
  readonly task: Task;
}

/** The helpers that a decision began. */
export const loadTasksOf = async (
  table: Pick<Table, 'load'>,
  space: string,
  { signalId, actions }: Pick<Decision, 'signalId' | 'actions'>,
): Promise<readonly NumberedTask[]> => {
  const asked = actions.flatMap(({ action }, n) =>
    action.tool === DELEGATE ? [{ n, id: taskIdOf(`${space}/${signalId}#${n}`) }] : [],
  );
  if (asked.length === 0) return [];
  const items = await table.load(
    asked.map(({ id }) => jobKeys.occurrence(space, id)),
    { isConsistent: true },
  );
  return asked.flatMap((one, index) => {
    const item = items[index];
    return item === undefined ? [] : [{ ...one, task: parseTask(item) }];
  });
};

/** @returns undefined while something of it is under way, waits for a person, or for a helper */
export const loadEndedTurn = async (
  table: Pick<Table, 'load'>,
  space: string,
  root: string,
): Promise<EndedTurn | undefined> => {
  const ended = await loadEndedSignals(table, space, root);
  if (ended === undefined) return undefined;
  const shown = new Map<string, SeenObject>();
  for (const { record, decision } of ended) {
    const helpers = decision === undefined ? [] : await loadTasksOf(table, space, decision);
    if (helpers.some(({ task }) => task.unfinishedAt !== undefined)) return undefined;
    const { payload } = record.signal;
    const results = 'results' in payload ? payload.results : [];
    for (const one of [...(decision?.seen ?? []), ...shownInResults(results)])
      shown.set(`${one.id} ${one.version}`, one);
  }
  const replies = ended[0]?.record.replies ?? [];
  const answer = replies.map(({ text }) => text).join('\n\n');
  return {
    answer,
    origin: joinOrigins(['agent', ...replies.map(({ origin }) => origin)]),
    shown: [...shown.values()],
    why: ended.find(({ record }) => record.stateReason !== undefined)?.record.stateReason,
  };
};
