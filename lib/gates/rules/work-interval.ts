/**
 * How often work would repeat that an action asks for: by the usual names and notations of schedules (`cron`, `rate(5
 * minutes)`, `every 10 minutes`, `everySeconds`). The shortest gap in seconds; undefined where nothing repeats, or in a notation
 * nobody here reads. Pure and linear; only the arguments' own level is looked at.
 */
import type { JsonObject } from '../../base/json.ts';

const HOUR_S = 3_600;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['millis', 0.001],
  ['milliseconds', 0.001],
  ['s', 1],
  ['sec', 1],
  ['secs', 1],
  ['second', 1],
  ['seconds', 1],
  ['m', 60],
  ['min', 60],
  ['mins', 60],
  ['minute', 60],
  ['minutes', 60],
  ['h', HOUR_S],
  ['hour', HOUR_S],
  ['hours', HOUR_S],
  ['day', 24 * HOUR_S],
  ['days', 24 * HOUR_S],
]);

const NUMBER_FIELD =
  /^(?:every|interval|repeat(?:every)?|period)(ms|millis|seconds?|secs?|minutes?|mins?|hours?|days?)$/;
const TEXT_FIELD = /^(?:cron|schedule|every|interval|repeat|rate)$/;
const SPOKEN = /^(?:rate\()?\s*(?:every\s+)?(\d{1,9})?\s*([a-z]+)\s*\)?$/;
/** Longest schedule that is read: a cron line has some dozen characters. */
const SCHEDULE_CHARS_MAX = 200;

const stepOf = (part: string): number => {
  const step = /\/(\d{1,4})/.exec(part)?.[1];
  if (step !== undefined) return Math.max(1, Number(step));
  return part === '*' || part.includes('-') ? 1 : 60;
};

/** Gap of one field of a cron line, in its own unit: of sixty. */
const gapOf = (field: string): number => {
  const parts = field.split(',');
  return Math.min(60 / parts.length, ...parts.map(stepOf));
};

const cronSeconds = (fields: readonly string[]): number => {
  const [second = '0', ...rest] = fields.length === 6 && !fields.includes('?') ? fields : ['0', ...fields];
  return /^\d{1,2}$/.test(second) ? 60 * gapOf(rest[0] ?? '*') : gapOf(second);
};

const textSeconds = (schedule: string): number | undefined => {
  if (schedule.length > SCHEDULE_CHARS_MAX) return undefined;
  const text = schedule
    .trim()
    .toLowerCase()
    .replace(/^cron\((.*)\)$/, '$1');
  const fields = text.split(/\s+/);
  if (fields.length >= 5 && fields.length <= 6 && /^[\d*]/.test(text)) return cronSeconds(fields);
  const [, count = '1', unit = ''] = SPOKEN.exec(text) ?? [];
  const seconds = UNITS.get(unit);
  return seconds === undefined ? undefined : Number(count) * seconds;
};

const fieldSeconds = (name: string, value: unknown): number | undefined => {
  const key = name.toLowerCase().replace(/[-_]/g, '');
  const unit = NUMBER_FIELD.exec(key)?.[1];
  if (unit !== undefined && typeof value === 'number') return value * (UNITS.get(unit) ?? 1);
  return typeof value === 'string' && TEXT_FIELD.test(key) ? textSeconds(value) : undefined;
};

/** @param args of an action. */
export const repeatsEverySeconds = (args: JsonObject): number | undefined => {
  let shortest: number | undefined;
  for (const [name, value] of Object.entries(args)) {
    if (name.length > 32) continue;
    const seconds = fieldSeconds(name, value);
    if (seconds !== undefined && (shortest === undefined || seconds < shortest)) shortest = seconds;
  }
  return shortest;
};
