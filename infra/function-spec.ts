/** The type of a function: its trigger, where it may send, and what it may read and write (I2). */
import { SECOND_MS } from '../lib/core/base/limits.ts';
import type { SettingName } from '../lib/core/store/settings.ts';

/** Telegram and webhook senders wait about this long; the store is two calls away. */
export const INGRESS_TIMEOUT_MS = 15 * SECOND_MS;
/**
 * Memory of the functions that a person's message passes. Lambda gives a processor's share by
 * memory: with four times the memory a message passes in a quarter of the time, for the same price
 * (`npm run bench -- --only cloud`).
 */
export const WAITED_FOR_MB = 512;
/**
 * Memory of a function that a person waits for, and that itself mostly waits for others. Reason
 * takes 239 MB with long turns, a policy and some thousand notes.
 */
export const WAITING_MB = 320;

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
  /** How far traces were sent. */
  'trace',
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
  /** It exists only while this setting is there and not `off`. */
  readonly onlyIf?: SettingName;
  /** It may run that function, whose address it is told too. */
  readonly runs?: 'console';
  /** Its secret is that function's, so that a token is changed in one place. */
  readonly secretOf?: 'console';
  /** Stages it may send to; each gives it `<STAGE>_QUEUE_URL`. */
  readonly sendsTo: readonly Stage[];
  readonly reads: readonly Kind[];
  readonly writes: readonly Kind[];
  readonly indexes: readonly IndexName[];
}
