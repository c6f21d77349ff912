/**
 * A streamed turn with a tool call whose stages die after any operation, and its messages delivered
 * again: each answer is sent once, what is shown of it is a beginning of one thing the model wrote,
 * never a mixture, and forgetting takes the chunks too.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { readDraft } from '../../lib/core/signal/draft.ts';
import { FORGOTTEN } from '../../lib/core/stages/act/forgotten.ts';
import { DRAFT_INTERVAL_MS } from '../../lib/core/stages/reason/draft.ts';
import type { ReasonDeps } from '../../lib/core/stages/reason/reason-deps.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { startDynamo } from '../support/dynamo.ts';
import { sampleSteps } from '../support/sample.ts';
import { buildSimulation, ownerMessage, type Simulation, signalWith } from '../support/simulation.ts';
import { BECAUSE, newSpace } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const NOTE = 'the violet heron nests behind the mill';
/** Another text each time it is asked, as models do. */
const wordsOf = (what: string, time: number): string =>
  `This is ${what}, written for the ${['first', 'second', 'third'][time] ?? 'last'} time, and it says that ${NOTE}. `.repeat(
    3,
  );

/** Some of it has been stored by then. */
const MEANWHILE_CHARS = 120;

/** Act takes them while Reason is still at it. */
const showDrafts = async ({ queue, deliver }: Simulation): Promise<void> => {
  for (const message of queue.filter(({ stage }) => stage === 'draft')) {
    queue.splice(queue.indexOf(message), 1);
    await deliver(message);
  }
};

/** The table, and how to wait until nobody is at it. */
const watchTable = (table: Table): { readonly table: Table; readonly settle: () => Promise<void> } => {
  let open = 0;
  const watched = async <T>(operation: Promise<T>): Promise<T> => {
    open += 1;
    return await operation.finally(() => {
      open -= 1;
    });
  };
  return {
    table: {
      load: (...args) => watched(table.load(...args)),
      query: (...args) => watched(table.query(...args)),
      queryIndex: (...args) => watched(table.queryIndex(...args)),
      put: (...args) => watched(table.put(...args)),
      update: (...args) => watched(table.update(...args)),
      transact: (...args) => watched(table.transact(...args)),
    },
    // What follows an operation follows it in the same turn of the event loop; a few more do no
    // harm.
    settle: async () => {
      for (let quiet = 0; quiet < 5; quiet = open === 0 ? quiet + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

interface Play {
  readonly setUp?: (simulation: Simulation) => void;
  /** While the answer after the tool is written. */
  readonly meanwhile?: (space: string, now: number) => Promise<void>;
}

const play = async ({ setUp = () => undefined, meanwhile = async () => undefined }: Play = {}) => {
  const space = newSpace();
  const drafts: { draftId: number; text: string }[] = [];
  const { table, settle } = watchTable(dynamo.table);
  let asked = 0;
  const ask: ReasonDeps['ask'] = async ({ messages }, _, { hear }) => {
    const hasResult = messages.some(({ role }) => role === 'tool');
    const content = wordsOf(hasResult ? 'the answer' : 'the beginning', asked);
    asked += 1;
    for (let chars = 40; chars < content.length; chars += 40) {
      simulation.advance(DRAFT_INTERVAL_MS);
      hear?.({ text: content.slice(0, chars), hasCalls: false });
      await settle();
      await showDrafts(simulation);
      if (hasResult && chars === MEANWHILE_CHARS) await meanwhile(space, simulation.now());
    }
    const args = JSON.stringify({ text: NOTE, explanation: BECAUSE });
    const toolCalls = hasResult ? [] : [{ id: 'c1', name: 'remember', argumentsText: args }];
    const answer = { content, toolCalls, model: 'test' };
    return { provider: 'test', model: 'test', answer, index: 0, billed: [], failures: [] };
  };
  const simulation: Simulation = buildSimulation({
    table,
    space,
    answer: () => ({}),
    ask,
    sendDraft: async (_, draftId, text) => void drafts.push({ draftId, text }),
  });
  setUp(simulation);
  await simulation.accept(ownerMessage(space, 1, 'remember the heron'));
  await simulation.drain();
  const chunksOf = async (id: string) => {
    const { items } = await dynamo.table.query({
      pk: signalKeys.partition(space, id),
      skPrefix: 'stream#',
      isConsistent: true,
    });
    return { items, shown: readDraft(items, { target: 'telegram', to: '7' }).at(-1)?.prefix ?? '' };
  };
  return { space, simulation, drafts, chunksOf };
};

const TURN = ['tg-1-1', 'tg-1-1/1'];
const isWritten = (text: string): boolean =>
  ['the beginning', 'the answer'].some((what) => [0, 1, 2, 3].some((time) => wordsOf(what, time).startsWith(text)));

describe('a streamed turn with a tool call', () => {
  it('streams both answers, and sends each once', async () => {
    const { simulation, drafts, chunksOf } = await play();
    for (const id of TURN) expect((await chunksOf(id)).shown.length).toBeGreaterThanOrEqual(80);
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual(
      [wordsOf('the beginning', 0), wordsOf('the answer', 1)].map((text) => text.trim()),
    );
    expect(drafts.filter(({ text }) => wordsOf('the answer', 1).startsWith(text)).length).toBeGreaterThan(0);
    expect(new Set(drafts.map(({ draftId }) => draftId)).size).toBe(1);
  });

  it('stays one text at a time wherever it dies, and whatever is delivered again', async () => {
    const { simulation } = await play();
    for (const k of sampleSteps('streaming', 1, simulation.operations())) {
      const crashed = await play({ setUp: (one) => one.crashAt(k) });
      expect(crashed.simulation.crashes).toHaveLength(1);
      for (const { text } of crashed.drafts) expect([k, isWritten(text)]).toStrictEqual([k, true]);
      for (const id of TURN) expect([k, isWritten((await crashed.chunksOf(id)).shown)]).toStrictEqual([k, true]);
      for (const id of TURN)
        expect(
          crashed.simulation.sent.filter(({ effectId }) => effectId === `${crashed.space}/${id}#0`).length,
        ).toBeLessThan(2);
    }
  });

  const forget = async (simulation: Simulation, space: string): Promise<void> => {
    const { items } = await dynamo.table.query({ pk: `memory#${space}`, skPrefix: 'object#' });
    const payload = { sensor: 'command', name: 'forget', rest: String(items[0]?.sk).split('#')[1] ?? '' } as const;
    await simulation.accept(signalWith(space, 'tg-1-2', payload, '8', simulation.now()));
    await simulation.drain();
  };

  it('keeps no chunk of what was forgotten', async () => {
    const { space, simulation, chunksOf } = await play();
    await forget(simulation, space);
    for (const id of TURN) {
      const { items, shown } = await chunksOf(id);
      expect(items.length).toBeGreaterThan(0);
      expect([items.map(({ text }) => text), shown]).toStrictEqual([items.map(() => FORGOTTEN), '']);
    }
  });

  it('keeps no chunk of what is forgotten while it is written', async () => {
    const { simulation, chunksOf } = await play({
      meanwhile: async (space, now) =>
        forget(buildSimulation({ table: dynamo.table, space, answer: () => ({}), startAt: now }), space),
    });
    for (const id of TURN) {
      const { items } = await chunksOf(id);
      expect(items.length).toBeGreaterThan(0);
      expect([id, ...items.map(({ text }) => text)]).toStrictEqual([id, ...items.map(() => FORGOTTEN)]);
    }
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual([
      wordsOf('the beginning', 0).trim(),
      expect.stringMatching(/^Something my answer was based on has been forgotten/),
    ]);
  });
});
