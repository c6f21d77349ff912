/**
 * Asks one provider after the other until one answers. Whatever a provider does wrong (an exception, a timeout, 429, 5xx,
 * a body that is no completion, an empty answer) is one failure line and the next provider's turn. Never takes longer
 * than the time left less the reserve Reason needs to store what it has. All failed: LlmError, retryable only if every
 * failure may pass by itself, so that a wrong key or a misspelt model is told at once and never waited for.
 */
import { LlmError } from '../errors.ts';
import { ANSWER_TOKENS_MAX, PROVIDER_TIMEOUT_MS, PROVIDER_TIMEOUT_MS_MIN, REASON_RESERVE_MS } from '../limits.ts';
import type { Ask, ModelAnswer, ModelRequest } from './chat.ts';
import { classifyProviderError, type ProviderFailure } from './classify-provider-error.ts';
import { isEmptyAnswer } from './parse-proposal.ts';
import type { Provider } from './providers.ts';

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
}

export interface CascadeOptions {
  readonly providers: readonly Provider[];
  readonly request: ModelRequest;
  readonly ask: Ask;
  /** Time until the function is ended, milliseconds: Lambda's own count. */
  readonly remainingMs: () => number;
  /** Told each failure as it happens. */
  readonly log: (line: string) => void;
}

const NO_TIME: ProviderFailure = { reason: 'not asked: no time left', isTransient: true, mayBeBilled: false };
const TOO_SMALL: ProviderFailure = {
  reason: 'not asked: the prompt does not fit its window',
  isTransient: false,
  mayBeBilled: false,
};
const EMPTY: ProviderFailure = { reason: 'gave an empty answer', isTransient: false, mayBeBilled: true };

const tryProvider = async (provider: Provider, options: CascadeOptions): Promise<ModelAnswer | ProviderFailure> => {
  if (options.request.tokens + ANSWER_TOKENS_MAX > provider.contextTokens) return TOO_SMALL;
  const timeoutMs = Math.min(PROVIDER_TIMEOUT_MS, Math.floor(options.remainingMs() - REASON_RESERVE_MS));
  if (timeoutMs < PROVIDER_TIMEOUT_MS_MIN) return NO_TIME;
  try {
    const answer = await options.ask(provider, options.request, timeoutMs);
    return isEmptyAnswer(answer) ? EMPTY : answer;
  } catch (error) {
    return classifyProviderError(error);
  }
};

/** @throws LlmError when no provider gave an answer; its message says the cascade is exhausted. */
export const askCascade = async (options: CascadeOptions): Promise<CascadeAnswer> => {
  const failures: string[] = [];
  const billed: number[] = [];
  let isAllTransient = options.providers.length > 0;
  for (const [index, provider] of options.providers.entries()) {
    const result = await tryProvider(provider, options);
    if (!('reason' in result)) {
      const { model, inputTokens, cachedTokens, outputTokens } = result;
      return {
        provider: provider.name,
        model,
        answer: result,
        ...(inputTokens === undefined ? {} : { inputTokens }),
        ...(cachedTokens === undefined ? {} : { cachedTokens }),
        ...(outputTokens === undefined ? {} : { outputTokens }),
        index,
        billed,
        failures,
      };
    }
    const line = `${provider.name} (${provider.model}): ${result.reason}`;
    failures.push(line);
    if (result.mayBeBilled) billed.push(index);
    options.log(line);
    isAllTransient &&= result.isTransient;
  }
  const names = options.providers.map((provider) => provider.name);
  const why = failures.length === 0 ? 'no provider is configured' : failures.join('; ');
  throw new LlmError(`the provider cascade is exhausted: ${why}`, names, failures, isAllTransient, billed);
};
