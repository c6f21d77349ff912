/** Every failure raised on purpose, in whole sentences for people; no error holds a secret. */

/** `isRetryable` decides between a later delivery of the same message and giving it up. */
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
 * Kind of a provider's failure:
 * - `busy`, `down`, `slow`, `server`: it limits our rate; it is unreachable, too slow, or failing
 * - `auth`, `denied`, `billing`, `model`, `tools`: its owner has to mend the key, the permission,
 *   the credit or the model's name; the model takes no tools
 * - `overflow`, `policy`, `request`: the prompt is too long; it refuses such content; it refuses
 *   for another reason
 * - `answer`, `empty`: its answer is unusable, or has no content
 * - `unasked`, `unknown`: no time was left to ask it; anything else
 */
export type ProviderFault =
  | 'busy'
  | 'down'
  | 'slow'
  | 'server'
  | 'auth'
  | 'denied'
  | 'billing'
  | 'model'
  | 'tools'
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
  readonly model?: string;
}

/** No provider gave a usable answer. `failures` has one line for each, without keys or bodies. */
export class LlmError extends PassepartoutError {
  override readonly name: string = 'LlmError';
  readonly cascade: readonly string[];
  readonly failures: readonly string[];
  /** Places of the providers that may bill their call all the same. */
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

/** A gate threw, or returned something malformed: the action is blocked. */
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

/** A value from outside does not have the agreed form. `problem` never quotes the value. */
export class ProtocolError extends PassepartoutError {
  override readonly name: string = 'ProtocolError';
  readonly problem: string;
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, false, options);
    this.problem = problem;
  }
}

/** A later try of a person may go well. */
export class PassingError extends ProtocolError {}

export class NotFoundError extends ProtocolError {
  override readonly name: string = 'NotFoundError';
}

/** A server does not accept our key: no repeat helps until its owner mends the key. */
export class KeyRefusedError extends ProtocolError {
  override readonly name: string = 'KeyRefusedError';
}

/** A setting is missing or wrong; the message names every one at once. */
export class ConfigError extends PassepartoutError {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, false);
    this.problems = problems;
  }
}

/** A conditional write found another state. `current` is the stored item, if there is one. */
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

/** A stored item has a version or shape that this release does not know. Nothing is guessed. */
export class StoredItemError extends PassepartoutError {
  override readonly name: string = 'StoredItemError';
  readonly key: string;
  constructor(key: string, problem: string) {
    super(`stored item ${key}: ${problem}`, false);
    this.key = key;
  }
}

/** A service did not answer; a later try can help. The message is a sentence that names it. */
export class UnavailableError extends PassepartoutError {
  override readonly name: string = 'UnavailableError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options);
  }
}

/** Other writers changed the item first at every try; a later try can help. */
export class ContendedError extends PassepartoutError {
  override readonly name: string = 'ContendedError';
  /** @param item in words for a person: "the session" */
  constructor(item: string, tries: number, options?: ErrorOptions) {
    const often = tries > 1 ? `, ${tries} times in a row` : '';
    super(`Another change reached ${item} first${often}. Try again.`, true, options);
  }
}

/** Unknown errors count as retryable: they are bugs or crashes. */
export const isRetryable = (error: unknown): boolean => (error instanceof PassepartoutError ? error.isRetryable : true);

/** Too early: the same message may be delivered again after `afterMs`. */
export class RetryLaterError extends PassepartoutError {
  override readonly name: string = 'RetryLaterError';
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message, true);
    this.afterMs = afterMs;
  }
}

/** Too early, perhaps for hours: the sweep takes over if the queue gives the message up. */
export class WaitingError extends RetryLaterError {
  override readonly name: string = 'WaitingError';
}

/** The table holds data of a newer release: this one changes nothing and its messages wait. */
export class NewerDataError extends RetryLaterError {
  override readonly name: string = 'NewerDataError';
  constructor(found: number, known: number, afterMs: number) {
    super(
      `The data is of version ${found}, and this release knows version ${known}. Start the newer release.`,
      afterMs,
    );
  }
}
