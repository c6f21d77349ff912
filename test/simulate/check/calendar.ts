/**
 * The moments of a rule in time, computed anew: cron rules by going through the days of a zone's
 * clock, and clocks by the offsets that Intl knows. Shares nothing with the product.
 */
import type { Gap } from '../types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** No zone changes its clock twice within this time. */
const LOOK_MS = 6 * HOUR_MS;

/** The zone's clock is ahead of UTC by so much, from a moment up to another. */
interface Piece extends Gap {
  readonly offsetMs: number;
}

/** The whole time that any run plays in. */
const KNOWN: Gap = { from: Date.UTC(2025, 11, 1), until: Date.UTC(2027, 2, 1) };

const offsetAt = (format: Intl.DateTimeFormat, at: number): number => {
  const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map((name) => part.get(name));
  return Date.UTC(year, month - 1, day, part.get('hour'), part.get('minute'), part.get('second')) - at;
};

/** The first moment in a span that has another offset than its begin. */
const findChange = (format: Intl.DateTimeFormat, span: Gap): number => {
  const offset = offsetAt(format, span.from);
  let [before, after] = [span.from, span.until];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(format, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
};

const lookAt = (zone: string): readonly Piece[] => {
  const numeric = 'numeric' as const;
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', hourCycle: 'h23', ...fields });
  const pieces: Piece[] = [];
  let from = KNOWN.from;
  for (let at = KNOWN.from; at < KNOWN.until; at += LOOK_MS) {
    const offsetMs = offsetAt(format, at);
    if (offsetAt(format, at + LOOK_MS) === offsetMs) continue;
    const until = findChange(format, { from: at, until: at + LOOK_MS });
    pieces.push({ from, until, offsetMs });
    from = until;
  }
  return [...pieces, { from, until: KNOWN.until, offsetMs: offsetAt(format, KNOWN.until) }];
};

const known = new Map<string, readonly Piece[]>();
const piecesOf = (zone: string): readonly Piece[] => {
  const pieces = known.get(zone) ?? lookAt(zone);
  known.set(zone, pieces);
  return pieces;
};

export interface ExpectedMoment {
  readonly at: number;
  /** Some time of the rule is left out by the clock, and falls here; another may be here too. */
  readonly shifted: 'yes' | 'no' | 'either';
}

/** @param wall a time on the zone's clock, as if it were UTC */
const ofWall = (pieces: readonly Piece[], wall: number): { readonly at: number; readonly isShifted: boolean } => {
  const fits = pieces.map(({ offsetMs }) => wall - offsetMs).filter((at, n) => isIn(at, pieces[n]));
  if (fits.length > 0) return { at: Math.min(...fits), isShifted: false };
  const next = pieces.find(({ from, offsetMs }, n) => n > 0 && from + offsetMs > wall);
  return { at: next?.from ?? Number.NaN, isShifted: true };
};

const isIn = (at: number, span: Gap | undefined): boolean => span !== undefined && at >= span.from && at < span.until;

const readField = (text: string, least: number, most: number): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [low = '', high] = range === '*' ? [`${least}`, `${most}`] : range.split('-');
    const last = high ?? (part.includes('/') ? `${most}` : low);
    for (let n = Number(low); n <= Number(last); n += Number(step)) found.add(n);
  }
  return found;
};

interface Cron {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly isDay: (wall: Date) => boolean;
  readonly isForEveryHour: boolean;
}

const readCron = (text: string): Cron => {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = text.split(' ');
  const [days, months, weekdays] = [readField(day, 1, 31), readField(month, 1, 12), readField(weekday, 0, 6)];
  const isDayOfMonth = (wall: Date): boolean => days.has(wall.getUTCDate());
  const isWeekday = (wall: Date): boolean => weekdays.has(wall.getUTCDay());
  return {
    minutes: readField(minute, 0, 59),
    hours: readField(hour, 0, 23),
    isDay: (wall) => {
      if (!months.has(wall.getUTCMonth() + 1)) return false;
      if (day !== '*' && weekday !== '*') return isDayOfMonth(wall) || isWeekday(wall);
      return isDayOfMonth(wall) && isWeekday(wall);
    },
    isForEveryHour: hour.includes('*'),
  };
};

/** Every minute at which the clock shows a time of the rule. */
const inRhythm = (cron: Cron, pieces: readonly Piece[], { from, until }: Gap): readonly ExpectedMoment[] => {
  const moments: ExpectedMoment[] = [];
  for (let at = Math.ceil((from + 1) / MINUTE_MS) * MINUTE_MS; at <= until; at += MINUTE_MS) {
    const wall = new Date(at + (pieces.find((piece) => isIn(at, piece))?.offsetMs ?? 0));
    const isTime = cron.minutes.has(wall.getUTCMinutes()) && cron.hours.has(wall.getUTCHours());
    if (isTime && cron.isDay(wall)) moments.push({ at, shifted: 'no' });
  }
  return moments;
};

const collect = (
  walls: readonly number[],
  pieces: readonly Piece[],
  { from, until }: Gap,
): readonly ExpectedMoment[] => {
  const found = new Map<number, ExpectedMoment['shifted']>();
  for (const wall of walls) {
    const { at, isShifted } = ofWall(pieces, wall);
    const shifted = isShifted ? 'yes' : 'no';
    if (at > from && at <= until) found.set(at, (found.get(at) ?? shifted) === shifted ? shifted : 'either');
  }
  return [...found].map(([at, shifted]) => ({ at, shifted })).sort((a, b) => a.at - b.at);
};

const ofCron = (text: string, zone: string, span: Gap): readonly ExpectedMoment[] => {
  const [cron, pieces] = [readCron(text), piecesOf(zone)];
  if (cron.isForEveryHour) return inRhythm(cron, pieces, span);
  const walls: number[] = [];
  const firstDay = Math.floor(span.from / DAY_MS) * DAY_MS - 2 * DAY_MS;
  for (let day = firstDay; day <= span.until + 2 * DAY_MS; day += DAY_MS)
    if (cron.isDay(new Date(day)))
      for (const hour of cron.hours)
        for (const minute of cron.minutes) walls.push(day + hour * HOUR_MS + minute * MINUTE_MS);
  return collect(walls, pieces, span);
};

/** A rule in time, as the export has it. */
export type TimedRule =
  | { readonly kind: 'once'; readonly at: string; readonly zone: string }
  | { readonly kind: 'every'; readonly minutes: number; readonly from: number }
  | { readonly kind: 'cron'; readonly cron: string; readonly zone: string };

/** Moments after `from`, up to and with `until`. */
export const momentsOf = (rule: TimedRule, span: Gap): readonly ExpectedMoment[] => {
  if (rule.kind === 'cron') return ofCron(rule.cron, rule.zone, span);
  if (rule.kind === 'once') return collect([Date.parse(`${rule.at}Z`)], piecesOf(rule.zone), span);
  const stepMs = rule.minutes * MINUTE_MS;
  const first = rule.from + Math.max(0, Math.floor((span.from - rule.from) / stepMs) + 1) * stepMs;
  const count = Math.max(0, Math.floor((span.until - first) / stepMs) + 1);
  return Array.from({ length: count }, (_, n) => ({ at: first + n * stepMs, shifted: 'no' as const }));
};
