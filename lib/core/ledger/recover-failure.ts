/**
 * One table that says what follows when a stage fails: the same message again, a text of ours in
 * place of the model's, or the end. Perceive, Reason and Act read it (`batch.ts`), and so does the
 * dead-letter path. The person who asked hears one plain sentence with the id for `/why`. A failure
 * inside one action is an effect's state instead, and a failure inside a gate is a block.
 */
import {
  ConditionError,
  ConfigError,
  ContendedError,
  GateError,
  LlmError,
  NewerDataError,
  PassepartoutError,
  PipelineError,
  ProtocolError,
  RetryLaterError,
  StoredItemError,
  UnavailableError,
  WaitingError,
} from '../base/errors.ts';
import { RECEIVE_COUNT_MAX, RETRY_BACKOFF_MS } from '../base/limits.ts';

export type Failure =
  | 'later'
  | 'unavailable'
  | 'race'
  | 'llm'
  | 'gate'
  | 'protocol'
  | 'pipeline'
  | 'stored-item'
  | 'config'
  | 'unexpected'
  | 'silent';

interface Recovery {
  /**
   * - `wait`: the same message later, as often as it takes
   * - `again`: the same message after a back-off; the last delivery ends like `abort`
   * - `fallback`: the signal ends in a text of ours; if none can be sent, like `abort`
   * - `abort`: dead-lettered at once
   */
  readonly step: 'wait' | 'again' | 'fallback' | 'abort';
  /** The model is told by a `loop-error` and explains it to the person. */
  readonly isModelTold: boolean;
  /** The sentence that the person gets with the id. */
  readonly said: string;
}

// biome-ignore format: one row per failure, so that the columns can be read down
export const FAILURES: Readonly<Record<Failure, Recovery>> = {
  later:         { step: 'wait',     isModelTold: true,  said: 'it could not be done for too long' },
  unavailable:   { step: 'again',    isModelTold: true,  said: 'a service it needs could not be reached' },
  race:          { step: 'again',    isModelTold: true,  said: 'something else changed the same thing at the same moment' },
  llm:           { step: 'fallback', isModelTold: false, said: 'no language model could answer' },
  gate:          { step: 'abort',    isModelTold: true,  said: 'a rule could not be checked, so nothing may be done' },
  protocol:      { step: 'abort',    isModelTold: true,  said: 'something was not in the form it has to have' },
  pipeline:      { step: 'abort',    isModelTold: true,  said: 'its records do not fit together' },
  'stored-item': { step: 'abort',    isModelTold: true,  said: 'something stored for it cannot be read by this release' },
  // A model cannot mend a configuration.
  config:        { step: 'abort',    isModelTold: false, said: 'a setting is missing or wrong, which only the owner can mend' },
  unexpected:    { step: 'again',    isModelTold: true,  said: 'there is a fault in the program' },
  /** The process died each time, or the queue gave the message up. */
  silent:        { step: 'abort',    isModelTold: true,  said: 'it was tried as often as allowed, without an end' },
};

/** Names as stored reasons have them: a bundler may rename classes. */
const KINDS: readonly (readonly [new (...given: never[]) => PassepartoutError, string, Failure])[] = [
  [NewerDataError, 'NewerDataError', 'later'],
  [RetryLaterError, 'RetryLaterError', 'later'],
  [UnavailableError, 'UnavailableError', 'unavailable'],
  [ContendedError, 'ContendedError', 'race'],
  [ConditionError, 'ConditionError', 'race'],
  [LlmError, 'LlmError', 'llm'],
  [GateError, 'GateError', 'gate'],
  [ProtocolError, 'ProtocolError', 'protocol'],
  [PipelineError, 'PipelineError', 'pipeline'],
  [StoredItemError, 'StoredItemError', 'stored-item'],
  [ConfigError, 'ConfigError', 'config'],
];

export const failureOf = (error: unknown): Failure => {
  const known = KINDS.find(([kind]) => error instanceof kind)?.[2];
  if (known !== undefined) return known;
  return error instanceof PassepartoutError && !error.isRetryable ? 'pipeline' : 'unexpected';
};

/** Text of the dead-letter record: our own words, or only the kind of an unexpected error. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof PassepartoutError) return `${error.name}: ${error.message}`;
  return `unexpected ${error instanceof Error ? error.name : typeof error}`;
};

/** The failure that a stored reason names by its first word. */
export const failureOfReason = (reason: string): Failure => {
  const name = /^[A-Za-z]+/.exec(reason)?.[0];
  if (name === 'unexpected') return 'unexpected';
  return KINDS.find(([, known]) => known === name)?.[2] ?? (name === 'PassepartoutError' ? 'pipeline' : 'silent');
};

/** Longest wait the queue measures; a longer one is the sweep's, which runs each minute. */
const QUEUE_WAIT_MS_MAX = 60_000;

/** `leave`: the message is done; the sweep sends another when the signal is due. */
export type NextDelivery =
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'leave' }
  | { readonly kind: 'abort' };

const again = (receiveCount: number): NextDelivery => ({
  kind: 'again',
  afterMs: RETRY_BACKOFF_MS[Math.min(receiveCount, RETRY_BACKOFF_MS.length) - 1] ?? RETRY_BACKOFF_MS[0],
});

/** @param receiveCount deliveries so far, with this one */
export const chooseNextDelivery = (error: unknown, receiveCount: number): NextDelivery => {
  const { step } = FAILURES[failureOf(error)];
  if (error instanceof WaitingError && (receiveCount >= RECEIVE_COUNT_MAX || error.afterMs > QUEUE_WAIT_MS_MAX))
    return { kind: 'leave' };
  switch (step) {
    case 'wait':
      return error instanceof RetryLaterError ? { kind: 'again', afterMs: error.afterMs } : again(receiveCount);
    case 'again':
      return receiveCount < RECEIVE_COUNT_MAX ? again(receiveCount) : { kind: 'abort' };
    case 'fallback':
    case 'abort':
      return { kind: 'abort' };
    default:
      return step satisfies never;
  }
};
