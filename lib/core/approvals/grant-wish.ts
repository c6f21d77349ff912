/** The words with which a person makes a grant. A file of its own: only the doors read it. Pure. */
import * as z from 'zod/mini';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../base/limits.ts';
import { GRANT_LOOSENED_MAX, Loosened } from './grant.ts';

/** `body.ref` and `/body/ref` are one path. */
const pointerOf = (name: string): string => (name.startsWith('/') ? name : `/${name.split('.').join('/')}`);

/** `body.title,body.path=docs/`: the first may be anything, the second must start with `docs/`. */
export const parseLoosened = (given: string): readonly Loosened[] =>
  given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      if (at < 0) return { path: pointerOf(part), kind: 'any' };
      return { path: pointerOf(part.slice(0, at)), kind: 'prefix', prefix: part.slice(at + 1) };
    });

const LoosenedList = z.array(Loosened).check(z.maxLength(GRANT_LOOSENED_MAX));
const GRANT_USES_MAX = 1_000;
const GRANT_HOURS_MAX = 30 * 24;

/** The bounds that a person gives a grant, and the approval it is made from. */
export const GrantWish = z.strictObject({
  from: z
    .string()
    .check(
      z.regex(/^[0-9a-f]{6,32}$/i, { error: 'must be the id of an approval, or its beginning' }),
      z.describe('the approval whose action is to be allowed'),
    ),
  loosen: z._default(
    z
      .union([LoosenedList, z.pipe(z.pipe(z.string(), z.transform(parseLoosened)), LoosenedList)])
      .check(z.describe('arguments that may be anything, or must only start so: a,b=start')),
    [],
  ),
  count: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(GRANT_USES_MAX), z.describe('how often')),
    GRANT_USES_DEFAULT,
  ),
  hours: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(GRANT_HOURS_MAX), z.describe('for how long')),
    GRANT_HOURS_DEFAULT,
  ),
  coversTaint: z._default(
    z.boolean().check(z.describe('also when the outside text that its card named asks for it')),
    false,
  ),
  anySession: z._default(z.boolean().check(z.describe('in every conversation, not only in that one')), false),
});
export type GrantWish = z.infer<typeof GrantWish>;
