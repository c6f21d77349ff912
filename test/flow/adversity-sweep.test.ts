/**
 * What the heartbeat meets: a record that cannot be read, and a signal whose messages are lost for
 * good.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { SWEEP_BACKOFF_MS } from '../../lib/core/base/limits.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../support/simulation.ts';
import { evidenceOf, newSpace } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

describe('a sweep over an unreadable record', () => {
  it.each([true, false])(
    'takes up all others, and then says what it could not read (recovering: %s)',
    async (isRecovering) => {
      const space = newSpace();
      const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Hello' }) });
      for (const [n, chat] of ['7', '8', '9'].entries())
        await simulation.accept(ownerMessage(space, n + 1, 'hi', chat));
      const key = signalKeys.record(space, 'tg-1-2');
      const [item] = await dynamo.table.load([key], { isConsistent: true });
      await dynamo.table.put(key, { ...item, schemaVersion: 99 });
      simulation.loseQueues();
      simulation.advance(2 * 60_000);
      await expect(simulation.sweep(isRecovering)).rejects.toThrow(/tg-1-2: schema version 99 is not known/);
      await simulation.drain();
      expect(simulation.sent.map(({ to }) => to)).toStrictEqual(['7', '9']);
      for (const id of ['tg-1-1', 'tg-1-3'])
        expect((await evidenceOf(dynamo.table, space, id)).record?.state).toBe('acted');
    },
  );
});

describe('a signal whose messages are lost again and again', () => {
  it('is dead-lettered after the last try, told once, and its conversation goes on', async () => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Hello' }) });
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    // It holds its turn, and what would carry it on is lost each time.
    await simulation.deliverNext();
    const reports = [];
    for (let round = 0; round <= SWEEP_BACKOFF_MS.length; round += 1) {
      simulation.loseQueues();
      simulation.advance(31 * 60_000);
      reports.push(await simulation.sweep());
    }
    const republished = { republished: 1, deadLettered: 0, expired: 0 };
    expect(reports).toStrictEqual([
      ...SWEEP_BACKOFF_MS.map(() => republished),
      { republished: 0, deadLettered: 1, expired: 0 },
    ]);
    const { record } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect(record).toMatchObject({ state: 'dead-lettered', diedIn: 'perceived' });
    expect(record?.stateReason).toMatch(/after 5 tries/);
    await simulation.drain();
    await simulation.accept(ownerMessage(space, 2, 'hi again'));
    await simulation.drain();
    const texts = simulation.sent.map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith('Something went wrong'))).toHaveLength(1);
    expect(texts.at(-1)).toBe('Hello');
    expect((await evidenceOf(dynamo.table, space, 'tg-1-2')).record?.state).toBe('acted');
  });

  it('is published again when each back-off is over, and not a moment before', async () => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Hello' }) });
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    const lastMs = SWEEP_BACKOFF_MS.at(-1) ?? 0;
    for (const [n, waitMs] of [...SWEEP_BACKOFF_MS, lastMs].entries()) {
      simulation.loseQueues();
      simulation.advance(waitMs - 1);
      expect(await simulation.sweep(), `before ${n}`).toMatchObject({ republished: 0, deadLettered: 0 });
      simulation.advance(1);
      const isLast = n === SWEEP_BACKOFF_MS.length;
      const expected = isLast ? { republished: 0, deadLettered: 1 } : { republished: 1, deadLettered: 0 };
      expect(await simulation.sweep(), `after ${n}`).toMatchObject(expected);
    }
  });
});
