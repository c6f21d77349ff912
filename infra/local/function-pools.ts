/**
 * The functions of a wiring as pools of environments. A function sees the variables of the template
 * and its own secrets, and nothing else of the parent's environment.
 */
import { defined } from '../../lib/core/base/defined.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { printSecrets } from '../secret-prints.ts';
import {
  type Environment,
  type FunctionHost,
  InvocationError,
  type OnPart,
  startApart,
  startEnvironment,
  startThread,
} from './environment.ts';
import { APART_ENTRY, WORKER_ENTRY } from './load-build.ts';
import type { Credentials } from './table-server/signature.ts';
import type { WireServers } from './wire.ts';
import type { FunctionPlan, Wiring } from './wiring.ts';

export interface PoolOptions {
  readonly functionName: string;
  /** Events of one environment at a time. */
  readonly runsMax: number;
  readonly environmentsMax: number;
  /** An environment ends after so long without work. Absent: it never does. */
  readonly idleMs: number | undefined;
  /** Events that may wait; one more is refused as `overloaded`. */
  readonly waitingMax: number;
  readonly start: () => Environment;
}

export interface Pool {
  /** @param isRepeat the function had a part of it before. @throws InvocationError */
  readonly invoke: (event: unknown, isRepeat?: boolean, onPart?: OnPart) => Promise<unknown>;
  /** Makes the first environment now instead of with the first event. */
  readonly warm: () => void;
  readonly size: () => number;
  /** Refuses the events that wait, and ends every environment. */
  readonly end: () => Promise<void>;
}

/** An environment with the events it works on. */
interface Host {
  readonly environment: Environment;
  runs: number;
  idleTimer: NodeJS.Timeout | undefined;
}

interface Waiting {
  readonly take: (host: Host) => void;
  readonly refuse: (error: InvocationError) => void;
}

interface PoolState {
  readonly options: PoolOptions;
  readonly hosts: Set<Host>;
  readonly waiting: Waiting[];
  isEnded: boolean;
}

const addHost = ({ options, hosts }: PoolState): Host => {
  const host: Host = { environment: options.start(), runs: 0, idleTimer: undefined };
  hosts.add(host);
  return host;
};

/** Takes a place for one event, in a new environment if all are full. */
const takePlace = (state: PoolState): Host | undefined => {
  const { options, hosts } = state;
  for (const host of hosts) if (!host.environment.isAlive()) hosts.delete(host);
  const free = [...hosts].find(({ runs }) => runs < options.runsMax);
  const host = free ?? (hosts.size < options.environmentsMax ? addHost(state) : undefined);
  if (host === undefined) return undefined;
  clearTimeout(host.idleTimer);
  host.runs += 1;
  return host;
};

/** Gives a place back: to the event that waits longest, if there is one. */
const leavePlace = (state: PoolState, host: Host): void => {
  const { options, hosts, waiting } = state;
  host.runs -= 1;
  if (state.isEnded) return;
  const place = waiting.length === 0 ? undefined : takePlace(state);
  if (place !== undefined) waiting.shift()?.take(place);
  if (host.runs > 0 || options.idleMs === undefined) return;
  const retire = (): void => {
    hosts.delete(host);
    void host.environment.end();
  };
  host.idleTimer = setTimeout(retire, options.idleMs).unref();
};

const waitForPlace = async (state: PoolState): Promise<Host> => {
  const { options, waiting } = state;
  if (state.isEnded) throw new InvocationError(options.functionName, 'stopped', 'the stack is stopping');
  const host = takePlace(state);
  if (host !== undefined) return host;
  if (waiting.length >= options.waitingMax) {
    throw new InvocationError(options.functionName, 'overloaded', `${waiting.length} events are waiting`);
  }
  return new Promise((take, refuse) => waiting.push({ take, refuse }));
};

const endPool = async (state: PoolState): Promise<void> => {
  state.isEnded = true;
  const error = new InvocationError(state.options.functionName, 'stopped', 'the stack is stopping');
  for (const { refuse } of state.waiting.splice(0)) refuse(error);
  for (const { idleTimer } of state.hosts) clearTimeout(idleTimer);
  await Promise.all([...state.hosts].map(({ environment }) => environment.end()));
};

/**
 * Each takes up to `runsMax` events at a time; then another one starts, up to `environmentsMax`.
 */
export const buildPool = (options: PoolOptions): Pool => {
  const state: PoolState = { options, hosts: new Set(), waiting: [], isEnded: false };
  return {
    invoke: async (event, _isRepeat, onPart) => {
      const host = await waitForPlace(state);
      try {
        return await host.environment.run(event, onPart);
      } finally {
        leavePlace(state, host);
      }
    },
    warm: () => {
      if (state.hosts.size === 0 && !state.isEnded) addHost(state);
    },
    size: () => state.hosts.size,
    end: () => endPool(state),
  };
};

