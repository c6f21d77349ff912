/**
 * The whole system on this machine, built from the synthesised template. A stop or a crash loses
 * nothing that was accepted, and a start that fails undoes what it began.
 */

import { randomUUID } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { defined } from '../../lib/core/base/defined.ts';
import { once } from '../../lib/core/base/once.ts';
import { findCaller, parseApiTokens } from '../../lib/core/edge/console/tokens.ts';
import { type FunctionName, SETTINGS, type SettingName, type Variables } from '../../lib/core/store/settings.ts';
import { MACHINE_DOORS } from '../../lib/features/doors.ts';
import { ROOT } from '../bundling.ts';
import { CHANNEL_PROGRAMS } from '../features.ts';
import type { FunctionSpec } from '../function-spec.ts';
import { FUNCTIONS } from '../functions.ts';
import { inspect } from '../inspect.ts';
import type { Inspection } from '../inspection.ts';
import { placeIn } from '../reachability.ts';
import type { LocalRoute } from './beside.ts';
import { loadLazy } from './choose-model.ts';
import { lockFolder, openFolder, replaceFile, TABLE_NAME, VAULT_FILE } from './data-folder.ts';
import type { TablePlace } from './database.ts';
import { HEAD_CHECKS } from './features.ts';
import { startFunctionCalls } from './function-calls.ts';
import { buildPools, type Places, type Pool, runsMaxOf } from './function-pools.ts';
import { type CheckHead, checkPort, type HttpFront, type Route, startHttpFront } from './http-front.ts';
import { loadBundles, loadTemplate, openCache } from './load-build.ts';
import { buildLocalRoute, inspectRoute } from './local-routes.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import type { QueueServer } from './queues.ts';
import { type Credentials, makeCredentials } from './table-server/signature.ts';
import { alignTick, buildScheduleEvent, startEventSource, startSchedule } from './triggers.ts';
import { buildWiring, type Wiring } from './wiring.ts';

export interface StackOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** 0 (the default) for any free port. */
  readonly port?: number;
  readonly space?: string;
  /**
   * Settings and secrets by name; the parent's own environment is not read. A secret goes only to
   * the functions that may hold it. A function runs while the servers start.
   */
  readonly environment?: Variables | (() => Promise<Variables>);
  readonly heartbeatIntervalSeconds?: number;
  /** Host of the public URL under which channels and webhook senders reach this stack. */
  readonly publicHost?: string;
  /** Takes a line for the person who waits for the start. */
  readonly say?: (line: string) => void;
  /** Problems that the starter knows of; /health reports them. */
  readonly problems?: () => readonly (string | undefined)[];
  /** A DynamoDB-compatible server that somebody else runs. */
  readonly dynamodbEndpoint?: string;
  /** Functions reach these servers by HTTP, as in the cloud, instead of by messages. */
  readonly isWireHttp?: boolean;
  /** Gives another address under which functions reach the queues; for tests of lost answers. */
  readonly throughQueues?: (origin: string, credentials: Credentials) => Promise<string>;
  /** Folder with `functions/<name>/handler.ts`; for tests. */
  readonly functionsRoot?: string;
  /** Must exist. Default: the one beside the packages, which all stacks share. */
  readonly cacheDir?: string;
  readonly overrides?: {
    /** Tests of crashes shorten the template's times, which would take minutes. */
    readonly visibilityTimeoutS?: number;
    readonly functionTimeoutMs?: number;
    /** For the benchmark and tests, whose functions run elsewhere. */
    readonly places?: Places;
  };
}

