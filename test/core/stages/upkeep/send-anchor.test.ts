/**
 * A checkpoint for a chat, of which a write fails: the next tick sends it, and no hour is waited.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../../lib/core/base/errors.ts';
import { GATE_SET } from '../../../../lib/core/gates/engine/gate-set.ts';
import { sendAnchor } from '../../../../lib/core/stages/upkeep/send-anchor.ts';
import type { Table } from '../../../../lib/core/store/table.ts';
import { startDynamo } from '../../../support/dynamo.ts';
import { buildLogWorld } from '../../log/log-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

/** A table that does not take its `nth` write, from 1 on. */
const failing = (nth: number): Pick<Table, 'load' | 'put' | 'query'> => {
  let writes = 0;
  const put: Table['put'] = (...given) => {
    writes += 1;
    if (writes === nth) return Promise.reject(new UnavailableError('The table did not answer.'));
    return dynamo.table.put(...given);
  };
  return { ...dynamo.table, put };
};

const startWorld = async () => {
  const { space, simulation, say, run } = buildLogWorld(dynamo);
  await say('hello');
  const { size } = await run();
  const published: string[] = [];
  const send = (table: Pick<Table, 'load' | 'put' | 'query'>) =>
    sendAnchor({
      table,
      publishPerceive: async ({ signalId }) => void published.push(signalId),
      gateSet: GATE_SET,
      space,
      chat: '4242',
      now: simulation.now(),
    });
  return { size, published, send };
};

describe('sendAnchor', () => {
  it.each([1, 2, 3])('sends it with the next tick if the table does not take write %i', async (nth) => {
    const { size, published, send } = await startWorld();
    await expect(send(failing(nth))).rejects.toThrow(UnavailableError);
    expect(published).toStrictEqual([]);
    expect(await send(dynamo.table)).toBe(size);
    expect(published).toStrictEqual([`anchor-${size}`]);
  });

  it('sends it once an hour if all goes well', async () => {
    const { size, published, send } = await startWorld();
    expect([await send(failing(4)), await send(dynamo.table)]).toStrictEqual([size, undefined]);
    expect(published).toStrictEqual([`anchor-${size}`]);
  });
});
