/**
 * Asks one provider after the other until one answers. Every failure becomes one line, and
 * `RECOVERIES` says what follows: the same provider again, a shorter prompt, the next one, or
 * nobody. Nothing that may have been billed is asked again. The time Reason needs to store its work
 * is left. If all fail: LlmError, retryable only if every failure may pass by itself, so that a
 * wrong key is told at once.
 */
import { changedWaits } from '../base/changed-waits.ts';
import { defined } from '../base/defined.ts';
import { LlmError, type ProviderFault, type ProviderTrouble } from '../base/errors.ts';
import { SECOND_MS } from '../base/limits.ts';
import { FAULTS } from '../language/fault-texts.ts';
import type { Ask, Hear, ModelAnswer, ModelRequest } from './chat.ts';
import { answerTokensOf } from './prices.ts';
import { classifyProviderError, type ProviderFailure } from './provider-failure.ts';
import { RECOVERIES } from './provider-health.ts';
import { PROVIDER_TIMEOUT_MS } from './provider-table.ts';
import type { Provider } from './providers.ts';

/** Time that Reason needs to store its work. */
export const REASON_RESERVE_MS = 10 * SECOND_MS;
/** With less time left nobody is asked: no model answers so fast, but it would bill. */
const PROVIDER_TIMEOUT_MS_MIN = SECOND_MS;

/** Longest waits before the same provider is asked again: if others follow, and if not. */
const PROVIDER_RETRY_MS_MAX = SECOND_MS;
const PROVIDER_LAST_RETRY_MS_MAX = 5 * SECOND_MS;
/** Wait before the last provider is asked again, if it named no time. */
const PROVIDER_RETRY_PAUSE_MS = 500;

/** An answer of the provider that gave it, with all that its booking needs. */
export interface CascadeAnswer {
  readonly provider: string;
  readonly model: string;
  readonly answer: ModelAnswer;
  readonly inputTokens?: number;
  /** The part of these tokens that came from the provider's cache. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  /** Place in the cascade of the provider that answered. */
  readonly index: number;
  /** Places of those that failed before it and may bill. */
  readonly billed: readonly number[];
  /** One line for each provider that failed before. */
  readonly failures: readonly string[];
  /** The same, by place. */
  readonly troubles?: readonly ProviderTrouble[];
  /** Hash of the answered prompt, if it is a shortened one. */
  readonly promptHash?: string;
}

interface ShrunkRequest extends ModelRequest {
  readonly hash: string;
}

export interface CascadeOptions {
  readonly providers: readonly Provider[];
  readonly request: ModelRequest;
  readonly ask: Ask;
  /** Given each answer as it comes, also of a provider that fails later. */
  readonly hear?: Hear | undefined;
  /** Milliseconds until Lambda ends the function. */
  readonly remainingMs: () => number;
  /** Given each failure as it happens. */
  readonly log: (line: string) => void;
  /** The same request in at most so many tokens; undefined if it cannot be shorter. */
  readonly shrink?: (tokensMax: number) => ShrunkRequest | undefined;
  readonly wait?: (ms: number) => Promise<void>;
}

const failure = (
  fault: ProviderFault,
  reason: string,
  isTransient: boolean,
  mayBeBilled: boolean,
): ProviderFailure => ({
  fault,
  reason,
  isTransient,
  mayBeBilled,
});
const NO_TIME = failure('unasked', 'not asked: no time left', true, false);
const TOO_SMALL = failure('overflow', 'not asked: the prompt does not fit its window', false, false);
const EMPTY = failure('empty', FAULTS.empty, false, true);
const WITHHELD = failure('policy', FAULTS.policy, false, true);

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const leftMs = ({ remainingMs }: CascadeOptions): number => Math.floor(remainingMs() - REASON_RESERVE_MS);

const askOnce = async (
  provider: Provider,
  request: ModelRequest,
  options: CascadeOptions,
): Promise<ModelAnswer | ProviderFailure> => {
  if (request.tokens + answerTokensOf(provider) > provider.contextTokens) return TOO_SMALL;
  const latestMs = leftMs(options);
  const timeoutMs = Math.min(PROVIDER_TIMEOUT_MS[provider.tier ?? 'cognition'], latestMs);
  if (timeoutMs < PROVIDER_TIMEOUT_MS_MIN) return NO_TIME;
  try {
    const answer = await options.ask(provider, request, timeoutMs, options.hear, latestMs);
    // A start needs no reader of answers.
    const { isEmptyAnswer } = await import('./parse-proposal.ts');
    if (!isEmptyAnswer(answer)) return answer;
    return answer.isWithheld === true ? WITHHELD : EMPTY;
  } catch (error) {
    return classifyProviderError(error);
  }
};

export type NextStep =
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'shrink' }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' };

