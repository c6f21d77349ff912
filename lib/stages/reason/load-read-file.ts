/**
 * Finds outputs of earlier calls of the turn. Of a whole file that it read on a machine: the hash
 * as the machine signed it, and the text as far as it is stored; a command that runs the file is
 * asked about with both. Of any tool: the newest text that it gave, which `send-file` may send.
 */
import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import { parseResultRow } from '../../runner/signed-rows.ts';
import type { Action } from '../../signal/action.ts';
import { chainOf, rootOf } from '../../signal/ids.ts';
import { runnerKeys, signalKeys } from '../../store/keys.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { readFile } from '../../tools/files.ts';
import { buildOutputStore, longOutputId, parseOutputId } from '../../tools/long-output.ts';
import type { ReadFile } from '../../tools/tool.ts';
import type { LoadedTurn } from './load-turn.ts';

type OutputTable = Pick<Table, 'load' | 'put'>;

const isReadOf = ({ tool, args = {} }: Action, runner: string, path: string): boolean =>
  tool === readFile.name &&
  args.runner === runner &&
  args.path === path &&
  args.from === undefined &&
  args.lines === undefined;

/** A long output begins with a line about itself. */
const storedText = async (table: OutputTable, space: string, output: string): Promise<string> => {
  const id = longOutputId(output);
  if (id === undefined) return output;
  return (await buildOutputStore(table, space).load(id))?.text ?? output.slice(output.indexOf('\n') + 1);
};

/** @param id of the signal that is judged; the newest read of its turn counts */
export const buildLoadReadFile =
  (table: OutputTable, space: string, id: string) =>
  async (runner: string, path: string): Promise<ReadFile | 'failed' | undefined> => {
    const chain = chainOf(id);
    for (let at = chain.length - 2; at >= 0; at -= 1) {
      const [parent = '', child = ''] = chain.slice(at);
      const items = await loadNamed(table, {
        decision: signalKeys.decision(space, parent),
        record: signalKeys.record(space, child),
      });
      if (items.decision === undefined || items.record === undefined) continue;
      const n = parseDecision(parent, items.decision).actions.findIndex(({ action }) => isReadOf(action, runner, path));
      const { payload } = parseRecord(child, items.record).signal;
      const results = 'results' in payload ? payload.results : [];
      const result = results.find((one) => one.n === n);
      if (result !== undefined && result.state !== 'done') return 'failed';
      const row = result && (await loadItem(table, runnerKeys.evidence(space, parent, n, 'result')));
      if (result !== undefined && row !== undefined)
        return {
          sha256: parseResultRow(row).result.output.sha256,
          text: await storedText(table, space, result.output),
        };
    }
    return undefined;
  };

/** All that is stored of a long output. Any text may look like another of the turn. */
export const loadTurnOutput = async (
  table: OutputTable,
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
