/**
 * Attribute values in the form they have on the wire, which is also the form they are stored in:
 * parsed from a request once (numbers brought to their canonical spelling, sets checked), then
 * compared and measured by DynamoDB's rules.
 */
import { compareNumbers, parseNumber } from './decimal.ts';
import { invalid, notImplemented, serialization } from './table-error.ts';

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
export type TypeName = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'L' | 'M';

const DEPTH_MAX = 32;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own attributes only: `constructor` is a name like any other. */
export const attributeOf = (item: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export const typeOf = (value: AttributeValue): TypeName => {
  if ('S' in value) return 'S';
  if ('N' in value) return 'N';
  if ('M' in value) return 'M';
  if ('L' in value) return 'L';
  if ('BOOL' in value) return 'BOOL';
  if ('NULL' in value) return 'NULL';
  if ('B' in value) return 'B';
  return 'SS' in value ? 'SS' : 'NS';
};

const parseText = (value: unknown): string => {
  if (typeof value !== 'string') throw serialization('a value of type S, N or B must be a JSON string');
  return value;
};

const parseBinary = (value: unknown): string => {
  const text = parseText(value);
  if (Buffer.from(text, 'base64').toString('base64') !== text) throw serialization('a value of type B must be base64');
  return text;
};

const SET_NAMES = { SS: 'string', NS: 'number' } as const;

const parseSet = (type: keyof typeof SET_NAMES, value: unknown, parse: (element: unknown) => string) => {
  if (!Array.isArray(value)) throw serialization(`a value of type ${type} must be a JSON array`);
  const prefix = '1 validation error detected: One or more parameter values were invalid:';
  if (value.length === 0) throw invalid(`${prefix} An ${SET_NAMES[type]} set  may not be empty`);
  const elements = value.map(parse);
  if (new Set(elements).size < elements.length)
    throw invalid(`${prefix} Input collection [${elements.join(', ')}] contains duplicates.`);
  return elements;
};

const parseNumberValue = (value: unknown): string => parseNumber(parseText(value));

/** @throws TableError when the value is not one that DynamoDB would take */
export const parseValue = (raw: unknown, depth = 0): AttributeValue => {
  if (!isRecord(raw)) throw serialization('an attribute value must be a JSON object');
  const [first, ...others] = Object.entries(raw);
  if (others.length > 0)
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  const [type, value] = first ?? [];
  if (depth > DEPTH_MAX) throw invalid('Nesting Levels have exceeded supported limits');
  switch (type) {
    case 'S':
      return { S: parseText(value) };
    case 'N':
      return { N: parseNumberValue(value) };
    case 'B':
      return { B: parseBinary(value) };
    case 'BS':
      throw notImplemented('a set of binary values');
    case 'BOOL':
      if (typeof value !== 'boolean') throw serialization('a value of type BOOL must be true or false');
      return { BOOL: value };
    case 'NULL':
      if (value === true) return { NULL: true };
      throw invalid(
        'One or more parameter values were invalid: Null attribute value types must have the value of true',
      );
    case 'SS':
      return { SS: parseSet(type, value, parseText) };
    case 'NS':
      return { NS: parseSet(type, value, parseNumberValue) };
    case 'L':
      if (!Array.isArray(value)) throw serialization('a value of type L must be a JSON array');
      return { L: value.map((element) => parseValue(element, depth + 1)) };
    case 'M':
      return { M: parseItem(value, depth + 1) };
    default:
      throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
};

export const parseItem = (raw: unknown, depth = 0): Item => {
  if (!isRecord(raw)) throw serialization('an item must be a JSON object');
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, parseValue(value, depth)]));
};

/** Of types that have an order (S, N) and are the same; undefined for all others. */
export const compareValues = (a: AttributeValue, b: AttributeValue): number | undefined => {
  if ('N' in a && 'N' in b) return compareNumbers(a.N, b.N);
  if ('S' in a && 'S' in b) return a.S === b.S ? 0 : Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  return undefined;
};

const sameElements = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((element) => b.includes(element));

/**
 * Sets are equal in any order, numbers however they were spelled, and values of two types never.
 */
export const equalValues = (a: AttributeValue, b: AttributeValue): boolean => {
  if ('S' in a) return 'S' in b && a.S === b.S;
  if ('N' in a) return 'N' in b && a.N === b.N;
  if ('B' in a) return 'B' in b && a.B === b.B;
  if ('BOOL' in a) return 'BOOL' in b && a.BOOL === b.BOOL;
  if ('NULL' in a) return 'NULL' in b;
  if ('SS' in a) return 'SS' in b && sameElements(a.SS, b.SS);
  if ('NS' in a) return 'NS' in b && sameElements(a.NS, b.NS);
  if ('L' in a)
    return (
      'L' in b &&
      a.L.length === b.L.length &&
      a.L.every((element, n) => {
        const other = b.L[n];
        return other !== undefined && equalValues(element, other);
      })
    );
  if (!('M' in b)) return false;
  const entries = Object.entries(a.M);
  return (
    entries.length === Object.keys(b.M).length &&
    entries.every(([name, value]) => {
      const other = attributeOf(b.M, name);
      return other !== undefined && equalValues(value, other);
    })
  );
};

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
