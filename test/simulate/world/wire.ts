/**
 * The wire between functions and services, below the SDK's retries: requests take time, arrive late
 * or not at all, their answers get lost, and the process that sent one may die before it knows.
 */
import { type AwsService, currentEnvironment, type Environment, type Wire } from '../machine/machine.ts';
import type { Outside } from '../outside/outside.ts';
import type { Queued, Received, Trouble, WireAnswer, WireRequest } from '../types.ts';
import { awsError, conflictOf, QUEUE_FAULTS, type SimulatedTable, TABLE_FAULTS } from './aws.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Lambda } from './lambda.ts';
import type { Objects } from './objects.ts';
import { findDenied } from './permissions.ts';
import type { Queues } from './queues.ts';
import type { Stream } from './random.ts';

export const OUTSIDE_FAULTS = {
  unreached: 2,
  'request-lost': 2,
  'answer-lost': 4,
  'never-answered': 2,
  'arrives-late': 1,
  garbled: 1,
  'death-before': 2,
  'death-after': 4,
} as const;

/** Longest wait before a slow answer comes, milliseconds: longer than any timeout but Reason's. */
export const SLOW_MS_MAX = 90_000;
/** Longest way of a request in one direction, milliseconds. */
const AWS_WAY_MS_MAX = 8;
const OUTSIDE_WAY_MS_MAX = 30;

export interface WireOptions {
  readonly clock: Clock;
  readonly random: Stream;
  readonly faults: Faults;
  readonly lambda: Lambda;
  readonly table: SimulatedTable;
  readonly queues: Queues;
  readonly objects: Objects;
  readonly outside: Outside;
  readonly troubles: Trouble[];
  readonly note: (line: string) => void;
  /** Takes each message that a function sent to a queue. */
  readonly onQueued?: ((message: Queued) => void) | undefined;
  /** Called when a queue may have a message to deliver. */
  readonly onQueue: () => void;
}

/** One request under way. */
interface Exchange {
  /** Runs something so many milliseconds later. */
  readonly after: (ms: number, run: () => void) => void;
  readonly slowMs: () => number;
  /** The request's way, and the answer's, milliseconds. */
  readonly there: number;
  readonly back: number;
  readonly done: (answer: WireAnswer) => void;
  readonly fail: (error: Error) => void;
  /** Ends the process that sent it. */
  readonly die: (why: string) => void;
}

/** As sockets and `fetch` report it. */
const socketError = (code: string, syscall: string): Error =>
  Object.assign(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) }), { code });

const refused = (): Error => socketError('ECONNREFUSED', 'connect');
const broken = (): Error => socketError('ECONNRESET', 'read');

/** Gives the answer, or rejects, unless the process is dead by then. */
const exchange = (
  { clock, random, lambda }: WireOptions,
  environment: Environment | undefined,
  wayMsMax: number,
  name: string,
  work: (exchange: Exchange) => void,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const request = `${environment?.name} ${name}`;
    environment?.underWay.add(request);
    const isAlive = () => {
      environment?.underWay.delete(request);
      return environment?.isDead !== true;
    };
    work({
      after: (ms, run) => void clock.after(ms, run),
      slowMs: () => random.below(SLOW_MS_MAX),
      there: 1 + random.below(wayMsMax),
      back: 1 + random.below(wayMsMax),
      done: (answer) => isAlive() && resolve(answer),
      fail: (error) => isAlive() && reject(error),
      die: (why) => environment !== undefined && lambda.kill(environment, why),
    });
  });

interface AwsExchange extends Exchange {
  readonly action: string;
  readonly body: string;
  readonly isFrozen: () => boolean;
  readonly carryOut: () => WireAnswer;
  readonly answer: (answer: WireAnswer) => void;
}

type AwsWay = (call: AwsExchange) => void;

const INTERNAL_ERROR = awsError(500, 'InternalServerError', 'try again');

/** A request that nobody waited for never leaves an environment that has answered. */
const goesWell: AwsWay = ({ after, there, isFrozen, answer, carryOut }) =>
  after(there, () => {
    if (!isFrozen()) answer(carryOut());
  });

