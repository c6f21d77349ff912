/** A batch read of any number of keys, and of a store that leaves some, or all, unprocessed. */
import type { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/core/base/errors.ts';
import { BATCH_GET_ROUNDS_MAX, buildTable } from '../../../lib/core/store/table.ts';

/** A client that answers batch reads with at most so many items a round; every key exists. */
const clientGiving = (most: (round: number) => number) => {
  const rounds: number[] = [];
  const client = {
    send: ({ input }: BatchGetItemCommand) => {
      const keys = input.RequestItems?.table?.Keys ?? [];
      const count = most(rounds.length);
      rounds.push(keys.length);
      return Promise.resolve({
        Responses: { table: keys.slice(0, count) },
        UnprocessedKeys: keys.length > count ? { table: { Keys: keys.slice(count) } } : {},
      });
    },
  } as unknown as DynamoDBClient;
  const waits: number[] = [];
  const pause = async (ms: number) => void waits.push(ms);
  return { table: buildTable(client, 'table', pause), rounds, waits };
};
const keys = (count: number) => Array.from({ length: count }, (_, n) => ({ pk: 'a', sk: `${n}` }));

describe('load', () => {
  it('reads any number of keys, in their order, whatever the store leaves for later', async () => {
    for (const [count, most] of [
      [2, 100],
      [101, 100],
      [1_950, 100],
      [230, 7],
      [40, 1],
    ] as const) {
      const { table, rounds, waits } = clientGiving(() => most);
      expect(await table.load(keys(count))).toStrictEqual(keys(count));
      expect(Math.max(...rounds)).toBeLessThanOrEqual(100);
      expect(waits).toHaveLength(rounds.filter((asked) => asked > most).length);
    }
  });

  it('gives up on a store that gives nothing, round after round, and only then', async () => {
    const stuck = clientGiving(() => 0);
    await expect(stuck.table.load(keys(2))).rejects.toThrow(
      new UnavailableError('The table is too busy to answer. Try again later.'),
    );
    expect(stuck.rounds).toHaveLength(BATCH_GET_ROUNDS_MAX);
    // Each longest wait is twice the one before; waits are drawn below it, so that many who wait do
    // not come back at once.
    for (const [round, ms] of stuck.waits.entries()) expect(ms).toBeLessThanOrEqual(100 * 2 ** round);
    expect(Math.max(...stuck.waits)).toBeGreaterThan(0);
    const slow = clientGiving((round) => (round % BATCH_GET_ROUNDS_MAX === BATCH_GET_ROUNDS_MAX - 1 ? 1 : 0));
    expect(await slow.table.load(keys(3))).toStrictEqual(keys(3));
  });
});
