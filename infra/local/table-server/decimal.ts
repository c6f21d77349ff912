/**
 * DynamoDB's numbers: decimals of up to 38 significant digits between 1E-130 and 9.99…E+125, kept
 * as text in one canonical spelling (plain digits, no exponent, no useless zeros), so that equal
 * numbers are equal texts.
 */
import { invalid } from './table-error.ts';

/** coefficient × 10^exponent. */
interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const DIGITS_MAX = 38;
const MAGNITUDE_MAX = 125;
const MAGNITUDE_MIN = -130;
/** Decimal texts of up to so many characters are told apart, and ordered, by a double. */
const DOUBLE_CHARACTERS = 15;

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

const spell = (isNegative: boolean, digits: string, exponent: number): string => {
  const sign = isNegative ? '-' : '';
  if (exponent >= 0) return `${sign}${digits}${'0'.repeat(exponent)}`;
  const point = digits.length + exponent;
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
};

/**
 * @param allDigits without sign and point. @throws TableError when the number is larger, smaller or
 * longer than allowed
 */
const canonical = (isNegative: boolean, allDigits: string, shift: number): string => {
  const digits = allDigits.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return '0';
  const exponent = shift + allDigits.length - allDigits.replace(/0+$/, '').length;
  const magnitude = digits.length + exponent - 1;
  if (magnitude > MAGNITUDE_MAX)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  if (magnitude < MAGNITUDE_MIN)
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  if (digits.length > DIGITS_MAX) throw invalid('Attempting to store more than 38 significant digits in a Number');
  return spell(isNegative, digits, exponent);
};

/**
 * The canonical spelling of a number. @throws TableError when it is none, or too large, small or
 * long
 */
export const parseNumber = (text: string): string => {
  if (PLAIN_INTEGER.test(text)) return text;
  const match = SHAPE.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '')
    throw invalid(`The parameter cannot be converted to a numeric value${text === '' ? '' : `: ${text}`}`);
  return canonical(sign === '-', whole + fraction, Number(exponent) - fraction.length);
};

const toDecimal = (text: string): Decimal => {
  const point = text.indexOf('.');
  if (point < 0) return { coefficient: BigInt(text), exponent: 0 };
  return { coefficient: BigInt(text.replace('.', '')), exponent: point + 1 - text.length };
};

/** Both coefficients over the smaller of the two exponents. */
const align = (a: string, b: string): readonly [bigint, bigint, number] => {
  const [left, right] = [toDecimal(a), toDecimal(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const scale = (value: Decimal) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return [scale(left), scale(right), exponent];
};

/** Negative, zero or positive, as `a - b` is. Both in canonical spelling. */
export const compareNumbers = (a: string, b: string): number => {
  if (a.length <= DOUBLE_CHARACTERS && b.length <= DOUBLE_CHARACTERS) return Number(a) - Number(b);
  const [left, right] = align(a, b);
  return left < right ? -1 : Number(left > right);
};

/** Exact. @throws TableError when the sum has more than 38 digits or leaves the range */
export const addNumbers = (a: string, b: string): string => {
  if (PLAIN_INTEGER.test(a) && PLAIN_INTEGER.test(b)) return `${Number(a) + Number(b)}`;
  const [left, right, exponent] = align(a, b);
  const sum = left + right;
  return canonical(sum < 0n, `${sum < 0n ? -sum : sum}`, exponent);
};

/** A text whose byte order is the numbers' order. */
export const sortableNumber = (number: string): string => {
  if (number === '0') return '1';
  const isNegative = number.startsWith('-');
  const [whole = '', fraction = ''] = (isNegative ? number.slice(1) : number).split('.');
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '').replace(/0+$/, '');
  const magnitude = whole.length - 1 - (all.length - all.replace(/^0+/, '').length);
  const exponent = `${magnitude - MAGNITUDE_MIN + 100}`;
  if (!isNegative) return `2${exponent}${digits}`;
  const mirrored = [...`${exponent}${digits}`].map((digit) => 9 - Number(digit)).join('');
  return `0${mirrored}~`;
};
