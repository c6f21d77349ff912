/**
 * Reads times in English and German: the day that a title names (`2023-05-08`, `8 May 2023`,
 * `8. Mai 2023`), and the time that a question asks about ("in May 2023", "last spring", "letzte
 * Woche"). Undefined if they name none, or in another form. Days are those of UTC. Pure.
 */
import { DAY_MS } from '../../base/limits.ts';
import { fold } from './terms.ts';

export interface TimeSpan {
  /** Epoch milliseconds. */
  readonly from: number;
  /** The first moment after it. */
  readonly until: number;
}

interface Period {
  readonly month: number;
  readonly months: number;
}

const MONTHS =
  'january|januar february|februar march|marz april may|mai june|juni july|juli august september october|oktober november december|dezember';
const SEASONS = { 2: 'spring|fruhling|fruhjahr', 5: 'summer|sommer', 8: 'autumn|fall|herbst', 11: 'winter' };

const named = (names: string, period: Period): readonly (readonly [string, Period])[] =>
  names.split('|').map((name) => [name, period] as const);

/** Parts of a year by their folded names. */
const PERIODS: ReadonlyMap<string, Period> = new Map([
  ...MONTHS.split(' ').flatMap((names, month) => named(names, { month, months: 1 })),
  ...Object.entries(SEASONS).flatMap(([month, names]) => named(names, { month: Number(month), months: 3 })),
  ...named('year|jahr', { month: 0, months: 12 }),
]);

const LAST = '(?:last|past|letzte[nmrs]?|vorige[nmrs]?|vergangene[nmrs]?)';
/** Without such a word or a number beside it, `may`, `march` and `fall` are verbs. */
const LEADS = `(${LAST}|in|of|during|since|until|early|late|mid|this|the|im|seit|bis|anfang|mitte|ende|diese[nmrs]?)`;
const PERIOD = new RegExp(
  `\\b(?:${LEADS} )?(?:(\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of)? )?(${[...PERIODS.keys()].join('|')})\\b` +
    '(?: (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]))?(?:,? ((?:19|20)\\d\\d))?\\b',
  'g',
);
const IS_LAST = new RegExp(`^${LAST}$`);
const ISO = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/;
const DOTTED = /\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b/;
const YEAR = /\b(?:in|of|since|during|jahr|seit|von) ((?:19|20)\d\d)\b/;
/** Days before now that may be meant: people are not exact. */
const RECENT_DAYS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:yesterday|gestern)\b/, 2],
  [new RegExp(`\\b${LAST} (?:week|weekend|woche|wochenende)\\b`), 14],
  [new RegExp(`\\b${LAST} (?:month|monat)\\b`), 62],
];

const monthsFrom = (year: number, month: number, months: number): TimeSpan => ({
  from: Date.UTC(year, month, 1),
  until: Date.UTC(year, month + months, 1),
});

const dayOf = (year: number, month: number, day: number): TimeSpan => {
  const from = Date.UTC(year, month, day);
  return { from, until: from + DAY_MS };
};

/** Every part of a year that the text names, in order. */
const periodsIn = (text: string) =>
  [...text.matchAll(PERIOD)].flatMap(([, lead = '', dayBefore, name = '', dayAfter, year]) => {
    const period = PERIODS.get(name);
    if (period === undefined) return [];
    const { month, months } = period;
    const day = months === 1 ? (dayBefore ?? dayAfter) : undefined;
    const spanIn = (at: number): TimeSpan =>
      day === undefined ? monthsFrom(at, month, months) : dayOf(at, month, Number(day));
    return [{ lead, months, day, year, spanIn }];
  });

/** The day that a title names, with its year. */
export const dayOfTitle = (title: string): TimeSpan | undefined => {
  const text = fold(title);
  const iso = ISO.exec(text);
  if (iso !== null) return dayOf(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const dotted = DOTTED.exec(text);
  if (dotted !== null) return dayOf(Number(dotted[3]), Number(dotted[2]) - 1, Number(dotted[1]));
  const written = periodsIn(text).find(({ day, year }) => day !== undefined && year !== undefined);
  return written?.spanIn(Number(written.year));
};

/** The time a question asks about; without a year the latest begun, or over if it says "last". */
export const spanOfQuestion = (question: string, now: number): TimeSpan | undefined => {
  const text = fold(question).replace(/\s+/g, ' ');
  const day = dayOfTitle(text);
  if (day !== undefined) return day;
  for (const { lead, months, day, year, spanIn } of periodsIn(text)) {
    if (year !== undefined) return spanIn(Number(year));
    const isLast = IS_LAST.test(lead);
    if ((lead === '' && day === undefined) || (months === 12 && !isLast)) continue;
    const thisYear = new Date(now).getUTCFullYear();
    const isMeant = ({ from, until }: TimeSpan): boolean => (isLast ? until : from) <= now;
    return [thisYear, thisYear - 1].map(spanIn).find(isMeant) ?? spanIn(thisYear - 2);
  }
  const year = YEAR.exec(text);
  if (year !== null) return monthsFrom(Number(year[1]), 0, 12);
  const recent = RECENT_DAYS.find(([pattern]) => pattern.test(text));
  return recent === undefined ? undefined : { from: now - recent[1] * DAY_MS, until: now };
};
