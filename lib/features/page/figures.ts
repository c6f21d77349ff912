/**
 * GET /api/figures?from= → the day in numbers: events, runs, spending and latency, for the sentence
 * and the small drawings of Home. It reads a bounded part of the feed, seven counters of spending
 * and the last decisions. `from` is the reader's midnight, in epoch milliseconds.
 */
import { DAY_MS, HOUR_MS } from '../../core/base/limits.ts';
import { findSignals } from '../../core/edge/console/find-signals.ts';
import { shownOutcome } from '../../core/edge/console/list-words.ts';
import { type ConsoleDeps, parseCount, type RouteCall } from '../../core/edge/console/router.ts';
import type { ListedSignal } from '../../core/edge/console/views.ts';
import { FEED_LIMIT_MAX } from '../../core/edge/limits.ts';
import { type HttpResponse, respondJson } from '../../core/http/function-url.ts';
import { parseDecision } from '../../core/ledger/ledger.ts';
import { dayOf, parseDaySpend, spendKey } from '../../core/money/day-spend.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import type { Figures } from './shown-figures.ts';

/** Pages of the list: 500 signals. */
const PAGES_MAX = 5;
const DAYS_SHOWN = 7;
const HOURS_SHOWN = 24;
/** Decisions that are read for their times. */
const LATENCY_SHOWN = 20;
const FAILED: readonly string[] = ['failed', 'unknown', 'dead-lettered', 'missed'];

const loadSince = async (deps: ConsoleDeps, from: number): Promise<{ found: ListedSignal[]; isCut: boolean }> => {
  const found: ListedSignal[] = [];
  const query = new URLSearchParams({ roots: 'true', limit: String(FEED_LIMIT_MAX), from: String(from) });
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { signals, cursor } = await findSignals(deps, query);
    found.push(...signals);
    if (cursor === undefined) return { found, isCut: false };
    query.set('cursor', cursor);
  }
  return { found, isCut: true };
};

const countBy = (names: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, those]) => [name, those.length] as const)
    .sort(([, one], [, other]) => other - one);

const loadDays = async ({ table, space }: ConsoleDeps, now: number): Promise<Figures['days']> => {
  const moments = Array.from({ length: DAYS_SHOWN }, (_, n) => now - (DAYS_SHOWN - 1 - n) * DAY_MS);
  const items = await table.load(moments.map((at) => spendKey(space, at)));
  return moments.map((at, n) => ({ day: dayOf(at), usd: parseDaySpend(items[n]).usd }));
};

const loadLatency = async (
  { table, space }: ConsoleDeps,
  found: readonly ListedSignal[],
): Promise<Figures['latency']> => {
  const asked = found.filter(({ sensor }) => sensor === 'chat-message').slice(0, LATENCY_SHOWN);
  const items = await table.load(asked.map(({ id }) => signalKeys.decision(space, id)));
  return asked
    .flatMap(({ id, receivedAt: at }, n) => {
      const item = items[n];
      const decision = readOrSkip(item, (known) => parseDecision(id, known));
      return decision?.attempt === undefined ? [] : [{ id, at, ms: Math.max(0, decision.at - at) }];
    })
    .reverse();
};

const isEvent = ({ sensor }: ListedSignal): boolean => sensor === 'webhook';

const sumDay = (today: readonly ListedSignal[]): Omit<Figures, 'isCut' | 'isDayCut' | 'hours' | 'days' | 'latency'> => {
  const events = countBy(today.filter(isEvent).map(({ source, event = '' }) => JSON.stringify([source, event])));
  const isDone = (one: ListedSignal): boolean => ['acted', 'handed on'].includes(shownOutcome(one));
  const runs = today.flatMap((one) =>
    one.about?.kind === 'step' && one.about.n === undefined && one.about.state === 'done' ? [one.about.runbook] : [],
  );
  return {
    events: events.map(([name, count]) => {
      const [source = '', event = ''] = JSON.parse(name);
      return { source, event, count };
    }),
    runs: countBy(runs).map(([runbook, count]) => ({ runbook, count })),
    answered: today.filter((one) => one.sensor === 'chat-message' && isDone(one)).length,
    jobs: today.filter((one) => one.sensor === 'job-due' && isDone(one)).length,
    failed: today.filter((one) => FAILED.includes(shownOutcome(one))).length,
  };
};

export const showFigures = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const now = deps.now();
  const begins = now - HOURS_SHOWN * HOUR_MS;
  const from = Math.max(begins, parseCount(request.query, 'from', begins));
  const [{ found, isCut: isDayCut }, days] = await Promise.all([loadSince(deps, begins), loadDays(deps, now)]);
  const hours = Array.from({ length: HOURS_SHOWN }, (_, n) => {
    const at = begins + n * HOUR_MS;
    const within = found.filter((one) => isEvent(one) && one.receivedAt >= at && one.receivedAt < at + HOUR_MS);
    return { at, count: within.length };
  });
  const figures: Figures = {
    ...sumDay(found.filter(({ receivedAt }) => receivedAt >= from)),
    isCut: isDayCut && (found.at(-1)?.receivedAt ?? now) >= from,
    ...{ isDayCut, hours, days, latency: await loadLatency(deps, found) },
  };
  return respondJson(200, figures);
};
