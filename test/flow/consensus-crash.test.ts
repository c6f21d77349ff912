/**
 * Second opinions while the process dies after every single operation: nothing is lost, done twice,
 * or paid again where it was stored.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { parseDaySpend, sessionEntry, spendKey } from '../../lib/core/money/day-spend.ts';
import { startDynamo } from '../support/dynamo.ts';
import { sampleSteps } from '../support/sample.ts';
import { buildSimulation, ownerMessage, providersOf } from '../support/simulation.ts';
import { BECAUSE, evidenceOf } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

/** $1 and $2 a million tokens: 10 and 5 of them are 20 micro-dollars. */
const PRICE = { prompt: 1, completion: 2 };
const NAMES = ['one', 'two', 'three'];
const CALL_USD = 20;

const world = (change: { readonly stopAfter?: number } = {}) => {
  const space = `s${randomBytes(6).toString('hex')}`;
  const asked: string[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => ({}),
    webhookUrls: { deploys: 'https://deploys.example/' },
    variables: {
      CONSENSUS_PROVIDERS: '3',
      ...providersOf(
        ...NAMES.map((name) => ({ name, baseUrl: `https://${name}.example/v1`, model: 'm', prices: PRICE })),
      ),
    },
    ask: async (_prompt, _remaining, { providers }) => {
      const provider = providers[0]?.name ?? '';
      asked.push(provider);
      if (asked.length === change.stopAfter)
        await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'test', at: simulation.now() });
      return {
        provider,
        model: 'm',
        answer: {
          content: '',
          model: 'm',
          toolCalls: [
            {
              id: 'c1',
              name: 'call-webhook',
              argumentsText: JSON.stringify({ webhook: 'deploys', body: { by: 'all' }, explanation: BECAUSE }),
            },
          ],
        },
        inputTokens: 10,
        outputTokens: 5,
        index: 0,
        billed: [],
        failures: [],
      };
    },
  });
  const spend = async () =>
    parseDaySpend((await dynamo.table.load([spendKey(space, simulation.now())], { isConsistent: true }))[0]);
  return { space, simulation, asked, spend };
};

const ID = 'tg-1-1';
const run = async (own: ReturnType<typeof world>) => {
  await own.simulation.accept(ownerMessage(own.space, 1, 'deploy'));
  await own.simulation.drain();
};

describe('second opinions', () => {
  it('are paid once each and settled at once', async () => {
    const own = world();
    await run(own);
    expect(own.asked).toStrictEqual(NAMES);
    const { decision, attempts } = await evidenceOf(dynamo.table, own.space, ID);
    expect(decision?.consensus).toMatchObject({ outcome: 'agreed', taken: 1 });
    expect(attempts.map(({ n, cost }) => [n, cost?.usd])).toStrictEqual([1, 4, 5].map((n) => [n, CALL_USD]));
    expect(decision?.attempt?.cost?.turnUsd).toBe(3 * CALL_USD);
    const spent = await own.spend();
    expect([spent.usd, sessionEntry(spent, 'telegram:7')?.open]).toStrictEqual([3 * CALL_USD, undefined]);
    // The webhook asks a person by default: agreed or not, it waits.
    expect(decision?.actions[0]?.outcome).toBe('ask');
  });

  it('survive the death of the process after any operation: one decision, what was stored is not asked again', async () => {
    const plain = world();
    await run(plain);
    const total = plain.simulation.operations();
    for (const k of sampleSteps('consensus', 1, total)) {
      const own = world();
      own.simulation.crashAt(k);
      await run(own);
      const { decision, attempts, record } = await evidenceOf(dynamo.table, own.space, ID);
      expect(decision?.consensus?.outcome, `k=${k}`).toBe('agreed');
      expect(record?.state, `k=${k}`).toBe('suspended');
      expect(attempts.map(({ n }) => n).sort(), `k=${k}`).toStrictEqual([1, 4, 5]);
      // Of three answers, those whose storing was cut off are asked for once more: two at most,
      // which come at once.
      expect(own.asked.length, `k=${k}`).toBeLessThanOrEqual(NAMES.length + own.simulation.crashes.length * 2);
      expect((await own.spend()).usd, `k=${k}`).toBeGreaterThanOrEqual(own.asked.length * CALL_USD);
    }
  });

  it('are not asked for after a stop', async () => {
    const own = world({ stopAfter: 1 });
    await run(own);
    expect(own.asked).toStrictEqual(['one']);
    const { decision } = await evidenceOf(dynamo.table, own.space, ID);
    expect([decision?.outcome, decision?.reason]).toStrictEqual(['refuse', 'the kill switch is on']);
  });
});
