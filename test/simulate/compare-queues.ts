/**
 * Random operations on the simulated queues and on the embedded server. Answers, received messages
 * and counts are compared after their ids got common names; a difference throws.
 */
import type { buildApp } from 'fauxqs';
import { expect } from 'vitest';
import type { QueueMessage } from '../../infra/local/queues.ts';
import type { QueuePlan } from '../../infra/local/wiring.ts';
import { buildModel, buildServer, type Model, passMs, type Side } from './queue-sides.ts';
import { type Answer, buildSend, RECEIVES_MAX, VISIBILITY_S } from './queue-world.ts';
import type { Random } from './types.ts';
import { buildRandom } from './world/random.ts';

/** One receive of one message, by both. */
interface Receipt {
  readonly plan: QueuePlan;
  readonly model: string;
  readonly server: string;
  hiddenUntil: number;
  isDeleted: boolean;
  /** The server ends a visibility timeout with its next receive. */
  isOverOnServer: boolean;
}

interface Comparison {
  readonly model: Model;
  readonly server: Side;
  readonly plans: readonly [QueuePlan, QueuePlan];
  readonly random: Random;
  /** Common names by the message ids of either side, in the order in which they were seen. */
  readonly names: { readonly model: Map<string, string>; readonly server: Map<string, string> };
  /** Names of messages that were sent to the main queue. */
  readonly sentToMain: Set<unknown>;
  readonly receipts: Receipt[];
  /** What happened, as `<action> <outcome>`. */
  readonly outcomes: Set<string>;
  sentCount: number;
}

const nameOf = (names: Map<string, string>, id: unknown): string => {
  const name = names.get(String(id)) ?? `message ${names.size}`;
  names.set(String(id), name);
  return name;
};

/** Without the texts of refusals, and the checksum of attributes, which nobody reads. */
const normalise = (answer: Answer, names: Map<string, string>): object => {
  const { message: _, MD5OfMessageAttributes: __, MessageId, ...fields } = answer;
  return { ...fields, ...(MessageId !== undefined && { MessageId: nameOf(names, MessageId) }) };
};

