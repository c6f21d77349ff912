/**
 * Counts posts that prove nothing, for a minute: those over the bound are not noted or logged.
 */
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../base/limits.ts';

/** A service that is being set up tries some times a minute; a loop does so in a second. */
export const UNPROVEN_A_MINUTE_MAX = 30;

/** Counts a call of this name. @returns when the minute ends, if it is one too many */
export type CountUnproven = (name: string, now: number) => number | undefined;

/** A sender may invent names: each has one of 256 counters, by the first byte of its hash. */
export const buildCountUnproven = (aMinuteMax = UNPROVEN_A_MINUTE_MAX): CountUnproven => {
  const counts = new Map<number, number>();
  let minute = 0;
  return (name, now) => {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) counts.clear();
    minute = current;
    const counter = createHash('sha256').update(name).digest().readUInt8();
    const count = (counts.get(counter) ?? 0) + 1;
    counts.set(counter, count);
    return count > aMinuteMax ? (minute + 1) * MINUTE_MS : undefined;
  };
};