/** Runs of Reason at once in one environment. Each waits for a model and takes some MB. */
const LOCAL_RUNS_MAX = 64;
/** For messages that come again. Each is a thread of 25 MB. */
const LOCAL_REPEAT_WORKERS_MAX = 4;
/** They end after so long without work. */
const LOCAL_WORKER_IDLE_MS = 20 * SECOND_MS;
/** Events that may wait for one function; one more is a 503. */
const LOCAL_HTTP_WAITING_MAX = 512;

export interface PoolsInput {
  readonly wiring: Wiring;
  readonly region: string;
  /** Settings and secrets by name; of these a function gets the secrets its list names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly endpoints: Readonly<Record<'dynamodb' | 'sqs' | 'sts', string>> & {
    /** Addresses at which the function that a variable names is run. */
    readonly lambda: Readonly<Partial<Record<'DOCUMENT_FUNCTION' | 'CONSOLE_FUNCTION', string>>>;
  };
  readonly credentials: Credentials;
  /** Servers that functions reach without a socket. */
  readonly wire: WireServers;
  /** Names this run of the stack, if the table is its own. */
  readonly stackRun: string | undefined;
  /** File URL of each bundle, by entry; the worker's among them. Empty if places are given. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Instead of the template's timeouts; for tests. */
  readonly timeoutMs: number | undefined;
  /** Instead of the threads and processes of this stack. */
  readonly places: Places | undefined;
  readonly log: (source: string, text: string) => void;
}

/** Other places than a stack's own, for the benchmark and tests. */
export interface Places {
  /** Opens one for an environment of a function, and says where its code is. */
  readonly open: (
    plan: FunctionPlan,
    servers: WireServers,
  ) => { readonly place: FunctionHost; readonly moduleUrl: string };
  /** Events of one environment at a time; as at home unless set. */
  readonly runsMax?: number;
}

/** The address at which a function runs the one that its variables name, if they name one. */
const lambdaOf = ({ variables }: FunctionPlan, lambda: PoolsInput['endpoints']['lambda']): string | undefined => {
  if (variables.DOCUMENT_FUNCTION !== undefined) return lambda.DOCUMENT_FUNCTION;
  return variables.CONSOLE_FUNCTION === undefined ? undefined : lambda.CONSOLE_FUNCTION;
};

