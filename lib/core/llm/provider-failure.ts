/**
 * Says what went wrong with a provider, from whatever was thrown. The reason holds only our own
 * words and the HTTP status, so no key, body or address can leak through it. Codes and statuses
 * come first; an error's words are read only if its maker gives no code. Pure.
 */
import { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai/error';
import { ProtocolError, type ProviderFault, UnavailableError } from '../base/errors.ts';
import { FAULTS, isPassing } from '../language/fault-texts.ts';

export interface ProviderFailure {
  readonly fault: ProviderFault;
  /** A short phrase: "refuses the key (401)". */
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
/**
 * Ollama, OpenRouter, vLLM, Groq and llama.cpp say it each in their own words, with 400, 404 or
 * 500.
 */
const TOOLS_WORDS =
  /(not support|unsupported|requires?)\b[^.]{0,60}\btools?\b|\btools?\b[^.]{0,60}(not supported|unsupported|requires)|found that support tool use/i;
/** Some answer 400 instead of 404. */
const MODEL_CODES: readonly unknown[] = ['model_not_found', 'invalid_model'];
const MODEL_WORDS = /not a valid model|no such model|unknown model|model\b[^.]{0,80}(not exist|not found)/i;

const STATUS_FAULTS: Readonly<Record<number, ProviderFault>> = {
  401: 'auth',
  402: 'billing',
  403: 'denied',
  404: 'model',
  408: 'slow',
  413: 'overflow',
  429: 'busy',
};

/** Of an answer that is no success. @param words of the provider, only read */
export const faultOfStatus = (status: number, code?: unknown, words = ''): ProviderFault => {
  if (BILLING_CODES.includes(code)) return 'billing';
  if (status < 500 && OVERFLOW_CODES.includes(code)) return 'overflow';
  if (status < 500 && POLICY_CODES.includes(code)) return 'policy';
  if ([400, 404, 500, 501].includes(status) && TOOLS_WORDS.test(words)) return 'tools';
  const known = STATUS_FAULTS[status];
  if (known !== undefined) return known;
  if (status >= 500) return 'server';
  if (status !== 400) return 'request';
  if (OVERFLOW_WORDS.test(words)) return 'overflow';
  return MODEL_CODES.includes(code) || MODEL_WORDS.test(words) ? 'model' : 'request';
};

/** Nearly all send seconds. A date is ignored. */
const retryAfterOf = (headers: unknown): { readonly retryAfterMs?: number } => {
  const text = headers instanceof Headers ? (headers.get('retry-after') ?? '') : '';
  return /^\d{1,6}(\.\d{1,3})?$/.test(text) ? { retryAfterMs: Math.ceil(Number(text) * 1000) } : {};
};

/** A refusal is not billed, nor a 503 that says when to come back. Other 5xx and 408 may be. */
const classifyStatus = (error: APIError, status: number): ProviderFailure => {
  const fault = faultOfStatus(status, error.code, error.message);
  const retryAfter = retryAfterOf(error.headers);
  const isTakenUp = status === 408 || (status >= 500 && !(status === 503 && retryAfter.retryAfterMs !== undefined));
  return {
    fault,
    reason: `${FAULTS[fault]} (${status})`,
    isTransient: isPassing(fault),
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

/** Codes and types of errors that come without a status. */
const ERROR_WORDS: readonly (readonly [words: RegExp, status: number])[] = [
  [/rate.?limit|overloaded|throttl|exhausted|quota/i, 429],
  [/authentication|api.?key/i, 401],
  [/permission/i, 403],
  [/model_not_found|not_found_error/i, 404],
  [/invalid.?request|bad.?request|context_length|content_(?:filter|policy)|tool_use_failed/i, 400],
];

/** An error that came in the place of an answer has no HTTP status: its code says what it is. */
const statusOf = ({ status, error, code, type }: APIError): number | undefined => {
  if (status !== undefined || error === undefined) return status;
  const number = Number(code);
  if (Number.isInteger(number) && number >= 400 && number <= 599) return number;
  return ERROR_WORDS.find(([words]) => words.test(`${code} ${type}`))?.[1] ?? 500;
};

/** An answer that had begun and ended in an error of a known kind may be billed all the same. */
const brokenOff = (causes: readonly unknown[]): ProviderFailure | undefined => {
  const api = causes.find((cause) => cause instanceof APIError);
  const status = api === undefined ? undefined : statusOf(api);
  return api === undefined || status === undefined || status >= 500
    ? undefined
    : { ...classifyStatus(api, status), mayBeBilled: true };
};

/** Our adapter's own errors say the most, then a timeout, then the HTTP status. */
export const classifyProviderError = (error: unknown): ProviderFailure => {
  const causes = causesOf(error);
  const protocol = causes.find((cause) => cause instanceof ProtocolError);
  if (protocol !== undefined)
    return { fault: 'answer', reason: protocol.problem, isTransient: false, mayBeBilled: true };
  const mayBeBilled = !isNeverConnected(causes);
  const passing = (fault: 'down' | 'slow') =>
    ({ fault, reason: FAULTS[fault], isTransient: true, mayBeBilled }) as const;
  if (causes.some((cause) => cause instanceof UnavailableError)) return brokenOff(causes) ?? passing('down');
  if (causes.some(isTimeout)) return passing('slow');
  if (causes.some((cause) => cause instanceof SyntaxError))
    return { fault: 'answer', reason: 'answered with broken JSON', isTransient: false, mayBeBilled };
  const api = causes.find((cause) => cause instanceof APIError);
  const status = api === undefined ? undefined : statusOf(api);
  if (api !== undefined && status !== undefined) return classifyStatus(api, status);
  if (api !== undefined || causes.some((cause) => cause instanceof Error && 'code' in cause)) return passing('down');
  return { fault: 'unknown', reason: FAULTS.unknown, isTransient: false, mayBeBilled };
};
