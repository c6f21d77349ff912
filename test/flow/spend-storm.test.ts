/**
 * The counter of a day under hundreds of concurrent turns whose deliveries die anywhere and come
 * again: what it says in the end is what the model was asked for, calls that nobody could settle at
 * their worst, and no cap is passed at any moment.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { LlmError } from '../../lib/core/base/errors.ts';
import { parseDecision, parseRecord } from '../../lib/core/ledger/ledger.ts';
import { worstCharge } from '../../lib/core/llm/prices.ts';
import { parseDaySpend, parseEntry, shortName, spendKey } from '../../lib/core/money/day-spend.ts';
import type { Attempt } from '../../lib/core/signal/decision.ts';
import type { ReasonDeps } from '../../lib/core/stages/reason/reason-deps.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { startDynamo } from '../support/dynamo.ts';
import { TAKES_MORE } from '../support/sample.ts';
import { SEED } from '../support/seed.ts';
import { buildSimulation, DEAR, ownerMessage, providersOf } from '../support/simulation.ts';
import { buildStorm, type Delivery, seeded } from '../support/storm.ts';
import { evidenceOf, newSpace } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const usdOf = (usage: { readonly inputTokens: number; readonly outputTokens: number }): number =>
  usage.inputTokens * 20 + usage.outputTokens * 50;
const OUTPUT_TOKENS = 100;
const TURNS = TAKES_MORE ? 1_000 : 200;

/** A reservation as it was written, by the delivery that wrote it, and what became of its call. */
interface Reserved {
  readonly id: string;
  readonly usd: number;
  asked: 'never' | 'answered' | 'silent' | 'failed' | 'failed-billed';
  /** Marks the call in what is stored of it. */
  call: number;
  isSettled: boolean;
}

interface StormOptions {
  readonly seed: number;
  readonly sessions: number;
  readonly rounds: number;
  readonly turnsARound: number;
  readonly dayUsd: number;
}

const STATUS = ['refused the request', 'failed on its side'] as const;

const runStorm = async ({ seed, sessions, rounds, turnsARound, dayUsd }: StormOptions) => {
  const random = seeded(seed);
  const storm = buildStorm(random, { crash: 0.12, repeat: 0.05 });
  const space = newSpace();
  const reserved: Reserved[] = [];
  const latest = new Map<Delivery, Reserved>();
  let mostUsd = 0;
  let calls = 0;
  let trueUsd = 0;

  /** The counter's own writes, as they succeed. */
  const watched: Table = {
    ...dynamo.table,
    update: async (key, change, condition) => {
      const item = await dynamo.table.update(key, change, condition);
      if (!key.pk.startsWith('spend#')) return item;
      mostUsd = Math.max(mostUsd, parseDaySpend(item).usd);
      const [name, text] = Object.entries(change.set ?? {}).find(([attribute]) => attribute.startsWith('s_')) ?? [];
      const delivery = running();
      if (name === undefined || delivery === undefined) return item;
      const { open } = parseEntry(String(text).replace(/ \S+$/u, ''));
      if (open === undefined) {
        const settled = latest.get(delivery);
        if (settled !== undefined) settled.isSettled = true;
        return item;
      }
      const one: Reserved = { ...open, asked: 'never', call: 0, isSettled: false };
      reserved.push(one);
      latest.set(delivery, one);
      return item;
    },
  };
  const running = storm.running;

  const ask: ReasonDeps['ask'] = (prompt) =>
    storm.step(async (delivery) => {
      calls += 1;
      const own = delivery === undefined ? undefined : latest.get(delivery);
      if (own === undefined) throw new Error('asked without a reservation');
      if (own.asked !== 'never') throw new Error('asked twice on one reservation');
      expect(own.usd).toBe(worstCharge('', [DEAR], prompt.tokens).usd);
      own.call = calls;
      const luck = random();
      if (luck < 0.06) {
        const isBilled = luck < 0.03;
        own.asked = isBilled ? 'failed-billed' : 'failed';
        if (isBilled) trueUsd += usdOf({ inputTokens: 1_000, outputTokens: 0 });
        throw new LlmError('scripted', ['dear'], [STATUS[isBilled ? 1 : 0]], false, isBilled ? [0] : [], [
          { place: 0, fault: isBilled ? 'answer' : 'request' },
        ]);
      }
      const usage = { inputTokens: 1_000 + calls, outputTokens: OUTPUT_TOKENS };
      trueUsd += usdOf(usage);
      const isSilent = luck < 0.12;
      own.asked = isSilent ? 'silent' : 'answered';
      const isResult = prompt.messages.some(({ role }) => role === 'tool');
      const isTool = luck > 0.85 && !isResult;
      const args = { query: 'tea', explanation: 'because the owner asked for exactly this' };
      return {
        provider: 'dear',
        // The call can be told from what is stored, also where no usage is.
        model: `unlisted-${calls}`,
        answer: {
          content: isTool ? '' : 'Hello',
          toolCalls: isTool ? [{ id: 'c1', name: 'recall', argumentsText: JSON.stringify(args) }] : [],
          model: 'unlisted',
        },
        ...(isSilent ? {} : usage),
        index: 0,
        billed: [],
        failures: [],
      };
    });

  const simulation = buildSimulation({
    table: storm.guard(watched),
    space,
    answer: () => ({}),
    ask,
    variables: {
      ...providersOf(DEAR),
      BUDGET_SESSION_USD: '1000',
      BUDGET_TURN_USD: '1000',
      BUDGET_DAY_USD: String(dayUsd / 1e6),
      BUDGET_DAY_TOKENS: '999999999999',
    },
  });
  const turns: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < turnsARound; n += 1) {
      const signal = ownerMessage(space, turns.length + 1, 'hi', `${1 + (n % sessions)}`, simulation.now());
      turns.push(signal.id);
      await simulation.accept(signal);
    }
    await storm.sweepAndDrain(simulation);
  }

  const attemptsOf = async (root: string): Promise<readonly Attempt[]> => {
    const found: Attempt[] = [];
    for (const id of [root, `${root}/1`]) {
      const [record, decision] = await dynamo.table.load([
        signalKeys.record(space, id),
        signalKeys.decision(space, id),
      ]);
      if (record === undefined) continue;
      expect(parseRecord(id, record).state, `seed ${seed}, ${id}`).toMatch(/^(acted|refused)$/);
      if (decision === undefined) throw new Error(`${id} has no decision`);
      const { attempt, attemptCount } = parseDecision(id, decision);
      if (attempt !== undefined) found.push(attempt);
      if (attemptCount > 1) found.push(...(await evidenceOf(dynamo.table, space, id)).attempts);
    }
    return found;
  };
  const stored = new Map<string, Attempt>();
  for (const root of turns)
    for (const attempt of await attemptsOf(root))
      if (attempt.cost !== undefined) stored.set(shortName(attempt.cost.id), attempt);

  const [item] = await dynamo.table.load([spendKey(space, simulation.now())], { isConsistent: true });
  const spend = parseDaySpend(item);
  return { reserved, stored, spend, calls, trueUsd, mostUsd, turns, crashes: storm.crashes };
};

