/**
 * The whole system on this machine, built from the synthesised template: embedded database and queues, each function in
 * environments of its own, event sources, HTTP routes and the schedule. Promises that nothing accepted before a stop or a crash
 * is lost (unfinished signals are published again before messages flow), that one folder has one stack, and that `stop` leaves
 * no process. Takes settings that `start.ts`, tests and the benchmark share; fails before it listens, cleaning up after itself.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findCaller, parseApiTokens } from '../../lib/edge/console/tokens.ts';
import { ROOT } from '../bundling.ts';
import { HEARTBEAT_INTERVAL_S_DEFAULT } from '../limits.ts';
import type { Template } from '../template.ts';
import { buildCleanup, type Cleanup } from './cleanup.ts';
import { lockFolder, openFolder, replaceFile } from './data-folder.ts';
import type { Database } from './database.ts';
import { startEventSource } from './event-source.ts';
import { buildPools, type FunctionPools, runsMaxOf } from './function-pools.ts';
import { startHttpFront } from './http-front.ts';
import { loadBundles } from './load-bundles.ts';
import { loadTemplate } from './load-template.ts';
import { openLogFile } from './log-file.ts';
import type { QueueServer } from './queues.ts';
import { alignTick, buildScheduleEvent, startSchedule } from './schedule.ts';
import { type Credentials, makeCredentials } from './table-server/signature.ts';
import { buildWiring, type Wiring } from './wiring.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface StackOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** 0 (the default) for any free port. */
  readonly port?: number;
  readonly space?: string;
  /**
   * Settings and secrets by name. Settings fill the template's open places; a secret goes to the functions whose list names it,
   * and to nobody else. The parent's own environment is not consulted. A function is called while
   * the servers start.
   */
  readonly environment?: Variables | (() => Promise<Variables>);
  readonly heartbeatIntervalSeconds?: number;
  /** Host of the public URL under which Telegram and webhook senders reach this stack. */
  readonly publicHost?: string;
  /** A DynamoDB-compatible server that is not ours to run. */
  readonly dynamodbEndpoint?: string;
  /** Gives another address under which functions reach the queues; for tests of lost answers. */
  readonly throughQueues?: (origin: string, credentials: Credentials) => Promise<string>;
  /** Folder with `functions/<name>/handler.ts`; for tests. */
  readonly functionsRoot?: string;
  /** Where templates and bundles are kept, if not in the data folder: shared by stacks that start on fresh folders. */
  readonly cacheDir?: string;
  /** For tests of crashes: the template's own times would take minutes. */
  readonly overrides?: { readonly visibilityTimeoutS?: number; readonly functionTimeoutMs?: number };
}

export interface LocalStack {
  /** Of the HTTP front. */
  readonly url: string;
  readonly ports: { readonly http: number };
  readonly endpoints: { readonly dynamodb: string; readonly sqs: string };
  readonly tableName: string;
  readonly wiring: Wiring;
  readonly logFile: string;
  /** What the embedded servers ask for, made at this start. */
  readonly credentials: Credentials;
  /** To be shown at the start. */
  readonly notes: readonly string[];
  /** Runs a function by name with an event, beside whatever else it does. @throws InvocationError */
  readonly invoke: (name: string, event: unknown, isRepeat?: boolean) => Promise<unknown>;
  readonly environmentCounts: () => Readonly<Record<string, number>>;
  /** Requests to the embedded queues by action. */
  readonly queueRequestCounts: () => Readonly<Record<string, number>>;
  readonly stop: () => Promise<void>;
}

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';
const TABLE_NAME = 'passepartout';
/** The start waits for the first two. The other functions start with their first event. */
const FIRST = ['heartbeat', 'console'];
/** Made as soon as requests are taken, before the first message comes. */
const EAGER = ['perceive', 'reason', 'act', 'control'];
/** Reached under the public name as well; the signatures of their senders protect them. */
const PUBLIC = ['telegram', 'webhook'];

const openDatabase = async (
  options: StackOptions,
  credentials: Credentials,
  folder: string,
  log: (line: string) => void,
): Promise<Database> => {
  const { foreignDatabase, startDatabase } = await import('./database.ts');
  return options.dynamodbEndpoint === undefined
    ? startDatabase({ folder, tableName: TABLE_NAME, space: options.space ?? 'default', credentials, log })
    : foreignDatabase(options.dynamodbEndpoint, credentials);
};

const openQueues = async (credentials: Credentials): Promise<QueueServer> =>
  (await import('./queues.ts')).startQueueServer(REGION, credentials);

