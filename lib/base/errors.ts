/**
 * The error taxonomy: every failure this system raises on purpose is one of these, and each knows whether trying the
 * same thing again can help. Messages are for people; evidence is in fields; nothing here ever holds a secret.
 */

/** Base of all deliberate errors. `isRetryable` decides between "see the message again later" and "poison". */
export class PassepartoutError extends Error {
  override readonly name: string = 'PassepartoutError';
  readonly isRetryable: boolean;
  constructor(message: string, isRetryable: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isRetryable = isRetryable;
  }
}

/** A stage could not do its work on a signal. */
export class PipelineError extends PassepartoutError {
  override readonly name: string = 'PipelineError';
  readonly signalId: string;
  constructor(message: string, signalId: string, isRetryable: boolean, options?: ErrorOptions) {
    super(message, isRetryable, options);
    this.signalId = signalId;
  }
}

/**
 * What kind of failure of a provider it was:
 * - `busy`, `down`: rate limited; not reachable, out of time, or failing on its side
 * - `auth`, `billing`, `model`: its owner has to do something: key, credit, a model that is not there
 * - `overflow`: the prompt is too long for it; `policy`: it refuses such content; `request`: it refuses for another reason
 * - `answer`: what came is no usable answer, `empty` one without content; `unasked`: no time was left; `unknown`: anything else
 */
export type ProviderFault =
  | 'busy'
  | 'down'
  | 'auth'
  | 'billing'
  | 'model'
  | 'overflow'
  | 'policy'
  | 'request'
  | 'answer'
  | 'empty'
  | 'unasked'
  | 'unknown';

/** A provider that failed, by its place in the cascade. */
export interface ProviderTrouble {
  readonly place: number;
  readonly fault: ProviderFault;
}

/** No provider gave a usable answer. `failures` is one line per provider tried, without keys or bodies. */
export class LlmError extends PassepartoutError {
  override readonly name: string = 'LlmError';
  readonly cascade: readonly string[];
  readonly failures: readonly string[];
  /** Places in the cascade of those that may bill their call all the same. */
  readonly billed: readonly number[];
  readonly troubles: readonly ProviderTrouble[];
  constructor(
    message: string,
    cascade: readonly string[],
    failures: readonly string[],
    isRetryable: boolean,
    billed: readonly number[] = [],
    troubles: readonly ProviderTrouble[] = [],
  ) {
    super(message, isRetryable);
    this.cascade = cascade;
    this.failures = failures;
    this.billed = billed;
    this.troubles = troubles;
  }
}

/** A gate broke its contract (threw, or returned something malformed): the action is blocked. */
export class GateError extends PassepartoutError {
  override readonly name: string = 'GateError';
  readonly gate: string;
  readonly actionHash: string;
  constructor(message: string, gate: string, actionHash: string) {
    super(message, false);
    this.gate = gate;
    this.actionHash = actionHash;
  }
}

/** A spending bound was reached. Units: US dollars. */
export class BudgetError extends PassepartoutError {
  override readonly name: string = 'BudgetError';
  readonly remainingUsd: number;
  readonly requestedUsd: number;
  constructor(message: string, remainingUsd: number, requestedUsd: number) {
    super(message, false);
    this.remainingUsd = remainingUsd;
    this.requestedUsd = requestedUsd;
  }
}

/** Something from outside does not have the agreed form. `problem` says what, without quoting it. */
export class ProtocolError extends PassepartoutError {
  override readonly name: string = 'ProtocolError';
  readonly problem: string;
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, false, options);
    this.problem = problem;
  }
}

/** A server we may use does not take our key: trying again helps nobody until its owner has mended that. */
export class KeyRefusedError extends ProtocolError {
  override readonly name: string = 'KeyRefusedError';
}

/** Something is missing or wrong in the environment; the message names every variable at once. */
export class ConfigError extends PassepartoutError {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, false);
    this.problems = problems;
  }
}

/** A conditional write found another state than expected. `current` is the stored item, where the store returned it. */
export class ConditionError extends PassepartoutError {
  override readonly name: string = 'ConditionError';
  readonly condition: string;
  readonly current: unknown;
  constructor(condition: string, current: unknown) {
    super(`condition "${condition}" did not hold`, false);
    this.condition = condition;
    this.current = current;
  }
}

/** A stored item has a schema version or shape this release does not know. Nothing is guessed. */
export class StoredItemError extends PassepartoutError {
  override readonly name: string = 'StoredItemError';
  readonly key: string;
  constructor(key: string, problem: string) {
    super(`stored item ${key}: ${problem}`, false);
    this.key = key;
  }
}

/** A service did not answer; trying later can help. The message is a whole sentence that names the service. */
export class UnavailableError extends PassepartoutError {
  override readonly name: string = 'UnavailableError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options);
  }
}

/** Other writers changed the same item first, each time it was tried; trying later can help. */
export class ContendedError extends PassepartoutError {
  override readonly name: string = 'ContendedError';
  /** @param item in words that a person reads: "the session" */
  constructor(item: string, tries: number, options?: ErrorOptions) {
    const often = tries > 1 ? `, ${tries} times in a row` : '';
    super(`Another change reached ${item} first${often}. Try again.`, true, options);
  }
}

/** Whether seeing the same message again later can help. Unknown errors are bugs or crashes: they may be retried. */
export const isRetryable = (error: unknown): boolean => (error instanceof PassepartoutError ? error.isRetryable : true);

/** Not now: the same message may be seen again after `afterMs` (a provider said so, or a claim has not run out). */
export class RetryLaterError extends PassepartoutError {
  override readonly name: string = 'RetryLaterError';
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message, true);
    this.afterMs = afterMs;
  }
}

/**
 * Not now, and perhaps not for hours. The record says when it is due, so that the sweep takes up
 * what the queue gives up.
 */
export class WaitingError extends RetryLaterError {
  override readonly name: string = 'WaitingError';
}

/**
 * The table holds data of a newer release: this one changes nothing, and messages wait for the
 * newer code.
 */
export class NewerDataError extends RetryLaterError {
  override readonly name: string = 'NewerDataError';
  constructor(found: number, known: number, afterMs: number) {
    super(
      `The data is of version ${found}, and this release knows version ${known}. Start the newer release.`,
      afterMs,
    );
  }
}
