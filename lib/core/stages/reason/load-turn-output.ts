/** Finds the newest text that a tool gave in this turn, which `send-file` may send. */
import { rootOf } from '../../signal/ids.ts';
import type { Table } from '../../store/table.ts';
import { buildOutputStore, longOutputId, parseOutputId } from '../../tools/long-output.ts';
import type { LoadedTurn } from './load-turn.ts';

/** All that is stored of a long output. Any text may look like another of the turn. */
export const loadTurnOutput = async (
  table: Pick<Table, 'load' | 'put'>,
  space: string,
  { steps, record }: Pick<LoadedTurn, 'steps' | 'record'>,
  tool: string,
): Promise<string | undefined> => {
  const results = steps.flatMap((step) => (step.kind === 'results' ? step.results : []));
  const found = results.findLast((one) => one.tool === tool && one.state === 'done');
  const id = longOutputId(found?.output ?? '') ?? '';
  const isOwn = rootOf(parseOutputId(id)?.signalId ?? '') === record.signal.root;
  const whole = isOwn ? await buildOutputStore(table, space).load(id) : undefined;
  return whole?.text ?? found?.output;
};
