/** Times on the clock of a zone. Pure. */
import { type DayNames, dayAndMinute } from './time-words.ts';

/** Clocks and compiled rules: a tick asks for the same few again and again. */
const CACHED_MAX = 1_000;

/** Keeps what was made for a name, and starts anew when there are too many. */
export const cached = <T>(make: (name: string) => T): ((name: string) => T) => {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = make(name);
    if (known.size >= CACHED_MAX) known.clear();
    known.set(name, made);
    return made;
  };
};

const formatIn = cached(
  (zone) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
);

export const isZone = (zone: string): boolean => {
  try {
    formatIn(zone);
    return true;
  } catch {
    return false;
  }
};

/** The time on the zone's clock, as if it were UTC: epoch milliseconds, to the minute. */
export const clockAt = (at: number, zone: string): number =>
  Date.parse(`${formatIn(zone).format(at).replace(' ', 'T')}Z`);

/** `2026-11-24 09:00 Europe/Berlin`. */
export const showMoment = (at: number, zone: string): string => `${formatIn(zone).format(at)} ${zone}`;

/** `Tue 2026-11-24 08:00` on the clock of the zone. */
export const localTime = (say: DayNames, at: number, zone: string): string => dayAndMinute(say, clockAt(at, zone));
