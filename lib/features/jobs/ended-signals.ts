/** Reads the signals of a turn, nearest first, once all of them have ended. */
import { DEPTH_MAX } from '../../core/base/limits.ts';
import { parseDecision, parseRecord } from '../../core/ledger/ledger.ts';
import type { SignalRecord } from '../../core/ledger/record.ts';
import type { Decision } from '../../core/signal/decision.ts';
import { isFinal } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';

export interface EndedSignal {
  readonly id: string;
  readonly record: SignalRecord;
  readonly decision: Decision | undefined;
}

/** @returns undefined while a signal of the turn is under way, or waits for a person */
export const loadEndedSignals = async (
  table: Pick<Table, 'load'>,
  space: string,
  root: string,
): Promise<readonly EndedSignal[] | undefined> => {
  const ended: EndedSignal[] = [];
  let level: readonly string[] = [root];
  for (let depth = 0; level.length > 0 && depth <= DEPTH_MAX + 1; depth += 1) {
    const found = await loadNamed(table, {
      records: level.map((id) => signalKeys.record(space, id)),
      decisions: level.map((id) => signalKeys.decision(space, id)),
    });
    const children: string[] = [];
    for (const [n, id] of level.entries()) {
      const item = found.records[n];
      // A child that its parent names is not stored yet.
      if (item === undefined) return undefined;
      const record = parseRecord(id, item);
      if (!isFinal(record.state)) return undefined;
      const stored = found.decisions[n];
      ended.push({ id, record, decision: stored && parseDecision(id, stored) });
      children.push(...(record.children ?? []));
    }
    level = children;
  }
  return ended;
};
