/**
 * Finds a whole file that this turn read on a machine: the hash as the machine signed it, and the
 * text as far as it is stored. A command that runs the file is asked about with both.
 */
import { parseDecision, parseRecord } from '../../core/ledger/ledger.ts';
import type { Action } from '../../core/signal/action.ts';
import { chainOf } from '../../core/signal/ids.ts';
import type { ReadContext } from '../../core/stages/reason/reason-feature.ts';
import { runnerKeys, signalKeys } from '../../core/store/keys.ts';
import { loadItem, loadNamed } from '../../core/store/load-named.ts';
import { buildOutputStore, longOutputId } from '../../core/tools/long-output.ts';
import { parseResultRow } from './signed-rows.ts';
import { type ReadFile, readFile } from './tools/files.ts';

const isReadOf = ({ tool, args = {} }: Action, runner: string, path: string): boolean =>
  tool === readFile.name &&
  args.runner === runner &&
  args.path === path &&
  args.from === undefined &&
  args.lines === undefined;

/** A long output begins with a line about itself. */
const storedText = async (table: ReadContext['table'], space: string, output: string): Promise<string> => {
  const id = longOutputId(output);
  if (id === undefined) return output;
  return (await buildOutputStore(table, space).load(id))?.text ?? output.slice(output.indexOf('\n') + 1);
};

/** @param signalId of the signal that is judged; the newest read of its turn counts */
export const buildLoadReadFile =
  ({ table, space, signalId }: ReadContext) =>
  async (runner: string, path: string): Promise<ReadFile | 'failed' | undefined> => {
    const chain = chainOf(signalId);
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
