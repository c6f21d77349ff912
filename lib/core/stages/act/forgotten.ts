/** Stands in place of erased words. A file that only compares with it needs no code that erases. */
export const FORGOTTEN = '[forgotten]';
