import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { sessionKey, signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage, signalWith } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

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
    // Ended: the log's writer takes it out of the index.
    expect(items.get('record')).toMatchObject({ state: 'acted', awaitsLog: true, ends: 1 });
    expect(items.get('decision')).toMatchObject({ outcome: 'act', attemptCount: 1 });
    expect(items.get('effect#0')).toMatchObject({ state: 'done' });
  });
});

describe('sweep', () => {
  it('releases a turn that ended without handing its session on', async () => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Hello' }) });
    await dynamo.table.put(sessionKey(space, 'telegram:7'), { schemaVersion: 1, turn: 'tg-1-0', startedAt: 1 });
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    await simulation.drain();
    expect(simulation.sent).toHaveLength(0);
    for (let round = 0; round < 3; round += 1) {
      simulation.advance(31 * 60_000);
      await simulation.sweep();
      await simulation.drain();
    }
    expect(simulation.sent.map((one) => one.text)).toStrictEqual(['Hello']);
  });
});

describe('act', () => {
  it('tells the person when only the last mile refused a reply', async () => {
    const space = newSpace();
    const simulation = buildSimulation({
      table: dynamo.table,
      space,
      answer: () => ({ content: 'the word is xyzzy-plugh' }),
      variables: { TELEGRAM_BOT_TOKEN: 'xyzzy-plugh' },
    });
    await simulation.accept(ownerMessage(space, 1, 'say it'));
    await simulation.drain();
    expect(simulation.sent).toHaveLength(1);
    expect(simulation.sent[0]?.text).toContain('I could not do that');
    expect(simulation.sent[0]?.text).not.toContain('xyzzy');
    expect(simulation.sent[0]?.text).toContain('/why tg-1-1');
    // A member may not give that command.
    await simulation.accept({
      ...ownerMessage(space, 2, 'say it again'),
      sender: { id: 'telegram:9', isApprover: false },
    });
    await simulation.drain();
    expect(simulation.sent[1]?.text).toContain('I could not do that');
    expect(simulation.sent[1]?.text).not.toContain('/why');
    const items = await stored(space, 'tg-1-1');
    expect(items.get('record')).toMatchObject({ state: 'refused', children: new Set(['tg-1-1/refused-0']) });
  });
});

describe('perceive', () => {
  it('ends a tick visibly, without a model call', async () => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'no' }) });
    await simulation.accept(signalWith(space, 'hb-1', { sensor: 'heartbeat', scheduledAt: 1 }));
    await simulation.drain();
    const stateReason = 'a tick needs no answer';
    expect((await stored(space, 'hb-1')).get('record')).toMatchObject({ state: 'dropped', stateReason });
    expect([simulation.modelCalls(), simulation.sent]).toStrictEqual([0, []]);
  });

  it('has the model reason about work that is due', async () => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Done.' }) });
    const text = [{ text: 'water the plants', origin: 'owner' } as const];
    await simulation.accept(signalWith(space, 'job-water-1', { sensor: 'job-due', job: 'water', slot: 1, text }));
    await simulation.drain();
    expect(simulation.sent.map((one) => one.text)).toStrictEqual(['Done.']);
  });
});
