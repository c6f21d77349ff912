/**
 * The functions of the system as data: their triggers, where each may send, and which kinds of item
 * it may read and write (I2). CDK builds roles from this table, the local stack finds its workers
 * by it, and tests compare it with the template. The catalogue of settings says what each one gets.
 */
import { SECOND_MS } from '../lib/core/base/limits.ts';
import { FUNCTION_NAMES, type FunctionName, type SecretName, type SettingName } from '../lib/core/store/settings.ts';

/** Telegram and webhook senders wait about this long; the store is two calls away. */
export const INGRESS_TIMEOUT_MS = 15 * SECOND_MS;
/** Ten records stored and reported. */
export const DEAD_LETTER_TIMEOUT_MS = 30 * SECOND_MS;

/** Timeout of a stage's function; visibility is this plus 30 s. */
const PERCEIVE_TIMEOUT_MS = 30 * SECOND_MS;
const REASON_TIMEOUT_MS = 300 * SECOND_MS;
export const ACT_TIMEOUT_MS = 60 * SECOND_MS;
/** Reading all of memory anew, and the batches of one tick. */
const EMBED_TIMEOUT_MS = 120 * SECOND_MS;
/** No honest file takes so long; Act, which waits for it, has a minute. */
const DOCUMENT_TIMEOUT_MS = 20 * SECOND_MS;
/** It follows a turn for two thirds of this. */
const MCP_TIMEOUT_MS = 30 * SECOND_MS;
/** One sweep ends before the next tick is due. */
const HEARTBEAT_TIMEOUT_MS = 50 * SECOND_MS;
/** The log's writer: thousands of records in one go, after a busy minute. */
const LOG_TIMEOUT_MS = 60 * SECOND_MS;

/** In the order a signal meets them. Each has a queue; they share a dead-letter queue. */
export const STAGES = ['perceive', 'reason', 'act', 'log'] as const;
export type Stage = (typeof STAGES)[number];

/** First part of every partition key; roles are limited to the kinds they need. */
export const KINDS = [
  'signal',
  'session',
  'memory',
  'commit',
  'vector',
  'log',
  'snapshot',
  'approval',
  'grant',
  'spend',
  /** Counts of what was done before, for a policy that names them. */
  'past',
  'setting',
  'mcp',
  'skill',
  'job',
  /** Runs of runbooks, and their texts. */
  'run',
  /** Paired runners, and the jobs they wait for or have. */
  'runner',
  'pairing',
  'dead-letter',
  /** Counters of people and scripts without rights. */
  'quota',
  /** Contents of gate sets with gates of skills, by their hashes. */
  'gate-set',
  /** The version of the data, which every function reads. */
  'data',
] as const;
export type Kind = (typeof KINDS)[number];

/** The sparse indexes of the table; partition values start `<index>#<space>`. */
export type IndexName = 'unfinished' | 'feed';

export type Trigger =
  | {
      readonly type: 'http';
      readonly routes: readonly string[];
      /** At home the public name leads to it as well: signatures of its senders protect it. */
      readonly isPublic: boolean;
    }
  | { readonly type: 'queue'; readonly stage: Stage; readonly batchSize: number }
  | { readonly type: 'dead-letters'; readonly batchSize: number }
  | { readonly type: 'schedule' }
  /** Another function runs it and waits for its answer. */
  | { readonly type: 'call' };

export interface FunctionSpec {
  readonly trigger: Trigger;
  readonly timeoutMs: number;
  /** Buys a share of a processor; charged by time. */
  readonly memoryMb: number;
  /** It exists only while this setting is `on`. */
  readonly onlyIf?: SettingName;
  /** Its secret is that function's, so that a token is changed in one place. */
  readonly secretOf?: 'console';
  /** Stages it may send to; each gives it `<STAGE>_QUEUE_URL`. */
  readonly sendsTo: readonly Stage[];
  readonly reads: readonly Kind[];
  readonly writes: readonly Kind[];
  readonly indexes: readonly IndexName[];
}

/**
 * Memory of the functions that a person's message passes. Lambda gives a processor's share by
 * memory: with four times the memory a message passes in a quarter of the time, for the same price
 * (`npm run bench -- --only cloud`).
 */
