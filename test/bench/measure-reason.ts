/**
 * What Reason adds to the model's own time: from its message to the published decision with a model
 * that answers at once, in this process, against a real table server on loopback, in a conversation
 * with full history and some notes.
 */
import { performance } from 'node:perf_hooks';
import { HISTORY_TURNS_MAX } from '../../lib/core/base/limits.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage, type Simulation } from '../support/simulation.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';

const SPACE = 'reason';
const TURNS = 150;
const OVERHEAD_MS_MAX = 15;
const USAGE = { inputTokens: 3_000, outputTokens: 60 };

const remember = (n: number) => ({
  toolCalls: [
    {
      id: 'c1',
      name: 'remember',
      argumentsText: JSON.stringify({
        text: `Note ${n}: the boiler was serviced by firm ${n} and comes due in spring.`,
        explanation: 'The owner asked me to keep it.',
      }),
    },
  ],
});

/** Delivers what waits; @returns how long each delivery to Reason took, milliseconds */
const deliverAll = async (simulation: Simulation): Promise<readonly number[]> => {
  const times: number[] = [];
  while (simulation.queue.length > 0) {
    const isReason = simulation.queue[0]?.stage === 'reason';
    const startedAt = performance.now();
    await simulation.deliverNext();
    if (isReason) times.push(performance.now() - startedAt);
  }
  return times;
};

export const measureReason: Measure = async (context) => {
  context.progress(`reason: ${TURNS} turns`);
  await using dynamo = await startDynamo();
  let n = 0;
  const simulation = buildSimulation({
    table: dynamo.table,
    space: SPACE,
    answer: ({ messages }) => {
      const isTool = n <= HISTORY_TURNS_MAX && !messages.some(({ role }) => role === 'tool');
      return isTool ? remember(n) : { content: `Certainly: nothing has changed since (${n}).`, usage: USAGE };
    },
  });
  const say = async (text: string): Promise<readonly number[]> => {
    n += 1;
    simulation.advance(30_000);
    await simulation.accept(ownerMessage(SPACE, n, text, '7', simulation.now()));
    return deliverAll(simulation);
  };
  while (n < 2 * HISTORY_TURNS_MAX) await say(`Please keep note ${n}.`);
  const times: number[] = [];
  while (times.length < TURNS) times.push(...(await say(`What is next for the boiler, and who serviced it? (${n})`)));
  const group = 'Reason without the model, in one process over a real table server';
  return [
    {
      group,
      name: 'overhead, p50',
      value: quantile(times, 0.5),
      unit: 'ms',
      goal: { is: '≤', value: OVERHEAD_MS_MAX },
      note: 'message to published decision, full history',
    },
    { group, name: 'overhead, p95', value: quantile(times, 0.95), unit: 'ms' },
  ];
};
