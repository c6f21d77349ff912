/** The records that tools may look up. */

import { defined } from '../base/defined.ts';
import { DEPTH_MAX } from '../base/limits.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { parseDecision, parseRecord } from '../ledger/ledger.ts';
import { SETTINGS_SEEN } from '../ledger/live-settings.ts';
import { loadHead } from '../ledger/session-controls.ts';
import { walkFeed } from '../ledger/walk-feed.ts';
import type { MemoryStore } from '../memory/memory.ts';
import type { VectorSegment } from '../memory/search/vector-segment.ts';
import { buildLoadSegments, parseVectorState, vectorKeys } from '../prompt/embeddings/vector-store.ts';
import { signalKeys } from '../store/keys.ts';
import { loadItem, loadNamed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { buildOutputStore } from '../tools/long-output.ts';
import { buildScriptStates } from '../tools/script-state.ts';
import { shownInResults } from '../tools/show-objects.ts';
import type { Summarised, ToolRecords } from '../tools/tool.ts';
import { findSeen, type Sighting } from '../verbs/signals/find-seen.ts';

/** Decisions named in the answer to a rollback. */
const SEEN_LINES_MAX = 10;

const seenLine = ({ signalId, at, objects }: Sighting): string =>
  `${signalId}  ${utcMinute(at)}  saw ${objects.map(({ id, version }) => `${id.slice(0, 8)} version ${version}`).join(', ')}`;

/** @returns lines that name the decisions which were shown something, as many as fit */
const seenLines = (found: readonly Sighting[], isWhole: boolean): readonly string[] => {
  if (found.length === 0)
    return [isWhole ? 'No decision was shown any of it.' : 'None of the decisions looked through was shown any of it.'];
  const left = found.length - SEEN_LINES_MAX;
  return [
    `Decisions that were shown some of it (/why <id>):`,
    ...found.slice(0, SEEN_LINES_MAX).map(seenLine),
    ...(left > 0 || !isWhole ? [`… ${left > 0 ? left : ''} more`.replace('  ', ' ')] : []),
  ];
};

export const buildToolRecords = (
  table: Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update'>,
  space: string,
  memory: MemoryStore,
): ToolRecords => ({
  keepOutput: buildOutputStore(table, space).keep,
  loadOutput: buildOutputStore(table, space).load,
  loadSummarised: (signalId) => loadSummarised(table, space, signalId),
  walkSignals: (since, visit) => walkFeed(table, space, since, visit),
  loadVectors: () => loadVectors(table, space),
  scriptStates: buildScriptStates(table, space),
  loadFocus: async (session) => (await loadHead(table, { space, session }))?.focus,
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

const loadVectors = async (table: Pick<Table, 'load'>, space: string): Promise<readonly VectorSegment[]> => {
  const state = parseVectorState(await loadItem(table, vectorKeys.state(space)));
  if (state === undefined) return [];
  return (await buildLoadSegments(table, space)(state)).map(({ segment }) => segment);
};

interface ShownToTurns {
  /** Objects of memory, `<id> v<n>`. */
  readonly objects: ReadonlySet<string>;
  /** When something of the turns was last erased, epoch milliseconds; 0 for never. */
  readonly forgottenAt: number;
}

/** Reads the signals of these turns level by level: a record names its children. */
const loadShown = async (
  table: Pick<Table, 'load'>,
  space: string,
  roots: readonly string[],
): Promise<ShownToTurns> => {
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
      for (const object of seen) if (object.id !== SETTINGS_SEEN) objects.add(`${object.id} v${object.version}`);
      forgottenAt = Math.max(forgottenAt, decision?.forgottenAt ?? 0);
      children.push(...own);
    }
    level = children;
  }
  return { objects, forgottenAt };
};

/** @returns what a summary is to be made of; undefined if the signal asks for none */
const loadSummarised = async (
  table: Pick<Table, 'load'>,
  space: string,
  signalId: string,
): Promise<Summarised | undefined> => {
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