const WAITED_FOR_MB = 512;
/**
 * Memory of a function that a person waits for, and that itself mostly waits for others. Reason
 * takes 239 MB with long turns, a policy and some thousand notes.
 */
const WAITING_MB = 320;

/** The most that a person's message may lead to: a function that takes it on reads all of it. */
const OF_A_MESSAGE = [
  ...(['signal', 'session', 'approval', 'grant', 'setting', 'mcp', 'skill', 'job', 'run', 'runner'] as const),
  ...(['memory', 'commit', 'snapshot', 'spend', 'past', 'quota'] as const),
] as const satisfies readonly Kind[];

export const FUNCTIONS = {
  telegram: {
    trigger: { type: 'http', routes: ['/telegram'], isPublic: true },
    timeoutMs: INGRESS_TIMEOUT_MS,
    memoryMb: WAITED_FOR_MB,
    sendsTo: ['perceive'],
    reads: ['pairing', 'setting', 'signal', 'session'],
    /** `data`: the first choice of another language than English raises its version. */
    writes: ['signal', 'pairing', 'setting', 'session', 'quota', 'data'],
    indexes: [],
  },
  webhook: {
    trigger: { type: 'http', routes: ['/webhook/'], isPublic: true },
    timeoutMs: INGRESS_TIMEOUT_MS,
    memoryMb: WAITED_FOR_MB,
    sendsTo: ['perceive'],
    reads: ['signal', 'setting'],
    writes: ['signal', 'quota'],
    indexes: [],
  },
  console: {
    trigger: {
      type: 'http',
      routes: [
        '/',
        '/api/',
        '/health',
        '/runbook.schema.json',
        '/oauth-client',
        '/verifier.js',
        '/page/',
        '/manifest/',
      ],
      isPublic: false,
    },
    timeoutMs: INGRESS_TIMEOUT_MS,
    memoryMb: WAITING_MB,
    sendsTo: ['perceive', 'log'],
    reads: [...OF_A_MESSAGE, 'log', 'gate-set'],
    /** `data`, as in `telegram`. */
    writes: ['signal', 'setting', 'pairing', 'quota', 'data'],
    indexes: ['unfinished', 'feed'],
  },
  /** Acts of a person that wait for nobody, apart from all that is read and streamed. */
  control: {
    trigger: { type: 'http', routes: ['/api/stop', '/api/resume', '/api/approvals/'], isPublic: false },
    timeoutMs: INGRESS_TIMEOUT_MS,
    memoryMb: WAITED_FOR_MB,
    secretOf: 'console',
    sendsTo: ['perceive'],
    reads: ['signal', 'session', 'approval', 'setting'],
    writes: ['signal', 'setting', 'quota'],
    indexes: [],
  },
  perceive: {
    trigger: { type: 'queue', stage: 'perceive', batchSize: 10 },
    timeoutMs: PERCEIVE_TIMEOUT_MS,
    memoryMb: WAITED_FOR_MB,
    sendsTo: ['perceive', 'reason', 'act'],
    reads: [...OF_A_MESSAGE, 'log'],
    /** In `quota` it notes kinds of events that it told; `data`: a job's run was stopped. */
    writes: ['signal', 'session', 'approval', 'grant', 'setting', 'job', 'run', 'past', 'quota', 'gate-set', 'data'],
    indexes: ['unfinished', 'feed'],
  },
  reason: {
    trigger: { type: 'queue', stage: 'reason', batchSize: 1 },
    timeoutMs: REASON_TIMEOUT_MS,
    memoryMb: WAITING_MB,
    /** Reason sends to itself to ask again later if no provider answered. */
    sendsTo: ['reason', 'act'],
    reads: [
      'signal',
      'session',
      'setting',
      'mcp',
      'skill',
      'job',
      'runner',
      'spend',
      'past',
      'memory',
      'commit',
      'vector',
      'log',
    ],
    writes: ['signal', 'spend', 'quota', 'gate-set'],
    indexes: [],
  },
  act: {
    trigger: { type: 'queue', stage: 'act', batchSize: 1 },
    timeoutMs: ACT_TIMEOUT_MS,
    memoryMb: WAITED_FOR_MB,
    sendsTo: ['perceive'],
    reads: [...OF_A_MESSAGE, 'pairing', 'vector'],
    writes: [...OF_A_MESSAGE, 'pairing', 'gate-set', 'data'],
    indexes: ['unfinished', 'feed'],
  },
  /** Writes to signals only the leaves they have. It alone can sign. */
  log: {
    trigger: { type: 'queue', stage: 'log', batchSize: 10 },
    timeoutMs: LOG_TIMEOUT_MS,
    memoryMb: 256,
    sendsTo: ['log'],
    reads: [
      ...(['signal', 'approval', 'commit', 'log'] as const),
      /** Rights, which get leaves too. */
      ...(['grant', 'job', 'mcp', 'pairing', 'runner', 'setting', 'skill'] as const),
    ],
    writes: ['signal', 'log'],
    indexes: ['unfinished', 'feed'],
  },
  /** Gives memory its vectors; beside them it may write what they cost. */
  embed: {
    trigger: { type: 'schedule' },
    timeoutMs: EMBED_TIMEOUT_MS,
    memoryMb: 256,
    sendsTo: [],
    reads: ['memory', 'commit', 'vector', 'spend', 'setting'],
    writes: ['vector', 'spend'],
    indexes: [],
  },
  heartbeat: {
    trigger: { type: 'schedule' },
    timeoutMs: HEARTBEAT_TIMEOUT_MS,
    memoryMb: 192,
    sendsTo: ['perceive', 'act', 'log'],
    reads: [
      'signal',
      'session',
      'approval',
      'grant',
      'setting',
      'skill',
      'log',
      'commit',
      'snapshot',
      'job',
      'run',
      'runner',
      'spend',
    ],
    writes: ['signal', 'session', 'approval', 'grant', 'setting', 'job', 'run', 'runner', 'data', 'gate-set'],
    indexes: ['unfinished'],
  },
  'dead-letter': {
    trigger: { type: 'dead-letters', batchSize: 10 },
    timeoutMs: DEAD_LETTER_TIMEOUT_MS,
    /** To undo a change of memory it loads the engine of a policy, and takes 168 MB. */
    memoryMb: 256,
    sendsTo: ['perceive'],
    reads: ['signal', 'session', 'setting', 'skill'],
    writes: ['signal', 'session', 'dead-letter'],
    indexes: [],
  },
  /** The owner's machines: they pair, take jobs and give results, each request signed. */
  runner: {
    trigger: { type: 'http', routes: ['/runner/'], isPublic: true },
    timeoutMs: INGRESS_TIMEOUT_MS,
    memoryMb: 192,
    sendsTo: ['perceive'],
    /** A skill is read before a machine gets one of its files. */
    reads: ['runner', 'setting', 'session', 'run', 'skill'],
    writes: ['runner'],
    indexes: [],
  },
  /** Its role has no table. Memory is also processor time, and a hostile file gets no more. */
  document: {
    trigger: { type: 'call' },
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    memoryMb: 1024,
    sendsTo: [],
    reads: [],
    writes: [],
    indexes: [],
  },
  /** Its role may only run the console, which knows the tokens and decides. */
  mcp: {
    trigger: { type: 'http', routes: ['/mcp'], isPublic: false },
    timeoutMs: MCP_TIMEOUT_MS,
    memoryMb: WAITING_MB,
    onlyIf: 'MCP_DOOR',
    sendsTo: [],
    reads: [],
    writes: [],
    indexes: [],
  },
} as const satisfies Record<FunctionName, FunctionSpec>;

export const specOf = (name: FunctionName): FunctionSpec => FUNCTIONS[name];

/** Functions that every stack has. */
export const USUAL_FUNCTIONS = FUNCTION_NAMES.filter((name) => specOf(name).onlyIf === undefined);

/** Entry file of a function, from the root its code lives in. */
export const entryOf = (name: FunctionName): string => `functions/${name}/handler.ts`;

export const queueUrlVariable = (stage: Stage): string => `${stage.toUpperCase()}_QUEUE_URL`;

/** Metadata of a function in the template, for the local stack. */
export interface FunctionMetadata {
  readonly name: FunctionName;
  readonly entry: string;
  readonly routes: readonly string[];
  readonly secrets: readonly SecretName[];
}
