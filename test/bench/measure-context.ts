/**
 * What a prompt's memory costs in a space of 10,000 objects with vectors of 1,536 numbers: requests
 * and time of putting it together, in a warm process where nothing and where a note has changed,
 * and cold.
 */

import { commitKeys } from '../../lib/core/memory/keys.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../lib/core/memory/object.ts';
import { buildSegments, modelIdOf, vectorsPerSegment } from '../../lib/core/memory/search/vector-segment.ts';
import { CONTEXT_TOKENS_MAX } from '../../lib/core/prompt/build-prompt.ts';
import { saveSegment, saveVectorState } from '../../lib/core/prompt/embeddings/vector-store.ts';
import { renderContext } from '../../lib/core/prompt/foveal.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { buildLookAtMemory } from '../../lib/core/stages/reason/look-at-memory.ts';
import { countingTable } from '../core/memory/counting-table.ts';
import { aNote } from '../core/memory/notes.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { quantile } from './drive.ts';
import { fillMemory } from './fill-memory.ts';
import type { Measure } from './measure.ts';

const SPACE = 'context';
const OBJECTS = 10_000;
const DIMENSIONS = 1_536;
const TURNS = 20;
const READS_MAX = 8;
const MODEL = modelIdOf('bench');

const vectorOf = (n: number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(n * 1.3 + at * (1 + (n % 7))));

const fillVectors = async ({ table }: TestDynamo): Promise<void> => {
  const perSegment = vectorsPerSegment(DIMENSIONS);
  const segments: { n: number; revision: number; count: number }[] = [];
  for (let first = 0; first < OBJECTS; first += perSegment) {
    const count = Math.min(perSegment, OBJECTS - first);
    const entries = Array.from({ length: count }, (_, n) => ({
      id: memoryIdOf(`fill-${first + n}#0`),
      version: 1,
      vector: vectorOf(first + n),
    }));
    await saveSegment(table, SPACE, { n: segments.length, bytes: buildSegments(entries, MODEL)[0] });
    segments.push({ n: segments.length, revision: 1, count });
  }
  await saveVectorState(table, SPACE, { model: MODEL, commit: 1, segments }, undefined);
};

const signal: Signal = {
  schemaVersion: 1,
  id: 'con-bench',
  type: 'EVENT',
  source: 'console',
  space: SPACE,
  session: 'console:main',
  root: 'con-bench',
  depth: 0,
  receivedAt: 0,
  sender: { id: 'console', isApprover: true },
  reply: { target: 'console', to: 'main' },
  payload: { sensor: 'chat-message', text: [{ text: 'what did a person write down in note 4711?', origin: 'owner' }] },
};
const RECORD = { schemaVersion: 1, state: 'perceived', signal, round: 0, sweeps: 0 } as const;

export const measureContext: Measure = async (context) => {
  context.progress('context');
  const dynamo = await startDynamo();
  try {
    await fillMemory(dynamo, SPACE, OBJECTS);
    await fillVectors(dynamo);
    const { counting, during } = countingTable(dynamo.table);
    const look = buildLookAtMemory({ table: counting, space: SPACE, privacyTags: [], log: () => undefined });
    const vector = { model: MODEL, ask: async () => ({ values: vectorOf(4_711), model: MODEL }) };
    const once = async () => {
      // Reason reads it with everything else the turn needs.
      const [head] = await dynamo.table.load([commitKeys.head(SPACE)], { isConsistent: true });
      const memory = { head, chat: 'open', wasShown: false, ownNotes: new Set<string>(), outsideNotes: [] } as const;
      const root = { record: RECORD, payload: signal.payload };
      const session = { head: undefined, history: [], summaryItem: undefined, logs: [], mailbox: [] };
      const turn = { asker: 'owner', record: RECORD, root, session, memory, logHead: undefined } as const;
      const startedAt = performance.now();
      let shown = 0;
      const { reads } = await during(async () => {
        const looked = await look(turn, Date.now(), vector);
        if (looked === undefined) throw new Error('nothing of memory could be shown');
        shown = renderContext({ ...looked.context, tokensMax: CONTEXT_TOKENS_MAX }).seen.length;
      });
      if (shown === 0) throw new Error('the context is empty');
      return { reads, ms: performance.now() - startedAt };
    };
    const cold = await once();
    const warm = [];
    for (let n = 0; n < TURNS; n += 1) warm.push(await once());
    const memory = buildMemory(dynamo.table, SPACE);
    const changed = [];
    for (let n = 0; n < TURNS; n += 1) {
      await memory.remember(aNote({ effectId: `bench-${n}#0`, signalId: `bench-${n}` }));
      changed.push(await once());
    }
    const group = `context of a prompt, ${OBJECTS} objects with vectors`;
    const goal = { is: '≤', value: READS_MAX } as const;
    const readsOf = (list: readonly { reads: number }[]) => Math.max(...list.map(({ reads }) => reads));
    const p50 = (list: readonly { ms: number }[]) =>
      quantile(
        list.map(({ ms }) => ms),
        0.5,
      );
    const note = 'and the head, in a read the turn makes anyway';
    return [
      { group, name: 'reads, warm', value: readsOf(warm), unit: '', goal, note },
      { group, name: 'reads, warm, a note has changed', value: readsOf(changed), unit: '', goal },
      { group, name: 'reads, cold', value: cold.reads, unit: '' },
      { group, name: 'p50, warm', value: p50(warm), unit: 'ms' },
      { group, name: 'p50, warm, a note has changed', value: p50(changed), unit: 'ms' },
      { group, name: 'cold', value: cold.ms, unit: 'ms' },
    ];
  } finally {
    await dynamo.stop();
  }
};