export interface LocalStack {
  readonly url: string;
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
  readonly tableName: string;
  readonly wiring: Wiring;
  readonly logFile: string;
  readonly credentials: Credentials;
  /** Sentences for the person who starts the stack. */
  readonly notes: readonly string[];
  /** Roots of the turns that this start took up again. */
  readonly takenUp: readonly string[];
  /** Beside whatever else the function does. @throws InvocationError */
  readonly invoke: (name: string, event: unknown, isRepeat?: boolean) => Promise<unknown>;
  readonly environmentCounts: () => Readonly<Record<string, number>>;
  readonly queueRequestCounts: () => Readonly<Record<string, number>>;
  readonly noteKeys: (inspection: Inspection) => Promise<void>;
  /** These variables with what was set and added while the stack ran. */
  readonly withAdded: (variables: Variables) => Promise<Variables>;
  readonly stop: () => Promise<void>;
}

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';
/** The start waits for these two. All other functions start with their first event. */
const FIRST = ['heartbeat', 'console'];
/** Functions that another one runs and waits for, by the setting that tells it which. */
const CALLED = { DOCUMENT_FUNCTION: 'document', CONSOLE_FUNCTION: 'console' } as const satisfies Partial<
  Record<SettingName, FunctionName>
>;
/** These start as soon as requests are taken, before the first message comes. */
const EAGER = ['perceive', 'reason', 'act', 'control'];
/** Reached under the public name as well. */
const PUBLIC = Object.entries(FUNCTIONS).flatMap(([name, { trigger }]) =>
  trigger.type === 'http' && trigger.isPublic ? [name] : [],
);

const specNamed = (name: string): FunctionSpec | undefined =>
  Object.entries<FunctionSpec>(FUNCTIONS).find(([known]) => known === name)?.[1];

/** The template of this machine has every function: one serves all configurations. */
const isWantedHere = (name: string, environment: Variables): boolean => {
  const { onlyIf } = specNamed(name) ?? {};
  return onlyIf === undefined || (environment[onlyIf] ?? 'off') !== 'off';
};

const mayRunConsole = ({ name }: { readonly name: string }): boolean => specNamed(name)?.runs === 'console';

const unwrap = <T>(result: PromiseSettledResult<T>): T => {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};

const NO_BUNDLES: ReadonlyMap<string, string> = new Map();

/** Synthesis and bundling are processes: they begin before code of the servers is loaded. */
const openServers = async (
  options: StackOptions,
  folder: string,
  cleanup: AsyncDisposableStack,
  log: (line: string) => void,
) => {
  const { space = 'default', environment = {}, dynamodbEndpoint, cacheDir = openCache(folder) } = options;
  const cache = { folder: cacheDir, onBuild: once(() => options.say?.('Building (once for each version) …')) };
  const credentials = makeCredentials();
  const openDatabase = async () => {
    const { foreignDatabase, startDatabase, ...tasks } = (await loadLazy()).database;
    const database =
      dynamodbEndpoint === undefined
        ? await startDatabase({ folder, tableName: TABLE_NAME, space, credentials, log })
        : foreignDatabase(dynamodbEndpoint, credentials);
    cleanup.defer(database.stop);
    return { database, ...tasks };
  };
  const openQueues = async () => {
    const queues = await (await loadLazy()).startQueueServer(REGION, credentials);
    cleanup.defer(queues.close);
    return queues;
  };
  const [template, bundles, opened, queues, variables] = await Promise.allSettled([
    loadTemplate(cache, space),
    options.overrides?.places === undefined ? loadBundles(cache, options.functionsRoot ?? ROOT) : NO_BUNDLES,
    openDatabase(),
    openQueues(),
    typeof environment === 'function' ? environment() : environment,
  ]);
  return {
    template: unwrap(template),
    bundles: unwrap(bundles),
    ...unwrap(opened),
    queues: unwrap(queues),
    variables: unwrap(variables),
  };
};

const createQueues = async (queues: QueueServer, wiring: Wiring, visibilityTimeoutS?: number): Promise<void> => {
  // A queue's redrive policy names its dead-letter queue, which has to exist first.
  const deadLettersFirst = [...wiring.queues].sort(
    (a, b) => Number('RedrivePolicy' in a.attributes) - Number('RedrivePolicy' in b.attributes),
  );
  const override = visibilityTimeoutS === undefined ? {} : { VisibilityTimeout: `${visibilityTimeoutS}` };
  for (const plan of deadLettersFirst) {
    await queues.create({ ...plan, attributes: { ...plan.attributes, ...override } });
  }
};

