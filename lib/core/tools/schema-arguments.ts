/** Checks arguments by the plain part of a stranger's schema; the server checks the rest. Pure. */
import type { Json, JsonObject } from '../base/json.ts';
import { fieldsOf, isObject, listOf, plainType } from './plain-schema.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const fits = (value: Json, type: string): boolean => {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
};

const sizeProblems = (schema: JsonObject, value: Json, field: string): readonly string[] => {
  const [size, low, high, unit] =
    typeof value === 'string'
      ? [value.length, schema.minLength, schema.maxLength, ' characters']
      : Array.isArray(value)
        ? [value.length, schema.minItems, schema.maxItems, ' items']
        : [typeof value === 'number' ? value : undefined, schema.minimum, schema.maximum, ''];
  if (size === undefined) return [];
  if (typeof low === 'number' && size < low) return [`${field} must have at least ${low}${unit}`];
  return typeof high === 'number' && size > high ? [`${field} must have at most ${high}${unit}`] : [];
};

/** A field that a schema does not name is vouched for by nobody, unless the schema says so. */
const isClosed = ({ properties, additionalProperties }: JsonObject): boolean =>
  additionalProperties === undefined ? isObject(properties) : additionalProperties === false;

const objectProblems = (schema: JsonObject, value: JsonObject, path: string): readonly string[] => {
  const fields = fieldsOf(schema);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const missing = listOf(schema.required).filter((name) => typeof name === 'string' && !Object.hasOwn(value, name));
  const isExtra = Object.keys(value).some((name) => !Object.hasOwn(fields, name));
  return [
    ...missing.map((name) => `${at(String(name))} is missing`),
    ...(isExtra && isClosed(schema)
      ? [`${path === '' ? 'it' : path} takes no other fields than ${Object.keys(fields).join(', ')}`]
      : []),
    ...Object.entries(fields).flatMap(([name, one]) =>
      isObject(one) && Object.hasOwn(value, name) ? valueProblems(one, value[name] ?? null, at(name)) : [],
    ),
  ];
};

const valueProblems = (schema: JsonObject, value: Json, path: string): readonly string[] => {
  const field = path === '' ? 'the whole' : path;
  const { type } = plainType(schema.type);
  if (typeof type === 'string' && !fits(value, type)) return [`${field} must be ${KINDS[type] ?? 'of another kind'}`];
  const choices = listOf(schema.enum);
  if (choices.length > 0 && !choices.some((one) => one === value)) return [`${field} is none of its choices`];
  if (isObject(value)) return objectProblems(schema, value, path);
  const items = isObject(schema.items) ? schema.items : undefined;
  const inner = Array.isArray(value) && items !== undefined ? value : [];
  return [
    ...sizeProblems(schema, value, field),
    ...inner.flatMap((one, index) => (items === undefined ? [] : valueProblems(items, one, `${path}[${index}]`))),
  ];
};

/** Sentences that name the tool's fields and repeat no value (I11). */
export const mcpArgumentProblems = (schema: JsonObject, args: JsonObject): readonly string[] => [
  ...new Set(objectProblems(schema, args, '')),
];
