/** A card says if nothing like its action was approved before, and how often the very same was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { describeEarlier } from '../../../lib/core/approvals/earlier-yes.ts';
import { DAY_MS } from '../../../lib/core/base/limits.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import { approvalKey, indexPartitions } from '../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { webhookCall } from '../gates/samples.ts';
import { approvalWith, NOW } from './samples.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

let spaces = 0;
const lineOf = async (earlier: readonly Partial<Approval>[], action: Action = webhookCall()) => {
  spaces += 1;
  const space = `earlier-${spaces}`;
  for (const [n, changes] of earlier.entries()) {
    const id = n.toString(16).padStart(32, '0');
    const feed = { feedSpace: indexPartitions.approvalFeed(space), feedAt: NOW + n };
    await dynamo.table.put(approvalKey(space, id), { ...approvalWith({ ...changes, id, space }), ...feed });
  }
  return describeEarlier(dynamo.table, space, action, NOW + DAY_MS);
};

const decided = (yes: number, no: number, span = '30 days') =>
  `Exactly this was decided before: ${yes} yes, ${no} no in the last ${span}.`;
const OTHER = 'CHANGED: the runbook has another text than the one you approved last.';
const run = (runbook: string, hash: string): Action => ({
  ...webhookCall(),
  target: 'tool',
  tool: 'run-runbook',
  args: { runbook, hash, inputs: {}, approveWhole: false },
});

describe('describeEarlier', () => {
  it.each<[string, readonly Partial<Approval>[], Action | undefined, readonly string[]]>([
    ['nothing was asked before', [], undefined, []],
    ['the same was approved', [{ state: 'approved' }], undefined, [decided(1, 0)]],
    ['the same was done', [{ state: 'spent' }, { state: 'denied' }], undefined, [decided(1, 1)]],
    ['the same was approved long ago', [{ state: 'spent', createdAt: NOW - 30 * DAY_MS }], undefined, []],
    ['the same was only asked or denied', [{ state: 'denied' }, { state: 'expired' }, {}], undefined, [decided(0, 1)]],
    ['another address was approved', [{ state: 'spent' }], { ...webhookCall(), to: 'elsewhere' }, []],
    ['other arguments were approved', [{ state: 'spent' }], { ...webhookCall(), args: { a: 1 } }, []],
    ['the runbook was approved', [{ state: 'spent', action: run('deploy', 'a') }], run('deploy', 'a'), [decided(1, 0)]],
    ['another runbook was approved', [{ state: 'spent', action: run('test', 'a') }], run('deploy', 'a'), []],
    ['the runbook had another text', [{ state: 'spent', action: run('deploy', 'a') }], run('deploy', 'b'), [OTHER]],
  ])('compares with what was approved: %s', async (_name, earlier, action, lines) => {
    expect(await lineOf(earlier, action)).toStrictEqual(lines);
  });

  it('says how far back it looked', async () => {
    const denied = Array.from({ length: 60 }, () => ({ state: 'denied' }) as const);
    expect(await lineOf([{ state: 'spent' }, ...denied])).toStrictEqual([decided(0, 50, '50 cards')]);
  });
});
