/** Moments and lengths of time in words. No rule in time is loaded: every start may have it. */
import { isoMinute } from '../base/utc-minute.ts';

export const DAYS: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export interface DayNames {
  readonly days: readonly string[];
}

/** `Tue 2026-11-24 08:00`, UTC. */
export const dayAndMinute = ({ days }: DayNames, at: number): string =>
  `${days[new Date(at).getUTCDay()] ?? ''} ${isoMinute(at)}`;

const MINUTE_UNITS = [
  [1_440, 'd'],
  [60, 'h'],
] as const;

/** `90 min`, `2 h`, `1 d`. */
export const minuteWords = (minutes: number): string => {
  const [size, unit] = MINUTE_UNITS.find(([one]) => minutes % one === 0) ?? [1, 'min'];
  return `${minutes / size} ${unit}`;
};

export const secondWords = (seconds: number): string =>
  seconds % 60 === 0 ? minuteWords(seconds / 60) : `${seconds} s`;
