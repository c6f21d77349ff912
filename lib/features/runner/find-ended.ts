/** The effects whose order has ended, or has no time left. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { isOver, loadOrderRow } from './order-row.ts';

export const findEnded: NonNullable<FeatureHooks['findEnded']> = async ({ table, space, now }, id, handed) => {
  const rows = await Promise.all(handed.map(({ n }) => loadOrderRow(table, space, `${id}#${n}`)));
  return handed.filter((_, index) => {
    const row = rows[index];
    return row === undefined || isOver(row, now);
  });
};
