/**
 * Traces of a whole stack: a turn with a tool and an approval is one trace in the collector, with
 * its gates and without its words, and OpenTelemetry's own serializer makes the same of it.
 * Whatever the collector answers, a turn is there once, waits, or is counted.
 */
import { type HrTime, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/core/base/limits.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { buildSendTraces, type SendDeps } from '../../../lib/features/traces/send-traces.ts';
import { TraceState, traceKey } from '../../../lib/features/traces/state.ts';
import {
  attributesOf,
  type CollectedSpan,
  type Collector,
  type ExportRequest,
  startCollector,
} from '../../support/collector.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../../support/stack.ts';
import { LOST, startTarget, type Target } from '../../support/target.ts';

const KEY = 'key of the collector';
/** Of the form of a secret, and configured nowhere. */
const FOUND = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  if (toolResultsOf(request).length > 0) return say('The bike is on its way.');
  if (!text.includes('ship')) return say(`I heard: ${text}`);
  return call('call-webhook', {
    webhook: 'shop',
    body: { colour: 'turquoise' },
    explanation: 'the owner asked for exactly this order of a bike',
  });
};

let collector: Collector;
let shop: Target;
let test: TestStack;
beforeAll(async () => {
  [collector, shop] = await Promise.all([startCollector(), startTarget()]);
  const environment = {
    ...shop.environmentOf('shop'),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${encodeURIComponent(KEY)}, x-other=1`,
  };
  test = await startTestStack({ script, isPolling: false, environment });
});
afterAll(async () => {
  await test?.stop();
  for (const one of [collector, shop]) one?.close();
});

const sayHere = async (text: string): Promise<string> => {
  const { body } = await test.api<{ id: string }>('POST', '/api/messages', { text, session: 'kitchen' });
  await test.settled(body.id);
  return body.id;
};

/** The log's writer has given all their leaves. */
const logAll = async (): Promise<void> => {
  await test.tick();
  await until('all has leaves', async () => (await test.scan()).every(({ awaitsLog }) => awaitsLog !== true));
};

const tickTraces = () => test.stack.invoke('traces', { scheduledAt: new Date().toISOString() });

const rootOf = (spans: ReadonlyMap<string, CollectedSpan>): string =>
  String(
    attributesOf([...spans.values()].find(({ parentSpanId }) => parentSpanId === undefined) ?? { attributes: [] })[
      'passepartout.signal.id'
    ],
  );

const traceOf = (id: string): readonly CollectedSpan[] => [
  ...([...collector.traces.values()].find((spans) => rootOf(spans) === id)?.values() ?? []),
];

const stateOf = async (): Promise<TraceState> => TraceState.parse((await test.table.load([traceKey('default')]))[0]);

/** The product's own sender, by another clock: it knows what was sent, and no pause. */
const senderAt = (clock: { now: number }, words: Partial<Awaited<ReturnType<SendDeps['settings']>>> = {}) =>
  buildSendTraces({
    table: test.table,
    space: 'default',
    settings: async () => ({ endpoint: collector.url, hasWords: false, privateTags: [], ...words }),
    readSecrets: async () => new Map([['OTEL_EXPORTER_OTLP_HEADERS', `x-key=${encodeURIComponent(KEY)}`]]),
    log: () => undefined,
    now: () => clock.now,
  });

const timeOf = (nano: string): HrTime => [Number(BigInt(nano) / 1_000_000_000n), Number(BigInt(nano) % 1_000_000_000n)];

/** What OpenTelemetry's own exporter would send of the same spans. */
const asTheyWould = ({ resourceSpans }: ExportRequest) => {
  const resource = {
    attributes: { 'service.name': 'passepartout' },
    merge: () => resource,
    getRawAttributes: () => [],
  };
  const spans = resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    .map((span) => ({
      name: span.name,
      kind: span.kind - 1,
      spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: TraceFlags.SAMPLED }),
      ...(span.parentSpanId === undefined
        ? {}
        : { parentSpanContext: { traceId: span.traceId, spanId: span.parentSpanId, traceFlags: TraceFlags.SAMPLED } }),
      startTime: timeOf(span.startTimeUnixNano),
      endTime: timeOf(span.endTimeUnixNano),
      duration: timeOf('0'),
      ended: true,
      status: { code: span.status.code ?? SpanStatusCode.UNSET },
      attributes: attributesOf(span),
      links: [],
      events: span.events.map((event) => ({
        name: event.name,
        time: timeOf(event.timeUnixNano),
        attributes: attributesOf(event),
      })),
      resource,
      instrumentationScope: { name: 'passepartout' },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    }));
  const bytes = JsonTraceSerializer.serializeRequest(
    spans as unknown as Parameters<typeof JsonTraceSerializer.serializeRequest>[0],
  );
  return JSON.parse(Buffer.from(bytes ?? []).toString('utf8'));
};

/** Without the members that say nothing; a number of 64 bits may be a text too. */
const plainly = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainly);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([key, one]) => {
    if (/^dropped\w+Count$/.test(key) || ['flags', 'links'].includes(key) || (key === 'code' && one === 0)) return [];
    return [[key, key === 'intValue' ? String(one) : plainly(one)]];
  });
  return Object.fromEntries(entries);
};

describe('a turn with a tool and an approval', () => {
  let id = '';
  let approvalId = '';
  it('is one trace once it has ended, and nothing before', async () => {
    id = await sayHere('ship the turquoise bike');
    const { body } = await test.api<{ approvals: { id: string }[] }>('GET', '/api/approvals');
    approvalId = body.approvals[0]?.id ?? '';
    await logAll();
    await tickTraces();
    expect(traceOf(id)).toStrictEqual([]);
    await test.api('POST', `/api/approvals/${approvalId}`, { decision: 'approve' });
    await until('it has ended', async () => (await test.signal(id)).isTurnClosed);
    await logAll();
    await tickTraces();
    expect(traceOf(id).map(({ name }) => name)).toStrictEqual([
      'invoke_agent passepartout',
      'perceive chat-message',
      'chat scripted',
      'judge call-webhook',
      'approval',
      'judge call-webhook',
      'execute_tool call-webhook',
      'perceive notice',
      'judge text',
      'judge text',
      'deliver console',
      'perceive tool-output',
      'chat scripted',
      'judge text',
      'judge text',
      'deliver console',
    ]);
    expect(shop.posts).toHaveLength(1);
  });

  it('is below its first span, within its time, and calls follow the conventions', () => {
    const spans = traceOf(id);
    const [first] = spans;
    for (const span of spans.slice(1)) {
      expect(span.parentSpanId).toBe(first?.spanId);
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(first?.startTimeUnixNano ?? 0));
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(first?.endTimeUnixNano ?? 0));
    }
    const named = (name: string) => attributesOf(spans.find((span) => span.name === name) ?? { attributes: [] });
    expect(named('invoke_agent passepartout')).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'passepartout',
      'gen_ai.conversation.id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(named('chat scripted')).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'custom',
      'gen_ai.request.model': 'scripted',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
    });
    expect(spans.filter(({ kind }) => kind === 3).map(({ name }) => name)).toStrictEqual([
      'chat scripted',
      'chat scripted',
    ]);
    expect(named('execute_tool call-webhook')).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'call-webhook',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.any(String),
      'passepartout.effect.state': 'done',
    });
  });

  it('shows each gate with its verdict, and the leaves that prove decision, approval and effect', async () => {
    const spans = traceOf(id);
    const judged = spans.filter(({ name }) => name === 'judge call-webhook');
    expect(judged.map((span) => attributesOf(span)['passepartout.stage'])).toStrictEqual(['reason', 'act']);
    for (const span of judged) {
      const gates = span.events.map(attributesOf);
      expect(gates.length).toBeGreaterThan(15);
      expect(gates).toContainEqual({ 'passepartout.gate.name': 'permissions', 'passepartout.gate.verdict': 'ask' });
      expect(attributesOf(span)['passepartout.verdict']).toBe('ask');
    }
    const [marks] = await test.table.load([{ pk: `signal#default#${id}`, sk: 'log' }]);
    const leaves: Record<string, { index: number; hash: string }> = marks?.leaves;
    expect(attributesOf(judged[0] ?? { attributes: [] })).toMatchObject({
      'passepartout.decision.hash': leaves.decision?.hash,
      'passepartout.decision.leaf': leaves.decision?.index,
      'passepartout.gate_set.version': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      attributesOf(spans.find(({ name }) => name === 'execute_tool call-webhook') ?? { attributes: [] })[
        'passepartout.effect.leaf'
      ],
    ).toBe(leaves['effect#0']?.index);
    const approval = Object.entries(leaves).find(([name]) => name.startsWith('approval#'))?.[1];
    expect(attributesOf(spans.find(({ name }) => name === 'approval') ?? { attributes: [] })).toMatchObject({
      'passepartout.approval.state': 'spent',
      'passepartout.approval.gates': expect.arrayContaining(['permissions']),
      'passepartout.approval.leaf': approval?.index,
    });
  });

  it('has none of its words, no name of a chat, no approval and no key', () => {
    const bytes = collector.posts.map(({ body }) => body).join('\n');
    for (const word of ['turquoise', 'bike', 'kitchen', 'owner asked', approvalId, KEY, shop.url])
      expect(bytes).not.toContain(word);
    expect(collector.posts.at(-1)?.headers).toMatchObject({
      'x-key': KEY,
      'x-other': '1',
      'content-type': 'application/json',
    });
  });

  it('is what the serializer of OpenTelemetry makes of the same spans', () => {
    expect(collector.requests).not.toStrictEqual([]);
    for (const request of collector.requests) expect(plainly(request)).toStrictEqual(plainly(asTheyWould(request)));
  });

  it('is told of by status, and sent once', async () => {
    const { body } = await test.api('GET', '/api/status');
    expect(body).toMatchObject({ traces: { last: 'taken', refused: 0, left: 0, rejectedSpans: 0 } });
    const before = collector.posts.length;
    await tickTraces();
    expect(collector.posts).toHaveLength(before);
  });
});

