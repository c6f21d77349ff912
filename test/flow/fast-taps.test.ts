/**
 * A card that is answered while its chat still tells Act which message it is: its buttons go too.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { Table } from '../../lib/core/store/table.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

/** Does something before Act notes the message of a card. */
const beforeNoted = (run: () => Promise<void>): Table => {
  let isDone = false;
  return {
    ...dynamo.table,
    update: async (key, change, condition) => {
      const isNote = key.pk.endsWith('/card-0') && key.sk === 'effect#0' && change.set?.state === 'done';
      if (isNote && !isDone) {
        isDone = true;
        await run();
      }
      return dynamo.table.update(key, change, condition);
    },
  };
};

describe('a tap that comes before Act knows the message of its card', () => {
  it.each([
    ['deny', 'denied', /^DENIED by telegram:7 .* It was not done\.$/m],
    ['approve', 'spent', /^APPROVED by telegram:7 .* Done\.$/m],
  ] as const)('takes the buttons after %s', async (answer, state, verdict) => {
    const id = 'tg-1-1';
    const table = beforeNoted(async () => {
      const { simulation } = world;
      const tap = world.tapOf(await world.approvalOf(id), answer);
      await simulation.accept(tap);
      // Perceive takes the tap, and Act what was approved.
      for (const name of [tap.id, id])
        for (const message of simulation.queue.filter(({ signalId }) => signalId === name))
          await simulation.deliver(message);
    });
    const world = buildApprovalWorld(table);
    await world.say('deploy main');
    expect(await world.approval(await world.approvalOf(id))).toMatchObject({ state });
    const { decision, effects } = await world.evidence(`${id}/c0-${state}`);
    expect(effects).toMatchObject([{ state: 'done' }]);
    const [judged] = decision?.actions ?? [];
    expect(judged?.action).toMatchObject({ edits: { message: 5 }, text: expect.stringMatching(verdict) });
    expect(judged?.action.card).toBeUndefined();
  });
});
