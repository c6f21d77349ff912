import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActuatorResult } from '../../../../lib/core/signal/actuator.ts';
import { signalKeys } from '../../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../../../support/simulation.ts';

const HOUR_MS = 3_600_000;
const AWAY: ActuatorResult = { state: 'retry', reason: 'Telegram could not be reached' };

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const start = () => {
  const space = `s${randomBytes(6).toString('hex')}`;
  const channel: { answer: ActuatorResult } = { answer: AWAY };
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => ({ content: 're' }),
    outside: () => channel.answer,
  });
  /** The channel is away for so long, with a sweep each hour. */
  const stayAway = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      await simulation.drain();
      simulation.advance(HOUR_MS);
      await simulation.sweep();
    }
  };
  const effect = async (id: string) =>
    (await dynamo.table.load([signalKeys.effect(space, id, 0)], { isConsistent: true }))[0];
  return { space, simulation, channel, stayAway, effect };
};

describe('a text whose channel takes nothing', () => {
  it('waits for hours, and so do the messages behind it: none is given up, and each is answered in order', async () => {
    const { space, simulation, channel, stayAway, effect } = start();
    await simulation.accept(ownerMessage(space, 1, 'the first'));
    await simulation.accept(ownerMessage(space, 2, 'the second'));
    await stayAway(20);
    expect(await effect('tg-1-1')).toMatchObject({ state: 'claimed', isReleased: true, reason: AWAY.reason });
    expect(simulation.modelCalls()).toBe(1);
    channel.answer = { state: 'done', output: '', origin: 'agent' };
    await stayAway(2);
    const replies = simulation.sent.filter(({ text }) => text === 're').map(({ effectId }) => effectId);
    expect(replies).toStrictEqual([`${space}/tg-1-1#0`, `${space}/tg-1-2#0`]);
    expect(simulation.sent.filter(({ text }) => text.startsWith('Telegram took no messages'))).toHaveLength(1);
  });

  it('has failed after a day, which its chat is told when the channel is back', async () => {
    const { space, simulation, channel, stayAway, effect } = start();
    await simulation.accept(ownerMessage(space, 1, 'the first'));
    await stayAway(26);
    expect(await effect('tg-1-1')).toMatchObject({ state: 'failed', reason: `${AWAY.reason} for a day` });
    channel.answer = { state: 'done', output: '', origin: 'agent' };
    await stayAway(2);
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual([
      expect.stringMatching(
        /^My answer to “the first” was not sent: Telegram could not be reached for a day\. I send it/,
      ),
      expect.stringMatching(
        /^Telegram took no messages from \d{4}-\d\d-\d\d \d\d:\d\d UTC to \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
      ),
    ]);
  });
});