const createQueues = async (queues: QueueServer, wiring: Wiring, visibilityTimeoutS?: number): Promise<void> => {
  // A queue's redrive policy names its dead-letter queue, which has to exist first.
  const deadLettersFirst = [...wiring.queues].sort(
    (a, b) => Number('RedrivePolicy' in a.attributes) - Number('RedrivePolicy' in b.attributes),
  );
  for (const plan of deadLettersFirst) {
    const override = visibilityTimeoutS === undefined ? {} : { VisibilityTimeout: `${visibilityTimeoutS}` };
    await queues.create({ ...plan, attributes: { ...plan.attributes, ...override } });
  }
};

/** @throws FolderInUseError, ConfigError, or what went wrong; nothing is left running then */
export const startStack = async (options: StackOptions): Promise<LocalStack> => {
  const cleanup = buildCleanup();
  try {
    return await build(options, cleanup);
  } catch (error) {
    await cleanup.run().catch(() => undefined);
    throw error;
  }
};

interface Servers {
  readonly database: Database;
  readonly queues: QueueServer;
  readonly template: Template;
  readonly bundles: ReadonlyMap<string, string>;
  readonly variables: Variables;
  /** What needs the AWS client, loaded meanwhile. */
  readonly ensureTable: typeof import('./ensure-table.ts')['ensureTable'];
}

const unwrap = <T>(result: PromiseSettledResult<T>): T => {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};

/**
 * Everything that needs no wiring yet, at the same time. Synthesis and bundling are processes of
 * their own: they begin before the code of the rest is loaded.
 */
const openServers = async (
  options: StackOptions,
  folder: string,
  cleanup: Cleanup,
  log: (line: string) => void,
): Promise<Servers> => {
  const cache = {
    folder: resolve(options.cacheDir ?? join(folder, 'cache')),
    isShared: options.cacheDir !== undefined,
  };
  mkdirSync(cache.folder, { recursive: true });
  const credentials = makeCredentials();
  const { environment = {} } = options;
  const [template, bundles, database, queues, variables, steps] = await Promise.allSettled([
    loadTemplate(cache, options.space ?? 'default'),
    loadBundles(cache, options.functionsRoot ?? ROOT),
    openDatabase(options, credentials, folder, log),
    openQueues(credentials),
    typeof environment === 'function' ? environment() : environment,
    import('./ensure-table.ts'),
  ]);
  if (database.status === 'fulfilled') cleanup.add(database.value.stop);
  if (queues.status === 'fulfilled') cleanup.add(queues.value.close);
  return {
    template: unwrap(template),
    bundles: unwrap(bundles),
    database: unwrap(database),
    queues: unwrap(queues),
    variables: unwrap(variables),
    ensureTable: unwrap(steps).ensureTable,
  };
};

const buildInvoke =
  (pools: ReadonlyMap<string, FunctionPools>): LocalStack['invoke'] =>
  (name, event, isRepeat) => {
    const pool = pools.get(name);
    return pool === undefined
      ? Promise.reject(new Error(`there is no function ${name}`))
      : pool.invoke(event, isRepeat);
  };

interface Traffic {
  readonly options: StackOptions;
  readonly wiring: Wiring;
  readonly queues: QueueServer;
  readonly invoke: LocalStack['invoke'];
  /** Until an older copy of the database is brought up to what was forgotten since. */
  readonly awaitHeld: () => Promise<void>;
  readonly intervalMs: number;
  readonly cleanup: Cleanup;
  readonly log: (line: string) => void;
  /** Sentences about what only this machine knows; /health reports them. */
  readonly problems: () => readonly string[];
  /** Whether a token of the console's API was given. */
  readonly isToken: (authorization: string | undefined) => boolean;
}

const buildIsToken = (environment: Readonly<Record<string, string | undefined>>): Traffic['isToken'] => {
  const { APPROVER_TOKEN: approverToken, API_TOKENS: others } = environment;
  const tokens = { approverToken, scripts: parseApiTokens(others, approverToken).tokens };
  return (authorization) => findCaller(authorization, tokens) !== undefined;
};

/** Lets messages, ticks and requests flow, in this order; stops them in the opposite one. */
const startTraffic = async (traffic: Traffic) => {
  const { options, wiring, queues, invoke, awaitHeld, intervalMs, cleanup, log } = traffic;
  await recover(wiring, intervalMs, invoke, log);
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
  cleanup.add(() => Promise.all(sources.map((source) => source.stop())));
  await awaitHeld();
  for (const { functionName, input } of wiring.schedules) {
    const fire = (scheduledAtMs: number) => invoke(functionName, buildScheduleEvent(input, scheduledAtMs));
    cleanup.add(startSchedule({ intervalMs, fire, log }));
  }
  const routes = wiring.functions.flatMap((plan) =>
    plan.routes.map((prefix) => ({
      prefix,
      invoke: (event: unknown) => invoke(plan.name, event),
      isPublic: PUBLIC.includes(plan.name),
      ...(plan.secrets.includes('APPROVER_TOKEN') ? { isToken: traffic.isToken } : {}),
    })),
  );
  const front = await startHttpFront({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    publicHost: options.publicHost,
    routes,
    problems: traffic.problems,
  });
  cleanup.add(front.stop);
  return front;
};

