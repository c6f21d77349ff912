/**
 * The functions of the system as data: their triggers, where each may send, and which kinds of item
 * it may read and write (I2). CDK builds roles from this table, the local stack finds its workers
 * by it, and tests compare it with the template. The catalogue of settings says what each one gets.
 */
import { SECOND_MS } from '../lib/core/base/limits.ts';
import { FUNCTION_NAMES, type FunctionName, type SecretName } from '../lib/core/store/settings.ts';
import { FEATURE_FUNCTION_SPECS } from './feature-functions.ts';
import {
  type FunctionSpec,
  INGRESS_TIMEOUT_MS,
  type Kind,
  type Stage,
  WAITED_FOR_MB,
  WAITING_MB,
} from './function-spec.ts';

/** Ten records stored and reported. */
export const DEAD_LETTER_TIMEOUT_MS = 30 * SECOND_MS;

/** Timeout of a stage's function; visibility is this plus 30 s. */
const PERCEIVE_TIMEOUT_MS = 30 * SECOND_MS;
const REASON_TIMEOUT_MS = 300 * SECOND_MS;
export const ACT_TIMEOUT_MS = 60 * SECOND_MS;
/** Reading all of memory anew, and the batches of one tick. */
const EMBED_TIMEOUT_MS = 120 * SECOND_MS;
/** One sweep ends before the next tick is due. */
const HEARTBEAT_TIMEOUT_MS = 50 * SECOND_MS;
/** The log's writer: thousands of records in one go, after a busy minute. */
const LOG_TIMEOUT_MS = 60 * SECOND_MS;

/** The most that a person's message may lead to: a function that takes it on reads all of it. */
const OF_A_MESSAGE = [
  ...(['signal', 'session', 'approval', 'grant', 'setting', 'mcp', 'skill', 'job', 'run', 'runner'] as const),
  ...(['memory', 'commit', 'snapshot', 'spend', 'past', 'quota'] as const),
] as const satisfies readonly Kind[];

export const FUNCTIONS = {
  ...FEATURE_FUNCTION_SPECS,
  console: {
    trigger: {
      type: 'http',
      routes: ['/', '/api/', '/health', '/runbook.schema.json', '/verifier.js', '/page/', '/manifest/'],
      isPublic: false,
    },
    timeoutMs: INGRESS_TIMEOUT_MS,
    memoryMb: WAITING_MB,
    sendsTo: ['perceive', 'log'],
    reads: [...OF_A_MESSAGE, 'log', 'gate-set', 'trace'],
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
    reads: [...OF_A_MESSAGE, 'log', 'trace'],
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
