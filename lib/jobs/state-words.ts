/** States and lengths of time in words. It loads no rule in time, so that every start may. Pure. */
import type { Occurrence } from './occurrence.ts';

export const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** `2026-11-24 08:00`, UTC. */
export const isoMinute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** `Tue 2026-11-24 08:00`, UTC. */
export const dayAndMinute = (at: number): string => `${DAYS[new Date(at).getUTCDay()] ?? ''} ${isoMinute(at)}`;

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

/** `late by 4 min`, in the largest unit that is not below one. */
const lateWords = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? secondWords(seconds) : minuteWords(Math.round(seconds / 60));
};

export const stateWords = ({ state, why, lateMs, closedAt }: Occurrence): string => {
  const because = why === undefined ? '' : `: ${why}`;
  const [began, running] = closedAt === undefined ? ['started', ', not ended yet'] : ['ran', ''];
  switch (state) {
    case 'fired':
      return `${began} on time${because}${running}`;
    case 'late':
      return `${began} late by ${lateWords(lateMs ?? 0)}${because}${running}`;
    case 'skipped':
    case 'missed':
    case 'failed':
      return `${state}${because}`;
    case 'unknown':
      return `outcome unknown${because}`;
    case 'stopped':
      return why ?? state;
    case 'did-nothing':
      return `did nothing${because}`;
    default:
      return state satisfies never;
  }
};
