/**
 * What a summary is made of, looked up by code for the tool that keeps it: the turns its signal names, and the objects of memory
 * that those turns were shown, by their prompts or by a tool. Bounded as turns are. Reads only.
 */

import { defined } from '../base/defined.ts';
import { DEPTH_MAX } from '../base/limits.ts';
import { parseDecision, parseRecord } from '../ledger/ledger.ts';
import { signalKeys } from '../store/keys.ts';
import { loadItem, loadNamed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { shownInResults } from '../tools/show-objects.ts';
import type { Summarised } from '../tools/tool.ts';

interface Shown {
  /** `<id> v<n>` */
  readonly objects: ReadonlySet<string>;
  /** When something of the turns was last erased, epoch milliseconds; 0 where nothing was. */
  readonly forgottenAt: number;
}

/** Signals of these turns level by level: a record names its children. */
const loadShown = async (table: Pick<Table, 'load'>, space: string, roots: readonly string[]): Promise<Shown> => {
  const objects = new Set<string>();
  let forgottenAt = 0;
  let level = roots;
  for (let depth = 0; level.length > 0 && depth <= DEPTH_MAX; depth += 1) {
    const { records, decisions } = await loadNamed(table, {
      records: level.map((id) => signalKeys.record(space, id)),
      decisions: level.map((id) => signalKeys.decision(space, id)),
    });
    const children: string[] = [];
    for (const [index, id] of level.entries()) {
      const record = records[index];
      const decided = decisions[index];
      if (record === undefined) continue;
      const { signal, children: own = new Set<string>() } = parseRecord(id, record);
      const decision = decided === undefined ? undefined : parseDecision(id, decided);
      const results = 'results' in signal.payload ? signal.payload.results : [];
      const seen = [...(decision?.seen ?? []), ...shownInResults(results)];
      for (const object of seen) objects.add(`${object.id} v${object.version}`);
      forgottenAt = Math.max(forgottenAt, decision?.forgottenAt ?? 0);
      children.push(...own);
    }
    level = children;
  }
  return { objects, forgottenAt };
};

export const buildLoadSummarised =
  (table: Pick<Table, 'load'>, space: string) =>
  async (signalId: string): Promise<Summarised | undefined> => {
    const item = await loadItem(table, signalKeys.record(space, signalId));
    const signal = item === undefined ? undefined : parseRecord(signalId, item).signal;
    if (signal?.payload.sensor !== 'session-summary') return undefined;
    const { turns, summary } = signal.payload;
    const { objects, forgottenAt } = await loadShown(table, space, turns);
    return {
      session: signal.session,
      turns,
      shown: [...objects],
      ...defined({ previous: summary }),
      askedAt: signal.receivedAt,
      isForgotten: forgottenAt >= signal.receivedAt,
    };
  };