/** What becomes of a request to the table or a queue, by its fault. */
const AWS_WAYS: Readonly<Record<keyof typeof TABLE_FAULTS, AwsWay>> = {
  'connection-refused': ({ after, there, fail }) => after(there, () => fail(refused())),
  'error-before': ({ after, there, answer }) => after(there, () => answer(INTERNAL_ERROR)),
  throttled: ({ after, there, answer }) =>
    after(there, () => answer(awsError(400, 'ProvisionedThroughputExceededException', 'slow down'))),
  conflict: ({ after, there, answer, action, body, carryOut }) =>
    after(there, () => answer(conflictOf(action, body) ?? carryOut())),
  'death-before': ({ die }) => die('before a request'),
  'death-after': ({ after, there, carryOut, action, die }) =>
    after(there, () => {
      carryOut();
      die(`after ${action}`);
    }),
  'answer-lost': ({ after, there, back, carryOut, fail }) =>
    after(there, () => {
      carryOut();
      after(back, () => fail(broken()));
    }),
  'error-after': ({ after, there, carryOut, answer }) =>
    after(there, () => {
      carryOut();
      answer(INTERNAL_ERROR);
    }),
  'never-answered': ({ after, there, carryOut }) => after(there, () => void carryOut()),
  slow: ({ after, there, slowMs, answer, carryOut }) => after(there + slowMs(), () => answer(carryOut())),
};

const KEY = /"[ps]k":\{"S":"[^"]*"\}.{0,60}|":pk":\{"S":"[^"]*"/;
const QUEUE_URL = /"QueueUrl":"[^"]*"/;
const OBJECT_KEY = /"Key":"[^"]*"/;
const NAMES: Readonly<Record<AwsService, RegExp>> = { dynamodb: KEY, sqs: QUEUE_URL, s3: OBJECT_KEY };

const buildCallAws = (options: WireOptions): Wire['callAws'] => {
  const { clock, faults, table, queues, objects, troubles, note, onQueue } = options;
  const drawFault = (service: AwsService, environment: string): keyof typeof TABLE_FAULTS | undefined => {
    const struck = faults.drawStruck(environment);
    if (struck !== undefined) return struck === 'death' ? 'death-after' : 'connection-refused';
    if (faults.isOut(service)) return 'connection-refused';
    return service === 'dynamodb' ? faults.draw('table', TABLE_FAULTS) : faults.draw('queue', QUEUE_FAULTS);
  };
  const tellQueued = (action: string, body: string): void => {
    if (options.onQueued === undefined || !action.startsWith('SendMessage')) return;
    const { QueueUrl, Entries, ...one } = JSON.parse(body);
    for (const { MessageBody, MessageDeduplicationId } of Entries ?? [one])
      options.onQueued({ queue: QueueUrl, id: MessageDeduplicationId, body: MessageBody });
  };
  return (service, action, body) => {
    const environment = currentEnvironment();
    const name = NAMES[service].exec(body)?.[0] ?? '';
    const carryOut = (): WireAnswer => {
      const isTable = service === 'dynamodb';
      const denied = isTable && environment !== undefined ? findDenied(environment.name, action, body) : [];
      const run = () =>
        denied.length === 0 ? table.run(action, body) : awsError(400, 'AccessDeniedException', String(denied));
      const elsewhere = () =>
        service === 's3' ? objects.run(action, body) : { ...queues.run({ action, body }), headers: {} };
      const answer = isTable ? run() : elsewhere();
      note(`${environment?.name ?? 'world'} ${action} ${answer.status} ${name}`);
      if (service === 'sqs') tellQueued(action, body);
      if (service === 'sqs') onQueue();
      return answer;
    };
    // The world itself meets no faults.
    if (environment === undefined) return Promise.resolve(carryOut());
    if (environment.isDead) return new Promise(() => undefined);
    return exchange(options, environment, AWS_WAY_MS_MAX, `${action} ${name}`, (call) => {
      const fault = faults.isPoison(environment.name, body) ? 'death-before' : drawFault(service, environment.name);
      if (fault !== undefined) {
        troubles.push({ at: clock.now(), kind: fault === 'slow' ? 'late' : 'store' });
        environment.hasTrouble = true;
      }
      const answer = (given: WireAnswer) => call.after(call.back, () => call.done(given));
      const way = fault === undefined ? goesWell : AWS_WAYS[fault];
      way({ ...call, action, body, isFrozen: () => environment.isFrozen, carryOut, answer });
    });
  };
};

