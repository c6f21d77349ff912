/** A rule, its moments and its times in plain words, for a person. Pure. */
import { canonicalJson } from '../../core/base/canonical.ts';
import { localTime } from '../../core/base/clock.ts';
import { type DayNames, minuteWords } from '../../core/base/time-words.ts';
import { isoMinute } from '../../core/base/utc-minute.ts';
import type { When } from './job.ts';
import type { JobWords } from './job-texts.ts';
import { MOMENTS_SHOWN, type Moment, nextMoments, passedMoment } from './rule.ts';
import { cronWords } from './rule-words.ts';

/** `Tue 2026-11-24 08:00 (07:00 UTC)`; the day is named again if it is another one in UTC. */
export const bothTimes = (say: DayNames, at: number, zone: string): string => {
  const local = localTime(say, at, zone);
  const utc = isoMinute(at);
  return `${local} (${local.includes(utc.slice(0, 10)) ? utc.slice(11) : utc} UTC)`;
};

const momentWords = (say: JobWords, { at, isShifted }: Moment, zone: string): string =>
  `${bothTimes(say, at, zone)}${isShifted ? say.moved : ''}`;

/** The zone whose clock the rule follows, or the owner's. */
export const zoneOf = (when: When, home: string): string => ('zone' in when ? when.zone : home);

/** The next moments, one on each line, with the end of the rule if it is among them. */
export const momentLines = (say: JobWords, when: When, home: string, now: number, isNew = false): readonly string[] => {
  if (when.kind === 'event') return [say.nextEvent(when.source)];
  const moments = nextMoments(when, now).map((one) => momentWords(say, one, zoneOf(when, home)));
  if (moments.length === 0) return [isNew && passedMoment(when, now) !== undefined ? say.withinMinute : say.neverAgain];
  return moments.length < MOMENTS_SHOWN ? [...moments, say.thenNeverAgain] : moments;
};

/** The rule in one line, with its zone. */
export const ruleWords = (say: JobWords, when: When, home: string): string => {
  switch (when.kind) {
    case 'once':
      return say.onceAt(when.at.replace('T', ' '), when.zone);
    case 'every':
      return say.every(minuteWords(when.minutes), bothTimes(say, when.from, home));
    case 'cron':
      return [say.cronOn(when.cron, when.zone), cronWords(say, when.cron)].filter((part) => part !== '').join(', ');
    case 'event': {
      const event = when.event === undefined ? undefined : canonicalJson(when.event);
      return say.eachEvent(event, when.source, when.holds);
    }
    case 'condition':
      return say.checked(minuteWords(when.minutes), bothTimes(say, when.from, home), when.holds);
    default:
      return when satisfies never;
  }
};
