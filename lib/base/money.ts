/**
 * Money, as this system counts it: whole micro-dollars (a millionth of a US dollar), never fractions, so that sums are exact.
 * Reads dollars as people write them and shows micro-dollars as people read them. Pure; an amount that is none is `undefined`.
 */

const MICRO_DOLLARS_PER_DOLLAR = 1_000_000;
/** A billion dollars: past it somebody has mistyped, and sums would leave the whole numbers. */
const DOLLARS = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/** `5`, `0.25`, `0.000001` → micro-dollars. Anything else, also a sign or an exponent, is `undefined`. */
export const parseUsd = (text: string): number | undefined => {
  const match = DOLLARS.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * MICRO_DOLLARS_PER_DOLLAR + Number((match[2] ?? '').padEnd(6, '0'));
};

/** `$0.25`, `$5.00`, `$0.000125`: two digits where cents say it all, else as many as there are. */
export const showUsd = (microDollars: number): string => {
  const sign = microDollars < 0 ? '-' : '';
  const whole = Math.abs(microDollars);
  const digits = String(whole % MICRO_DOLLARS_PER_DOLLAR).padStart(6, '0');
  const shown = digits.endsWith('0000') ? digits.slice(0, 2) : digits.replace(/0+$/, '');
  return `${sign}$${Math.floor(whole / MICRO_DOLLARS_PER_DOLLAR)}.${shown}`;
};