/** A started system, before anything flows in it. */
interface System {
  readonly options: StackOptions;
  readonly wiring: Wiring;
  readonly queues: QueueServer;
  readonly invoke: LocalStack['invoke'];
  readonly intervalMs: number;
  readonly cleanup: AsyncDisposableStack;
  readonly log: (line: string) => void;
}

const Recovered = z.object({ takenUp: z.optional(z.array(z.string())) });

/**
 * The queues were in memory. If it fails, the next tick tries again. @returns the signals' roots
 */
const recoverSignals = async ({ wiring, intervalMs, invoke, log }: System): Promise<readonly string[]> => {
  const takenUp: string[] = [];
  for (const { functionName, input } of wiring.schedules) {
    const event = { ...buildScheduleEvent(input, alignTick(Date.now(), intervalMs)), recover: true };
    const report = await invoke(functionName, event).catch((error: unknown) =>
      log(`recovery: ${String(error).slice(0, 500)}`),
    );
    takenUp.push(...(Recovered.safeParse(report).data?.takenUp ?? []));
  }
  return takenUp;
};

const startEventSources = ({ wiring, queues, invoke, cleanup, log }: System): void => {
  const sources = wiring.eventSources.map((plan) =>
    startEventSource({
      plan,
      region: REGION,
      queues,
      invoke: (event, isRepeat) => invoke(plan.functionName, event, isRepeat),
      lanesMax: runsMaxOf(plan.functionName, wiring),
      log,
    }),
  );
  cleanup.defer(async () => void (await Promise.all(sources.map((source) => source.stop()))));
};

const startSchedules = ({ wiring, intervalMs, invoke, cleanup, log }: System): void => {
  for (const { functionName, input } of wiring.schedules) {
    const fire = (scheduledAtMs: number) => invoke(functionName, buildScheduleEvent(input, scheduledAtMs));
    cleanup.defer(startSchedule({ intervalMs, fire, log }));
  }
};

/** Tells whether an `Authorization` header carries a token of the console's API. */
const buildIsToken = ({ APPROVER_TOKEN: approverToken, API_TOKENS: others }: Variables) => {
  const tokens = { approverToken, scripts: parseApiTokens(others, approverToken).tokens };
  return (authorization: string | undefined): boolean => findCaller(authorization, tokens) !== undefined;
};

/** By function: its look at the head of a post, before the body is read and handed on. */
const buildHeadChecks = (environment: Variables): Readonly<Record<string, CheckHead>> => ({
  ...Object.fromEntries(HEAD_CHECKS.map(({ of, build }) => [of, build(environment)])),
  ...Object.assign({}, ...Object.values(CHANNEL_PROGRAMS).map(({ headChecks }) => headChecks(environment))),
  runner: ({ headers }) => (MACHINE_DOORS.some(({ carriesProof }) => carriesProof(headers)) ? 'all' : 'head'),
});

const isAccepted = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'statusCode' in answer && answer.statusCode === 202;

/** The person at the terminal sees a stop or resume that comes from elsewhere. */
const tellStop = (path: string, say: StackOptions['say']): void => {
  if (path === '/api/stop') say?.('Stopped by a request: nothing is done until /resume.');
  if (path === '/api/resume') say?.('A request asks to resume.');
};

