/**
 * The machine that the product runs on in a simulation: its clock, timers, randomness and wire. One
 * world at a time is behind it. Node's own clock, timers and random numbers are replaced for good,
 * so a process that imports this runs simulations and nothing else.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WireAnswer, WireRequest } from '../types.ts';

/** The AWS region of the simulated stack. */
export const REGION = 'eu-central-1';

/** A Lambda environment: one process of one function. */
export interface Environment {
  readonly name: string;
  /** Error of its clock, milliseconds. */
  readonly skewMs: number;
  /** Its clock moves in steps of so many milliseconds. */
  readonly stepMs: number;
  isDead: boolean;
  /** It has no event: what it sent without waiting for it stays where it is. */
  isFrozen: boolean;
  /** Requests of its event that have no answer yet. */
  readonly underWay: Set<string>;
  /** A request of this or an earlier event met a fault: what is left of that may go on. */
  hasTrouble: boolean;
}

export type AwsService = 'dynamodb' | 'sqs' | 's3';

/** What a world gives the code that runs in it. */
export interface Wire {
  readonly now: () => number;
  /** Runs something later. @returns what takes it back */
  readonly after: (ms: number, run: () => void) => () => void;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A request to an AWS service by its action and JSON body. Rejects as a socket does. */
  readonly callAws: (service: AwsService, action: string, body: string) => Promise<WireAnswer>;
  /** Takes a line of a function's log. */
  readonly log: (line: string) => void;
  /** A request to a server outside. Rejects as a socket does. */
  readonly callOutside: (request: WireRequest, signal?: AbortSignal) => Promise<WireAnswer>;
}

const environments = new AsyncLocalStorage<Environment>();
let wire: Wire | undefined;

export const theWire = (): Wire => {
  if (wire === undefined) throw new Error('there is no world');
  return wire;
};

export const setWire = (next: Wire): void => {
  wire = next;
};

/** The environment whose code runs now; undefined in the world's own code. */
export const currentEnvironment = (): Environment | undefined => environments.getStore();

export const runIn = <T>(environment: Environment, run: () => T): T => environments.run(environment, run);

/** Node's own, for the world. */
export const realSetImmediate = setImmediate;
export const realNow = performance.now.bind(performance);

const skewedNow = (): number => {
  if (wire === undefined) return RealDate.now();
  const { skewMs, stepMs } = environments.getStore() ?? { skewMs: 0, stepMs: 1 };
  return Math.floor((wire.now() + skewMs) / stepMs) * stepMs;
};

const RealDate = Date;

class SimulatedDate extends RealDate {
  constructor(...args: readonly unknown[]) {
    if (args.length === 0) super(skewedNow());
    else super(...(args as [number]));
  }
  static override now(): number {
    return skewedNow();
  }
}

interface Timer {
  cancel: () => void;
  readonly unref: () => Timer;
  readonly ref: () => Timer;
  readonly hasRef: () => boolean;
  readonly [Symbol.dispose]: () => void;
}

/** A timer of an environment that died never fires. */
const schedule = (ms: number, run: () => void, isRepeating: boolean): Timer => {
  const environment = environments.getStore();
  const timer: Timer = {
    cancel: () => undefined,
    unref: () => timer,
    ref: () => timer,
    hasRef: () => false,
    [Symbol.dispose]: () => timer.cancel(),
  };
  const fire = (): void => {
    if (environment?.isDead === true) return;
    if (isRepeating) timer.cancel = theWire().after(ms, fire);
    if (environment === undefined) run();
    else environments.run(environment, run);
  };
  timer.cancel = theWire().after(ms, fire);
  return timer;
};

const realClearTimeout = clearTimeout;
const realSetTimeout = setTimeout;
const isTimer = (value: unknown): value is Timer => typeof value === 'object' && value !== null && 'cancel' in value;

const clear = (timer: unknown): void => {
  if (isTimer(timer)) timer.cancel();
  else realClearTimeout(timer as NodeJS.Timeout);
};

type Callback = (...args: readonly unknown[]) => void;

const abortAfter = (ms: number): AbortSignal => {
  const controller = new AbortController();
  schedule(
    ms,
    () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    false,
  );
  return controller.signal;
};

let held = 0;

/** Node itself reads forms and files, which takes turns of its loop: the world waits for it. */
const hold = <T>(reading: Promise<T>): Promise<T> => {
  held += 1;
  return reading.finally(() => {
    held -= 1;
  });
};

const { arrayBuffer, text } = Response.prototype;
Object.assign(Response.prototype, {
  arrayBuffer: function (this: Response) {
    return hold(arrayBuffer.call(this));
  },
  text: function (this: Response) {
    return hold(text.call(this));
  },
});

/** Lets all code run that does not wait for the world. */
export const settle = async (): Promise<void> => {
  do await new Promise<void>((resolve) => void realSetImmediate(resolve));
  while (held > 0);
};

const bodyOf = ({ body }: RequestInit): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : typeof body === 'string' ? body : '';

/** A request of `fetch`, as the product and its packages make them, over the world's wire. */
export const fetchOverWire = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
  // The client of OpenAI asks so what a response is.
  if (String(input).startsWith('data:')) throw new TypeError('this address is nowhere outside');
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  const request = {
    method: init.method ?? 'GET',
    url: String(input),
    headers,
    body: bodyOf(init),
  };
  const { status, headers: answered, body } = await theWire().callOutside(request, init.signal ?? undefined);
  return new Response(body, { status, headers: answered });
};

const replaced = {
  Date: SimulatedDate,
  setTimeout: (run: Callback, ms = 0, ...args: readonly unknown[]) =>
    wire === undefined ? realSetTimeout(run, ms, ...args) : schedule(ms, () => run(...args), false),
  setInterval: (run: Callback, ms = 0, ...args: readonly unknown[]) => schedule(ms, () => run(...args), true),
  clearTimeout: clear,
  clearInterval: clear,
  fetch: fetchOverWire,
};

Object.assign(globalThis, replaced);
Object.assign(AbortSignal, { timeout: abortAfter });
Object.assign(performance, { now: () => (wire === undefined ? realNow() : wire.now()) });
Object.assign(Math, { random: () => theWire().random() });

// A stack for each error costs more than a request; the SDK makes an error for each request.
Error.stackTraceLimit = 0;

const writeOut = process.stdout.write.bind(process.stdout);

/** What functions write is theirs, not ours. */
process.stdout.write = (text: unknown, ...rest: readonly never[]) => {
  if (environments.getStore() === undefined || wire === undefined) return writeOut(text as string, ...rest);
  wire.log(String(text).trimEnd());
  return true;
};
