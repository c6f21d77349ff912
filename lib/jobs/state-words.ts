/** States and lengths of time in words. It loads no rule in time, so that every start may. Pure. */
import type { Occurrence } from './occurrence.ts';

export const DAYS: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export interface DayNames {
  readonly days: readonly string[];
}

/** `2026-11-24 08:00`, UTC. */
export const isoMinute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

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

/** `late by 4 min`, in the largest unit that is not below one. */
const lateWords = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? secondWords(seconds) : minuteWords(Math.round(seconds / 60));
};

/** The ends of runs. `late`: by how much; undefined if it began on time. */
export const RUN_STATES = {
  began: (late: string | undefined, isOver: boolean): string =>
    `${isOver ? 'ran' : 'started'} ${late === undefined ? 'on time' : `late by ${late}`}`,
  notEnded: ', not ended yet',
  skipped: 'skipped',
  missed: 'missed',
  failed: 'failed',
  unknown: 'outcome unknown',
  stopped: 'stopped',
  'did-nothing': 'did nothing',
};

export const stateWords = (
  { runs: say }: { readonly runs: typeof RUN_STATES },
  { state, why, lateMs, closedAt }: Occurrence,
): string => {
  const because = why === undefined ? '' : `: ${why}`;
  const isOver = closedAt !== undefined;
  switch (state) {
    case 'fired':
    case 'late':
      return `${say.began(state === 'late' ? lateWords(lateMs ?? 0) : undefined, isOver)}${because}${isOver ? '' : say.notEnded}`;
    case 'stopped':
      return why ?? say.stopped;
    default:
      return `${say[state]}${because}`;
  }
};
