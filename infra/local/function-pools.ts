/**
 * The functions of a wiring as pools of environments: each sees exactly the variables the template gives it, its own secrets,
 * and what Lambda itself would set, with the embedded servers in the place of AWS. Nothing else of the parent's environment.
 */
import { LOCAL_HTTP_WAITING_MAX, LOCAL_WORKERS_MAX } from '../../lib/limits.ts';
import { startEnvironment } from './environment.ts';
import { WORKER_ENTRY } from './load-bundles.ts';
import { buildPool, type Pool } from './pool.ts';
import type { FunctionPlan, Wiring } from './wiring.ts';

export interface PoolsInput {
  readonly wiring: Wiring;
  readonly region: string;
  /** Settings and secrets by name; of these a function gets the secrets its list names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
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
  input: Pick<PoolsInput, 'environment' | 'endpoints' | 'region' | 'stackRun'>,
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
    ...(input.stackRun === undefined ? {} : { STACK_RUN: input.stackRun }),
    AWS_ENDPOINT_URL_DYNAMODB: input.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: input.endpoints.sqs,
    AWS_REGION: input.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_LAMBDA_FUNCTION_NAME: plan.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${plan.memoryMb}`,
    // The owner's own AWS profile has no business here.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    TZ: 'UTC',
    PATH: path,
  };
};

/** A stage that takes one message at a time waits for others, so it may have several; a console page asks two things at once, and reads a stream. */
const environmentsMaxOf = (plan: FunctionPlan, wiring: Wiring): number => {
  if (plan.name === 'console') return 3;
  const isOneByOne = wiring.eventSources.some(
    ({ functionName, batchSize }) => functionName === plan.name && batchSize === 1,
  );
  return isOneByOne ? LOCAL_WORKERS_MAX : 1;
};

/** The heartbeat, the log's writer and the reader of dead letters: their environments would stand idle nearly always, at 30 MB each. */
const isRare = (plan: FunctionPlan, wiring: Wiring): boolean =>
  plan.name === 'log' ||
  wiring.schedules.some(({ functionName }) => functionName === plan.name) ||
  wiring.eventSources.filter(({ functionName }) => functionName === plan.name).length > 1;

/** One pool per function, by name. Starts nothing. */
export const buildPools = (input: PoolsInput): ReadonlyMap<string, Pool> => {
  const path = process.env.PATH ?? '';
  const workerUrl = input.bundles.get(WORKER_ENTRY);
  if (workerUrl === undefined) throw new Error(`${WORKER_ENTRY} is not among the bundles`);
  return new Map(
    input.wiring.functions.map((plan): [string, Pool] => {
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
        environmentsMin: isRare(plan, input.wiring) ? 0 : 1,
        environmentsMax: environmentsMaxOf(plan, input.wiring),
        waitingMax: LOCAL_HTTP_WAITING_MAX,
        start,
      };
      return [plan.name, buildPool(options)];
    }),
  );
};
