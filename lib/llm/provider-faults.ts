/**
 * The name of each kind of a provider's failure, the same for the start, the commands, health and
 * the chat. What mends it is in `provider-cures.ts`, which no good turn loads. Pure.
 */
import type { ProviderFault } from '../base/errors.ts';

interface Words {
  /** Follows the provider's name. */
  readonly says: string;
  /** It may pass with nothing changed. */
  readonly passes: boolean;
}

const passing = (says: string): Words => ({ says, passes: true });
const lasting = (says: string): Words => ({ says, passes: false });

export const FAULT_WORDS: Readonly<Record<ProviderFault, Words>> = {
  busy: passing('limits how often it may be asked'),
  down: passing('is not reachable'),
  slow: passing('did not answer in time'),
  server: passing('failed on its side'),
  auth: lasting('refuses the key'),
  denied: lasting('does not permit this, though it knows the key'),
  billing: lasting('has no credit left'),
  model: lasting('knows no such model at this address'),
  tools: lasting('takes no tools'),
  overflow: lasting('says the prompt is too long'),
  policy: lasting('refuses such content'),
  request: lasting('refused the request'),
  answer: lasting('answers in another format'),
  empty: lasting('gave an empty answer'),
  unasked: passing('was not asked'),
  unknown: passing('failed in an unknown way'),
};

export const isFault = (value: unknown): value is ProviderFault =>
  typeof value === 'string' && Object.hasOwn(FAULT_WORDS, value);
