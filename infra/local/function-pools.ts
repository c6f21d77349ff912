/**
 * The functions of a wiring as pools of environments: each sees exactly the variables the template gives it, its own secrets,
 * and what Lambda itself would set, with the embedded servers in the place of AWS. Nothing else of the parent's environment.
 */
import { defined } from '../../lib/base/defined.ts';
import { SECOND_MS } from '../../lib/base/limits.ts';
import { startEnvironment } from './environment.ts';
import { WORKER_ENTRY } from './load-bundles.ts';
import { buildPool, type PoolOptions } from './pool.ts';
import type { Credentials } from './table-server/signature.ts';
import type { FunctionPlan, Wiring } from './wiring.ts';

/** Runs of Reason at once in one environment: so many conversations wait for a model, some MB each. */
const LOCAL_RUNS_MAX = 64;
/**
 * Environments of one function beside it, for messages that come again: each is a thread of some 25
 * MB.
 */
const LOCAL_REPEAT_WORKERS_MAX = 4;
/** Those are ended after so long without work. */
const LOCAL_WORKER_IDLE_MS = 20 * SECOND_MS;
/** So is the reader of dead letters, which nearly always stands idle. */
const LOCAL_RARE_WORKER_IDLE_MS = 2 * SECOND_MS;
/** HTTP requests waiting for one function: past it the answer is 503 instead of a longer queue. */
export const LOCAL_HTTP_WAITING_MAX = 256;

export interface PoolsInput {
  readonly wiring: Wiring;
  readonly region: string;
  /** Settings and secrets by name; of these a function gets the secrets its list names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
  /** What the embedded servers ask for; made at this start. */
  readonly credentials: Credentials;
  /** Names this run of the stack, if the table is its own. */
  readonly stackRun: string | undefined;
  /** File URL of each bundle, by entry; the worker's among them. */
  readonly bundles: ReadonlyMap<string, string>;
  /** In the place of the template's timeouts; for tests. */
  readonly timeoutMs: number | undefined;
  readonly log: (source: string, text: string) => void;
}

/** All a function sees of its environment. Pure. */
export const buildVariables = (
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
 * Runs at once of a function that mostly works: with 64 of them, a turn of 50 conversations took
 * half as long again.
 */
const WORKING_RUNS_MAX = 16;

/**
 * The heartbeat and its like, the log's only writer and the reader of dead letters run one at a
 * time. Of all others an environment takes several runs. Reason takes the most, because it mostly
 * waits for a model.
 */
export const runsMaxOf = (name: string, { schedules, eventSources }: Wiring): number => {
  const isScheduled = schedules.some(({ functionName }) => functionName === name);
  if (isScheduled || name === 'log' || isDeadLetterReader(name, eventSources)) return 1;
  return name === 'reason' ? LOCAL_RUNS_MAX : WORKING_RUNS_MAX;
};

const isDeadLetterReader = (name: string, eventSources: Wiring['eventSources']): boolean =>
  eventSources.filter(({ functionName }) => functionName === name).length > 1;

export interface FunctionPools {
  /** @param isRepeat it has had this event, or a part of it, before. @throws InvocationError */
  readonly invoke: (event: unknown, isRepeat?: boolean) => Promise<unknown>;
  /** Makes the environment now instead of with the first event. */
  readonly warm: () => void;
  /** Environments it has. */
  readonly size: () => number;
  readonly end: () => Promise<void>;
}

/**
 * What comes again runs in an environment of its own: where it is what ended the first one, it
 * takes no other conversation with it a second time.
 */
const buildFunctionPools = (options: Omit<PoolOptions, 'environmentsMax'>): FunctionPools => {
  const shared = buildPool({ ...options, environmentsMax: 1 });
  if (options.runsMax === 1) return shared;
  const repeatOptions = { runsMax: 1, environmentsMax: LOCAL_REPEAT_WORKERS_MAX, idleMs: LOCAL_WORKER_IDLE_MS };
  const repeats = buildPool({ ...options, ...repeatOptions });
  return {
    invoke: (event, isRepeat = false) => (isRepeat ? repeats : shared).invoke(event),
    warm: shared.warm,
    size: () => shared.size() + repeats.size(),
    end: async () => void (await Promise.all([shared.end(), repeats.end()])),
  };
};

/** The environments of each function, by its name. Starts nothing. */
export const buildPools = (input: PoolsInput): ReadonlyMap<string, FunctionPools> => {
  const path = process.env.PATH ?? '';
  const workerUrl = input.bundles.get(WORKER_ENTRY);
  if (workerUrl === undefined) throw new Error(`${WORKER_ENTRY} is not among the bundles`);
  return new Map(
    input.wiring.functions.map((plan): [string, FunctionPools] => {
      const moduleUrl = input.bundles.get(plan.entry);
      if (moduleUrl === undefined) throw new Error(`the template names ${plan.entry}, the function table does not`);
      const start = () =>
        startEnvironment({
          functionName: plan.name,
          moduleUrl,
          workerUrl,
          memoryMb: plan.memoryMb,
          timeoutMs: input.timeoutMs ?? plan.timeoutMs,
          variables: buildVariables(plan, input, path),
          log: input.log,
        });
      const options = {
        functionName: plan.name,
        runsMax: runsMaxOf(plan.name, input.wiring),
        idleMs: isDeadLetterReader(plan.name, input.wiring.eventSources) ? LOCAL_RARE_WORKER_IDLE_MS : undefined,
        waitingMax: LOCAL_HTTP_WAITING_MAX,
        start,
      };
      return [plan.name, buildFunctionPools(options)];
    }),
  );
};
