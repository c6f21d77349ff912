import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runnerKeys } from '../../../lib/core/store/keys.ts';
import {
  buildOrderRowItem,
  endByTime,
  endOrder,
  loadOrderRow,
  type OrderRow,
  putOrderRow,
  refuseOrder,
  settleOrderRow,
  takeOrder,
} from '../../../lib/features/runner/order-row.ts';
import type { RunnerOutcome, SignedReceipt, SignedResult } from '../../../lib/features/runner/result.ts';
import { buildShown } from '../../../lib/features/runner/result.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';

const NOW = 1_790_000_040_000;
const HOUR = 3_600_000;
const MINE = '1'.repeat(32);
const OTHER = '2'.repeat(32);
const hash = (digit: string): string => digit.repeat(64);

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const item = buildOrderRowItem(
  {
    job: {
      v: 1,
      id: 'con-a#0',
      space: 's',
      runner: 'home',
      action: { target: 'tool', tool: 'list-files', args: { path: '/x' }, explanation: 'because', author: 'model' },
      actionHash: hash('a'),
      decisionHash: hash('b'),
      traceHash: hash('c'),
      issuedAt: NOW,
      expiresAt: NOW + HOUR,
      nonce: MINE,
    },
    signature: 'signed by Act',
  },
  { session: 'main', consentedAt: NOW },
);

const receiptOf = (claim: string, runner = 'home'): SignedReceipt => ({
  receipt: { v: 1, jobHash: hash('d'), runner, takenAt: NOW, claim, runMsMax: 60_000 },
  signature: `receipt ${claim}`,
});

const resultOf = (state: RunnerOutcome, claim?: string, runner = 'home'): SignedResult => ({
  result: {
    v: 1,
    jobHash: hash('d'),
    runner,
    ...(claim === undefined ? {} : { claim }),
    state,
    reason: '',
    endedAt: NOW,
    output: { sha256: hash('0'), bytes: 0 },
    shown: buildShown('', true),
    changed: [],
    moreChanged: 0,
    allowHash: hash('e'),
  },
  signature: `${state} ${claim}`,
});

let count = 0;
/** One job in a space of its own, and what may be done with it. */
const newJob = async () => {
  count += 1;
  const space = `row-${count}`;
  const { table } = dynamo;
  const id = 'con-a#0';
  const evidence = { key: runnerKeys.evidence(space, 'con-a', 0, 'job'), item: { schemaVersion: 1 } };
  const put = () => putOrderRow(table, space, item, evidence);
  await put();
  const load = () => loadOrderRow(table, space, id);
  return {
    put,
    load,
    take: (claim: string, now = NOW, runner = 'home') => takeOrder(table, space, id, receiptOf(claim, runner), now),
    refuse: (claim?: string) => refuseOrder(table, space, id, 'stopped', claim),
    end: (state: RunnerOutcome, claim?: string, runner = 'home') =>
      endOrder(table, space, id, { signed: resultOf(state, claim, runner), text: '' }, NOW),
    pass: async (now: number) => {
      const row = await load();
      return row && endByTime(table, space, row, now);
    },
    settle: () => settleOrderRow(table, space, id, NOW),
  };
};
type Job = Awaited<ReturnType<typeof newJob>>;

const outcomeOf = (row: OrderRow | undefined): string => row?.state ?? 'no';

describe('a job on its way', () => {
  it.each<[string, readonly ((job: Job) => Promise<unknown>)[], string]>([
    ['is taken by the first claim', [(job) => job.take(MINE)], 'taken'],
    [
      'is taken again by the same claim, whose answer was lost',
      [(job) => job.take(MINE), (job) => job.take(MINE)],
      'taken',
    ],
    ['is not taken by another claim', [(job) => job.take(MINE), (job) => job.take(OTHER)], 'no'],
    ['is not taken by another runner', [(job) => job.take(MINE, NOW, 'away')], 'no'],
    ['is not taken when its time is over', [(job) => job.take(MINE, NOW + HOUR)], 'no'],
    ['is not taken when it was stopped', [(job) => job.refuse(), (job) => job.take(MINE)], 'no'],
    ['is not taken when its effect has ended otherwise', [(job) => job.settle(), (job) => job.take(MINE)], 'no'],
    [
      'is stopped behind its claim by that claim',
      [(job) => job.take(MINE), (job) => job.refuse(MINE), (job) => job.load()],
      'ended',
    ],
    [
      'is not stopped by another claim',
      [(job) => job.take(MINE), (job) => job.refuse(OTHER), (job) => job.load()],
      'taken',
    ],
    ['ends by its claim', [(job) => job.take(MINE), (job) => job.end('done', MINE)], 'ended'],
    [
      'ends again by the same result, whose answer was lost',
      [(job) => job.take(MINE), (job) => job.end('done', MINE), (job) => job.end('done', MINE)],
      'ended',
    ],
    [
      'keeps its first result',
      [(job) => job.take(MINE), (job) => job.end('done', MINE), (job) => job.end('failed', MINE)],
      'no',
    ],
    ['is not ended by another claim', [(job) => job.take(MINE), (job) => job.end('done', OTHER)], 'no'],
    ['is not done without a claim', [(job) => job.end('done')], 'no'],
    ['is refused by the machine without a claim', [(job) => job.end('refused')], 'ended'],
    ['is not refused by another machine', [(job) => job.end('refused', undefined, 'away')], 'no'],
    ['expires when nobody took it', [(job) => job.pass(NOW + HOUR)], 'expired'],
    ['does not expire before', [(job) => job.pass(NOW + HOUR - 1)], 'queued'],
    ['is lost after its time and a minute', [(job) => job.take(MINE), (job) => job.pass(NOW + 120_000)], 'lost'],
    ['is not lost before', [(job) => job.take(MINE), (job) => job.pass(NOW + 119_999)], 'taken'],
    [
      'is found again before its loss is settled',
      [(job) => job.take(MINE), (job) => job.pass(NOW + HOUR), (job) => job.end('done', MINE)],
      'ended',
    ],
    [
      'stays lost once that is settled',
      [(job) => job.take(MINE), (job) => job.pass(NOW + HOUR), (job) => job.settle(), (job) => job.end('done', MINE)],
      'no',
    ],
    ['is put once', [(job) => job.take(MINE), (job) => job.put()], 'taken'],
  ])('%s', async (_, steps, expected) => {
    const job = await newJob();
    let last: unknown;
    for (const step of steps) last = await step(job);
    expect(outcomeOf(last as OrderRow | undefined)).toBe(expected);
  });

  it('keeps no word once it is settled', async () => {
    const job = await newJob();
    await job.take(MINE);
    await job.end('done', MINE);
    await job.settle();
    const row = await job.load();
    expect(row).toMatchObject({ state: 'ended', isSettled: true, resultSignature: `done ${MINE}` });
    expect([row?.signed, row?.text, row?.result, row?.receipt]).toStrictEqual(Array(4).fill(undefined));
    expect(outcomeOf(await job.end('done', MINE))).toBe('ended');
  });
});
