import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApproval, settleApproval } from '../../../../lib/core/approvals/approval.ts';
import { HOUR_S } from '../../../../lib/core/base/limits.ts';
import { APPROVAL_TTL_MS } from '../../../../lib/core/stages/act/suspend.ts';
import { approvalKey, indexPartitions, signalKeys } from '../../../../lib/core/store/keys.ts';
import { loadItem } from '../../../../lib/core/store/load-named.ts';
import type { Table } from '../../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import { buildSimulation, Crash, ownerMessage } from '../../../support/simulation.ts';

const HOUR_MS = HOUR_S * 1000;

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

/** A webhook that waits for a person until its time is over. `isApproved`: Act never heard it. */
const buildExpired = async (isApproved = false) => {
  const space = `s${randomBytes(6).toString('hex')}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) =>
      prompt.messages.some((message) => message.role === 'tool')
        ? { content: 'It expired.' }
        : {
            toolCalls: [
              {
                id: 'c1',
                name: 'call-webhook',
                argumentsText: '{"webhook":"deploys","body":{},"explanation":"the owner asked for it"}',
              },
            ],
          },
    webhookUrls: { deploys: 'https://deploys.example/hook' },
  });
  await simulation.accept(ownerMessage(space, 1, 'deploy'));
  await simulation.drain();
  if (isApproved) {
    const effect = await loadItem(dynamo.table, signalKeys.effect(space, 'tg-1-1', 0));
    const id = String(effect?.approvalId);
    const approval = parseApproval(id, (await loadItem(dynamo.table, approvalKey(space, id))) ?? {});
    const yes = { state: 'approved', by: 'tg-1-2', decider: 'telegram:1' } as const;
    await settleApproval(dynamo.table, approval, yes, simulation.now());
  }
  simulation.advance(APPROVAL_TTL_MS + 1);
  return { space, simulation };
};

const endOf = async (space: string) => {
  const [record, effect, child] = await dynamo.table.load(
    [signalKeys.record(space, 'tg-1-1'), signalKeys.effect(space, 'tg-1-1', 0), signalKeys.record(space, 'tg-1-1/d0')],
    { isConsistent: true },
  );
  const partition = indexPartitions.pendingApprovals(space);
  const open = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 10 });
  return [record?.state, effect?.state, child?.state, open.items.length];
};

it('starts no run where nothing is due', async () => {
  const space = `s${randomBytes(6).toString('hex')}`;
  const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'Yes.' }) });
  expect(await simulation.tickJobs()).toBe(0);
});

describe('sweep', () => {
  it('refuses an action nobody approved in time and tells the model, wherever an earlier sweep died', async () => {
    const whole = await buildExpired();
    const before = whole.simulation.operations();
    expect(await whole.simulation.sweep()).toMatchObject({ expired: 1 });
    const steps = whole.simulation.operations() - before;
    await whole.simulation.drain();
    expect(await endOf(whole.space)).toStrictEqual(['refused', 'refused', 'acted', 0]);
    for (let k = 1; k <= steps; k += 1) {
      const { space, simulation } = await buildExpired();
      simulation.crashAt(k);
      await expect(simulation.sweep(), `operation ${k}`).rejects.toThrow(Crash);
      await simulation.sweep();
      await simulation.drain();
      expect([k, ...(await endOf(space))]).toStrictEqual([k, 'refused', 'refused', 'acted', 0]);
      expect(simulation.sent.map(({ text }) => text).filter((text) => text === 'It expired.')).toHaveLength(1);
    }
  });

  it('lets Act refuse an action whose approval never came to it', async () => {
    const { space, simulation } = await buildExpired(true);
    await simulation.sweep();
    await simulation.drain();
    const [record, effect, , open] = await endOf(space);
    expect([record, effect, open]).toStrictEqual(['refused', 'refused', 0]);
    expect(simulation.sent.map(({ text }) => text)).toContain('It expired.');
  });

  it('reads the index once for all signals that wait behind turns, and loads only the turns', async () => {
    const space = `s${randomBytes(6).toString('hex')}`;
    const read = { pages: 0, items: 0 };
    const table: Table = {
      ...dynamo.table,
      load: (keys, ...rest) => {
        read.items += keys.length;
        return dynamo.table.load(keys, ...rest);
      },
      queryIndex: (query) => {
        if (query.partition === indexPartitions.unfinishedSignals(space)) read.pages += 1;
        return dynamo.table.queryIndex(query);
      },
    };
    const simulation = buildSimulation({ table, space, answer: () => ({ content: 'I see.' }) });
    const signals = 30;
    for (let n = 1; n <= signals; n += 1) await simulation.accept(ownerMessage(space, n, 'hello'));
    for (const message of simulation.queue.filter(({ stage }) => stage === 'perceive'))
      await simulation.deliver(message);
    simulation.loseQueues();
    simulation.advance(HOUR_MS);
    expect(await simulation.sweep()).toMatchObject({ republished: signals });
    simulation.loseQueues();
    simulation.advance(HOUR_MS);
    read.pages = 0;
    read.items = 0;
    expect(await simulation.sweep()).toMatchObject({ republished: signals });
    expect(read.pages).toBe(2);
    // Of each signal its record, the head of its session and the turn it waits behind.
    expect(read.items).toBeLessThanOrEqual(3 * signals + 10);
    const records = await table.load(
      [1, 2].map((n) => signalKeys.record(space, `tg-1-${n}`)),
      { isConsistent: true },
    );
    // The tries of a signal that waits are not counted.
    expect(records.map((record) => record?.sweeps)).toStrictEqual([2, 1]);
  });
});
