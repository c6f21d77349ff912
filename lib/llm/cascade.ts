/**
 * Asks one provider after the other until one answers. Whatever a provider does wrong (an exception, a timeout, 429, 5xx,
 * a body that is no completion, an empty answer) is one failure line, and what follows is read off a table (`recover.ts`): the
 * same once more, a shorter prompt, the next provider, or nobody. Never takes longer than the time left less the reserve Reason
 * needs to store what it has. All failed: LlmError, retryable only if every failure may pass by itself, so that a wrong key
 * or a misspelt model is told at once and never waited for.
 */
import { defined } from '../base/defined.ts';
import { LlmError, type ProviderTrouble } from '../base/errors.ts';
import { SECOND_MS } from '../base/limits.ts';
import type { Ask, Hear, ModelAnswer, ModelRequest } from './chat.ts';
import { isEmptyAnswer } from './parse-proposal.ts';
import { answerTokensOf } from './prices.ts';
import { classifyProviderError, type ProviderFailure } from './provider-failure.ts';
import { RECOVERIES } from './provider-health.ts';
import { PROVIDER_TIMEOUT_MS } from './provider-table.ts';
import type { Provider } from './providers.ts';

/** Kept free of the cascade's waits, so that Reason always has time to store what it has. */
export const REASON_RESERVE_MS = 10 * SECOND_MS;
/** With less time than this left a provider is not asked: no model answers so fast, and the money would be spent. */
const PROVIDER_TIMEOUT_MS_MIN = SECOND_MS;

/** Longest wait before the same provider is asked again, if others follow, and if it is the last. */
const PROVIDER_RETRY_MS_MAX = SECOND_MS;
const PROVIDER_LAST_RETRY_MS_MAX = 5 * SECOND_MS;
/** Wait before the last provider is asked again, if it named no time. */
const PROVIDER_RETRY_PAUSE_MS = 500;

/** An answer, with what it is booked to: the provider that gave it, never the first that was asked. */
export interface CascadeAnswer {
  readonly provider: string;
  readonly model: string;
  readonly answer: ModelAnswer;
  readonly inputTokens?: number;
  /** Of those, read from the provider's cache. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  /** Place in the cascade of the provider that answered. */
  readonly index: number;
  /** Places of those that failed before it and may bill their call all the same. */
  readonly billed: readonly number[];
  /** One line per provider that failed before this one. */
  readonly failures: readonly string[];
  /** The same by place, for those who act on it. */
  readonly troubles?: readonly ProviderTrouble[];
  /** Hash of the prompt that was answered, where it is a shortened one. */
  readonly promptHash?: string;
}

/** A request that was made shorter, and its hash. */
export interface ShrunkRequest extends ModelRequest {
  readonly hash: string;
}

export interface CascadeOptions {
  readonly providers: readonly Provider[];
  readonly request: ModelRequest;
  readonly ask: Ask;
  /** Hears the answers as they come, those of providers that fail later too. */
  readonly hear?: Hear | undefined;
  /** Time until the function is ended, milliseconds: Lambda's own count. */
  readonly remainingMs: () => number;
  /** Told each failure as it happens. */
  readonly log: (line: string) => void;
  /** The same request in at most so many tokens; undefined where it cannot be any shorter. */
  readonly shrink?: (tokensMax: number) => ShrunkRequest | undefined;
  readonly wait?: (ms: number) => Promise<void>;
}

const NO_TIME: ProviderFailure = {
  fault: 'unasked',
  reason: 'not asked: no time left',
  isTransient: true,
  mayBeBilled: false,
};
const TOO_SMALL: ProviderFailure = {
  fault: 'overflow',
  reason: 'not asked: the prompt does not fit its window',
  isTransient: false,
  mayBeBilled: false,
};
const EMPTY: ProviderFailure = {
  fault: 'empty',
  reason: 'gave an empty answer',
  isTransient: false,
  mayBeBilled: true,
};
const WITHHELD: ProviderFailure = {
  fault: 'policy',
  reason: 'refuses such content',
  isTransient: false,
  mayBeBilled: true,
};

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
  const timeoutMs = Math.min(PROVIDER_TIMEOUT_MS[provider.tier ?? 'cognition'], leftMs(options));
  if (timeoutMs < PROVIDER_TIMEOUT_MS_MIN) return NO_TIME;
  try {
    const answer = await options.ask(provider, request, timeoutMs, options.hear);
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

/** @param isLast nobody else is left to ask; @param isRepeat it was asked again already; @param leftMs time left */
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
  const afterMs = failure.retryAfterMs ?? PROVIDER_RETRY_PAUSE_MS;
  const isShort = afterMs <= (isLast ? PROVIDER_LAST_RETRY_MS_MAX : PROVIDER_RETRY_MS_MAX) && afterMs < leftMs;
  return isShort ? { kind: 'again', afterMs } : { kind: 'next' };
};