const startFront = async (
  { options, wiring, invoke, cleanup }: System,
  environment: Variables,
  problems: { readonly problems: () => readonly string[]; readonly silence: () => string | undefined },
  place: TablePlace,
  local: readonly LocalRoute[],
  lookAtModels: (look: (isAsking: boolean) => Promise<Inspection>) => Promise<Inspection>,
  withAdded: (variables: Variables) => Promise<Variables>,
): Promise<HttpFront> => {
  const isToken = buildIsToken(environment);
  const headChecks = buildHeadChecks(environment);
  const routes = wiring.functions.flatMap((plan) =>
    plan.routes.map(
      (prefix): Route => ({
        prefix,
        invoke: async (event) => {
          const answer = await invoke(plan.name, event);
          if (isAccepted(answer)) tellStop(prefix, options.say);
          return answer;
        },
        isPublic: PUBLIC.includes(plan.name),
        // The console tells a door that runs it whose token it is.
        ...(plan.secrets.includes('APPROVER_TOKEN') || mayRunConsole(plan) ? { isToken } : {}),
        ...defined({ checkHead: headChecks[plan.name] }),
      }),
    ),
  );
  const look = async (isAsking: boolean) =>
    inspect(await withAdded(environment), placeIn(process.cwd(), process.env), { isRunning: true, isAsking });
  const inspection = inspectRoute(() => lookAtModels(look));
  routes.push(...[...local, inspection].map((one) => buildLocalRoute(one, environment, place)));
  const { host = '127.0.0.1', port = 0, publicHost } = options;
  const front = await startHttpFront({ host, port, publicHost, routes, ...problems });
  cleanup.defer(front.stop);
  return front;
};

const buildInvoke =
  (pools: ReadonlyMap<string, Pool>): LocalStack['invoke'] =>
  async (name, event, isRepeat) => {
    const pool = pools.get(name);
    if (pool === undefined) throw new Error(`there is no function ${name}`);
    return pool.invoke(event, isRepeat);
  };

type Servers = Awaited<ReturnType<typeof openServers>>;

const wireFunctions = async (
  options: StackOptions,
  folder: string,
  servers: Servers,
  logFile: LogFile,
  cleanup: AsyncDisposableStack,
) => {
  const { database, queues } = servers;
  const intervalS = options.heartbeatIntervalSeconds ?? Number(SETTINGS.HEARTBEAT_INTERVAL_SECONDS.default);
  const environment: Variables = {
    LOG_LEVEL: 'info',
    // They are stored outside the table, so that they reveal an older copy of the database.
    ANCHOR_DIR: join(folder, 'anchors'),
    CONTENT_DIR: join(folder, 'contents'),
    PROVIDER_VAULT_FILE: join(folder, VAULT_FILE),
    ...servers.variables,
    HEARTBEAT_INTERVAL_SECONDS: `${intervalS}`,
  };
  const queueOrigin = (await options.throughQueues?.(queues.origin, queues.credentials)) ?? queues.origin;
  const names = { region: REGION, accountId: ACCOUNT_ID, tableName: TABLE_NAME, queueOrigin, settings: environment };
  const whole = buildWiring(servers.template, names);
  const isWanted = (name: string): boolean => isWantedHere(name, environment);
  const wiring = {
    ...whole,
    functions: whole.functions.filter(({ name }) => isWanted(name)),
    schedules: whole.schedules.filter(({ functionName }) => isWanted(functionName)),
  };
  const openCalls = async (name: FunctionName) => {
    const calls = await startFunctionCalls(name, database.credentials, (event) => buildInvoke(pools)(name, event));
    cleanup.defer(calls.stop);
    return calls.origin;
  };
  const hasDoor = wiring.functions.some(mayRunConsole);
  const lambda = {
    DOCUMENT_FUNCTION: await openCalls(CALLED.DOCUMENT_FUNCTION),
    ...(hasDoor ? { CONSOLE_FUNCTION: await openCalls(CALLED.CONSOLE_FUNCTION) } : {}),
  };
  const endpoints = { dynamodb: database.endpoint, sqs: queueOrigin, sts: queues.stsOrigin, lambda };
  const pools = buildPools({
    wiring,
    region: REGION,
    environment,
    endpoints,
    credentials: database.credentials,
    // A proxy in between wants every request.
    wire: options.isWireHttp
      ? {}
      : defined({ dynamodb: database.answer, sqs: queueOrigin === queues.origin ? queues.answer : undefined }),
    bundles: servers.bundles,
    timeoutMs: options.overrides?.functionTimeoutMs,
    places: options.overrides?.places,
    // With the lock of the folder and the table in it, every earlier process is known to be dead.
    stackRun: options.dynamodbEndpoint === undefined ? randomUUID() : undefined,
    log: logFile.write,
  });
  return { wiring, endpoints, environment, pools, intervalMs: intervalS * 1000 };
};

