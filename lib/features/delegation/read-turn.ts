/** Reads what became of a helper's turn: its answer, what it was shown, and its own helpers. */
import { DEPTH_MAX } from '../../core/base/limits.ts';
import { parseDecision, parseRecord } from '../../core/ledger/ledger.ts';
import type { Decision, SeenObject } from '../../core/signal/decision.ts';
import { DELEGATE } from '../../core/signal/job-run.ts';
import { isFinal, joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { jobKeys, signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { shownInResults } from '../../core/tools/show-objects.ts';
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
  const shown = new Map<string, SeenObject>();
  let replies: readonly { readonly text: string; readonly origin: Origin }[] = [];
  let why: string | undefined;
  let level: readonly string[] = [root];
  for (let depth = 0; level.length > 0 && depth <= DEPTH_MAX + 1; depth += 1) {
    const found = await loadNamed(table, {
      records: level.map((id) => signalKeys.record(space, id)),
      decisions: level.map((id) => signalKeys.decision(space, id)),
    });
    const children: string[] = [];
    for (const [n, id] of level.entries()) {
      const item = found.records[n];
      if (item === undefined) return undefined;
      const record = parseRecord(id, item);
      if (!isFinal(record.state)) return undefined;
      if (id === root) replies = record.replies ?? [];
      why ??= record.stateReason;
      children.push(...(record.children ?? []));
      const stored = found.decisions[n];
      const decision = stored && parseDecision(id, stored);
      const helpers = decision === undefined ? [] : await loadTasksOf(table, space, decision);
      if (helpers.some(({ task }) => task.unfinishedAt !== undefined)) return undefined;
      const { payload } = record.signal;
      const results = 'results' in payload ? payload.results : [];
      for (const one of [...(decision?.seen ?? []), ...shownInResults(results)])
        shown.set(`${one.id} ${one.version}`, one);
    }
    level = children;
  }
  const answer = replies.map(({ text }) => text).join('\n\n');
  return {
    answer,
    origin: joinOrigins(['agent', ...replies.map(({ origin }) => origin)]),
    shown: [...shown.values()],
    why,
  };
};
