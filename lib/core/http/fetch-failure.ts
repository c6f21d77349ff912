/** Whether anything can have been sent before a request failed: only then a repeat is in doubt. */
import * as z from 'zod/mini';

/** A string or nothing: some errors carry numbers in these fields. */
const word = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => (typeof value === 'string' ? value : undefined)),
  ),
);

/**
 * The members of an error that are read. Its message is not: it may hold the address, and so the
 * token.
 */
const Failure = z.looseObject({
  name: word,
  code: word,
  syscall: word,
  cause: z.optional(z.unknown()),
  errors: z.optional(z.array(z.unknown())),
});

/** Steps that come before the first byte of a request. */
const CONNECTING_SYSCALLS = new Set(['connect', 'getaddrinfo']);
const CONNECTING_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Nested causes looked through: fetch wraps once, and several addresses wrap once more. */
const CAUSES_MAX = 4;

const isConnecting = (failure: z.infer<typeof Failure>, depth: number): boolean => {
  if (failure.errors !== undefined && failure.errors.length > 0) {
    return failure.errors.every((error) => hasFailedConnecting(error, depth - 1));
  }
  if (failure.syscall !== undefined && CONNECTING_SYSCALLS.has(failure.syscall)) return true;
  if (failure.code === undefined) return false;
  return CONNECTING_CODES.has(failure.code) || failure.code.startsWith('ERR_SSL_');
};

const hasFailedConnecting = (error: unknown, depth: number): boolean => {
  const failure = Failure.safeParse(error);
  if (!failure.success || depth < 0) return false;
  return isConnecting(failure.data, depth) || hasFailedConnecting(failure.data.cause, depth - 1);
};

const codeOf = (error: unknown, depth: number): string | undefined => {
  const failure = Failure.safeParse(error);
  if (!failure.success || depth < 0) return undefined;
  return failure.data.code ?? codeOf(failure.data.cause, depth - 1);
};

export interface FetchFailure {
  /** False only if no connection was made. */
  readonly wasSent: boolean;
  /** In the form of codes of Node. */
  readonly code: string | undefined;
  readonly name: string | undefined;
}

/** Reads a failure of fetch, or of reading its body. */
export const readFetchFailure = (error: unknown): FetchFailure => {
  const code = codeOf(error, CAUSES_MAX);
  return {
    wasSent: !hasFailedConnecting(error, CAUSES_MAX),
    code: code !== undefined && /^[A-Z0-9_]{1,48}$/.test(code) ? code : undefined,
    name: Failure.safeParse(error).data?.name,
  };
};
