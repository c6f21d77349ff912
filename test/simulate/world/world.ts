/**
 * One simulated world: the functions of the product, the table and queues between them, the servers
 * outside, and the triggers. It delivers as AWS documents: at least once, late, twice, in any order
 * between conversations, with an answer that may be lost. Everything drawn comes from the seed.
 */
import { buildHttpEvent, parseHttpAnswer } from '../../../infra/local/http-event.ts';
import type { QueueMessage } from '../../../infra/local/queues.ts';
import { buildScheduleEvent, buildSqsEvent, parseSucceeded } from '../../../infra/local/triggers.ts';
import type { EventSourcePlan, Wiring } from '../../../infra/local/wiring.ts';
import type { FunctionName } from '../../../lib/store/settings.ts';
import type { Product } from '../bundle.ts';
import { currentEnvironment, type Environment, setWire, type Wire } from '../machine/machine.ts';
import type { Outside } from '../outside/outside.ts';
import type { Trouble, WireAnswer, WireRequest } from '../types.ts';
import { awsError, buildSimulatedTable, conflictOf, QUEUE_FAULTS, TABLE_FAULTS } from './aws.ts';
import { buildClock, type Clock } from './clock.ts';
import { buildFaults, type Faults, OUTAGES } from './faults.ts';
import { buildLambda, type FunctionSetup, type Lambda } from './lambda.ts';
import { buildQueues, type Queues } from './queues.ts';
import { buildRandom, type Stream } from './random.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly product: Product;
  readonly wiring: Wiring;
  readonly space: string;
  readonly functions: ReadonlyMap<FunctionName, FunctionSetup>;
  /** Numbers of the faults that may happen; all without it. */
  readonly onlyFaults?: ReadonlySet<number> | undefined;
  readonly note: (line: string) => void;
  /** Counts something that must happen in some run. */
  readonly mark: (what: string) => void;
  readonly buildOutside: (world: Pick<World, 'now' | 'random' | 'mayFail'>) => Outside;
}

export interface World {
  readonly clock: Clock;
  readonly now: () => number;
  readonly random: Stream;
  readonly faults: Faults;
  readonly outside: Outside;
  readonly queues: Queues;
  readonly lambda: Lambda;
  readonly mayFail: () => boolean;
  /** A request of a client to a function's URL; undefined when no answer came. */
  readonly send: (name: FunctionName, request: WireRequest) => Promise<WireAnswer | undefined>;
  readonly tick: (scheduledAt: number) => void;
  readonly expire: () => void;
  /**
   * When the heartbeat or the log's writer has something to do next; undefined if never. Read from
   * the table itself, to jump there.
   */
  readonly nextDue: () => number | undefined;
  /** What may excuse an outcome nobody knows. */
  readonly troubles: readonly Trouble[];
  /** The largest error of a clock in this run, milliseconds. */
  readonly skewMs: number;
  /** Messages on any queue. */
  readonly messagesLeft: () => number;
}

const START = Date.UTC(2026, 0, 15, 9, 30);

const HTTP_FAULTS = { 'request-lost': 2, 'answer-lost': 4, slow: 1 } as const;
const OUTSIDE_FAULTS = {
  unreached: 2,
  'request-lost': 2,
  'answer-lost': 4,
  'never-answered': 2,
  'arrives-late': 1,
  garbled: 1,
  'death-before': 2,
  'death-after': 4,
} as const;
const DELIVERY_FAULTS = { 'removal-lost': 3, 'delivered-twice': 1, 'invoked-late': 3 } as const;
const TICK_FAULTS = { missing: 3, twice: 3, late: 3 } as const;

/** All kinds of faults with their places, as they are marked. */
export const FAULT_KINDS: readonly string[] = [
  ...Object.entries({
    table: TABLE_FAULTS,
    queue: QUEUE_FAULTS,
    url: HTTP_FAULTS,
    outside: OUTSIDE_FAULTS,
    delivery: DELIVERY_FAULTS,
    tick: TICK_FAULTS,
  }).flatMap(([place, kinds]) => Object.keys(kinds).map((kind) => `${place} ${kind}`)),
  'key unprocessed',
  'table stale-read',
  ...OUTAGES,
];

