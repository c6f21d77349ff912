/** A rule in few words, for the sentence that names a job. Pure, without a clock. */

import { DAYS, type DayNames } from '../../core/base/time-words.ts';
import { countWords, named, quoted } from '../../core/text/quoted.ts';
import type { When } from './job.ts';

/** The names that cron has for whole rules. */
const CRON_NAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** The five fields of a rule that may be given by its name. */
export const fieldsOfCron = (cron: string): string => CRON_NAMES[cron.trim().toLowerCase()] ?? cron;

const PLAIN_LIST = /^\d{1,2}([,-]\d{1,2})*$/;
const twoDigits = (text: string): string => text.padStart(2, '0');

/** Of a simple rule, beside the names of days. */
export const CRON_WORDS = {
  eachHour: (minute: string) => `each hour at :${minute}`,
  dayOfMonth: (day: string) => `day ${day} of the month`,
  month: (month: string) => `month ${month}`,
  everyDay: 'every day',
};
interface CronWords extends DayNames {
  readonly cron: typeof CRON_WORDS;
}

const cronTime = ({ cron: say }: CronWords, minute: string, hour: string): string => {
  if (/^\d+$/.test(minute) && /^\d+$/.test(hour)) return `${twoDigits(hour)}:${twoDigits(minute)}`;
  return /^\d+$/.test(minute) && hour === '*' ? say.eachHour(twoDigits(minute)) : '';
};

const cronDays = ({ cron: say, days }: CronWords, day: string, month: string, weekday: string): string => {
  const named = weekday.replace(/\d/g, (n) => days[Number(n) % days.length] ?? n);
  const parts = [
    ...(weekday === '*' ? [] : [named.replace(/-/g, '–')]),
    ...(day === '*' ? [] : [say.dayOfMonth(day)]),
    ...(month === '*' ? [] : [say.month(month)]),
  ];
  return parts.length === 0 ? say.everyDay : parts.join(', ');
};

const DAY_NAMES = new RegExp(`\\b(${DAYS.join('|')})\\b`, 'gi');
const dayNumber = (name: string): number => DAYS.findIndex((day) => day.toLowerCase() === name.toLowerCase());

/** Words for a simple rule, such as `08:00, Mon–Fri`; empty for any other. */
export const cronWords = (say: CronWords, cron: string): string => {
  const [minute = '', hour = '', day = '', month = '', ...rest] = fieldsOfCron(cron).split(' ');
  const [weekday = '', ...more] = rest.map((field) => field.replace(DAY_NAMES, (name) => `${dayNumber(name)}`));
  const isPlain = [day, month, weekday].every((field) => field === '*' || PLAIN_LIST.test(field));
  // A rule with both kinds of days fits either of them, which few words would say wrongly.
  if (!isPlain || more.length > 0 || (day !== '*' && weekday !== '*')) return '';
  const time = cronTime(say, minute, hour);
  return time === '' ? '' : `${time}, ${cronDays(say, day, month, weekday)}`;
};

const UNITS = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;
type Unit = (typeof UNITS)[number][0];

/** A rule in few words, beside the names of days. */
export const RULE_WORDS = {
  once: (at: string, zone: string) => `on ${at.replace('T', ' at ')} (${zone})`,
  every: (count: number, unit: Unit) => `every ${count === 1 ? unit : countWords(count, unit)}`,
  at: (times: string, zone: string) => `at ${times} (${zone})`,
  theTimes: (cron: string) => `the times ${quoted(cron)}`,
  event: (event: string | undefined, source: string, holds: string | undefined) =>
    `at each event ${event === undefined ? '' : `${quoted(event)} `}of the webhook ${named(source)}${holds === undefined ? '' : ` if ${quoted(holds)}`}`,
  condition: (holds: string) => `whenever ${quoted(holds)} becomes true`,
};
interface RuleWords extends CronWords {
  readonly rule: typeof RULE_WORDS;
}

const ENGLISH: RuleWords = { days: DAYS, cron: CRON_WORDS, rule: RULE_WORDS };

const everyWords = ({ rule: say }: RuleWords, minutes: number): string => {
  const [unit, size] = UNITS.find(([, one]) => minutes % one === 0) ?? (['minute', 1] as const);
  return say.every(minutes / size, unit);
};

/** `every 5 minutes`, `at 08:00, Mon–Fri (Europe/Berlin)` */
export const shortRule = (when: When, words: RuleWords = ENGLISH): string => {
  const { rule: say } = words;
  switch (when.kind) {
    case 'once':
      return say.once(when.at, when.zone);
    case 'every':
      return everyWords(words, when.minutes);
    case 'cron':
      return say.at(cronWords(words, when.cron) || say.theTimes(when.cron), when.zone);
    case 'event':
      return say.event(when.event, when.source, when.holds);
    case 'condition':
      return say.condition(when.holds);
    default:
      return when satisfies never;
  }
};