describe('a collector that does not take what comes', () => {
  const json = { 'content-type': 'application/json' };
  const partial = { headers: json, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' };
  /** The answer, how long it is left alone at least and at most, and what is counted. */
  const cases = [
    ['429 with a wait', { status: 429, headers: { 'retry-after': '300' }, body: '' }, [300_000, 300_000], {}],
    [
      '503 with a date',
      { status: 503, headers: { 'retry-after': 'Tue, 01 Jan 2030 00:01:30 GMT' }, body: '' },
      [90_000, 90_000],
      {},
    ],
    ['502', { status: 502, body: '' }, [MINUTE_MS / 2, MINUTE_MS], {}],
    ['504', { status: 504, body: 'x'.repeat(1000) }, [MINUTE_MS / 2, MINUTE_MS], {}],
    ['nothing', LOST, [MINUTE_MS / 2, MINUTE_MS], {}],
    ['400', { status: 400, body: '{"message":"bad"}' }, undefined, { refused: 1 }],
    ['401', { status: 401, body: '' }, undefined, { refused: 1 }],
    ['500', { status: 500, body: '' }, undefined, { refused: 1 }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, undefined, { refused: 1 }],
    ['an endless answer', { body: 'x'.repeat(100_000) }, undefined, { refused: 1 }],
    ['a part of it', partial, undefined, { sent: 1, rejectedSpans: 2 }],
    ['no JSON', { body: 'thanks' }, undefined, { sent: 1 }],
  ] as const;

  it.each(cases)('answers %s', async (_, answer, waits, counted) => {
    // A moment that the answers of the collector name.
    const clock = { now: Date.parse('2030-01-01T00:00:00Z') };
    const id = await sayHere('hello');
    await logAll();
    await test.table.update(traceKey('default'), {
      set: { open: { [id]: clock.now - MINUTE_MS }, since: clock.now - HOUR_MS },
    });
    const before = await stateOf();
    collector.answers.push(answer);
    const send = senderAt(clock);
    const posts = collector.posts.length;
    await send();
    expect(collector.posts).toHaveLength(posts + 1);
    const after = await stateOf();
    const { sent, refused, left, rejectedSpans } = before;
    const counts = { sent, refused, left, rejectedSpans };
    for (const [name, more] of Object.entries(counted)) counts[name as keyof typeof counts] += more;
    expect(after).toMatchObject(counts);
    expect(Object.keys(after.open)).toStrictEqual(waits === undefined ? [] : [id]);
    if (waits === undefined) return;
    const [least, most] = waits;
    clock.now += least - 1;
    await send();
    expect(collector.posts).toHaveLength(posts + 1);
    clock.now += most - least + 1;
    await send();
    expect(collector.posts.slice(posts).map(({ body }) => body)).toStrictEqual([
      collector.posts[posts]?.body,
      collector.posts[posts]?.body,
    ]);
    expect(traceOf(id).length).toBeGreaterThan(3);
    expect(await stateOf()).toMatchObject({ sent: before.sent + 1, open: {} });
  });

  it('has turns wait a week, and counts those that waited longer', async () => {
    const ids = [await sayHere('one'), await sayHere('two')];
    await logAll();
    const now = Date.now() + 30 * DAY_MS;
    const [early = '', late = ''] = ids;
    await test.table.update(traceKey('default'), {
      set: { open: { [early]: now - 8 * DAY_MS, [late]: now - 6 * DAY_MS }, since: now },
    });
    const before = await stateOf();
    await senderAt({ now })();
    expect(await stateOf()).toMatchObject({ left: before.left + 1, sent: before.sent + 1, open: {} });
    expect(traceOf(early)).toStrictEqual([]);
    expect(traceOf(late).length).toBeGreaterThan(3);
  });
});

/** The same with another id wherever the id stands. */
const renamed = (value: unknown, id: string, copy: string): unknown => {
  if (typeof value === 'string') return value.replaceAll(id, copy);
  if (value instanceof Set) return new Set([...value].map((one) => renamed(one, id, copy)));
  if (Array.isArray(value)) return value.map((one) => renamed(one, id, copy));
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, id, copy)]));
};