type Tried =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer; readonly promptHash?: string }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly isStop: boolean };

/** Shares of a prompt that was too long, tried in this order: what cannot be left out of it may be more than half. */
const SHRUNK_SHARES = [0.5, 0.75, 0.9] as const;

const shrunkFor = (provider: Provider, request: ModelRequest, options: CascadeOptions): ShrunkRequest | undefined => {
  const windowMax = provider.contextTokens - answerTokensOf(provider);
  for (const share of SHRUNK_SHARES) {
    const shrunk = options.shrink?.(Math.min(windowMax, Math.floor(request.tokens * share)));
    if (shrunk !== undefined && shrunk.tokens < request.tokens) return shrunk;
  }
  return undefined;
};

/** Asks one provider at most twice. */
const tryProvider = async (provider: Provider, isLast: boolean, options: CascadeOptions): Promise<Tried> => {
  const first = await askOnce(provider, options.request, options);
  if (!('fault' in first)) return { kind: 'answered', answer: first };
  const step = chooseNextStep(first, { isLast, isRepeat: false, leftMs: leftMs(options) });
  const shrunk = step.kind === 'shrink' ? shrunkFor(provider, options.request, options) : undefined;
  // Some count the longest answer as a part of the request, against a limit by the minute: it has
  // to shrink too.
  const canShrink = shrunk !== undefined || provider.tier === 'reasoning';
  if (step.kind === 'next' || step.kind === 'stop' || (step.kind === 'shrink' && !canShrink))
    return { kind: 'failed', failure: first, isStop: step.kind === 'stop' };
  options.log(`${provider.name} (${provider.model}): ${first.reason}; asked again`);
  if (step.kind === 'again') await (options.wait ?? sleep)(step.afterMs);
  const asked: Provider = step.kind === 'shrink' ? { ...provider, tier: 'cognition' } : provider;
  const second = await askOnce(asked, shrunk ?? options.request, options);
  if (!('fault' in second))
    return { kind: 'answered', answer: second, ...(shrunk === undefined ? {} : { promptHash: shrunk.hash }) };
  const { kind } = chooseNextStep(second, { isLast, isRepeat: true, leftMs: leftMs(options) });
  // No time for a second try: the first one says what the matter was.
  return { kind: 'failed', failure: second.fault === 'unasked' ? first : second, isStop: kind === 'stop' };
};

/** @throws LlmError when no provider gave an answer; its message says the cascade is exhausted. */
export const askCascade = async (options: CascadeOptions): Promise<CascadeAnswer> => {
  const failures: string[] = [];
  const billed: number[] = [];
  const troubles: ProviderTrouble[] = [];
  let isAllTransient = options.providers.length > 0;
  for (const [index, provider] of options.providers.entries()) {
    const tried = await tryProvider(provider, index === options.providers.length - 1, options);
    if (tried.kind === 'answered') {
      const { model, inputTokens, cachedTokens, outputTokens } = tried.answer;
      return {
        provider: provider.name,
        model,
        answer: tried.answer,
        ...defined({ inputTokens, cachedTokens, outputTokens }),
        index,
        billed,
        failures,
        troubles,
        ...defined({ promptHash: tried.promptHash }),
      };
    }
    const { failure } = tried;
    const line = `${provider.name} (${provider.model}): ${failure.reason}`;
    failures.push(line);
    troubles.push({ place: index, fault: failure.fault });
    if (failure.mayBeBilled) billed.push(index);
    options.log(line);
    isAllTransient &&= failure.isTransient;
    if (tried.isStop) break;
  }
  const names = options.providers.map((provider) => provider.name);
  const why = failures.length === 0 ? 'no provider is configured' : failures.join('; ');
  throw new LlmError(`the provider cascade is exhausted: ${why}`, names, failures, isAllTransient, billed, troubles);
};
