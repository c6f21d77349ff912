/** The rows of an order, its receipt and its result, as the log gives them leaves. */
import type { EvidenceRows, RowRecord } from '../../core/log/due-leaves.ts';
import type { Item } from '../../core/store/table.ts';
import { parseOrderRow, parseReceiptRow, parseResultRow } from './signed-rows.ts';

type RowKind = 'runner-job' | 'runner-receipt' | 'runner-result';

const withoutKey = ({ pk: _pk, sk: _sk, ...rest }: Item): Item => rest;

/** By its sort key, `runner#<n>#<kind>`. Each has one leaf, because it never changes. */
const readRow = (item: Item): RowRecord => {
  const [sk, row] = [String(item.sk), withoutKey(item)];
  const recordOf = (kind: RowKind, id: string, fixed: { readonly at: number }): RowRecord => ({
    mark: `${kind}#${id.slice(id.lastIndexOf('#') + 1)}`,
    leaf: { kind, at: fixed.at },
    id,
    fixed,
  });
  if (sk.endsWith('#job')) {
    const fixed = parseOrderRow(row);
    return recordOf('runner-job', fixed.job.id, fixed);
  }
  if (sk.endsWith('#receipt')) {
    const fixed = parseReceiptRow(row);
    return recordOf('runner-receipt', fixed.effect, fixed);
  }
  const fixed = parseResultRow(row);
  return recordOf('runner-result', fixed.effect, fixed);
};

export const RUNNER_ROWS: EvidenceRows = { prefix: 'runner#', read: readRow };
