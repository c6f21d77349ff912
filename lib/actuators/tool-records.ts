/** What tools may look up among signals and decisions: narrow functions over the table, built once for Act. */

import { parseRecord } from '../ledger/ledger.ts';
import type { MemoryStore } from '../memory/memory.ts';
import { findSeen, type Seeing } from '../stages/explain/find-seen.ts';
import { type ForgetTable, forgetTraces } from '../stages/forget/forget-traces.ts';
import { shownTime } from '../stages/memory-lines.ts';
import { signalKeys } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { buildOutputStore, type OutputStore } from '../tools/kept-output.ts';
import type { ToolRecords } from '../tools/tool.ts';
import { buildLoadSummarised } from './summarised.ts';

/** Decisions named in the answer to a rollback. */
const SEEN_LINES_MAX = 10;

const lineOf = ({ signalId, at, objects }: Seeing): string =>
  `${signalId}  ${shownTime(at)} UTC  saw ${objects.map(({ id, version }) => `${id.slice(0, 8)} version ${version}`).join(', ')}`;

/** Lines for a person: which decisions saw something, as many as fit. */
export const seenLines = (found: readonly Seeing[], isWhole: boolean): readonly string[] => {
  if (found.length === 0)
    return [isWhole ? 'No decision was shown any of it.' : 'None of the decisions looked through was shown any of it.'];
  const left = found.length - SEEN_LINES_MAX;
  return [
    `Decisions that were shown some of it (/why <id>):`,
    ...found.slice(0, SEEN_LINES_MAX).map(lineOf),
    ...(left > 0 || !isWhole ? [`… ${left > 0 ? left : ''} more`.replace('  ', ' ')] : []),
  ];
};

const outputRecords = ({ keep, load }: OutputStore): Pick<ToolRecords, 'keepOutput' | 'loadOutput'> => ({
  keepOutput: keep,
  loadOutput: load,
});

export const buildToolRecords = (table: ForgetTable, space: string, memory: MemoryStore): ToolRecords => ({
  ...outputRecords(buildOutputStore(table, space)),
  eraseTraces: (what) => forgetTraces({ table, space, memory }, what),
  loadSummarised: buildLoadSummarised(table, space),
  loadPayload: async (id) => {
    const item = await loadItem(table, signalKeys.record(space, id));
    return item === undefined ? undefined : parseRecord(id, item).signal.payload;
  },
  findSeen: async (ids, commit) => {
    const [first] = await memory.commitsAfter(commit, 1);
    if (first === undefined || ids.length === 0) return [];
    const { found, isWhole } = await findSeen(table, space, new Set(ids), first.at);
    return seenLines(found, isWhole);
  },
});
