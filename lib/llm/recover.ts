/**
 * What to do after a provider failed, as one table: whether the same one may be asked again, whether the prompt should shrink,
 * whether anybody else is asked at all, whether it goes to the end of the order for a while, and whether its owner has to be
 * told. Pure. Nothing is asked twice that may have been billed once: the reservation covers each provider a single time.
 */
import type { ProviderFault } from '../base/errors.ts';
import { SECOND_MS } from '../base/limits.ts';
import type { ProviderFailure } from './classify-provider-error.ts';

/** Longest wait before the same provider is asked once more: with others to ask, and where it is the last. */
const PROVIDER_RETRY_MS_MAX = SECOND_MS;
const PROVIDER_LAST_RETRY_MS_MAX = 5 * SECOND_MS;
/** Wait before the last provider is asked once more where it did not say how long. */
const PROVIDER_RETRY_PAUSE_MS = 500;

interface Recovery {
  /** `again` once, if that cannot cost twice; `shrink` and ask the same once; `next` provider; `stop` asking anybody. */
  readonly step: 'again' | 'shrink' | 'next' | 'stop';
  /** It is likely to fail the next question too. */
  readonly isUnwell: boolean;
  /** Only its owner can mend it. */
  readonly isTold: boolean;
}

// biome-ignore format: one row per fault, so that the columns can be read down
export const RECOVERIES: Readonly<Record<ProviderFault, Recovery>> = {
  busy:     { step: 'again',  isUnwell: true,  isTold: false },
  down:     { step: 'again',  isUnwell: true,  isTold: false },
  auth:     { step: 'next',   isUnwell: true,  isTold: true },
  billing:  { step: 'next',   isUnwell: true,  isTold: true },
  model:    { step: 'next',   isUnwell: true,  isTold: false },
  overflow: { step: 'shrink', isUnwell: false, isTold: false },
  // Asking the others what one refuses to answer would be shopping for a yes.
  policy:   { step: 'stop',   isUnwell: false, isTold: false },
  request:  { step: 'next',   isUnwell: false, isTold: false },
  answer:   { step: 'next',   isUnwell: true,  isTold: false },
  // Whether a model has something to say depends on what it is asked.
  empty:    { step: 'next',   isUnwell: false, isTold: false },
  unasked:  { step: 'next',   isUnwell: false, isTold: false },
  unknown:  { step: 'next',   isUnwell: true,  isTold: false },
};

export type NextStep =
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'shrink' }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' };

/** @param isLast nobody else is left to ask; @param leftMs what providers may still take; @param isRepeat it was asked again already */
export const chooseNextStep = (
  failure: ProviderFailure,
  { isLast, isRepeat, leftMs }: { readonly isLast: boolean; readonly isRepeat: boolean; readonly leftMs: number },
): NextStep => {
  const { step } = RECOVERIES[failure.fault];
  if (step === 'next' || step === 'stop') return { kind: step };
  if (isRepeat || failure.mayBeBilled) return { kind: 'next' };
  if (step === 'shrink') return { kind: 'shrink' };
  // Without a time of its own, waiting is only worth it where nobody else could answer meanwhile.
  if (failure.retryAfterMs === undefined && !isLast) return { kind: 'next' };
  const afterMs = failure.retryAfterMs ?? PROVIDER_RETRY_PAUSE_MS;
  const isSane = afterMs <= (isLast ? PROVIDER_LAST_RETRY_MS_MAX : PROVIDER_RETRY_MS_MAX) && afterMs < leftMs;
  return isSane ? { kind: 'again', afterMs } : { kind: 'next' };
};
