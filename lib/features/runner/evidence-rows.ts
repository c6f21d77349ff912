/** The rows of an order, its receipt and its result, as the log gives them leaves. */
import type { EvidenceRows, RunnerRecord } from '../../core/log/due-leaves.ts';
import type { Item } from '../../core/store/table.ts';
import { parseOrderRow, parseReceiptRow, parseResultRow } from './signed-rows.ts';

const withoutKey = ({ pk: _pk, sk: _sk, ...rest }: Item): Item => rest;

/** By its sort key, `runner#<n>#<kind>`. */
const readRow = (item: Item): RunnerRecord => {
  const [sk, row] = [String(item.sk), withoutKey(item)];
  if (sk.endsWith('#job')) {
    const fixed = parseOrderRow(row);
    return { kind: 'runner-job', id: fixed.job.id, fixed };
  }
  if (sk.endsWith('#receipt')) {
    const fixed = parseReceiptRow(row);
    return { kind: 'runner-receipt', id: fixed.effect, fixed };
  }
  const fixed = parseResultRow(row);
  return { kind: 'runner-result', id: fixed.effect, fixed };
};

export const RUNNER_ROWS: EvidenceRows = { prefix: 'runner#', read: readRow };
