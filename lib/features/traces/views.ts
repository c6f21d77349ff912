/** Traces in `/status`, `/health` and `/doctor`: how the last try to send some ended. */
import { localTime } from '../../core/base/clock.ts';
import { HOUR_MS } from '../../core/base/limits.ts';
import { finding } from '../../core/language/finding.ts';
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Item } from '../../core/store/table.ts';
import { TraceState, traceKey } from './state.ts';
import { traceTexts } from './texts.ts';

/** A collector that is away is tried each hour at least: later nobody sends traces any more. */
const TRIED_MS_MAX = 2 * HOUR_MS;

const readState = (item: Item | undefined): TraceState | undefined => TraceState.safeParse(item).data;

export const TRACE_VIEWS = {
  status: async ({ table, space, zone, language }) => {
    const state = readState(await loadItem(table, traceKey(space)));
    if (state?.triedAt === undefined) return { lines: [] };
    const say = await traceTexts.in(language);
    const { triedAt, last = 'taken', sent, refused, left, rejectedSpans } = state;
    const isWhole = refused + left + rejectedSpans === 0;
    return {
      lines: [
        say.sent(sent, localTime(say, triedAt, zone)),
        ...(isWhole ? [] : [say.lost(refused, left, rejectedSpans)]),
      ],
      data: { traces: { triedAt, last, sent, refused, left, rejectedSpans } },
    };
  },
  noted: {
    key: traceKey,
    find: (item, now) => {
      const { last, triedAt = 0, status = 0 } = readState(item) ?? {};
      const isWrong = last !== undefined && last !== 'taken' && now - triedAt < TRIED_MS_MAX;
      return isWrong ? [finding('traces', last === 'refused', status)] : [];
    },
  },
} as const satisfies FeatureViews;
