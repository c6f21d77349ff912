/**
 * A collector of OpenTelemetry on loopback, which takes traces as OTLP/HTTP with JSON has them
 * (opentelemetry-proto, docs/specification.md): a field that the protocol does not know, an id that
 * is no hex, an enum by its name or a number of 64 bits as a number is a bad request. It keeps one
 * span for each id, as its stores do. `close` ends it.
 */
import * as z from 'zod';
import { LOST, type Post, type Reply, startTarget } from './target.ts';

const Hex = (bytes: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${2 * bytes}}$`));
const Int64 = z.string().regex(/^-?\d{1,19}$/);
const Scalar = [
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: Int64 }),
  z.strictObject({ boolValue: z.boolean() }),
] as const;
const AnyValue = z.union([
  ...Scalar,
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.union(Scalar)) }) }),
]);
const KeyValues = z
  .array(z.strictObject({ key: z.string().min(1), value: AnyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length);
const Span = z.strictObject({
  traceId: Hex(16),
  spanId: Hex(8),
  parentSpanId: Hex(8).optional(),
  name: z.string().min(1),
  kind: z.int().min(0).max(5),
  startTimeUnixNano: Int64,
  endTimeUnixNano: Int64,
  attributes: KeyValues,
  events: z.array(z.strictObject({ timeUnixNano: Int64, name: z.string().min(1), attributes: KeyValues })),
  status: z.strictObject({ code: z.int().min(0).max(2).optional() }),
});
export type CollectedSpan = z.infer<typeof Span>;
export const ExportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: KeyValues }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(Span) })),
    }),
  ),
});
export type ExportRequest = z.infer<typeof ExportRequest>;

type Flat = string | number | boolean | readonly unknown[];

const flat = (value: z.infer<typeof AnyValue>): Flat => {
  if ('stringValue' in value) return value.stringValue;
  if ('intValue' in value) return Number(value.intValue);
  if ('boolValue' in value) return value.boolValue;
  return value.arrayValue.values.map(flat);
};

/** Attributes by their names. */
export const attributesOf = ({ attributes }: Pick<CollectedSpan, 'attributes'>): Readonly<Record<string, Flat>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, flat(value)]));

export interface Collector {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  readonly url: string;
  readonly posts: readonly Post[];
  /** Spans taken, by trace and id. */
  readonly traces: ReadonlyMap<string, ReadonlyMap<string, CollectedSpan>>;
  /** Requests that were taken, as they came. */
  readonly requests: readonly ExportRequest[];
  /** Answers in place of taking what comes; what has a lost answer is taken. */
  readonly answers: (Reply | typeof LOST)[];
  readonly close: () => void;
}

const TAKEN: Reply = { headers: { 'content-type': 'application/json' }, body: '{}' };

export const startCollector = async (): Promise<Collector> => {
  const traces = new Map<string, Map<string, CollectedSpan>>();
  const requests: ExportRequest[] = [];
  const answers: (Reply | typeof LOST)[] = [];
  const take = (request: ExportRequest): void => {
    requests.push(request);
    for (const span of request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))) {
      const trace = traces.get(span.traceId) ?? new Map<string, CollectedSpan>();
      traces.set(span.traceId, trace.set(span.spanId, span));
    }
  };
  const target = await startTarget(({ method, path, headers, body }) => {
    const answer = answers.shift();
    if (answer !== undefined && answer !== LOST) return answer;
    if (method !== 'POST' || path !== '/v1/traces') return { status: 404, body: '{}' };
    const parsed = ExportRequest.safeParse(JSON.parse(body));
    if (headers['content-type'] !== 'application/json' || !parsed.success)
      return { status: 400, body: JSON.stringify({ message: String(parsed.error) }) };
    take(parsed.data);
    return answer ?? TAKEN;
  });
  return { url: target.url, posts: target.posts, traces, requests, answers, close: target.close };
};
