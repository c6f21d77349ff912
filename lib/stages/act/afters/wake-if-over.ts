/** A machine may end its job before Act has closed the signal: then nobody heard of it. */
import { perceiveMessage } from '../../../ledger/accept.ts';
import { isOver, loadOrderRow } from '../../../runner/order-row.ts';
import type { Effect } from '../../../signal/decision.ts';
import type { ActDeps, ActTurn } from '../act-context.ts';

export const wakeIfOver = async (deps: ActDeps, turn: ActTurn, effects: readonly Effect[]): Promise<void> => {
  const { signal } = turn.record;
  for (const { n, state, handedTo } of effects) {
    if (state !== 'suspended' || handedTo === undefined || turn.effects.get(n)?.handedTo !== undefined) continue;
    const row = await loadOrderRow(deps.table, signal.space, `${signal.id}#${n}`);
    if (row !== undefined && isOver(row, deps.now()))
      await deps.publishPerceive(perceiveMessage(signal), `runner:${n}:${row.state}:closed`);
  }
};