/** The cost that each reservation must end with. */
const dueFor = (one: Reserved): number => {
  if (one.isSettled && one.asked === 'answered')
    return usdOf({ inputTokens: 1_000 + one.call, outputTokens: OUTPUT_TOKENS });
  return one.isSettled && one.asked === 'failed' ? 0 : one.usd;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

describe('the day counter in a storm', () => {
  it('is the sum of the calls after hundreds of concurrent turns with crashes', async () => {
    const storm = await runStorm({ seed: SEED, sessions: 250, rounds: 2, turnsARound: TURNS / 2, dayUsd: 1e9 });
    const { reserved, stored, spend, calls, trueUsd, crashes } = storm;
    const where = `TEST_SEED=${SEED}`;
    expect(storm.turns, where).toHaveLength(TURNS);
    expect(crashes.length, where).toBeGreaterThan(TURNS / 10);
    expect(spend.usd, where).toBe(sum(reserved.map(dueFor)));
    // Never less than the model was asked for, and more only by calls that nobody could settle.
    expect(spend.usd, where).toBeGreaterThanOrEqual(trueUsd);
    // Every answer beyond the stored ones, and every reservation nobody was asked on, is the work
    // of one crash.
    const isFailed = ({ asked }: Reserved) => asked === 'failed' || asked === 'failed-billed';
    const lost = reserved.filter((one) => !isFailed(one) && stored.get(one.id)?.model !== `unlisted-${one.call}`);
    expect(lost.length, where).toBeGreaterThan(TURNS / 100);
    expect(lost.length, where).toBeLessThanOrEqual(crashes.filter(({ stage }) => stage === 'reason').length);
    expect(calls, where).toBe(reserved.filter(({ asked }) => asked !== 'never').length);
    expect(stored.size, where).toBe(reserved.filter((one) => !isFailed(one)).length - lost.length);
  });

  it('never passes the cap, whoever races for the last cent', async () => {
    const dayUsd = 6_000_000;
    const storm = await runStorm({ seed: SEED + 1, sessions: 100, rounds: 2, turnsARound: 100, dayUsd });
    const where = `TEST_SEED=${SEED}`;
    const worst = Math.max(...storm.reserved.map(({ usd }) => usd));
    expect(storm.mostUsd, where).toBeLessThanOrEqual(dayUsd);
    expect(storm.trueUsd, where).toBeLessThanOrEqual(dayUsd);
    // It was a race: what is left is less than one call, and many were refused.
    expect(dayUsd - storm.mostUsd, where).toBeLessThan(worst);
    expect(storm.reserved.length, where).toBeLessThan(storm.turns.length);
    expect(storm.spend.usd, where).toBe(sum(storm.reserved.map(dueFor)));
  });
});
