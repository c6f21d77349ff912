/**
 * What a function asked for is done when it answers. Lambda stops the process then, and whatever
 * nobody waited for may never come. Requests that a fault met are not told of.
 */
import type { Rule } from './run.ts';

/** The look at live settings holds nobody up, and changes nothing. */
const LOOK = / GetItem "pk":\{"S":"setting#/;

export const awaited: Rule = {
  name: 'awaited',
  promise: 'A function answers only when all that it asked for is done.',
  check: ({ observed: { left = [] } }) =>
    left.filter((request) => !LOOK.test(request)).map((request) => `nobody waited for ${request}`),
};
