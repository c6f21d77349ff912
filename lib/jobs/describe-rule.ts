/** A rule, its moments and its times in plain words, for a person. Pure. */
import { canonicalJson } from '../base/canonical.ts';
import type { When } from './job.ts';
import { clockAt, MOMENTS_SHOWN, type Moment, nextMoments, passedMoment } from './rule.ts';
import { cronWords } from './rule-words.ts';
import { dayAndMinute, isoMinute, minuteWords } from './state-words.ts';

/** `Tue 2026-11-24 08:00` on the clock of the zone. */
export const localTime = (at: number, zone: string): string => dayAndMinute(clockAt(at, zone));

/** `Tue 2026-11-24 08:00 (07:00 UTC)`; the day is named again if it is another one in UTC. */
export const bothTimes = (at: number, zone: string): string => {
  const local = localTime(at, zone);
  const utc = isoMinute(at);
  return `${local} (${local.includes(utc.slice(0, 10)) ? utc.slice(11) : utc} UTC)`;
};

const momentWords = ({ at, isShifted }: Moment, zone: string): string =>
  `${bothTimes(at, zone)}${isShifted ? ', moved: the clock leaves that time out' : ''}`;

/** The zone whose clock the rule follows, or the owner's. */
export const zoneOf = (when: When, home: string): string => ('zone' in when ? when.zone : home);

/** The next moments, one on each line, with the end of the rule if it is among them. */
export const momentLines = (when: When, home: string, now: number, isNew = false): readonly string[] => {
  if (when.kind === 'event')
    return [`at the next such event; none is taken without a secret for ${when.source} in WEBHOOK_SECRETS`];
  const moments = nextMoments(when, now).map((one) => momentWords(one, zoneOf(when, home)));
  if (moments.length === 0) return [isNew && passedMoment(when, now) !== undefined ? 'within a minute' : 'never again'];
  return moments.length < MOMENTS_SHOWN ? [...moments, 'then never again'] : moments;
};

/** The rule in one line, with its zone. */
export const ruleWords = (when: When, home: string): string => {
  switch (when.kind) {
    case 'once':
      return `once, ${when.at.replace('T', ' ')} on the clock of ${when.zone}`;
    case 'every':
      return `every ${minuteWords(when.minutes)} from ${bothTimes(when.from, home)}`;
    case 'cron':
      return [`cron ${when.cron} on the clock of ${when.zone}`, cronWords(when.cron)]
        .filter((part) => part !== '')
        .join(', ');
    case 'event':
      return [
        `at each ${when.event === undefined ? 'event' : `event ${canonicalJson(when.event)}`} of the webhook source ${when.source}`,
        ...(when.holds === undefined ? [] : [`for which this is true: ${when.holds}`]),
      ].join(' ');
    case 'condition':
      return `checked every ${minuteWords(when.minutes)} from ${bothTimes(when.from, home)}; it runs if this has become true: ${when.holds}`;
    default:
      return when satisfies never;
  }
};
