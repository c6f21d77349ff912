/**
 * What starts functions: messages on queues, requests to function URLs and the schedule. As AWS
 * documents, each may come late, twice or, for a schedule, not at all.
 */
import { buildHttpEvent, parseHttpAnswer } from '../../../infra/local/http-event.ts';
import type { QueueMessage } from '../../../infra/local/queues.ts';
import { buildScheduleEvent, buildSqsEvent, parseSucceeded } from '../../../infra/local/triggers.ts';
import type { EventSourcePlan, Wiring } from '../../../infra/local/wiring.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../../lib/core/store/settings.ts';
import type { WireAnswer, WireRequest } from '../types.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Lambda } from './lambda.ts';
import type { Queues } from './queues.ts';
import type { Stream } from './random.ts';
import { SLOW_MS_MAX } from './wire.ts';

export const HTTP_FAULTS = { 'request-lost': 2, 'answer-lost': 4, slow: 1 } as const;
export const DELIVERY_FAULTS = {
  'removal-lost': 3,
  'delivered-twice': 1,
  'delivered-at-once': 2,
  'invoked-late': 3,
} as const;
export const TICK_FAULTS = { missing: 3, twice: 3, late: 3 } as const;

/** How near to each other the work on a message begins and the message is visible again. */
const NEAR_MS = [40, 2_000] as const;
/** Longest wait of a message before an event source fetches it, milliseconds. */
const POLL_MS_MAX = 50;
/** Longest way of a request to a function URL in one direction, milliseconds. */
const HTTP_WAY_MS_MAX = 30;

export interface TriggerOptions {
  readonly clock: Clock;
  readonly random: Stream;
  readonly faults: Faults;
  readonly lambda: Lambda;
  readonly queues: Queues;
  readonly wiring: Wiring;
  readonly region: string;
  readonly note: (line: string) => void;
}

export interface EventSources {
  /** Plans the next fetch of each queue. */
  readonly pollAll: () => void;
}

const nameOf = (text: string): FunctionName => {
  const name = FUNCTION_NAMES.find((one) => one === text);
  if (name === undefined) throw new Error(`there is no function ${text}`);
  return name;
};

const waitOn =
  ({ after }: Clock) =>
  (ms: number): Promise<void> =>
    new Promise((resolve) => void after(ms, resolve));

const drawAround = (random: Stream): number => {
  const nearMs = random.pick(NEAR_MS);
  return random.below(2 * nearMs) - nearMs;
};

export const buildEventSources = (options: TriggerOptions): EventSources => {
  const { clock, random, faults, lambda, queues, wiring, region, note } = options;
  const { now, after } = clock;
  const wait = waitOn(clock);
  /** When each queue is fetched next. */
  const planned = new Map<EventSourcePlan, number>();

  const runBatch = async (plan: EventSourcePlan, messages: readonly QueueMessage[]): Promise<void> => {
    const { functionName, queue } = plan;
    const event = buildSqsEvent(messages, queue.arn, region);
    const fault = faults.draw('delivery', DELIVERY_FAULTS);
    // Lambda is throttled, and tries until the messages are about to be visible again.
    if (fault === 'invoked-late') await wait(queues.visibilityMsOf(queue.name) + drawAround(random));
    // Both work on the same messages at the same time.
    const other = fault === 'delivered-at-once' ? lambda.invoke(nameOf(functionName), event) : undefined;
    const outcome = await lambda.invoke(nameOf(functionName), event);
    await other;
    if (fault === 'delivered-twice') await lambda.invoke(nameOf(functionName), event);
    const succeeded = outcome.kind === 'answered' ? parseSucceeded(messages, outcome.answer) : [];
    note(`${functionName} ${outcome.kind} ${succeeded.length} of ${messages.length}`);
    const handles = succeeded.map(({ ReceiptHandle }) => ReceiptHandle);
    if (fault !== 'removal-lost') queues.remove(queue.name, handles);
    pollAll();
  };

  const fetch = (plan: EventSourcePlan): void => {
    planned.delete(plan);
    const messages = queues.receive(plan.queue.name, 1 + random.below(plan.batchSize));
    if (messages.length > 0) void runBatch(plan, messages);
    // A receive may also have moved messages to a dead-letter queue.
    pollAll();
  };

  const pollAll = (): void => {
    for (const plan of wiring.eventSources) {
      const at = queues.nextReceivableAt(plan.queue.name);
      const before = planned.get(plan);
      if (at === undefined || (before !== undefined && before <= Math.max(at, now()) + POLL_MS_MAX)) continue;
      const wakeAt = Math.max(at, now()) + random.below(POLL_MS_MAX);
      planned.set(plan, wakeAt);
      after(wakeAt - now(), () => fetch(plan));
    }
  };
  return { pollAll };
};

/** @returns a request to a function's URL; it gives undefined when no answer came */
export const buildSend = ({ clock, random, faults, lambda, note }: TriggerOptions) => {
  const wait = waitOn(clock);
  return async (name: FunctionName, request: WireRequest): Promise<WireAnswer | undefined> => {
    const fault = faults.draw('url', HTTP_FAULTS);
    await wait(fault === 'slow' ? random.below(SLOW_MS_MAX) : 1 + random.below(HTTP_WAY_MS_MAX));
    if (fault === 'request-lost') return undefined;
    const { pathname, search, host } = new URL(request.url);
    const event = buildHttpEvent({
      method: request.method,
      target: pathname + search,
      headers: { host, ...request.headers },
      body: Buffer.from(request.body),
      sourceIp: '198.51.100.7',
      requestId: `${random.below(2 ** 31)}`,
      nowMs: clock.now(),
    });
    const outcome = await lambda.invoke(name, event);
    await wait(1 + random.below(HTTP_WAY_MS_MAX));
    if (fault === 'answer-lost') return undefined;
    if (outcome.kind === 'failed') return { status: 502, headers: {}, body: 'Internal Server Error' };
    const { statusCode, headers, body } = parseHttpAnswer(outcome.answer);
    note(`${name} answered ${statusCode}`);
    const texts = Object.entries(headers).map(([key, value]) => [key, String(value)]);
    return { status: statusCode, headers: Object.fromEntries(texts), body: body.toString('utf8') };
  };
};

/** Ticks of the schedule. Without an endpoint Embed has nothing to do: it may rest. */
export const buildTicks = ({ clock, random, faults, lambda, wiring }: TriggerOptions, hasEmbed: boolean) => {
  const { after } = clock;
  const tick = (scheduledAt: number): void => {
    for (const { functionName, input } of wiring.schedules) {
      if (functionName === 'embed' && !hasEmbed) continue;
      const event = buildScheduleEvent(input, scheduledAt);
      const fire = () => void lambda.invoke(nameOf(functionName), event);
      const fault = faults.draw('tick', TICK_FAULTS);
      if (fault === 'missing') continue;
      if (fault === 'late') after(random.below(SLOW_MS_MAX), fire);
      else fire();
      if (fault === 'twice') after(random.below(500), fire);
    }
  };
  /** The first tick of a local start. */
  const recover = (scheduledAt: number): void => {
    for (const { functionName, input } of wiring.schedules)
      void lambda.invoke(nameOf(functionName), { ...buildScheduleEvent(input, scheduledAt), recover: true });
  };
  return { tick, recover };
};
