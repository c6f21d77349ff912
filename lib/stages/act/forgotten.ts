/** Stands in place of erased words. Whoever only compares with it needs no code that erases. */
export const FORGOTTEN = '[forgotten]';
