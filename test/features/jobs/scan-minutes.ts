/**
 * The moments of a cron rule, found by looking at each minute in turn: slow, and shares nothing
 * with the product.
 */
import type { Arbitrary } from 'fast-check';
import type { Moment } from '../../../lib/features/jobs/rule.ts';
import { fc } from '../../support/fast-check.ts';

const MINUTE_MS = 60_000;
/** Before the span: times that the clock showed then do not count when it shows them again. */
const LOOK_BACK_MS = 2 * 24 * 60 * MINUTE_MS;

type Field = readonly [least: number, most: number];
const FIELDS: readonly Field[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
];

const numbers = (text: string, [least, most]: Field): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [low = least, high = range === '*' ? most : low] = range === '*' ? [] : range.split('-').map(Number);
    for (let n = low; n <= high; n += Number(step)) found.add(n);
  }
  return found;
};

/** @returns whether the rule names a time on the clock, given as if it were UTC */
const readRule = (rule: string): ((clock: number) => boolean) => {
  const texts = rule.split(' ');
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, n) => numbers(texts[n] ?? '', field));
  const isEither = texts[2] !== '*' && texts[4] !== '*';
  return (clock) => {
    const time = new Date(clock);
    const [isDay, isWeekday] = [days?.has(time.getUTCDate()) === true, weekdays?.has(time.getUTCDay()) === true];
    const isIn = isEither ? isDay || isWeekday : isDay && isWeekday;
    const isMonth = months?.has(time.getUTCMonth() + 1) === true;
    return isIn && isMonth && hours?.has(time.getUTCHours()) === true && minutes?.has(time.getUTCMinutes()) === true;
  };
};

const clockOf = (zone: string): ((at: number) => number) => {
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...style });
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
};

/** Moments after `after`, up to and with `until`. */
export const scanMinutes = (rule: string, zone: string, after: number, until: number): readonly Moment[] => {
  const [isTime, clock] = [readRule(rule), clockOf(zone)];
  const keepsRhythm = rule.split(' ')[1]?.includes('*') === true;
  const moments: Moment[] = [];
  let newest = clock(after - LOOK_BACK_MS);
  for (let at = after - LOOK_BACK_MS; at <= until; at += MINUTE_MS) {
    const shown = clock(at);
    const leftOut: number[] = [];
    for (let time = newest + MINUTE_MS; time < shown; time += MINUTE_MS) leftOut.push(time);
    const isShifted = !keepsRhythm && leftOut.some(isTime);
    const isShown = isTime(shown) && (keepsRhythm || shown > newest);
    if (at > after && (isShifted || isShown)) moments.push({ at, isShifted });
    newest = Math.max(newest, shown);
  }
  return moments;
};

const field = ([least, most]: Field): Arbitrary<string> => {
  const one = fc.integer({ min: least, max: most });
  const range = fc.tuple(one, one).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: Math.min(most, 20) });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    step.map((n) => `*/${n}`),
    one.map(String),
    range,
    fc.tuple(range, step).map(([text, n]) => `${text}/${n}`),
    fc.array(fc.oneof(one.map(String), range), { minLength: 2, maxLength: 4 }).map((parts) => parts.join(',')),
  );
};

/** Five fields of every form that croner reads as cron does. */
export const cronRule: Arbitrary<string> = fc.tuple(...FIELDS.map(field)).map((texts) => texts.join(' '));
