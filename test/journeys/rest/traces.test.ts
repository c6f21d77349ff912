/**
 * Traces, as their page says: two lines of `.env`, a turn with a tool and an approval, and the
 * collector has one trace of it with its gates. A restart sends nothing twice, and a collector that
 * is gone is told of.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attributesOf, type CollectedSpan, type Collector, startCollector } from '../../support/collector.ts';
import { call, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { startTarget, type Target } from '../../support/target.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

let home: Home;
let stack: Program;
let collector: Collector;
let shop: Target;

beforeAll(async () => {
  [collector, shop] = await Promise.all([startCollector(), startTarget()]);
  home = await openHome((request) => {
    if (toolResultsOf(request).length > 0) return say('It is ordered.');
    if (!userTextOf(request).includes('order')) return say('Hello.');
    const explanation = 'the owner asked to order a turquoise bike';
    return call('call-webhook', { webhook: 'shop', body: { colour: 'turquoise' }, explanation });
  });
  // Ticks come each second in place of each minute.
  home.set({ ...home.modelSettings, ...shop.environmentOf('shop'), HEARTBEAT_INTERVAL_SECONDS: '1' });
});
afterAll(async () => {
  await home?.close();
  for (const one of [collector, shop]) one?.close();
});

const spansOf = (name: string): readonly CollectedSpan[] =>
  [...collector.traces.values()]
    .map((spans) => [...spans.values()])
    .find((spans) => spans.some((span) => span.name === name)) ?? [];

describe('a collector that two lines of .env name', () => {
  it('gets one trace of a turn with a tool and an approval, with its gates', async () => {
    home.set({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=of%20mine' });
    stack = await home.start();
    await home.paste('npx passepartout send "order the turquoise bike"');
    const [, approval = ''] = /^\s*([0-9a-f]{6,32})\b/m.exec(await home.paste('npx passepartout approvals')) ?? [];
    await home.paste(`npx passepartout approve ${approval}`);
    const spans = await until('the trace comes', () => {
      const found = spansOf('execute_tool call-webhook');
      return found.length > 0 && found;
    });
    const names = spans.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['invoke_agent passepartout', 'chat scripted', 'approval']));
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const judged = spans.filter(({ name }) => name === 'judge call-webhook');
    expect(judged.map((span) => attributesOf(span)['passepartout.stage'])).toStrictEqual(['reason', 'act']);
    for (const { events } of judged) expect(events.length).toBeGreaterThan(15);
    expect(collector.posts.at(-1)?.headers['x-api-key']).toBe('of mine');
    expect(JSON.stringify(collector.requests)).not.toContain('turquoise');
    const id = String(attributesOf(spans[0] ?? { attributes: [] })['passepartout.signal.id']);
    expect(await home.paste(`npx passepartout why ${id}`)).toContain('call-webhook');
  });

  it('is told of by status and doctor', async () => {
    expect(await home.paste('npx passepartout status')).toMatch(/Traces of \d+ turns? were sent to the collector/);
    expect((await home.run('npx passepartout doctor')).out).toMatch(/traces +\d+ turns sent/);
  });

  it('gets nothing twice after a restart, and what comes then', async () => {
    const sentTimes = (name: string): number =>
      collector.requests
        .flatMap(({ resourceSpans }) =>
          resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
        )
        .filter((span) => span.name === name).length;
    await stack.end();
    stack = await home.start();
    const before = collector.traces.size;
    await home.paste('npx passepartout send "hello"');
    await until('the next trace comes', () => collector.traces.size > before);
    expect(sentTimes('execute_tool call-webhook')).toBe(1);
  });

  it('is missed once it is gone', async () => {
    collector.close();
    await home.paste('npx passepartout send "hello again"');
    await until('the doctor says so', async () =>
      (await home.run('npx passepartout doctor')).out.includes(
        'the collector of traces does not answer: they wait a week',
      ),
    );
  });
});
