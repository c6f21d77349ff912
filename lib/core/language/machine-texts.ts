/** How a paired machine is, in words. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/limits.ts';

export interface MachineState {
  readonly presence: 'copied' | 'paused' | 'ready' | 'stopped' | 'away';
  /** Milliseconds since it was seen; undefined if it never was. */
  readonly seenMs: number | undefined;
}

/** In the largest unit that has passed; undefined below a minute. */
export const largestUnit = (
  ms: number,
): { readonly unit: 'minute' | 'hour' | 'day'; readonly count: number } | undefined => {
  if (ms < MINUTE_MS) return undefined;
  if (ms < HOUR_MS) return { unit: 'minute', count: Math.floor(ms / MINUTE_MS) };
  return ms < DAY_MS
    ? { unit: 'hour', count: Math.floor(ms / HOUR_MS) }
    : { unit: 'day', count: Math.floor(ms / DAY_MS) };
};

export const PRESENCES: Readonly<Record<MachineState['presence'], string>> = {
  copied: 'paused: two copies of its folder were at work; end both, start one, and resume it',
  paused: 'paused',
  ready: 'ready',
  stopped: 'stopped',
  away: 'away',
};

export const isPresence = (value: string): value is MachineState['presence'] => Object.hasOwn(PRESENCES, value);

/** `just now`, `3 minutes ago` */
export const ago = (ms: number): string => {
  const { unit, count } = largestUnit(ms) ?? {};
  return unit === undefined ? 'just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`;
};

/** `ready, last seen 3 minutes ago` */
export const machineWords = ({ presence, seenMs }: MachineState): string =>
  `${PRESENCES[presence]}, ${seenMs === undefined ? 'never started' : `last seen ${ago(seenMs)}`}`;
