/**
 * Posts spans to a collector by OTLP/HTTP with JSON, and says what became of them as the protocol
 * wants it (opentelemetry-proto, docs/specification.md): 429, 502, 503, 504 and a lost connection
 * are tried again, with the wait that the collector names; every other refusal never is.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { buildOutgoingFetch } from '../../core/http/outgoing.ts';
import { buildRequest, type Span } from './span.ts';

/** A collector near by answers within milliseconds, and nobody waits for this. */
const POST_TIMEOUT_MS = 10 * SECOND_MS;
/** An answer counts spans and has one sentence. */
const ANSWER_BYTES_MAX = 64 * KIB;
const RETRIED: readonly number[] = [429, 502, 503, 504];

export type Posted =
  | { readonly kind: 'taken'; readonly rejectedSpans: number }
  /** `status` is 0 if there was no answer that can be read. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'away'; readonly status: number; readonly waitMs: number | undefined };

/** Headers are tokens of RFC 9110; values are printable. */
const NAME = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;
const VALUE = /^[\x20-\x7e]{0,4096}$/;

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
};

/**
 * @param text of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, values percent-encoded
 * @returns a problem as text
 */
export const parseHeaders = (text: string): Readonly<Record<string, string>> | string => {
  const pairs = text.split(',').flatMap((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    return pair.trim() === '' ? [] : [[name.trim().toLowerCase(), decoded(value)] as const];
  });
  const isWhole = pairs.every(([name, value]) => NAME.test(name) && value !== undefined && VALUE.test(value));
  return isWhole
    ? Object.fromEntries(pairs.map(([name, value = '']) => [name, value]))
    : 'must be name=value,name=value, with values percent-encoded';
};

/** The address for traces below that of the collector. */
export const tracesUrl = (endpoint: string): string => {
  const url = new URL(endpoint);
  url.pathname = url.pathname.replace(/\/*$/, '/v1/traces');
  return url.href;
};

/** @returns undefined without a header that can be read */
const waitOf = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined;
  const waitMs = /^\d{1,9}$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
};

/** 64-bit numbers are texts, and numbers are taken too. */
const Answer = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.pipe(z.union([z.int(), z.string().check(z.regex(/^\d{1,9}$/))]), z.transform(Number)),
  }),
});

const fetchAnswer = buildOutgoingFetch({ peer: 'the collector', bytesMax: ANSWER_BYTES_MAX });

/** Never throws. @param headers the owner's */
export const postSpans = async (
  {
    endpoint,
    headers,
    now,
  }: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>>; readonly now: () => number },
  spans: readonly Span[],
): Promise<Posted> => {
  try {
    const answer = await fetchAnswer(tracesUrl(endpoint), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(buildRequest(spans)),
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    });
    const { status } = answer;
    const text = await answer.text();
    if (RETRIED.includes(status))
      return { kind: 'away', status, waitMs: waitOf(answer.headers.get('retry-after'), now()) };
    if (!answer.ok) return { kind: 'refused', status };
    return { kind: 'taken', rejectedSpans: Answer.safeParse(readJson(text)).data?.partialSuccess.rejectedSpans ?? 0 };
  } catch (error) {
    // A redirect, or more than the bound; everything else is a connection.
    return error instanceof ProtocolError
      ? { kind: 'refused', status: 0 }
      : { kind: 'away', status: 0, waitMs: undefined };
  }
};

export const TRACE_PARSERS = { OTEL_EXPORTER_OTLP_HEADERS: parseHeaders } as const;
