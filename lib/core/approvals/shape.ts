/** The values that an unknown value may have. A person reads the shape before it is there. Pure. */
import * as z from 'zod/mini';

const PATTERN_CHARS_MAX = 100;
/** Three counts over so short a value are tried within milliseconds, whatever the value. */
const PATTERN_COUNTS_MAX = 3;
const VALUE_CHARS_MAX = 200;
/** A list that a person reads on a card. */
const ONE_OF_MAX = 50;

/** An escaped sign, or a class, which may hold any sign. */
const TOKEN = /\\(.)|\[(?:\\.|[^\\\]])*\]/gsu;
/** Escapes that are no single sign: back references, places and properties. */
const IS_NO_SIGN = /[1-9bBkpPux]/;
const COUNT = /[*+?]|\{\d*,?\d*\}/g;
const GROUP = '(';
const HAS_GROUP = /[()|^$]/;

const patternOf = (pattern: string): RegExp | undefined => {
  try {
    return new RegExp(`^${pattern}$`, 'u');
  } catch {
    return undefined;
  }
};

const isPattern = (pattern: string): boolean => {
  const outside = pattern.replace(TOKEN, (_, escaped?: string) => (IS_NO_SIGN.test(escaped ?? '') ? GROUP : 'x'));
  const counts = outside.match(COUNT)?.length ?? 0;
  return counts <= PATTERN_COUNTS_MAX && !HAS_GROUP.test(outside) && patternOf(pattern) !== undefined;
};

const Pattern = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(PATTERN_CHARS_MAX),
    z.refine(
      isPattern,
      `must be a regular expression of the whole value, with at most ${PATTERN_COUNTS_MAX} counts such as {1,6} and no groups`,
    ),
  );

const Bound = z
  .strictObject({ from: z.number(), to: z.number() })
  .check(z.refine(({ from, to }) => from <= to, 'from must not be greater than to'));

export const Shape = z.union([
  Pattern,
  z
    .array(z.union([z.string().check(z.maxLength(VALUE_CHARS_MAX)), z.number(), z.boolean()]))
    .check(z.minLength(1), z.maxLength(ONE_OF_MAX)),
  Bound,
]);
export type Shape = z.infer<typeof Shape>;

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** @param value plain, or the words of one within a longer text */
export const fitsShape = (shape: Shape, value: unknown): boolean => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const words = String(value);
  if (words.length > VALUE_CHARS_MAX || HIDDEN.test(words)) return false;
  if (typeof shape === 'string') return patternOf(shape)?.test(words) === true;
  if ('from' in shape) return NUMBER.test(words) && Number(words) >= shape.from && Number(words) <= shape.to;
  return shape.some((one) => String(one) === words);
};

/** A short text on one line that can be no address, path, markup or whole sentence. */
export const PLAIN_WORDS = String.raw`[^./\\@#<>{}|%]{1,100}`;

export const shapeWords = (shape: Shape): string => {
  if (shape === PLAIN_WORDS) return 'a few plain words';
  if (typeof shape === 'string') return `a text that fits ${shape}`;
  return 'from' in shape ? `a number from ${shape.from} to ${shape.to}` : `one of ${shape.map(String).join(', ')}`;
};
