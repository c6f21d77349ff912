/**
 * Each row of the table of failures, end to end: how often the message comes again, what the person
 * is told, whether the model hears of it. The errors are thrown where a stage works; queue, table,
 * dead letters and what follows are the real parts.
 */

import { randomBytes } from 'node:crypto';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { FAILURE_HOOKS } from '../../functions/heartbeat/features.ts';
import {
  ConditionError,
  ConfigError,
  ContendedError,
  GateError,
  LlmError,
  PassepartoutError,
  PipelineError,
  ProtocolError,
  RetryLaterError,
  StoredItemError,
  UnavailableError,
} from '../../lib/core/base/errors.ts';
import { RECEIVE_COUNT_MAX } from '../../lib/core/base/limits.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { FAILURES, type Failure, failureOf, failureOfReason } from '../../lib/core/ledger/recover-failure.ts';
import { PerceiveMessage, type StageMessage } from '../../lib/core/signal/messages.ts';
import { batch } from '../../lib/core/stages/batch.ts';
import { recordDeadLetter } from '../../lib/core/stages/upkeep/dead-letter.ts';
import { deadLetterKey, signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, DEAR, ownerMessage, providersOf } from '../support/simulation.ts';
import { callTool, evidenceOf, tryDeliver } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const ID = 'tg-1-1';
const newSpace = (): string => `s${randomBytes(6).toString('hex')}`;

const eventOf = (message: StageMessage, receiveCount: number): SQSEvent => ({
  Records: [
    {
      messageId: 'm1',
      receiptHandle: 'r1',
      body: JSON.stringify(message),
      attributes: {
        ApproximateReceiveCount: String(receiveCount),
        MessageGroupId: 'g',
        SentTimestamp: '0',
        SenderId: 'x',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: 'x',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:1:reason.fifo',
      awsRegion: 'us-east-1',
    },
  ],
});

/**
 * Delivers a stage's message, whose work fails with `error` each time, until it does not come
 * again; then all that follows.
 */
const fail = async (error: unknown, times = Number.POSITIVE_INFINITY) => {
  const space = newSpace();
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => ({ content: 'That failed, sorry.' }),
  });
  await simulation.accept(ownerMessage(space, 1, 'hi'));
  const message = simulation.queue.shift();
  if (message === undefined) throw new Error('nothing was published');
  const waits: number[] = [];
  let count = 0;
  const handler = batch(
    PerceiveMessage,
    async () => {
      count += 1;
      if (count <= times) throw error;
      await simulation.deliver(message);
    },
    {
      checkData: async () => undefined,
      bury: (body, _group, messageId, reason) =>
        recordDeadLetter(
          {
            table: dynamo.table,
            publishPerceive: async (next) => {
              simulation.queue.push(next);
            },
            gateSet: GATE_SET,
            hooks: FAILURE_HOOKS,
            now: simulation.now(),
            space,
          },
          { queue: 'perceive', messageId, body, reason },
        ),
      postpone: async (_handle, delayS) => {
        waits.push(delayS);
      },
      log: () => undefined,
    },
  );
  const context: Partial<Context> = { getRemainingTimeInMillis: () => 60_000 };
  for (let receiveCount = 1; receiveCount <= 10; receiveCount += 1) {
    const { batchItemFailures } = await handler(eventOf(message, receiveCount), context as Context);
    if (batchItemFailures.length === 0) break;
  }
  await simulation.drain();
  const { record } = await evidenceOf(dynamo.table, space, ID);
  const [loopError] = await dynamo.table.load([signalKeys.record(space, `${ID}/e`)], { isConsistent: true });
  return { deliveries: count, waits, state: record?.state, texts: simulation.sent.map(({ text }) => text), loopError };
};

const rows: readonly (readonly [Failure, Error, number])[] = [
  ['unavailable', new UnavailableError('the table'), RECEIVE_COUNT_MAX],
  ['race', new ConditionError('nobody was faster', undefined), RECEIVE_COUNT_MAX],
  ['race', new ContendedError('the session', 8), RECEIVE_COUNT_MAX],
  ['llm', new LlmError('nobody answers', [], [], true), 1],
  ['gate', new GateError('it threw', 'some-gate', 'hash'), 1],
  ['protocol', new ProtocolError('a field is missing'), 1],
  ['pipeline', new PipelineError('there is no decision', ID, false), 1],
  ['pipeline', new PassepartoutError('too large', false), 1],
  ['stored-item', new StoredItemError('signal x', 'schema version 99 is not known'), 1],
  ['config', new ConfigError(['OPENAI_API_KEY is missing']), 1],
  ['unexpected', new TypeError('secret-of-the-fault is not a function'), RECEIVE_COUNT_MAX],
];

