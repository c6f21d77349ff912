/**
 * Attribute values in the form of the wire, in which they are also stored. Numbers are text in one
 * spelling, so that equal numbers are equal texts.
 */
import { isDeepStrictEqual } from 'node:util';
import { invalid, notImplemented, serialization } from './inputs.ts';

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

/** @param allDigits without sign and point. @throws TableError */
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

/** @throws TableError when it is none, or too large, small or long */
const parseNumber = (text: string): string => {
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
const compareNumbers = (a: string, b: string): number => {
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

export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  /** Base64. */
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Item };
export type Item = Readonly<Record<string, AttributeValue>>;
const TYPE_NAMES = ['S', 'N', 'M', 'L', 'BOOL', 'NULL', 'B', 'SS', 'NS'] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

const DEPTH_MAX = 32;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own attributes only: `constructor` is a name like any other. */
export const attributeOf = (item: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export const typeOf = (value: AttributeValue): TypeName => TYPE_NAMES.find((name) => name in value) ?? 'M';

const parseText = (value: unknown): string => {
  if (typeof value !== 'string') throw serialization('a value of type S, N or B must be a JSON string');
  return value;
};

const parseBinary = (value: unknown): string => {
  const text = parseText(value);
  if (Buffer.from(text, 'base64').toString('base64') !== text) throw serialization('a value of type B must be base64');
  return text;
};

const parseList = <T>(type: string, value: unknown, parse: (element: unknown) => T): readonly T[] => {
  if (!Array.isArray(value)) throw serialization(`a value of type ${type} must be a JSON array`);
  return value.map((element) => parse(element));
};

const parseSet = (type: string, value: unknown, parse: (element: unknown) => string): readonly string[] => {
  const elements = parseList(type, value, parse);
  if (elements.length === 0) throw invalid(`a set of type ${type} must not be empty`);
  if (new Set(elements).size < elements.length) throw invalid(`a set of type ${type} must not contain duplicates`);
  return elements;
};

const parseNumberValue = (value: unknown): string => parseNumber(parseText(value));

/** @throws TableError when the value is not one that DynamoDB would take */
export const parseValue = (raw: unknown, depth = 0): AttributeValue => {
  if (!isRecord(raw)) throw serialization('an attribute value must be a JSON object');
  const [[type, value] = [], ...others] = Object.entries(raw);
  if (others.length > 0) throw invalid('an attribute value must have exactly one type');
  if (depth > DEPTH_MAX) throw invalid(`attribute values must not be nested deeper than ${DEPTH_MAX}`);
  switch (type) {
    case 'S':
      return { S: parseText(value) };
    case 'N':
      return { N: parseNumberValue(value) };
    case 'B':
      return { B: parseBinary(value) };
    case 'BOOL':
      if (typeof value !== 'boolean') throw serialization('a value of type BOOL must be true or false');
      return { BOOL: value };
    case 'NULL':
      if (value !== true) throw invalid('a value of type NULL must be true');
      return { NULL: true };
    case 'SS':
      return { SS: parseSet(type, value, parseText) };
    case 'NS':
      return { NS: parseSet(type, value, parseNumberValue) };
    case 'L':
      return { L: parseList(type, value, (element) => parseValue(element, depth + 1)) };
    case 'M':
      return { M: parseItem(value, depth + 1) };
    case 'BS':
      throw notImplemented('a set of binary values');
    default:
      throw invalid('an attribute value must have a type');
  }
};

export const parseItem = (raw: unknown, depth = 0): Item => {
  if (!isRecord(raw)) throw serialization('an item must be a JSON object');
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, parseValue(value, depth)]));
};

/** Compares two values of one ordered type (S, N); undefined for all others. */
export const compareValues = (a: AttributeValue, b: AttributeValue): number | undefined => {
  if ('N' in a && 'N' in b) return compareNumbers(a.N, b.N);
  if ('S' in a && 'S' in b) return a.S === b.S ? 0 : Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  return undefined;
};

/** With sets that have no order, so that `isDeepStrictEqual` compares by DynamoDB's rules. */
const comparable = (value: AttributeValue): unknown => {
  if ('SS' in value) return { SS: new Set(value.SS) };
  if ('NS' in value) return { NS: new Set(value.NS) };
  if ('L' in value) return value.L.map(comparable);
  if (!('M' in value)) return value;
  return Object.fromEntries(Object.entries(value.M).map(([name, each]) => [name, comparable(each)]));
};

/** Sets are equal in any order, and values of two types never. Numbers have one spelling. */
export const equalValues = (a: AttributeValue, b: AttributeValue): boolean =>
  'S' in a ? 'S' in b && a.S === b.S : isDeepStrictEqual(comparable(a), comparable(b));

/** A byte for two digits, one for the exponent, one for a sign. */
const numberBytes = (number: string): number => {
  const digits = number.replace(/^-?0*\.?0*|\./g, '').replace(/0+$/, '').length;
  return Math.ceil(digits / 2) + 1 + Number(number.startsWith('-'));
};
const sum = (values: readonly string[], bytesOf: (value: string) => number): number =>
  values.reduce((total, value) => total + bytesOf(value), 0);

const valueBytes = (value: AttributeValue): number => {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return numberBytes(value.N);
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('SS' in value) return sum(value.SS, (text) => Buffer.byteLength(text));
  if ('NS' in value) return sum(value.NS, numberBytes);
  if ('L' in value) return value.L.reduce((total, element) => total + 1 + valueBytes(element), 3);
  if ('M' in value) return 3 + Object.keys(value.M).length + itemBytes(value.M);
  return 1;
};

/** The size DynamoDB's bounds are about. */
export const itemBytes = (item: Item): number => {
  let total = 0;
  for (const [name, value] of Object.entries(item)) total += Buffer.byteLength(name) + valueBytes(value);
  return total;
};
