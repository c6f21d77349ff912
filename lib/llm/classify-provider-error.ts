/**
 * What went wrong with a provider, from whatever was thrown: pure, and made only of our own words and the HTTP status, so
 * that no key, body or address can reach a log or a person through it.
 */
import { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ProtocolError, UnavailableError } from '../errors.ts';

export interface ProviderFailure {
  /** A short phrase: "rate limited (429)". */
  readonly reason: string;
  /** The same request may succeed later, with nothing changed. */
  readonly isTransient: boolean;
  /** The request may have been worked on and be billed, though no answer came of it. */
  readonly mayBeBilled: boolean;
}

/** Codes with which a 429 means "no money left", not "too fast". */
const BILLING_CODES: readonly unknown[] = ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'];

/** A refusal costs nothing; what broke on their side, or took them too long, may. */
const classifyStatus = (status: number, code: unknown): ProviderFailure => {
  const mayBeBilled = status === 408 || status >= 500;
  if (status === 402 || BILLING_CODES.includes(code))
    return { reason: `no credit left (${status})`, isTransient: false, mayBeBilled: false };
  if (status === 408) return { reason: 'timed out (408)', isTransient: true, mayBeBilled };
  if (status === 429) return { reason: 'rate limited (429)', isTransient: true, mayBeBilled };
  if (status >= 500) return { reason: `failed on its side (${status})`, isTransient: true, mayBeBilled };
  if (status === 401 || status === 403)
    return { reason: `refused the key (${status})`, isTransient: false, mayBeBilled };
  if (status === 404) return { reason: 'knows no such model or path (404)', isTransient: false, mayBeBilled };
  return { reason: `refused the request (${status})`, isTransient: false, mayBeBilled };
};

/** Codes of connections that were never made: no request was sent. */
const NEVER_CONNECTED: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const isNeverConnected = (causes: readonly unknown[]): boolean =>
  causes.some((cause) => cause instanceof Error && 'code' in cause && NEVER_CONNECTED.includes(cause.code));

/** The chain of causes, outermost first; bounded, because a cause may name itself. */
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

/** Errors of our own adapter are the innermost cause and say the most; then time, then the HTTP status. */
export const classifyProviderError = (error: unknown): ProviderFailure => {
  const causes = causesOf(error);
  const protocol = causes.find((cause) => cause instanceof ProtocolError);
  if (protocol !== undefined) return { reason: protocol.problem, isTransient: false, mayBeBilled: true };
  const mayBeBilled = !isNeverConnected(causes);
  if (causes.some((cause) => cause instanceof UnavailableError))
    return { reason: 'not reachable', isTransient: true, mayBeBilled };
  if (causes.some(isTimeout)) return { reason: 'timed out', isTransient: true, mayBeBilled };
  if (causes.some((cause) => cause instanceof SyntaxError))
    return { reason: 'answered with broken JSON', isTransient: false, mayBeBilled };
  const api = causes.find((cause) => cause instanceof APIError);
  if (api !== undefined && typeof api.status === 'number') return classifyStatus(api.status, api.code);
  if (api !== undefined || causes.some((cause) => cause instanceof Error && 'code' in cause)) {
    return { reason: 'not reachable', isTransient: true, mayBeBilled };
  }
  return { reason: 'failed in an unknown way', isTransient: false, mayBeBilled };
};