/** How near to each other the work on a message begins and the message is visible again. */
const NEAR_MS = [40, 2_000] as const;
const drawAround = (random: Stream): number => {
  const nearMs = random.pick(NEAR_MS);
  return random.below(2 * nearMs) - nearMs;
};

/** As sockets and `fetch` report it. */
const socketError = (code: string, syscall: string): Error =>
  Object.assign(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) }), { code });

/** Longest wait before a slow answer comes, milliseconds: longer than any timeout but Reason's. */
const SLOW_MS_MAX = 90_000;

export const buildWorld = (options: WorldOptions): World => {
  const { seed, product, wiring, functions, space, note, mark } = options;
  const clock = buildClock(START);
  const { now, after } = clock;
  const random = buildRandom(seed, 'world');
  const code = buildRandom(seed, 'code');
  const faults = buildFaults({
    random: buildRandom(seed, 'faults'),
    now,
    only: options.onlyFaults,
    onFault: (kind, number) => {
      mark(`fault: ${kind}`);
      note(`fault ${number} ${kind}`);
    },
  });
  const mayFail = () => !faults.isOver();
  const outside = options.buildOutside({ now, random, mayFail });
  const table = buildSimulatedTable({
    definition: wiring.table,
    space,
    now,
    random,
    staleMsMax: random.below(5) === 0 ? 1 + random.below(5_000) : 0,
    isLeftOut: () => faults.draw('key', { unprocessed: 1 }) !== undefined,
    onStale: () => mark('fault: table stale-read'),
  });
  const queues = buildQueues({ plans: wiring.queues, now, random, isGenerous: random.chance(0.5) });
  const skewMs = random.below(3) === 0 ? 1 + random.below(1_000) : 0;
  const troubles: Trouble[] = [];
  const lambda = buildLambda({
    product,
    functions,
    clock,
    random,
    skewMsMax: skewMs,
    note,
    onDeath: () => troubles.push({ at: now(), kind: 'death' }),
  });

  /** Between a function and a service: gives its answer, or rejects, unless the function died. */
  const exchange = (
    environment: Environment | undefined,
    work: (done: (answer: WireAnswer) => void, fail: (error: Error) => void) => void,
  ): Promise<WireAnswer> =>
    new Promise((resolve, reject) => {
      const isAlive = () => environment?.isDead !== true;
      work(
        (answer) => isAlive() && resolve(answer),
        (error) => isAlive() && reject(error),
      );
    });

  const die = (why: string, environment = currentEnvironment()): void => {
    if (environment !== undefined) lambda.kill(environment, why);
  };

  const drawAwsFault = (service: 'dynamodb' | 'sqs'): keyof typeof TABLE_FAULTS | undefined => {
    if (faults.isOut(service)) return 'connection-refused';
    return service === 'dynamodb' ? faults.draw('table', TABLE_FAULTS) : faults.draw('queue', QUEUE_FAULTS);
  };

  const callAws: Wire['callAws'] = (service, action, body) => {
    const environment = currentEnvironment();
    const carryOut = (): WireAnswer => {
      const answer =
        service === 'dynamodb' ? table.run(action, body) : { ...queues.run({ action, body }), headers: {} };
      note(`${environment?.name ?? 'world'} ${action} ${answer.status} ${nameOf(service, body)}`);
      if (service === 'sqs') pollAll();
      return answer;
    };
    if (environment === undefined) return Promise.resolve(carryOut());
    if (environment.isDead) return new Promise(() => undefined);
    return exchange(environment, (done, fail) => {
      const there = 1 + random.below(8);
      const back = 1 + random.below(8);
      const fault = drawAwsFault(service);
      const answerLater = (answer: WireAnswer, ms = back) => void after(ms, () => done(answer));
      if (fault !== undefined) troubles.push({ at: now(), kind: 'store' });
      switch (fault) {
        case 'connection-refused':
          after(there, () => fail(socketError('ECONNREFUSED', 'connect')));
          return;
        case 'error-before':
          after(there, () => answerLater(awsError(500, 'InternalServerError', 'try again')));
          return;
        case 'throttled':
          after(there, () => answerLater(awsError(400, 'ProvisionedThroughputExceededException', 'slow down')));
          return;
        case 'conflict': {
          const conflict = conflictOf(action, body);
          after(there, () => answerLater(conflict ?? carryOut()));
          return;
        }
        case 'death-before':
          die('before a request', environment);
          return;
        case 'death-after':
          after(there, () => {
            carryOut();
            die(`after ${action}`, environment);
          });
          return;
        case 'answer-lost':
          after(there, () => {
            carryOut();
            after(back, () => fail(socketError('ECONNRESET', 'read')));
          });
          return;
        case 'error-after':
          after(there, () => {
            carryOut();
            answerLater(awsError(500, 'InternalServerError', 'try again'));
          });
          return;
        case 'never-answered':
          after(there, carryOut);
          return;
        case 'slow':
          after(there + random.below(SLOW_MS_MAX), () => answerLater(carryOut()));
          return;
        default:
          after(there, () => answerLater(carryOut()));
      }
    });
  };

  const isOutOf = ({ url }: WireRequest): boolean => faults.isOut(outside.serverOf(url));

  const callOutside: Wire['callOutside'] = (request, signal) => {
    const environment = currentEnvironment();
    return exchange(environment, (done, fail) => {
      signal?.addEventListener('abort', () => fail(signal.reason), { once: true });
      if (signal?.aborted) return fail(signal.reason);
      const there = 1 + random.below(30);
      const arrive = () => {
        const { answer, takesMs } = outside.take(request);
        note(`${environment?.name ?? 'world'} ${request.method} ${request.url} ${answer.status}`);
        return { answer, takesMs, seen: outside.received.at(-1) };
      };
      const loseAnswer = () => {
        const { seen } = arrive();
        if (seen !== undefined) Object.assign(seen, { isAnswerLost: true });
      };
      switch (isOutOf(request) ? 'unreached' : faults.draw('outside', OUTSIDE_FAULTS)) {
        case 'unreached':
          after(there, () => fail(socketError('ECONNREFUSED', 'connect')));
          return;
        case 'request-lost':
          troubles.push({ at: now(), kind: 'outside' });
          after(there, () => fail(socketError('ECONNRESET', 'read')));
          return;
        case 'answer-lost':
          after(there, () => {
            loseAnswer();
            after(there, () => fail(socketError('ECONNRESET', 'read')));
          });
          return;
        case 'never-answered':
          after(there, loseAnswer);
          return;
        case 'arrives-late':
          after(there + random.below(SLOW_MS_MAX), () => {
            const { answer, takesMs, seen } = arrive();
            if (signal?.aborted === true || environment?.isDead === true)
              Object.assign(seen ?? {}, { isAnswerLost: true });
            after(takesMs, () => done(answer));
          });
          return;
        case 'garbled':
          after(there, () => {
            loseAnswer();
            done({ status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' });
          });
          return;
        case 'death-before':
          die('before a request outside', environment);
          return;
        case 'death-after':
          after(there, () => {
            loseAnswer();
            die('after a request outside', environment);
          });
          return;
        default:
          after(there, () => {
            const { answer, takesMs, seen } = arrive();
            after(takesMs, () => {
              if (environment?.isDead === true || signal?.aborted === true)
                Object.assign(seen ?? {}, { isAnswerLost: true });
              done(answer);
            });
          });
      }
    });
  };

  const wait = (ms: number) => new Promise<void>((resolve) => void after(ms, resolve));
  const planned = new Map<string, number>();
  const runBatch = async (plan: EventSourcePlan, messages: readonly QueueMessage[]): Promise<void> => {
    const name = plan.functionName as FunctionName;
    const event = buildSqsEvent(messages, plan.queue.arn, wiring.table.region as string);
    const fault = faults.draw('delivery', DELIVERY_FAULTS);
    // Lambda is throttled, and tries until the messages are about to be visible again.
    if (fault === 'invoked-late') await wait(queues.visibilityMsOf(plan.queue.name) + drawAround(random));
    const outcome = await lambda.invoke(name, event);
    if (fault === 'delivered-twice') await lambda.invoke(name, event);
    const succeeded = outcome.kind === 'answered' ? parseSucceeded(messages, outcome.answer) : [];
    note(`${name} ${outcome.kind} ${succeeded.length} of ${messages.length}`);
    if (fault !== 'removal-lost')
      queues.remove(
        plan.queue.name,
        succeeded.map(({ ReceiptHandle }) => ReceiptHandle),
      );
    pollAll();
  };
  const poll = (plan: EventSourcePlan): void => {
    const at = queues.nextReceivableAt(plan.queue.name);
    const before = planned.get(plan.functionName + plan.queue.name);
    if (at === undefined || (before !== undefined && before <= Math.max(at, now()) + 50)) return;
    const wakeAt = Math.max(at, now()) + random.below(50);
    planned.set(plan.functionName + plan.queue.name, wakeAt);
    after(wakeAt - now(), () => {
      planned.delete(plan.functionName + plan.queue.name);
      const messages = queues.receive(plan.queue.name, 1 + random.below(plan.batchSize));
      if (messages.length > 0) void runBatch(plan, messages);
      // A receive may also have moved messages to a dead-letter queue.
      pollAll();
    });
  };
  const pollAll = (): void => {
    for (const plan of wiring.eventSources) poll(plan);
  };

  const send: World['send'] = async (name, { method, url, headers, body }) => {
    const fault = faults.draw('url', HTTP_FAULTS);
    await wait(fault === 'slow' ? random.below(SLOW_MS_MAX) : 1 + random.below(30));
    if (fault === 'request-lost') return undefined;
    const { pathname, search, host } = new URL(url);
    const event = buildHttpEvent({
      method,
      target: pathname + search,
      headers: { host, ...headers },
      body: Buffer.from(body),
      sourceIp: '198.51.100.7',
      requestId: `${random.below(2 ** 31)}`,
      nowMs: now(),
    });
    const outcome = await lambda.invoke(name, event);
    await wait(1 + random.below(30));
    if (fault === 'answer-lost') return undefined;
    if (outcome.kind === 'failed') return { status: 502, headers: {}, body: 'Internal Server Error' };
    const answer = parseHttpAnswer(outcome.answer);
    note(`${name} answered ${answer.statusCode}`);
    const headersOf = Object.fromEntries(Object.entries(answer.headers).map(([key, value]) => [key, String(value)]));
    return { status: answer.statusCode, headers: headersOf, body: answer.body.toString('utf8') };
  };

  // Without an endpoint it has nothing to do: a few runs have its ticks.
  const hasEmbed = random.chance(0.05);
  const tick = (scheduledAt: number): void => {
    for (const { functionName, input } of wiring.schedules) {
      if (functionName === 'embed' && !hasEmbed) continue;
      const event = buildScheduleEvent(input, scheduledAt);
      const fire = () => void lambda.invoke(functionName as FunctionName, event);
      const fault = faults.draw('tick', TICK_FAULTS);
      if (fault === 'missing') continue;
      if (fault === 'late') after(random.below(SLOW_MS_MAX), fire);
      else fire();
      if (fault === 'twice') after(random.below(500), fire);
    }
  };

  const log = (line: string): void => {
    const { event } = JSON.parse(line);
    mark(`log: ${event}`);
    note(`${currentEnvironment()?.name} ${line}`);
  };
  setWire({ now, after, random: code.next, callAws, callOutside, log });
  return {
    clock,
    now,
    random,
    faults,
    outside,
    queues,
    lambda,
    mayFail,
    send,
    tick,
    expire: table.expire,
    troubles,
    skewMs,
    nextDue: () => table.nextDue(),
    messagesLeft: () => wiring.queues.reduce((sum, { name }) => sum + queues.countLeft(name), 0),
  };
};

/** The key or queue of a request, for the trace. */
const nameOf = (service: 'dynamodb' | 'sqs', body: string): string =>
  (service === 'dynamodb' ? /"[ps]k":\{"S":"[^"]*"\}.{0,60}|":pk":\{"S":"[^"]*"/ : /"QueueUrl":"[^"]*"/).exec(
    body,
  )?.[0] ?? '';