interface OutsideExchange extends Exchange {
  /** The server takes the request. */
  readonly arrive: () => { readonly answer: WireAnswer; readonly takesMs: number; readonly seen: Received | undefined };
  /** The server takes the request, and its answer is lost. */
  readonly loseAnswer: () => void;
  /** Nobody waits for the answer any more. */
  readonly isGivenUp: () => boolean;
}

type OutsideWay = (call: OutsideExchange) => void;

const answerAfter = ({ after, arrive, done, isGivenUp }: OutsideExchange, ms: number): void =>
  after(ms, () => {
    const { answer, takesMs, seen } = arrive();
    after(takesMs, () => {
      if (isGivenUp() && seen !== undefined) seen.isAnswerLost = true;
      done(answer);
    });
  });

const BAD_GATEWAY: WireAnswer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<h1>Bad gateway</h1>',
};

/** What becomes of a request to a server outside, by its fault. */
const OUTSIDE_WAYS: Readonly<Record<keyof typeof OUTSIDE_FAULTS, OutsideWay>> = {
  unreached: ({ after, there, fail }) => after(there, () => fail(refused())),
  'request-lost': ({ after, there, fail }) => after(there, () => fail(broken())),
  'answer-lost': ({ after, there, back, loseAnswer, fail }) =>
    after(there, () => {
      loseAnswer();
      after(back, () => fail(broken()));
    }),
  'never-answered': ({ after, there, loseAnswer }) => after(there, loseAnswer),
  'arrives-late': (call) => answerAfter(call, call.there + call.slowMs()),
  garbled: ({ after, there, loseAnswer, done }) =>
    after(there, () => {
      loseAnswer();
      done(BAD_GATEWAY);
    }),
  'death-before': ({ die }) => die('before a request outside'),
  'death-after': ({ after, there, loseAnswer, die }) =>
    after(there, () => {
      loseAnswer();
      die('after a request outside');
    }),
};

const buildCallOutside = (options: WireOptions): Wire['callOutside'] => {
  const { clock, faults, outside, troubles, note } = options;
  const drawFault = ({ url }: WireRequest, environment = ''): keyof typeof OUTSIDE_FAULTS | undefined => {
    const struck = faults.drawStruck(environment);
    if (struck !== undefined) return struck === 'death' ? 'death-after' : 'unreached';
    return faults.isOut(outside.serverOf(url)) ? 'unreached' : faults.draw('outside', OUTSIDE_FAULTS);
  };
  return (request, signal) => {
    const environment = currentEnvironment();
    const arrive: OutsideExchange['arrive'] = () => {
      const { answer, takesMs } = outside.take(request);
      faults.noteRequest();
      note(`${environment?.name ?? 'world'} ${request.method} ${request.url} ${answer.status}`);
      return { answer, takesMs, seen: outside.received.at(-1) };
    };
    const loseAnswer = (): void => {
      const { seen } = arrive();
      if (seen !== undefined) seen.isAnswerLost = true;
    };
    const isGivenUp = (): boolean => environment?.isDead === true || signal?.aborted === true;
    return exchange(options, environment, OUTSIDE_WAY_MS_MAX, request.url, (call) => {
      signal?.addEventListener('abort', () => call.fail(signal.reason), { once: true });
      if (signal?.aborted) return call.fail(signal.reason);
      const fault = drawFault(request, environment?.name);
      if (environment !== undefined && fault !== undefined) environment.hasTrouble = true;
      if (fault === 'request-lost') troubles.push({ at: clock.now(), kind: 'outside' });
      const way = { ...call, arrive, loseAnswer, isGivenUp };
      if (fault === undefined) answerAfter(way, call.there);
      else OUTSIDE_WAYS[fault](way);
    });
  };
};

export const buildWire = (options: WireOptions): Pick<Wire, 'callAws' | 'callOutside'> => ({
  callAws: buildCallAws(options),
  callOutside: buildCallOutside(options),
});
