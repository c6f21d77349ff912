/** Money is counted in whole micro-dollars (a millionth of a US dollar), so that sums are exact. */

const MICRO_DOLLARS_PER_DOLLAR = 1_000_000;
/** At most a billion dollars: more is a typing error, and sums would no longer be exact. */
const DOLLARS = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/** `5`, `0.25`, `0.000001` as micro-dollars; undefined for anything else, such as a sign. */
export const parseUsd = (text: string): number | undefined => {
  const match = DOLLARS.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * MICRO_DOLLARS_PER_DOLLAR + Number((match[2] ?? '').padEnd(6, '0'));
};

/** `$0.25`, `$5.00`, `$0.000125`: two digits if cents are exact, else all. */
export const showUsd = (microDollars: number): string => {
  const sign = microDollars < 0 ? '-' : '';
  const whole = Math.abs(microDollars);
  const digits = String(whole % MICRO_DOLLARS_PER_DOLLAR).padStart(6, '0');
  const shown = digits.endsWith('0000') ? digits.slice(0, 2) : digits.replace(/0+$/, '');
  return `${sign}$${Math.floor(whole / MICRO_DOLLARS_PER_DOLLAR)}.${shown}`;
};
