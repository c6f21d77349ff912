/**
 * What the console and the control function need from outside: the store, queues, the time, chance
 * and the tokens.
 */

import type { Cedar } from '../../judge/policy/space-policy.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import type { MemoryReads } from '../../stages/answer-memory.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';
import type { HttpRequest } from '../function-url.ts';
import type { Caller, ConsoleTokens } from './tokens.ts';

export interface ConsoleSettings {
  readonly assistant: string;
  /** Language models in the order they are tried; empty when none is configured. */
  readonly providerNames: readonly string[];
  /** How Telegram is connected, in a word: `off`, `polling`, `webhook`. */
  readonly telegramState: string;
  readonly caps: BudgetCaps;
  /** Origin of the control function, if it has one of its own; else the console's own. */
  readonly controlOrigin?: string;
}

/** What stopping and deciding need: all that the control function has. */
export interface ControlDeps {
  readonly space: string;
  readonly table: Pick<Table, 'load' | 'put' | 'update' | 'transact'>;
  readonly publish: Publish<PerceiveMessage>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** 128 random bits as 32 lower-case hex digits. */
  readonly newId: () => string;
  readonly tokens: (now: number) => Promise<ConsoleTokens>;
  /** Writes down what a script did, or was refused. @param what signal or route, never a text */
  readonly noteScript: (event: 'script-accepted' | 'script-refused', name: string, what: string) => void;
  /** Told of every failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

export interface ConsoleDeps extends ControlDeps {
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update' | 'transact'>;
  /** Memory to look into. */
  readonly memory: MemoryReads;
  /** Wakes the log's writer. @param slot what this waking is for */
  readonly wakeLog: (slot: string) => Promise<void>;
  /** Resolves after so many milliseconds; where it is not given, by a timer. */
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly settings: ConsoleSettings;
  /** Brings in the policy engine, where a policy is to be checked. */
  readonly importCedar: () => Promise<Cedar>;
  /** When this process started, epoch milliseconds. */
  readonly startedAt: number;
}

/** One authorised request to a route. */
export interface RouteCall {
  readonly request: HttpRequest;
  readonly caller: Caller;
  readonly params: readonly string[];
}
