/**
 * The simulated queues against the embedded server over random operations. Where the server and the
 * documentation of SQS differ, the simulated queues keep to the documentation: each such difference
 * is a row of the table below, which holds both sides to what they do.
 */
import { buildApp } from 'fauxqs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueuePlan } from '../../infra/local/wiring.ts';
import { TAKES_ALL } from '../support/sample.ts';
import { SEED } from '../support/seed.ts';
import { compareRun } from './compare-queues.ts';
import { buildModel, buildServer, passMs, type Side } from './queue-sides.ts';
import { type Answer, buildPlans, buildSend, RECEIVES_MAX, VISIBILITY_S } from './queue-world.ts';

const RUNS = TAKES_ALL ? 60 : 15;
const OPERATIONS = 100;

/** All that the random operations can bring about: each happens at least once. */
const OUTCOMES = [
  'ChangeMessageVisibility InvalidParameterValue',
  'ChangeMessageVisibility MessageNotInflight',
  'ChangeMessageVisibility done',
  'DeleteMessage done',
  'DeleteMessage expired',
  'DeleteMessage repeat',
  'DeleteMessage stale',
  'Receive last',
  'Receive moved',
  'Receive moves all',
  'Receive none',
  'Receive some',
  'SendMessage InvalidParameterValue',
  'SendMessage MissingParameter',
  'SendMessage done',
  'SendMessage repeat',
];

