/**
 * Spans in the JSON form of OTLP/HTTP (opentelemetry-proto, docs/specification.md): ids in hex,
 * enums as numbers, 64-bit numbers as decimal strings. Ids are hashes of what a span is about, so
 * that a span sent twice is one span. Pure.
 */
import { hash } from 'node:crypto';

/** SPAN_KIND_INTERNAL, SPAN_KIND_CLIENT. */
export const KINDS = { internal: 1, client: 3 } as const;
/** STATUS_CODE_ERROR; a status that is left out is unset. */
const STATUS_ERROR = 2;

type Value = string | number | boolean | readonly string[];
/** By name; one that is undefined is left out. Numbers are whole. */
export type Attributes = Readonly<Record<string, Value | undefined>>;

type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly SpanEvent[];
  readonly status: { readonly code?: number };
}

/** The span as its maker sees it. Times are epoch milliseconds. */
export interface SpanInput {
  /** Names the span within its trace. */
  readonly key: string;
  /** Absent for the first span of a trace. */
  readonly parent?: string;
  readonly name: string;
  readonly kind?: keyof typeof KINDS;
  readonly start: number;
  /** An end before the start counts as the start. */
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes: Attributes }[];
  /** Class of the error that it ended with. */
  readonly error?: string | undefined;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

const idOf = (bytes: number, ...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n')).slice(0, 2 * bytes);

/** @param root id of the signal that began the turn */
export const traceIdOf = (space: string, root: string): string => idOf(TRACE_ID_BYTES, 'trace', space, root);
/** Stands for a name that nobody shall read. @param salt known to the space alone */
export const pseudonym = (salt: string, name: string): string => idOf(TRACE_ID_BYTES, 'pseudonym', salt, name);

const anyValue = (value: Value): AnyValue => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map(anyValue) } };
};

const keyValues = (attributes: Attributes): readonly KeyValue[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]));

const nanoseconds = (ms: number): string => `${ms}000000`;

export const buildSpan = (traceId: string, input: SpanInput): Span => {
  const { key, parent, name, kind = 'internal', start, end, attributes, events = [], error } = input;
  const endNano = nanoseconds(Math.max(start, end));
  return {
    traceId,
    spanId: idOf(SPAN_ID_BYTES, traceId, key),
    ...(parent === undefined ? {} : { parentSpanId: idOf(SPAN_ID_BYTES, traceId, parent) }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: endNano,
    attributes: keyValues({ ...attributes, 'error.type': error }),
    events: events.map((event) => ({
      timeUnixNano: endNano,
      name: event.name,
      attributes: keyValues(event.attributes),
    })),
    status: error === undefined ? {} : { code: STATUS_ERROR },
  };
};

/** ExportTraceServiceRequest. */
export const buildRequest = (spans: readonly Span[]) => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues({ 'service.name': 'passepartout' }) },
      scopeSpans: [{ scope: { name: 'passepartout' }, spans }],
    },
  ],
});
