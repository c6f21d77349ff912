/**
 * The words for each kind of a provider's failure, the same for the start, the commands, health and
 * the chat. What mends it is in `finding-texts.ts`, which no good turn loads. Pure.
 */
import type { ProviderFault } from '../base/errors.ts';

/** Each follows the provider's name. */
export const FAULTS: Readonly<Record<ProviderFault, string>> = {
  busy: 'limits how often it may be asked',
  down: 'is not reachable',
  slow: 'did not answer in time',
  server: 'failed on its side',
  auth: 'refuses the key',
  denied: 'does not permit this, though it knows the key',
  billing: 'has no credit left',
  model: 'knows no such model at this address',
  tools: 'takes no tools',
  overflow: 'says the prompt is too long',
  policy: 'refuses such content',
  request: 'refused the request',
  answer: 'answers in another format',
  empty: 'gave an empty answer',
  unasked: 'was not asked',
  unknown: 'failed in an unknown way',
};

/** These may pass with nothing changed. */
const PASSING: readonly ProviderFault[] = ['busy', 'down', 'slow', 'server', 'unasked', 'unknown'];
export const isPassing = (fault: ProviderFault): boolean => PASSING.includes(fault);

export const isFault = (value: unknown): value is ProviderFault =>
  typeof value === 'string' && Object.hasOwn(FAULTS, value);