const app = buildApp({ logger: false, host: '127.0.0.1', defaultRegion: 'us-east-1' });
let made = 0;
beforeEach(() => {
  made += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => app.close());

type Plans = readonly [QueuePlan, QueuePlan];
type Scenario = (side: Side, plans: Plans) => Promise<unknown>;

const bodies = async (side: Side, plan: QueuePlan): Promise<readonly string[]> =>
  (await side.receive(plan, 10)).map(({ Body }) => Body).sort();

const send = (side: Side, [{ url }]: Plans, fields: Parameters<typeof buildSend>[1]): Promise<Answer> =>
  side.request('SendMessage', buildSend(url, fields));

const sendOne = async (side: Side, plans: Plans): Promise<string> => {
  await send(side, plans, { body: 'one' });
  return (await side.receive(plans[0], 10))[0]?.ReceiptHandle ?? '';
};

/** Each row: the rule of SQS, a scenario, what the model and what the server makes of it. */
const DIFFERENCES: readonly (readonly [string, Scenario, unknown, unknown])[] = [
  [
    'A deduplication id counts for its message group if the queue says so.',
    async (side, plans) => {
      for (const group of ['a', 'b']) await send(side, plans, { group, id: 'x' });
      return side.count(plans[0]);
    },
    2,
    1,
  ],
  [
    'An expired receipt handle deletes nothing, even before anybody received the message again.',
    async (side, plans) => {
      const ReceiptHandle = await sendOne(side, plans);
      passMs(VISIBILITY_S * 1000);
      const { status } = await side.request('DeleteMessage', { QueueUrl: plans[0].url, ReceiptHandle });
      return [status, await bodies(side, plans[0])];
    },
    [400, ['one']],
    [200, []],
  ],
  [
    'An expired receipt handle hides no message again.',
    async (side, plans) => {
      const ReceiptHandle = await sendOne(side, plans);
      passMs(VISIBILITY_S * 1000);
      const input = { QueueUrl: plans[0].url, ReceiptHandle, VisibilityTimeout: 50 };
      const { status } = await side.request('ChangeMessageVisibility', input);
      return [status, await bodies(side, plans[0])];
    },
    [400, ['one']],
    [200, []],
  ],
  [
    'A delete by the handle of an earlier receive is refused, and does not only do nothing.',
    async (side, plans) => {
      const ReceiptHandle = await sendOne(side, plans);
      passMs(VISIBILITY_S * 1000);
      await side.receive(plans[0], 10);
      const { status } = await side.request('DeleteMessage', { QueueUrl: plans[0].url, ReceiptHandle });
      return [status, await side.count(plans[0])];
    },
    [400, 1],
    [200, 1],
  ],
  [
    'A handle that no queue gave is refused.',
    async (side, [{ url }]) =>
      (await side.request('DeleteMessage', { QueueUrl: url, ReceiptHandle: 'made-up' })).status,
    400,
    200,
  ],
  [
    'A message stays hidden for 12 hours at most, counted from its receive.',
    async (side, plans) => {
      const ReceiptHandle = await sendOne(side, plans);
      passMs(10_000);
      const input = { QueueUrl: plans[0].url, ReceiptHandle, VisibilityTimeout: 43_191 };
      return (await side.request('ChangeMessageVisibility', input)).status;
    },
    400,
    200,
  ],
  [
    'A move to the dead-letter queue is no receive.',
    async (side, plans) => {
      await send(side, plans, { body: 'one' });
      for (let receive = 0; receive <= RECEIVES_MAX; receive += 1) {
        await side.receive(plans[0], 10);
        passMs(VISIBILITY_S * 1000);
      }
      return (await side.receive(plans[1], 10)).map(({ Attributes }) => Attributes.ApproximateReceiveCount);
    },
    [`${RECEIVES_MAX + 1}`],
    [`${RECEIVES_MAX + 2}`],
  ],
  [
    'A message ends with the retention period.',
    async (side, plans) => {
      await send(side, plans, { body: 'one' });
      passMs(4 * 86_400_000);
      return bodies(side, plans[0]);
    },
    [],
    ['one'],
  ],
  [
    'A body may have characters outside of the basic plane.',
    async (side, plans) => (await send(side, plans, { body: '\u{1f600}', id: 'x' })).status,
    200,
    400,
  ],
  [
    'A group is named in letters, digits and punctuation.',
    async (side, plans) => (await send(side, plans, { group: 'a b' })).status,
    400,
    200,
  ],
  [
    'A deduplication id has 128 characters at most.',
    async (side, plans) => (await send(side, plans, { id: 'x'.repeat(129) })).status,
    400,
    200,
  ],
  [
    'The text of an attribute has the characters of a body.',
    async (side, plans) => (await send(side, plans, { reason: '\u0007' })).status,
    400,
    200,
  ],
];

describe('the simulated queues and the embedded server', () => {
  it.each(DIFFERENCES)('differ: %s', async (_, scenario, model, server) => {
    const plans = buildPlans(`differ-${made}-`, { DeduplicationScope: 'messageGroup' });
    expect(await scenario(buildModel(plans), plans)).toStrictEqual(model);
    expect(await scenario(await buildServer(app, plans), plans)).toStrictEqual(server);
  });

  it('differ: One receive may bring several messages of a group.', async () => {
    const plans = buildPlans(`differ-${made}-`);
    const most = async (side: Side): Promise<number> => {
      let max = 0;
      for (const id of ['1', '2', '3']) await send(side, plans, { body: id });
      for (let receive = 0; receive < RECEIVES_MAX; receive += 1) {
        max = Math.max(max, (await side.receive(plans[0], 10)).length);
        passMs(VISIBILITY_S * 1000);
      }
      return max;
    };
    expect(await most(buildModel(plans, 1, true))).toBeGreaterThan(1);
    expect(await most(await buildServer(app, plans))).toBe(1);
  });

  it('give the same answers and messages', async () => {
    const outcomes = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const compared = compareRun(app, buildPlans(`compare-${run}-`), SEED + run, OPERATIONS);
      const seen = await compared.catch((cause: unknown) => {
        throw new Error(`the two differ in run ${run} of TEST_SEED=${SEED}`, { cause });
      });
      for (const outcome of seen) outcomes.add(outcome);
    }
    expect([...outcomes].sort()).toStrictEqual(OUTCOMES);
  });
});
