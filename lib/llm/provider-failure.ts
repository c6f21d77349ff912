/**
 * Says what went wrong with a provider, from whatever was thrown. The reason holds only our own
 * words and the HTTP status, so no key, body or address can leak through it. Codes and statuses
 * come first; an error's words are read only if its maker gives no code. Pure.
 */
import { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai/error';
import { ProtocolError, type ProviderFault, UnavailableError } from '../base/errors.ts';

export interface ProviderFailure {
  readonly fault: ProviderFault;
  /** A short phrase: "rate limited (429)". */
  readonly reason: string;
  /** The same request may succeed later, with nothing changed. */
  readonly isTransient: boolean;
  /** The request may have been worked on and be billed, though no answer came of it. */
  readonly mayBeBilled: boolean;
  /** How long it asks to be left alone, milliseconds. */
  readonly retryAfterMs?: number;
}

/** Codes with which a 429 means "no money left", not "too fast". */
const BILLING_CODES: readonly unknown[] = ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'];
const OVERFLOW_CODES: readonly unknown[] = ['context_length_exceeded', 'string_above_max_length'];
const POLICY_CODES: readonly unknown[] = ['content_filter', 'content_policy_violation', 'cyber_policy'];
/** Some makers say it only in words. A false match costs one shorter prompt. */
const OVERFLOW_WORDS = /context (length|window)|maximum context|prompt is too long|input is too long|too many tokens/i;

const STATUS_FAULTS: Readonly<Record<number, readonly [ProviderFault, string]>> = {
  401: ['auth', 'refused the key'],
  402: ['billing', 'no credit left'],
  403: ['auth', 'refused the key'],
  404: ['model', 'knows no such model or path'],
  408: ['down', 'timed out'],
  413: ['overflow', 'says the prompt is too long'],
  429: ['busy', 'rate limited'],
};

const faultOf = (status: number, code: unknown, words: string): readonly [ProviderFault, string] => {
  if (BILLING_CODES.includes(code)) return ['billing', 'no credit left'];
  if (status < 500 && OVERFLOW_CODES.includes(code)) return ['overflow', 'says the prompt is too long'];
  if (status < 500 && POLICY_CODES.includes(code)) return ['policy', 'refuses such content'];
  const known = STATUS_FAULTS[status];
  if (known !== undefined) return known;
  if (status >= 500) return ['down', 'failed on its side'];
  return status === 400 && OVERFLOW_WORDS.test(words)
    ? ['overflow', 'says the prompt is too long']
    : ['request', 'refused the request'];
};

/** Nearly all send seconds. A date is ignored. */
const retryAfterOf = (headers: unknown): { readonly retryAfterMs?: number } => {
  const text = headers instanceof Headers ? (headers.get('retry-after') ?? '') : '';
  return /^\d{1,6}(\.\d{1,3})?$/.test(text) ? { retryAfterMs: Math.ceil(Number(text) * 1000) } : {};
};

/** A refusal is not billed, nor a 503 that says when to come back. Other 5xx and 408 may be. */
const classifyStatus = (error: APIError, status: number): ProviderFailure => {
  const [fault, phrase] = faultOf(status, error.code, error.message);
  const retryAfter = retryAfterOf(error.headers);
  const isTakenUp = status === 408 || (status >= 500 && !(status === 503 && retryAfter.retryAfterMs !== undefined));
  return {
    fault,
    reason: `${phrase} (${status})`,
    isTransient: fault === 'busy' || fault === 'down',
    mayBeBilled: isTakenUp && fault !== 'billing',
    ...retryAfter,
  };
};

/** The connection was never made, so no request was sent. */
const NEVER_CONNECTED: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const isNeverConnected = (causes: readonly unknown[]): boolean =>
  causes.some((cause) => cause instanceof Error && 'code' in cause && NEVER_CONNECTED.includes(cause.code));

/** The chain of causes, outermost first. Bounded, because a cause may name itself. */
const causesOf = (error: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  let current = error;
  while (current instanceof Error && causes.length < 5) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
};

const isTimeout = (error: unknown): boolean =>
  error instanceof APIConnectionTimeoutError ||
  error instanceof APIUserAbortError ||
  (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'));

/** An error that came in the place of an answer has no HTTP status: its code says what it is. */
const statusOf = ({ status, error, code }: APIError): number | undefined => {
  if (status !== undefined || error === undefined) return status;
  if (code === 'rate_limit_exceeded') return 429;
  const number = Number(code);
  return Number.isInteger(number) && number >= 400 && number <= 599 ? number : 500;
};

/** Our adapter's own errors say the most, then a timeout, then the HTTP status. */
export const classifyProviderError = (error: unknown): ProviderFailure => {
  const causes = causesOf(error);
  const protocol = causes.find((cause) => cause instanceof ProtocolError);
  if (protocol !== undefined)
    return { fault: 'answer', reason: protocol.problem, isTransient: false, mayBeBilled: true };
  const mayBeBilled = !isNeverConnected(causes);
  const down = { fault: 'down', isTransient: true, mayBeBilled } as const;
  if (causes.some((cause) => cause instanceof UnavailableError)) return { ...down, reason: 'not reachable' };
  if (causes.some(isTimeout)) return { ...down, reason: 'timed out' };
  if (causes.some((cause) => cause instanceof SyntaxError))
    return { fault: 'answer', reason: 'answered with broken JSON', isTransient: false, mayBeBilled };
  const api = causes.find((cause) => cause instanceof APIError);
  const status = api === undefined ? undefined : statusOf(api);
  if (api !== undefined && status !== undefined) return classifyStatus(api, status);
  if (api !== undefined || causes.some((cause) => cause instanceof Error && 'code' in cause))
    return { ...down, reason: 'not reachable' };
  return { fault: 'unknown', reason: 'failed in an unknown way', isTransient: false, mayBeBilled };
};
