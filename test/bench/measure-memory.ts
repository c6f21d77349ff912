/**
 * What memory costs: requests and bytes of a commit in a space of 1,000 and of 100,000 objects, of
 * a snapshot and of a rollback of ten changes, and what a view of 10,000 objects takes, cold and
 * warm. Spaces are filled in bulk, behind memory's back.
 */

import type { By } from '../../lib/core/memory/commit.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import { MEMORY_SCAN_MAX } from '../../lib/core/memory/read.ts';
import { countingTable, type RequestCounts } from '../core/memory/counting-table.ts';
import { aNote, NOW } from '../core/memory/notes.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { quantile } from './drive.ts';
import { fillMemory } from './fill-memory.ts';
import type { Measure, MeasureContext } from './measure.ts';
import type { Row } from './report.ts';

const SMALL = 1_000;
const LARGE = 100_000;
const VIEW = 10_000;
const CHANGES = 10;
const RECALLS = 20;

const by = (n: number): By => ({ signalId: `con-${n}`, effectId: `con-${n}#0`, actor: 'console', now: NOW + n });

interface Costs {
  readonly note: RequestCounts;
  readonly snapshot: RequestCounts;
  readonly rollback: RequestCounts;
}

const measureSpace = async (dynamo: TestDynamo, size: number): Promise<Costs> => {
  const space = `memory-${String(size).padStart(6, '0')}`;
  await fillMemory(dynamo, space, size);
  const { counting, during } = countingTable(dynamo.table);
  const memory = buildMemory(counting, space);
  const note = await during(() => memory.remember(aNote({ effectId: 'bench#0', signalId: 'bench' })));
  const snapshot = await during(() => memory.snapshot({ name: 'before', by: by(1) }));
  // The filled objects have no versions: what is changed and rolled back are notes made here.
  for (let n = 0; n < CHANGES; n += 1)
    await memory.remember(aNote({ effectId: `bench-${n}#0`, signalId: `bench-${n}` }));
  const rollback = await during(() => memory.rollback({ to: 'before', by: by(2) }));
  return { note, snapshot, rollback };
};

const requestsOf = ({ reads, writes }: RequestCounts): number => reads + writes;

const compare = (small: Costs, large: Costs): readonly Row[] => {
  const group = `memory, ${LARGE} objects against ${SMALL}`;
  const near = { is: '≤', value: 1.1 } as const;
  const ratio = (name: string, count: (costs: Costs) => number, unit: string): Row => ({
    group,
    name,
    value: count(large) / count(small),
    unit: '×',
    goal: near,
    note: `${count(large)} ${unit}`,
  });
  return [
    ratio('requests of a note', ({ note }) => requestsOf(note), 'requests'),
    ratio('bytes of a note', ({ note }) => note.bytes, 'bytes written'),
    ratio(`requests of a rollback of ${CHANGES} changes`, ({ rollback }) => requestsOf(rollback), 'requests'),
    { group, name: 'writes of a snapshot', value: large.snapshot.writes, unit: '', goal: { is: '≤', value: 1 } },
  ];
};

const measureView = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const space = 'memory-view';
  await fillMemory(dynamo, space, VIEW);
  const { counting, during } = countingTable(dynamo.table);
  const memory = buildMemory(counting, space);
  const coldAt = performance.now();
  const cold = await during(() => memory.view());
  const coldMs = performance.now() - coldAt;
  await buildMemory(dynamo.table, space).remember(aNote({ effectId: 'new#0', signalId: 'new' }));
  const warmAt = performance.now();
  const warm = await during(() => memory.view());
  const warmMs = performance.now() - warmAt;
  const recallsMs: number[] = [];
  for (let n = 0; n <= RECALLS; n += 1) {
    const startedAt = performance.now();
    await memory.recall({ query: `note ${n} person`, limit: 5 });
    // The first one takes the texts apart.
    if (n > 0) recallsMs.push(performance.now() - startedAt);
  }
  const group = `memory, view of ${VIEW} objects (${MEMORY_SCAN_MAX} at most)`;
  return [
    {
      group,
      name: 'warm',
      value: warm.reads,
      unit: 'requests',
      goal: { is: '≤', value: 3 },
      note: `${warmMs.toFixed(0)} ms`,
    },
    { group, name: 'cold', value: cold.reads, unit: 'requests', note: `${coldMs.toFixed(0)} ms` },
    { group, name: 'recall p50', value: quantile(recallsMs, 0.5), unit: 'ms', goal: { is: '≤', value: 50 } },
  ];
};

export const measureMemory: Measure = async ({ progress }: MeasureContext) => {
  await using dynamo = await startDynamo();
  progress(`memory: ${SMALL} objects`);
  const small = await measureSpace(dynamo, SMALL);
  progress(`memory: ${LARGE} objects`);
  const large = await measureSpace(dynamo, LARGE);
  progress(`memory: a view of ${VIEW}`);
  return [...compare(small, large), ...(await measureView(dynamo))];
};