const buildVariables = (
  plan: FunctionPlan,
  input: Pick<PoolsInput, 'credentials' | 'environment' | 'endpoints' | 'region' | 'stackRun'>,
  path: string,
): Readonly<Record<string, string>> => {
  const secrets: Record<string, string> = {};
  for (const name of plan.secrets) {
    const value = input.environment[name];
    if (value !== undefined && value !== '') secrets[name] = value;
  }
  return {
    ...plan.variables,
    ...secrets,
    ...defined({ STACK_RUN: input.stackRun }),
    AWS_ENDPOINT_URL_DYNAMODB: input.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: input.endpoints.sqs,
    ...(plan.variables.RUNNER_ROLE_ARN === undefined ? {} : { AWS_ENDPOINT_URL_STS: input.endpoints.sts }),
    ...defined({ AWS_ENDPOINT_URL_LAMBDA: lambdaOf(plan, input.endpoints.lambda) }),
    AWS_REGION: input.region,
    AWS_ACCESS_KEY_ID: input.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: input.credentials.secretAccessKey,
    AWS_LAMBDA_FUNCTION_NAME: plan.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${plan.memoryMb}`,
    // The owner's own AWS profile has no business here.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    TZ: 'UTC',
    PATH: path,
  };
};

/**
 * Runs at once of a function that computes: with 64, a turn of 50 conversations took half as long
 * again.
 */
const WORKING_RUNS_MAX = 16;

/** One event at a time for what is scheduled, and in a row. Reason mostly waits for a model. */
export const runsMaxOf = (name: string, { schedules, eventSources }: Wiring): number => {
  const isScheduled = schedules.some(({ functionName }) => functionName === name);
  if (isScheduled || name === 'log' || isDeadLetterReader(name, eventSources)) return 1;
  return name === 'reason' ? LOCAL_RUNS_MAX : WORKING_RUNS_MAX;
};

/** It is run by another function: nothing else triggers it. */
const isCalled = ({ name, routes }: FunctionPlan, { schedules, eventSources }: Wiring): boolean =>
  routes.length === 0 && ![...schedules, ...eventSources].some(({ functionName }) => functionName === name);

const isDeadLetterReader = (name: string, eventSources: Wiring['eventSources']): boolean =>
  eventSources.some(({ functionName, queue }) => functionName === name && !('RedrivePolicy' in queue.attributes));

/** If an event ended the first environment, it does not end others' conversations a second time. */
const buildFunctionPools = (
  options: Omit<PoolOptions, 'environmentsMax' | 'idleMs' | 'start'>,
  startShared: () => Environment,
  startAlone: () => Environment,
): Pool => {
  const shared = buildPool({ ...options, environmentsMax: 1, idleMs: undefined, start: startShared });
  if (options.runsMax === 1) return shared;
  const repeats = buildPool({
    ...options,
    runsMax: 1,
    environmentsMax: LOCAL_REPEAT_WORKERS_MAX,
    idleMs: LOCAL_WORKER_IDLE_MS,
    start: startAlone,
  });
  return {
    invoke: (event, isRepeat = false, onPart) => (isRepeat ? repeats : shared).invoke(event, isRepeat, onPart),
    warm: shared.warm,
    size: () => shared.size() + repeats.size(),
    end: async () => void (await Promise.all([shared.end(), repeats.end()])),
  };
};

/**
 * A process of its own for each event: its code meets hostile files. No caller waits longer than
 * for one event before its own.
 */
const LOCAL_CALLED_MAX = 2;
const CALLED = {
  runsMax: 1,
  environmentsMax: LOCAL_CALLED_MAX,
  idleMs: LOCAL_WORKER_IDLE_MS,
  waitingMax: LOCAL_CALLED_MAX,
};

/**
 * A thread for each of nine functions took twice the time to start. A run that ends its thread ends
 * all runs in it: what answers requests, which nobody repeats, stands apart. Act stands alone: a
 * run of it that is cut short may leave an effect unknown.
 */
const homeOf = ({ name, routes }: FunctionPlan): string => {
  if (name === 'act') return 'act';
  return routes.length > 0 ? 'front' : 'work';
};

/** The environments of each function, by its name. Starts nothing. */
export const buildPools = (input: PoolsInput): ReadonlyMap<string, Pool> => {
  const path = process.env.PATH ?? '';
  const { wiring, log } = input;
  const urlOf = (entry: string): string => {
    const url = input.bundles.get(entry);
    if (url === undefined) throw new Error(`${entry} is not among the bundles`);
    return url;
  };
  const environment = { ...input.environment, SECRET_PRINTS: printSecrets(input.environment) };
  const homes = new Map<string, FunctionHost>();
  /** The thread that the function shares; another one if the last has ended. */
  const placeAtHome = (guest: FunctionPlan): FunctionHost => {
    const home = homeOf(guest);
    const open = homes.get(home);
    if (open?.isAlive()) return open;
    const members = wiring.functions.filter((plan) => homeOf(plan) === home);
    const memoryMb = members.reduce((sum, plan) => sum + plan.memoryMb, 0);
    const place = startThread({ name: home, workerUrl: urlOf(WORKER_ENTRY), memoryMb, log }, input.wire);
    homes.set(home, place);
    return place;
  };
  return new Map(
    wiring.functions.map((plan): [string, Pool] => {
      const { name, memoryMb } = plan;
      const startIn = (place: FunctionHost, moduleUrl: string): Environment =>
        startEnvironment({
          functionName: name,
          moduleUrl,
          memoryMb,
          variables: buildVariables(plan, { ...input, environment }, path),
          place,
          timeoutMs: input.timeoutMs ?? plan.timeoutMs,
          log,
        });
      const options = { functionName: name, runsMax: runsMaxOf(name, wiring), waitingMax: LOCAL_HTTP_WAITING_MAX };
      const { places } = input;
      if (places !== undefined) {
        const start = (): Environment => {
          const { place, moduleUrl } = places.open(plan, input.wire);
          return startIn(place, moduleUrl);
        };
        return [name, buildFunctionPools({ ...options, runsMax: places.runsMax ?? options.runsMax }, start, start)];
      }
      const alone = { name, workerUrl: urlOf(WORKER_ENTRY), memoryMb, log };
      const moduleUrl = urlOf(plan.entry);
      if (isCalled(plan, wiring)) {
        const start = () => startIn(startApart(alone, urlOf(APART_ENTRY)), moduleUrl);
        return [name, buildPool({ ...options, ...CALLED, start })];
      }
      return [
        name,
        buildFunctionPools(
          options,
          () => startIn(placeAtHome(plan), moduleUrl),
          () => startIn(startThread(alone, input.wire), moduleUrl),
        ),
      ];
    }),
  );
};
