/**
 * Lambda: environments of functions, one event at a time in each. An environment dies with all it
 * has under way: what it sent arrives nevertheless, what it would have received is lost.
 */
import type { FunctionName } from '../../../lib/core/store/settings.ts';
import type { Handler, Product } from '../bundle.ts';
import { type Environment, runIn } from '../machine/machine.ts';
import type { Random } from '../types.ts';
import type { Clock } from './clock.ts';

/** One function as the template has it. */
export interface FunctionSetup {
  readonly name: FunctionName;
  readonly timeoutMs: number;
  readonly variables: Readonly<Record<string, string>>;
}

export type Outcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** It threw, timed out, or its environment died. */
  | { readonly kind: 'failed'; readonly why: string };

export interface Lambda {
  readonly invoke: (name: FunctionName, event: unknown) => Promise<Outcome>;
  /** Ends an environment and what it does. */
  readonly kill: (environment: Environment, why: string) => void;
  /** Ends every environment, as the end of a local stack does. */
  readonly killAll: (why: string) => void;
  /** Events under way. */
  readonly runningCount: () => number;
  /** True once a run took more events than any that ends; functions fail from then on. */
  readonly isEndless: () => boolean;
}

interface Running extends Environment {
  readonly functionName: FunctionName;
  readonly handler: (event: unknown, context: unknown) => Promise<unknown>;
  /** Ends the event under way. */
  end: ((outcome: Outcome) => void) | undefined;
}

export interface LambdaOptions {
  readonly product: Product;
  readonly functions: ReadonlyMap<FunctionName, FunctionSetup>;
  readonly clock: Clock;
  readonly random: Random;
  /** How wrong clocks may be in this run, milliseconds. */
  readonly skewMsMax: number;
  /** Clocks move in such steps, milliseconds. */
  readonly stepMs: number;
  /** Events that one run may have. */
  readonly invocationsMax?: number | undefined;
  readonly note: (line: string) => void;
  readonly onDeath: () => void;
  /** A request that a function did not wait for before it answered. */
  readonly onLeft: (request: string) => void;
}

/** One event in so many finds no warm environment although one is idle. */
const RECYCLED_ONE_IN = 30;
/** Events of one run: the longest have some 200. */
const INVOCATIONS_MAX = 2_000;

/** No message of it comes again. */
const isWell = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && !JSON.stringify(outcome.answer ?? '').includes('itemIdentifier');

export const buildLambda = (options: LambdaOptions): Lambda => {
  const {
    product,
    functions,
    clock,
    random,
    skewMsMax,
    stepMs,
    invocationsMax = INVOCATIONS_MAX,
    note,
    onDeath,
    onLeft,
  } = options;
  const alive: Running[] = [];
  let [running, invoked, started] = [0, 0, 0];

  const start = (setup: FunctionSetup): Running => {
    const base: Environment = {
      name: `${setup.name}-${started}`,
      skewMs: skewMsMax === 0 ? 0 : random.below(2 * skewMsMax + 1) - skewMsMax,
      stepMs,
      isDead: false,
      isFrozen: false,
      underWay: new Set(),
      hasTrouble: false,
    };
    Object.assign(process.env, setup.variables);
    const starting = runIn(base, product.starts[setup.name]);
    const handler: Handler = async (event, context) => (await starting)(event, context);
    const environment: Running = Object.assign(base, { functionName: setup.name, handler, end: undefined });
    started += 1;
    alive.push(environment);
    note(`start ${base.name}`);
    return environment;
  };

  const take = (setup: FunctionSetup): Running => {
    const idle = alive.find((one) => one.functionName === setup.name && one.end === undefined);
    return idle === undefined || random.below(RECYCLED_ONE_IN) === 0 ? start(setup) : idle;
  };

  const kill = (environment: Environment, why: string): void => {
    if (environment.isDead) return;
    environment.isDead = true;
    note(`death ${environment.name} ${why}`);
    onDeath();
    // biome-ignore lint/complexity/useIndexOf: the list's members have a wider type
    const at = alive.findIndex((one) => one === environment);
    const [dead] = at < 0 ? [] : alive.splice(at, 1);
    dead?.end?.({ kind: 'failed', why });
  };

  const invoke = (name: FunctionName, event: unknown): Promise<Outcome> => {
    const setup = functions.get(name);
    if (setup === undefined) throw new Error(`there is no function ${name}`);
    invoked += 1;
    if (invoked > invocationsMax && name !== 'console') return Promise.resolve({ kind: 'failed', why: 'endless' });
    const environment = take(setup);
    const deadline = clock.now() + setup.timeoutMs;
    const context = { getRemainingTimeInMillis: () => deadline - clock.now(), awsRequestId: `${running}` };
    running += 1;
    environment.isFrozen = false;
    environment.underWay.clear();
    note(`invoke ${environment.name}`);
    return new Promise((resolve) => {
      const cancel = clock.after(setup.timeoutMs, () => kill(environment, 'timed out'));
      const end = (outcome: Outcome): void => {
        if (environment.end !== end) return;
        environment.end = undefined;
        environment.isFrozen = true;
        if (isWell(outcome) && !environment.hasTrouble) environment.underWay.forEach(onLeft);
        cancel();
        running -= 1;
        resolve(outcome);
      };
      environment.end = end;
      runIn(environment, async () => environment.handler(event, context)).then(
        (answer) => end({ kind: 'answered', answer }),
        (error: unknown) => end({ kind: 'failed', why: String(error) }),
      );
    });
  };

  const killAll = (why: string): void => {
    for (const environment of [...alive]) kill(environment, why);
  };
  return { invoke, kill, killAll, runningCount: () => running, isEndless: () => invoked > invocationsMax };
};