const runSteps = async (options: StackOptions, cleanup: AsyncDisposableStack): Promise<LocalStack> => {
  // 1. Take the folder for this process, and see that the port is free.
  openFolder(resolve(options.dataDir));
  const folder = realpathSync(resolve(options.dataDir));
  cleanup.defer(lockFolder(folder));
  const { host = '127.0.0.1', port = 0 } = options;
  await checkPort(host, port);
  const logFile = openLogFile(join(folder, 'functions.log'));
  cleanup.defer(logFile.close);
  const log = (line: string): void => logFile.write('stack', line);

  // 2. Start the servers, and build the template and the code.
  const servers = await openServers(options, folder, cleanup, log);
  const { database, queues } = servers;

  // 3. Wire the functions, and start those that the stack waits for.
  const { wiring, endpoints, environment, pools, intervalMs } = await wireFunctions(
    options,
    folder,
    servers,
    logFile,
    cleanup,
  );
  cleanup.defer(async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))));
  for (const name of FIRST) pools.get(name)?.warm();

  // 4. Make the table and the queues.
  const place = { access: database, region: REGION, tableName: TABLE_NAME, space: options.space ?? 'default' };
  const { visibilityTimeoutS } = options.overrides ?? {};
  await Promise.all([servers.ensureTable(place, wiring), createQueues(queues, wiring, visibilityTimeoutS)]);
  await servers.checkSkills(place, environment.MANDATORY_SKILLS);

  // 5. Publish what had not finished, and let messages, ticks and requests flow.
  const invoke = buildInvoke(pools);
  const system: System = { options, wiring, queues, invoke, intervalMs, cleanup, log };
  const takenUp = await recoverSignals(system);
  startEventSources(system);
  const tick = () => invoke('heartbeat', { scheduledAt: new Date().toISOString() });
  await servers.awaitForgotten(place, tick, log);
  startSchedules(system);
  const tableProblem = (): string | undefined => {
    const problem = database.problem();
    return problem === undefined ? undefined : `nothing can be stored: ${problem}`;
  };
  const problems = () =>
    [tableProblem(), logFile.problem(), ...(options.problems?.() ?? [])].filter((problem) => problem !== undefined);
  const front = await startFront(
    system,
    environment,
    { problems, silence: tableProblem },
    place,
    database.routes,
    async (look) => {
      const inspection = await look(await servers.isQuestionDue(place));
      // A table that takes no writes is a finding of its own.
      await servers.noteKeys(place, inspection).catch(() => undefined);
      return inspection;
    },
    (variables) => servers.withAdded(place, variables),
  );
  for (const name of EAGER) pools.get(name)?.warm();

  // 6. Say where the stack is.
  const whereFile = join(folder, 'stack.json');
  replaceFile(whereFile, JSON.stringify({ url: front.url, pid: process.pid }));
  cleanup.defer(() => rmSync(whereFile, { force: true }));
  let stopping: Promise<void> | undefined;
  return {
    url: front.url,
    endpoints,
    tableName: TABLE_NAME,
    wiring,
    logFile: logFile.path,
    credentials: database.credentials,
    notes: database.notes,
    takenUp,
    invoke,
    environmentCounts: () => Object.fromEntries([...pools].map(([name, pool]) => [name, pool.size()])),
    queueRequestCounts: queues.requestCounts,
    noteKeys: (inspection) => servers.noteKeys(place, inspection),
    withAdded: (variables) => servers.withAdded(place, { ...environment, ...variables }),
    stop: () => (stopping ??= cleanup.disposeAsync()),
  };
};

/** @throws FolderInUseError, ConfigError, or what went wrong; nothing is left running then */
export const startStack = async (options: StackOptions): Promise<LocalStack> => {
  const cleanup = new AsyncDisposableStack();
  try {
    return await runSteps(options, cleanup);
  } catch (error) {
    await cleanup.disposeAsync().catch(() => undefined);
    throw error;
  }
};
