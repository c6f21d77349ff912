import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signalKeys } from '../../lib/aws/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../support/simulation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const newSpace = () => `s${randomBytes(6).toString('hex')}`;
const stored = async (space: string, id: string) => {
  const page = await dynamo.table.query({ pk: signalKeys.partition(space, id) });
  return new Map(page.items.map((item) => [String(item.sk), item]));
};

describe('pipeline', () => {
  it('answers one message with exactly one reply and ends acted', async () => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Hello there' }) });
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    await simulation.drain();
    expect(simulation.sent.map(({ target, to, text }) => ({ target, to, text }))).toStrictEqual([
      { target: 'telegram', to: '7', text: 'Hello there' },
    ]);
    const items = await stored(space, 'tg-1-1');
    expect(items.get('record')).toMatchObject({ state: 'acted' });
    expect(items.get('record')?.unfinishedSpace).toBeUndefined();
    expect(items.get('decision')).toMatchObject({ outcome: 'act', attemptCount: 1 });
    expect(items.get('effect#0')).toMatchObject({ state: 'done' });
  });
});
