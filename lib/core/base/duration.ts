/** Durations as a person writes them. Pure. */

const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const DURATION = /^(\d{1,6}) ?(s|m|h|d)(?:ec|econd|in|inute|our|r|ay)?s?$/i;

/** `90m`, `2 hours`, `1d` as seconds; undefined if it is no duration, or nothing. */
export const parseDuration = (given: string): number | undefined => {
  const [, count = '', unit = ''] = DURATION.exec(given.trim()) ?? [];
  const seconds = Number(count) * (UNITS_S[unit.toLowerCase()] ?? 0);
  return seconds > 0 ? seconds : undefined;
};
