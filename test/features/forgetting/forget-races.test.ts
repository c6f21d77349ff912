/**
 * Forgetting while others are at work: a turn that is shown the note after the forgetting has
 * looked for its traces, and the log's writer, which comes by at any moment. Whatever the order, no
 * word stays, and an export of the log is verified.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { LAST_ERASURE } from '../../../lib/core/ledger/last-erasure.ts';
import { FORGOTTEN } from '../../../lib/core/stages/act/forgotten.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { buildLogWorld, keyOf, type LogWorld } from '../../core/log/log-world.ts';
import { watchTable } from '../../core/log/watched-table.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { findWords } from '../../support/scan.ts';
import { buildSimulation, ownerMessage, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SECRET = 'the violet heron nests behind the mill';

/** Items that hold the words, and what a stranger says of an export. */
const judge = async (log: LogWorld) => {
  await log.run();
  const holding = await findWords(dynamo, log.space, SECRET);
  return { holding, verified: await log.verify({ key: keyOf(log.space) }) };
};

const askWith =
  ({ simulation, space }: LogWorld) =>
  async (n: number, name: string, rest: string): Promise<void> => {
    await simulation.accept(signalWith(space, `tg-1-${n}`, { sensor: 'command', name, rest }, '7', simulation.now()));
    await simulation.drain();
  };

/**
 * Forgets a note; after operation `k` somebody else is shown it and the log is written, and again
 * after each commit.
 */
const forgetWith = async (k: number) => {
  let operations = 0;
  let isForgetting = false;
  let meanwhile: () => Promise<void> = () => Promise.resolve();
  const table = watchTable(dynamo.table, (isCommit) => onDone(isCommit));
  const log = buildLogWorld(dynamo, { table });
  const onDone = async (isCommit: boolean): Promise<void> => {
    if (!isForgetting) return;
    operations += 1;
    isForgetting = false;
    if (operations === k) await meanwhile();
    if (operations === k || isCommit) await log.run();
    isForgetting = true;
  };
  const other = buildSimulation({ table: dynamo.table, space: log.space, answer: () => ({ content: 'Yes.' }) });
  meanwhile = async () => {
    await other.accept(
      signalWith(log.space, 'tg-1-80', { sensor: 'command', name: 'recall', rest: 'violet heron' }, '8', other.now()),
    );
    await other.drain();
  };
  const ask = askWith(log);
  await ask(1, 'remember', SECRET);
  const id = (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
  isForgetting = true;
  await ask(2, 'forget', id);
  isForgetting = false;
  return { operations, ...(await judge(log)) };
};

/** Notes when the table is told of an erasure, and each erasure. */
const watchErasures = (table: Table, done: string[]): Table => ({
  ...table,
  put: (key, ...rest) => {
    if (key.sk === LAST_ERASURE) done.push('noted');
    return table.put(key, ...rest);
  },
  update: (key, change, ...rest) => {
    if (JSON.stringify(change).includes(FORGOTTEN)) done.push('erased');
    return table.update(key, change, ...rest);
  },
});

/** Somebody is shown a note, which is forgotten after operation `k` of that. */
const showWith = async (k: number) => {
  let operations = 0;
  const erasures: string[] = [];
  const log = buildLogWorld(dynamo);
  const ask = askWith(log);
  await ask(1, 'remember', SECRET);
  const id = (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
  const table = watchTable(dynamo.table, async () => {
    operations += 1;
    if (operations === k) await ask(2, 'forget', id);
  });
  const other = buildSimulation({
    table: watchErasures(table, erasures),
    space: log.space,
    answer: (prompt) => ({ content: JSON.stringify(prompt).includes(SECRET) ? `It says: ${SECRET}.` : 'Nothing.' }),
  });
  await other.accept(ownerMessage(log.space, 80, 'What about the violet heron?', '8', other.now()));
  await other.drain();
  return { operations, erasures, ...(await judge(log)) };
};

describe('forgetting while others are at work', () => {
  it('leaves no word and a log that is verified, whenever somebody is shown it and the log is written', async () => {
    const { operations } = await forgetWith(Number.POSITIVE_INFINITY);
    expect(operations).toBeGreaterThan(40);
    // Every fourth: among them those right after the commit.
    for (let k = 3; k <= operations; k += 4) {
      const { holding, verified } = await forgetWith(k);
      expect({ k, holding, verified }).toMatchObject({ k, holding: [], verified: { status: 'verified' } });
    }
  });

  it('leaves no word of an answer that is under way, whose erasure is noted before it', async () => {
    const { operations } = await showWith(Number.POSITIVE_INFINITY);
    const late: (readonly string[])[] = [];
    for (let k = 1; k <= operations; k += 3) {
      const { erasures, holding, verified } = await showWith(k);
      expect({ k, holding, verified }).toMatchObject({ k, holding: [], verified: { status: 'verified' } });
      if (erasures.length > 0) late.push(erasures);
    }
    expect(late).not.toStrictEqual([]);
    expect(late.filter(([first]) => first !== 'noted')).toStrictEqual([]);
  });

  it('may die anywhere, with the log written before its next try, and ends verified all the same', async () => {
    for (let k = 8; k < 60; k += 6) {
      const log = buildLogWorld(dynamo);
      const ask = askWith(log);
      await ask(1, 'remember', SECRET);
      await ask(2, 'recall', 'violet heron');
      const id = (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
      log.simulation.crashAt(k);
      await log.simulation.accept(
        signalWith(log.space, 'tg-1-3', { sensor: 'command', name: 'forget', rest: id }, '7', log.simulation.now()),
      );
      while (log.simulation.crashes.length === 0 && log.simulation.queue.length > 0) await log.simulation.deliverNext();
      await log.run();
      await log.simulation.drain();
      const { holding, verified } = await judge(log);
      expect({ k, holding, verified }).toMatchObject({ k, holding: [], verified: { status: 'verified' } });
    }
  });
});