/** @param isRepeat the provider was asked again already; @param leftMs time left */
export const chooseNextStep = (
  failure: ProviderFailure,
  { isLast, isRepeat, leftMs }: { readonly isLast: boolean; readonly isRepeat: boolean; readonly leftMs: number },
): NextStep => {
  const { step } = RECOVERIES[failure.fault];
  if (step === 'next' || step === 'stop') return { kind: step };
  if (isRepeat || failure.mayBeBilled) return { kind: 'next' };
  if (step === 'shrink') return { kind: 'shrink' };
  // If the provider names no time, the next one may answer sooner than it.
  if (failure.retryAfterMs === undefined && !isLast) return { kind: 'next' };
  const afterMs = failure.retryAfterMs ?? changedWaits.providerRetryMs ?? PROVIDER_RETRY_PAUSE_MS;
  const isShort = afterMs <= (isLast ? PROVIDER_LAST_RETRY_MS_MAX : PROVIDER_RETRY_MS_MAX) && afterMs < leftMs;
  return isShort ? { kind: 'again', afterMs } : { kind: 'next' };
};

/** Tried in this order for a prompt that was too long. */
const SHRUNK_SHARES = [0.5, 0.75, 0.9] as const;

const shrinkFor = (provider: Provider, request: ModelRequest, options: CascadeOptions): ShrunkRequest | undefined => {
  const windowMax = provider.contextTokens - answerTokensOf(provider);
  for (const share of SHRUNK_SHARES) {
    const shrunk = options.shrink?.(Math.min(windowMax, Math.floor(request.tokens * share)));
    if (shrunk !== undefined && shrunk.tokens < request.tokens) return shrunk;
  }
  return undefined;
};

type ProviderOutcome =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer; readonly promptHash?: string }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly isStop: boolean };

/** Asks one provider at most twice. */
const askProvider = async (provider: Provider, isLast: boolean, options: CascadeOptions): Promise<ProviderOutcome> => {
  const first = await askOnce(provider, options.request, options);
  if (!('fault' in first)) return { kind: 'answered', answer: first };
  const step = chooseNextStep(first, { isLast, isRepeat: false, leftMs: leftMs(options) });
  const shrunk = step.kind === 'shrink' ? shrinkFor(provider, options.request, options) : undefined;
  // Some count the longest answer as part of the request, so a shorter answer may help alone.
  const canShrink = shrunk !== undefined || provider.tier === 'reasoning';
  if (step.kind === 'next' || step.kind === 'stop' || (step.kind === 'shrink' && !canShrink))
    return { kind: 'failed', failure: first, isStop: step.kind === 'stop' };
  options.log(`${provider.name} (${provider.model}): ${first.reason}; asked again`);
  if (step.kind === 'again') await (options.wait ?? sleep)(step.afterMs);
  const repeated: Provider = step.kind === 'shrink' ? { ...provider, tier: 'cognition' } : provider;
  const second = await askOnce(repeated, shrunk ?? options.request, options);
  if (!('fault' in second)) return { kind: 'answered', answer: second, ...defined({ promptHash: shrunk?.hash }) };
  const { kind } = chooseNextStep(second, { isLast, isRepeat: true, leftMs: leftMs(options) });
  // Without time for a second try the first one says what went wrong.
  return { kind: 'failed', failure: second.fault === 'unasked' ? first : second, isStop: kind === 'stop' };
};

/** @throws LlmError if no provider gave an answer */
export const askCascade = async (options: CascadeOptions): Promise<CascadeAnswer> => {
  const { providers } = options;
  const failures: string[] = [];
  const billed: number[] = [];
  const troubles: ProviderTrouble[] = [];
  let isAllTransient = providers.length > 0;
  for (const [index, provider] of providers.entries()) {
    const outcome = await askProvider(provider, index === providers.length - 1, options);
    if (outcome.kind === 'answered') {
      const { answer, promptHash } = outcome;
      const { model, inputTokens, cachedTokens, outputTokens } = answer;
      const counted = defined({ inputTokens, cachedTokens, outputTokens, promptHash });
      return { provider: provider.name, model, answer, ...counted, index, billed, failures, troubles };
    }
    const { fault, reason, mayBeBilled, isTransient } = outcome.failure;
    const line = `${provider.name} (${provider.model}): ${reason}`;
    failures.push(line);
    troubles.push({ place: index, fault, model: provider.model });
    if (mayBeBilled) billed.push(index);
    options.log(line);
    isAllTransient &&= isTransient;
    if (outcome.isStop) break;
  }
  const names = providers.map(({ name }) => name);
  const why = failures.length === 0 ? 'no provider is configured' : failures.join('; ');
  throw new LlmError(`no language model answered: ${why}`, names, failures, isAllTransient, billed, troubles);
};