const errorOf = (answer: Answer): string => String(answer.__type ?? 'done').replace(/.*#/, '');

/** @returns the outcome, which is the same on both sides */
const requestBoth = async (
  { model, server, names, outcomes }: Comparison,
  action: string,
  ofModel: object,
  ofServer = ofModel,
): Promise<Answer> => {
  const answer = await model.request(action, ofModel);
  expect(normalise(answer, names.model), action).toStrictEqual(
    normalise(await server.request(action, ofServer), names.server),
  );
  outcomes.add(`${action} ${errorOf(answer)}`);
  return answer;
};

const sendBoth = async (comparison: Comparison): Promise<void> => {
  const { random, plans, names, outcomes, sentToMain } = comparison;
  const plan = plans[random.chance(0.8) ? 0 : 1];
  comparison.sentCount += 1;
  const before = names.model.size;
  const answer = await requestBoth(
    comparison,
    'SendMessage',
    buildSend(plan.url, {
      body: random.chance(0.05) ? '' : `body ${comparison.sentCount}`,
      group: random.chance(0.03) ? '' : random.pick(['a', 'b', 'c', 'd']),
      id: random.chance(0.03) ? '' : `id-${random.below(20)}`,
      reason: random.chance(0.2) ? 'why' : undefined,
    }),
  );
  if (answer.status !== 200) return;
  if (names.model.size === before) outcomes.add('SendMessage repeat');
  else if (plan === plans[0]) sentToMain.add(answer.MessageId);
};

const describeMessage = (
  { MessageId, ReceiptHandle: _, ...message }: QueueMessage,
  names: Map<string, string>,
  extraReceives: number,
): object => {
  const {
    MD5OfMessageAttributes: __,
    MessageAttributes = {},
    Attributes,
    ...others
  } = message as typeof message & {
    readonly MD5OfMessageAttributes?: string;
  };
  const ApproximateReceiveCount = String(Number(Attributes.ApproximateReceiveCount) - extraReceives);
  return {
    ...others,
    name: nameOf(names, MessageId),
    MessageAttributes,
    Attributes: { ...Attributes, ApproximateReceiveCount },
  };
};

const byGroup = (one: QueueMessage, other: QueueMessage): number =>
  String(one.Attributes.MessageGroupId).localeCompare(String(other.Attributes.MessageGroupId));

/** Compares the counts of both queues. */
const compareCounts = async ({ model, server, plans }: Comparison): Promise<void> => {
  for (const plan of plans) expect(await model.count(plan), plan.name).toBe(await server.count(plan));
};

/** The server serves groups in another order, but both give one message of each. */
const receiveBoth = async (comparison: Comparison, plan: QueuePlan): Promise<readonly Receipt[]> => {
  const { model, server, plans, names, sentToMain, receipts, outcomes } = comparison;
  const ofModel = [...(await model.receive(plan, 10))].sort(byGroup);
  const ofServer = [...(await server.receive(plan, 10))].sort(byGroup);
  // The server counts the move to the dead-letter queue as a receive.
  const isMoved = ({ MessageId }: QueueMessage): boolean => plan === plans[1] && sentToMain.has(MessageId);
  expect(ofModel.map((message) => describeMessage(message, names.model, 0))).toStrictEqual(
    ofServer.map((message, index) => {
      const own = ofModel[index];
      return describeMessage(message, names.server, own !== undefined && isMoved(own) ? 1 : 0);
    }),
  );
  if (ofModel.some(isMoved)) outcomes.add('Receive moved');
  if (ofModel.some(({ Attributes }) => Attributes.ApproximateReceiveCount === `${RECEIVES_MAX}`))
    outcomes.add('Receive last');
  outcomes.add(`Receive ${ofModel.length > 0 ? 'some' : 'none'}`);
  for (const receipt of receipts)
    if (receipt.plan === plan && receipt.hiddenUntil <= Date.now()) receipt.isOverOnServer = true;
  const visibilityMs = Number(plan.attributes.VisibilityTimeout ?? VISIBILITY_S) * 1000;
  const received = ofModel.map(({ ReceiptHandle }, index) => ({
    plan,
    model: ReceiptHandle,
    server: ofServer[index]?.ReceiptHandle ?? '',
    hiddenUntil: Date.now() + visibilityMs,
    isDeleted: false,
    isOverOnServer: false,
  }));
  receipts.push(...received);
  return received;
};

const isLive = ({ isDeleted, hiddenUntil }: Receipt): boolean => !isDeleted && hiddenUntil > Date.now();

/** Old receipts too: most of the time one of the last. */
const pickReceipt = ({ receipts, random }: Comparison): Receipt | undefined => {
  const oldest = random.chance(0.7) ? Math.max(0, receipts.length - 5) : 0;
  return receipts[oldest + random.below(receipts.length - oldest)];
};

const deleteBoth = async (comparison: Comparison, receipt: Receipt): Promise<void> => {
  const { model, server, outcomes } = comparison;
  const of = (ReceiptHandle: string): object => ({ QueueUrl: receipt.plan.url, ReceiptHandle });
  if (isLive(receipt) || receipt.isDeleted) {
    if (receipt.isDeleted) outcomes.add('DeleteMessage repeat');
    await requestBoth(comparison, 'DeleteMessage', of(receipt.model), of(receipt.server));
    receipt.isDeleted = true;
    return;
  }
  // The server does nothing and answers 200, or even deletes the message: see the differences.
  expect(errorOf(await model.request('DeleteMessage', of(receipt.model)))).toBe('InvalidParameterValue');
  outcomes.add(`DeleteMessage ${receipt.isOverOnServer ? 'stale' : 'expired'}`);
  if (receipt.isOverOnServer) await server.request('DeleteMessage', of(receipt.server));
};

const changeBoth = async (comparison: Comparison, receipt: Receipt): Promise<void> => {
  const VisibilityTimeout = comparison.random.pick([0, 0, 10, 45, 200, -1, 43_201]);
  const of = (ReceiptHandle: string): object => ({ QueueUrl: receipt.plan.url, ReceiptHandle, VisibilityTimeout });
  if (!isLive(receipt) && !receipt.isDeleted && !receipt.isOverOnServer) {
    // The server would hide the message again: see the differences.
    expect(await comparison.model.request('ChangeMessageVisibility', of(receipt.model))).toMatchObject({ status: 400 });
    return;
  }
  const wasLive = isLive(receipt);
  const { status } = await requestBoth(comparison, 'ChangeMessageVisibility', of(receipt.model), of(receipt.server));
  expect(status === 200).toBe(wasLive && VisibilityTimeout >= 0 && VisibilityTimeout <= 43_200);
  if (status !== 200) return;
  receipt.hiddenUntil = Date.now() + VisibilityTimeout * 1000;
  receipt.isOverOnServer = VisibilityTimeout === 0;
};

/** Nothing comes one millisecond before the model's time, and at this time something does. */
const waitForNext = async (comparison: Comparison, plan: QueuePlan): Promise<readonly Receipt[]> => {
  const { model, server, outcomes } = comparison;
  const at = model.nextReceivableAt(plan);
  const count = await server.count(plan);
  expect(at === undefined).toBe(count === 0);
  if (at === undefined) return [];
  if (at > Date.now()) {
    passMs(at - Date.now() - 1);
    expect(await receiveBoth(comparison, plan)).toStrictEqual([]);
    passMs(1);
  }
  const received = await receiveBoth(comparison, plan);
  if (received.length === 0) {
    expect(await server.count(plan)).toBeLessThan(count);
    outcomes.add('Receive moves all');
  }
  return received;
};

const step = async (comparison: Comparison): Promise<void> => {
  const { random, plans } = comparison;
  const plan = plans[random.chance(0.7) ? 0 : 1];
  const receipt = pickReceipt(comparison);
  switch (random.pick(['send', 'send', 'send', 'receive', 'receive', 'delete', 'change', 'pass', 'wait'])) {
    case 'send':
      return sendBoth(comparison);
    case 'receive':
      await receiveBoth(comparison, plan);
      return;
    case 'delete':
      return receipt && deleteBoth(comparison, receipt);
    case 'change':
      return receipt && changeBoth(comparison, receipt);
    case 'wait':
      await waitForNext(comparison, plan);
      return;
    default:
      passMs(random.pick([1, 7, 29, 31, 61, 299, 301]) * 1000);
  }
};

/** Does random operations on both sides, then empties both. @returns what happened */
export const compareRun = async (
  app: ReturnType<typeof buildApp>,
  plans: readonly [QueuePlan, QueuePlan],
  seed: number,
  operations: number,
): Promise<ReadonlySet<string>> => {
  const comparison: Comparison = {
    model: buildModel(plans, seed),
    server: await buildServer(app, plans),
    plans,
    random: buildRandom(seed, 'test'),
    names: { model: new Map(), server: new Map() },
    sentToMain: new Set(),
    receipts: [],
    outcomes: new Set(),
    sentCount: 0,
  };
  for (let operation = 0; operation < operations; operation += 1) {
    await step(comparison);
    await compareCounts(comparison);
  }
  for (const plan of plans)
    while (comparison.model.nextReceivableAt(plan) !== undefined)
      for (const receipt of await waitForNext(comparison, plan)) await deleteBoth(comparison, receipt);
  await compareCounts(comparison);
  return comparison.outcomes;
};
