/** A record that cannot be read does not keep the heartbeat from the others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signalKeys } from '../../lib/aws/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../support/simulation.ts';
import { evidenceOf, newSpace } from './adversity-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

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