describe('a failure', () => {
  it.each(rows)('of the kind %s (%s) is told in a plain sentence with the id', async (failure, error, deliveries) => {
    expect(failureOf(error)).toBe(failure);
    const { said, isModelTold } = FAILURES[failure];
    const failed = await fail(error);
    expect([failed.deliveries, failed.waits.length, failed.state]).toStrictEqual([
      deliveries,
      deliveries - 1,
      'dead-lettered',
    ]);
    const [text = '', ...rest] = failed.texts;
    expect(text.startsWith(`Something went wrong while I worked on this, and I stopped: ${said}.`)).toBe(true);
    expect(text).toContain(`Details: /why ${ID};`);
    expect(failed.texts.join()).not.toContain('secret-of-the-fault');
    // Nor is the model told an error's own words: they may name what others wrote, and would count
    // as the agent's.
    expect(JSON.stringify(failed.loopError ?? {})).not.toContain(error.message);
    // The model's own words about it come as the answer to a `loop-error`.
    expect([failed.loopError !== undefined, rest]).toStrictEqual(
      isModelTold ? [true, ['That failed, sorry.']] : [false, []],
    );
  });

  it.each([
    ['asked for by whoever failed', new RetryLaterError('held', 5_000), 8, [5, 5, 5, 5, 5, 5, 5, 5]],
    ['of a table that fails for a while', new UnavailableError('the table'), 2, [2, 10]],
  ] as const)('that passes ends as if it had not been: a wait %s', async (_, error, times, waits) => {
    const failed = await fail(error, times);
    expect(failed.waits.length).toBe(waits.length);
    if (error instanceof RetryLaterError) expect(failed.waits).toStrictEqual(waits);
    expect([failed.state, failed.texts]).toStrictEqual(['acted', ['That failed, sorry.']]);
  });
});

it('keeps a message whose signal cannot be read', async () => {
  const space = newSpace();
  await dynamo.table.put(signalKeys.record(space, ID), { schemaVersion: 99 });
  const deps = { table: dynamo.table, publishPerceive: async () => undefined, gateSet: GATE_SET, hooks: FAILURE_HOOKS };
  const message = { queue: 'act', messageId: 'm1', body: JSON.stringify({ space, signalId: ID }), reason: 'x' };
  await expect(recordDeadLetter({ ...deps, now: 1, space }, message)).rejects.toThrow('schema version 99');
  expect(await dynamo.table.load([deadLetterKey(space, ID, 'm1')])).toMatchObject([{ body: message.body }]);
});

describe('failureTold', () => {
  it.each(rows)('knows a failure by its stored reason: %s', (failure, error) => {
    const reason = error instanceof PassepartoutError ? `${error.name}: ${error.message}` : `unexpected ${error.name}`;
    expect(failureOfReason(reason)).toBe(failure);
  });
  it('takes any other reason for none', () => {
    for (const reason of ['still perceived after 5 tries', 'delivered as often as allowed without success', ''])
      expect(failureOfReason(reason)).toBe('silent');
  });
});

describe('what fails inside a stage', () => {
  const play = async (options: Partial<Parameters<typeof buildSimulation>[0]>) => {
    const space = newSpace();
    const simulation = buildSimulation({ table: dynamo.table, answer: () => ({}), ...options, space });
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    await simulation.drain();
    return simulation.sent.map(({ text }) => text);
  };

  it('is a sentence of ours where the model never gives what can be read', async () => {
    const broken = { toolCalls: [{ id: 'c', name: 'remember', argumentsText: '{"text": ' }] };
    const [text = '', ...rest] = await play({ answer: () => broken });
    expect(rest).toStrictEqual([]);
    expect(text).toMatch(/^I could not do that: [\s\S]*\nDetails: \/why tg-1-1$/);
  });

  it('is a sentence of ours over the budget', async () => {
    const variables = { ...providersOf(DEAR), BUDGET_TURN_USD: '0.000001' };
    const [text = ''] = await play({ answer: () => ({ content: 'x' }), variables });
    expect(text).toMatch(/^I did not ask a language model, because the budget does not allow it: /);
    expect(text).toMatch(/Details: \/why tg-1-1$/);
  });

  it('is a result that the model sees where a tool throws', async () => {
    const seen: string[] = [];
    const space = newSpace();
    let isActing = false;
    const fault = (): Promise<never> => Promise.reject(new StoredItemError('a note', 'it cannot be read'));
    const simulation = buildSimulation({
      table: {
        ...dynamo.table,
        query: (request) => (isActing && request.pk.startsWith('memory#') ? fault() : dynamo.table.query(request)),
        load: (keys, options) =>
          isActing && keys.some(({ pk }) => pk.startsWith('memory#')) ? fault() : dynamo.table.load(keys, options),
      },
      space,
      answer: (prompt) => {
        const results = prompt.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
        seen.push(...results);
        return results.length > 0 ? { content: 'I could not look.' } : callTool('list-memory', {});
      },
    });
    await simulation.accept(ownerMessage(space, 1, 'what do you know?'));
    for (let count = 0; simulation.queue.length > 0 && count < 40; count += 1) {
      isActing = simulation.queue[0]?.stage === 'act';
      await tryDeliver(simulation);
    }
    expect(seen.join()).toContain('stored item a note: it cannot be read');
    expect(simulation.sent.map(({ text }) => text)).toStrictEqual(['I could not look.']);
  });
});