const build = async (options: StackOptions, cleanup: Cleanup): Promise<LocalStack> => {
  openFolder(resolve(options.dataDir));
  const folder = realpathSync(resolve(options.dataDir));
  cleanup.add(lockFolder(folder));
  const logFile = openLogFile(join(folder, 'functions.log'));
  cleanup.add(logFile.close);
  const log = (line: string): void => logFile.write('stack', line);
  const intervalS = options.heartbeatIntervalSeconds ?? HEARTBEAT_INTERVAL_S_DEFAULT;
  const servers = await openServers(options, folder, cleanup, log);
  const { template, bundles, database, queues } = servers;
  const environment = {
    LOG_LEVEL: 'info',
    // Beside the table, not in it: a copy of the database put back is found out by it.
    ANCHOR_DIR: join(folder, 'anchors'),
    ...servers.variables,
    HEARTBEAT_INTERVAL_SECONDS: `${intervalS}`,
  };
  const queueOrigin = (await options.throughQueues?.(queues.origin, queues.credentials)) ?? queues.origin;
  const names = { region: REGION, accountId: ACCOUNT_ID, tableName: TABLE_NAME, queueOrigin };
  const wiring = buildWiring(template, { ...names, settings: environment });
  const endpoints = { dynamodb: database.endpoint, sqs: queueOrigin };
  const timeoutMs = options.overrides?.functionTimeoutMs;
  // Whoever holds the folder's lock knows that earlier processes are dead, if the table is in the
  // folder.
  const stackRun = options.dynamodbEndpoint === undefined ? randomUUID() : undefined;
  const { credentials } = database;
  const parts = { wiring, region: REGION, environment, endpoints, credentials, bundles, timeoutMs, stackRun };
  const pools = buildPools({ ...parts, log: logFile.write });
  cleanup.add(() => Promise.all([...pools.values()].map((pool) => pool.end())));
  for (const name of FIRST) pools.get(name)?.warm();
  await Promise.all([
    servers.ensureTable(database, wiring, { region: REGION, space: options.space ?? 'default' }),
    createQueues(queues, wiring, options.overrides?.visibilityTimeoutS),
  ]);
  const invoke = buildInvoke(pools);
  const intervalMs = intervalS * 1000;
  const awaitHeld = async () => {
    const { awaitForgotten } = await import('./await-forgotten.ts');
    await awaitForgotten({
      access: database,
      region: REGION,
      tableName: TABLE_NAME,
      space: options.space ?? 'default',
      tick: () => invoke('heartbeat', { scheduledAt: new Date().toISOString() }),
      log,
    });
  };
  const problems = () => [database.problem(), logFile.problem()].filter((problem) => problem !== undefined);
  const isToken = buildIsToken(environment);
  const flow = { options, wiring, queues, invoke, awaitHeld, intervalMs, cleanup, log, problems, isToken };
  const front = await startTraffic(flow);
  for (const name of EAGER) pools.get(name)?.warm();

  const whereFile = join(folder, 'stack.json');
  replaceFile(whereFile, JSON.stringify({ url: front.url, pid: process.pid }));
  cleanup.add(() => rmSync(whereFile, { force: true }));
  let stopping: Promise<void> | undefined;
  return {
    url: front.url,
    ports: { http: front.port },
    endpoints,
    tableName: TABLE_NAME,
    wiring,
    logFile: logFile.path,
    credentials,
    notes: database.notes,
    invoke,
    environmentCounts: () => Object.fromEntries([...pools].map(([name, pool]) => [name, pool.size()])),
    queueRequestCounts: queues.requestCounts,
    stop: () => {
      stopping ??= cleanup.run();
      return stopping;
    },
  };
};

/**
 * Queues live in memory: before messages flow, the heartbeat publishes every unfinished signal again. A failure is not the end
 * of the start: the next tick tries again.
 */
const recover = async (
  wiring: Wiring,
  intervalMs: number,
  invoke: LocalStack['invoke'],
  log: (line: string) => void,
): Promise<void> => {
  for (const { functionName, input } of wiring.schedules) {
    const event = { ...buildScheduleEvent(input, alignTick(Date.now(), intervalMs)), recover: true };
    try {
      await invoke(functionName, event);
    } catch (error) {
      log(`recovery: ${String(error).slice(0, 500)}`);
    }
  }
};
