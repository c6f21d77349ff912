/** How often a person was asked in a week: by tasks, days and calls. */
import { ANSWERS_WINDOW_MS, type Answers, countAnswers, loadAsked } from '../../approvals/count-answers.ts';
import { DAY_MS } from '../../base/limits.ts';
import { walkFeed } from '../../ledger/walk-feed.ts';
import type { LookContext } from '../../operations/operation.ts';
import type { Rates } from './texts.ts';

/** Signals that are read for it: the answer comes in some seconds, also on a busy space. */
const SIGNALS_READ_MAX = 1_000;

export interface AskedFigures extends Answers {
  readonly since: number;
  readonly tasks: number;
  readonly calls: number;
}

/** Both are counted over the same time: if the newest signals are fewer days, over those. */
export const loadFigures = async ({ table, space, now }: LookContext): Promise<AskedFigures> => {
  const roots = new Set<string>();
  let calls = 0;
  let oldest = now;
  const isWhole = await walkFeed(
    table,
    space,
    now - ANSWERS_WINDOW_MS,
    (signals) => {
      for (const { record, decision } of signals) {
        const { root, receivedAt } = record.signal;
        oldest = Math.min(oldest, receivedAt);
        const made = (decision?.actions ?? []).filter(
          ({ action, outcome }) => action.author === 'model' && action.tool !== undefined && outcome !== 'block',
        );
        calls += made.length;
        if (made.length > 0) roots.add(root);
      }
    },
    SIGNALS_READ_MAX,
  );
  const since = isWhole ? now - ANSWERS_WINDOW_MS : oldest;
  return { since, tasks: roots.size, calls, ...countAnswers(await loadAsked(table, space, since)) };
};

/** Undefined if there was nothing to be asked about. */
const rate = (asked: number, among: number, digits: number): number | undefined =>
  among === 0 ? undefined : Number((asked / among).toFixed(digits));

export const daysOf = ({ since }: Pick<AskedFigures, 'since'>, now: number): number =>
  Math.max(1, Math.round((now - since) / DAY_MS));

/** Questions a task, a day, and a hundred calls. */
export const ratesOf = (figures: AskedFigures, now: number): Rates => ({
  aTask: rate(figures.asked, figures.tasks, 1),
  aDay: rate(figures.asked, daysOf(figures, now), 1) ?? 0,
  aHundredCalls: rate(100 * figures.asked, figures.calls, 0),
});