describe('many turns', () => {
  it('come in bounded ticks, oldest first, each once; a state that was lost repeats the same spans', async () => {
    const id = await sayHere('hello');
    await logAll();
    const items = (await test.scan()).filter(({ pk }) => pk === `signal#default#${id}`);
    const clock = { now: Date.now() + DAY_MS };
    const ids = Array.from({ length: 130 }, (_, n) => `con-copy-${n}`);
    for (const [n, copy] of ids.entries())
      for (const item of items) {
        const { pk, sk, ...rest } = renamed(item, id, copy) as Item;
        await test.table.put({ pk, sk }, { ...rest, ...(sk === 'record' ? { feedAt: clock.now - HOUR_MS + n } : {}) });
      }
    await test.table.update(traceKey('default'), { set: { open: {}, since: clock.now - HOUR_MS } });
    const copies = () => ids.filter((copy) => traceOf(copy).length > 0);
    const send = senderAt(clock);
    await send();
    expect(copies()).toStrictEqual(ids.slice(0, copies().length));
    expect(copies().length).toBeLessThan(130);
    for (let tick = 0; tick < 2; tick += 1) await send();
    expect(copies()).toStrictEqual(ids);
    const sentOnce = collector.posts.map(({ body }) => body).join('\n');
    for (const copy of ids) expect(sentOnce.split(`"${copy}"`).length).toBe(traceOf(copy).length + 1);
    const known = [...collector.traces.values()].map((spans) => spans.size);
    await test.table.update(traceKey('default'), { set: { done: {}, since: clock.now - HOUR_MS } });
    for (let tick = 0; tick < 3; tick += 1) await senderAt(clock)();
    expect([...collector.traces.values()].map((spans) => spans.size)).toStrictEqual(known);
  });
});

