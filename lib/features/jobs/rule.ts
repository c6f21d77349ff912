/**
 * The moments of a job's rule. A time that the zone's clock leaves out runs at the first moment
 * after it; a time that the clock shows twice runs once. A cron rule for every hour keeps its
 * rhythm instead. croner reads cron rules. Pure.
 */
import { Cron } from 'croner';
import { cached, clockAt, isZone } from '../../core/base/clock.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/base/limits.ts';
import type { When } from './job.ts';
import { fieldsOfCron } from './rule-words.ts';

export interface Moment {
  readonly at: number;
  /** The rule's time does not exist on that day's clock. */
  readonly isShifted: boolean;
}

const moment = (at: number, isShifted = false): Moment => ({ at, isShifted });

/** The first minute after `before` for which something holds that does so from then on. */
const firstMinute = (before: number, until: number, holds: (minute: number) => boolean): number => {
  let [not, yet] = [before, until];
  while (yet - not > MINUTE_MS) {
    const middle = not + Math.floor((yet - not) / 2 / MINUTE_MS) * MINUTE_MS;
    if (holds(middle)) yet = middle;
    else not = middle;
  }
  return yet;
};

/** The first moment at which the zone's clock has passed a time that it leaves out. */
const endOfGap = (clock: number, zone: string): number =>
  firstMinute(clock - DAY_MS, clock + DAY_MS, (at) => clockAt(at, zone) >= clock);

/** The moment of a time on the zone's clock: the first if there are two, and if none the next. */
const momentOf = (clock: number, zone: string): Moment => {
  const offsets = new Set([clock - DAY_MS, clock + DAY_MS].map((at) => clockAt(at, zone) - at));
  const fitting = [...offsets].map((offset) => clock - offset).filter((at) => clockAt(at, zone) === clock);
  return fitting.length > 0 ? moment(Math.min(...fitting)) : moment(endOfGap(clock, zone), true);
};

const compile = cached((rule) => {
  const [zone = '', pattern = ''] = rule.split('\n');
  // Without a zone croner asks Intl nothing, which takes half the time.
  return new Cron(pattern, { ...(zone === '' ? { utcOffset: 0 } : { timezone: zone }), mode: '5-part' });
});
/** @param zone undefined to read the rule on a clock that never changes */
const nextRun = (pattern: string, zone: string | undefined, after: number): number | undefined =>
  compile(`${zone ?? ''}\n${pattern}`)
    .nextRun(new Date(after))
    ?.getTime();

/** The second field of such a rule names no hour, so it keeps its rhythm. */
const isForEveryHour = (pattern: string): boolean => pattern.trim().split(/\s+/)[1]?.includes('*') === true;

const nextOfCron = (pattern: string, zone: string, after: number): Moment | undefined => {
  if (isForEveryHour(pattern)) {
    const at = nextRun(pattern, zone, after);
    return at === undefined ? undefined : moment(at);
  }
  // The rule is read on the clock alone.
  const first = nextRun(pattern, undefined, clockAt(after, zone));
  if (first === undefined) return undefined;
  const found = momentOf(first, zone);
  if (found.at > after) return found;
  // The clock was set back: the times that it shows for the second time are over.
  const isNew = firstMinute(first, first + DAY_MS, (clock) => momentOf(clock, zone).at > after);
  const next = nextRun(pattern, undefined, isNew - MINUTE_MS);
  return next === undefined ? undefined : momentOf(next, zone);
};

const nextOfOnce = (at: string, zone: string, after: number): Moment | undefined => {
  const clock = Date.parse(`${at}:00Z`);
  if (Number.isNaN(clock) || new Date(clock).toISOString().slice(0, 16) !== at) throw new ProtocolError('no such time');
  const found = momentOf(clock, zone);
  return found.at > after ? found : undefined;
};

const nextOfEvery = (minutes: number, from: number, after: number): Moment => {
  const stepMs = minutes * MINUTE_MS;
  return moment(after < from ? from : from + (Math.floor((after - from) / stepMs) + 1) * stepMs);
};

/** The first moment after `after`; undefined if there is none, or no rule in time. */
export const nextMoment = (when: When, after: number): Moment | undefined => {
  switch (when.kind) {
    case 'once':
      return nextOfOnce(when.at, when.zone, after);
    case 'cron':
      return nextOfCron(fieldsOfCron(when.cron), when.zone, after);
    case 'every':
    case 'condition':
      return nextOfEvery(when.minutes, when.from, after);
    case 'event':
      return undefined;
    default:
      return when satisfies never;
  }
};

/** Moments after `after` up to `until`, the oldest first, at most `most`. */
export const momentsBetween = (when: When, after: number, until: number, most: number): readonly Moment[] => {
  const found: Moment[] = [];
  let next = nextMoment(when, after);
  while (next !== undefined && next.at <= until && found.length < most) {
    found.push(next);
    next = nextMoment(when, next.at);
  }
  return found;
};

/** Moments that a card shows. */
export const MOMENTS_SHOWN = 5;
export const nextMoments = (when: When, after: number): readonly Moment[] =>
  momentsBetween(when, after, Number.POSITIVE_INFINITY, MOMENTS_SHOWN);

/** As long as a card waits: a single moment that passes meanwhile is still taken after the yes. */
const ONCE_WAITS_MS = HOUR_MS;

/** The moment of a rule that has one, if it passed while somebody was asked. */
export const passedMoment = (when: When, now: number): Moment | undefined => {
  const found = when.kind === 'once' ? nextMoment(when, now - ONCE_WAITS_MS) : undefined;
  return found !== undefined && found.at <= now ? found : undefined;
};

/** The fault of a rule in plain words; undefined if it has a moment after `now`. */
export const ruleProblem = (when: When, now: number): string | undefined => {
  if ('zone' in when && !isZone(when.zone)) return `${when.zone} is no time zone; give one such as Europe/Berlin`;
  if (when.kind === 'event') return undefined;
  try {
    if (nextMoment(when, now) !== undefined) return undefined;
    return when.kind === 'once' ? `${when.at} is over in ${when.zone}` : 'this rule has no moment in the future';
  } catch {
    return when.kind === 'cron'
      ? `"${when.cron}" is no cron rule: give minute, hour, day of month, month and day of week, such as 0 8 * * 1-5`
      : `${when.kind === 'once' ? when.at : 'this'} is no time that exists`;
  }
};

export const zoneOf = (when: When): string => ('zone' in when ? when.zone : 'UTC');