describe('words', () => {
  it('go along if their owner wants it, without secrets and private texts', async () => {
    const ids = [
      await sayHere('the shed is green'),
      await sayHere(`the cloud key is ${FOUND}`),
      await sayHere('@personal the code is nine'),
    ];
    await logAll();
    const now = Date.now();
    await test.table.update(traceKey('default'), {
      set: { open: Object.fromEntries(ids.map((id) => [id, now])), since: now + 1 },
    });
    const posts = collector.posts.length;
    await senderAt({ now }, { hasWords: true })();
    const bytes = collector.posts
      .slice(posts)
      .map(({ body }) => body)
      .join('\n');
    const [plain = '', secret = '', personal = ''] = ids;
    const inputOf = (id: string) =>
      attributesOf(traceOf(id).find(({ name }) => name.startsWith('chat ')) ?? { attributes: [] });
    expect(inputOf(plain)).toMatchObject({
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"the shed is green"}]}]',
      'gen_ai.output.messages': expect.stringContaining('I heard: the shed is green'),
    });
    expect(String(inputOf(secret)['gen_ai.input.messages'])).toContain('left out');
    expect(String(inputOf(personal)['gen_ai.input.messages'])).toContain('[private]');
    expect(bytes).not.toContain(FOUND);
    expect(bytes).not.toContain('the code is nine');
    expect(bytes).not.toContain(KEY);
  });
});
