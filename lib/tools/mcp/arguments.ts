/**
 * Uses the plain part of a stranger's JSON schema: types, fields, lists, choices and bounds. It is
 * passed on to the model, and arguments are checked by it. Descriptions are left out, since a
 * stranger could talk to the model there; patterns are never run. The server checks the rest
 * itself. Pure.
 */
import type { Json, JsonObject } from '../../base/json.ts';

const FIELD = /^[A-Za-z_][\w.-]{0,63}$/;
/** At most three words and no address: a longer choice could be a sentence. */
const WORD = /^(?!.*\/\/)[\w.:@+/-]{1,32}(?: [\w.:@+/-]{1,32}){0,2}$/;
const DEPTH_MAX = 8;
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const fieldsOf = (schema: JsonObject): Readonly<Record<string, Json>> =>
  isObject(schema.properties) ? schema.properties : {};

/** A field whose name could be a sentence makes the whole tool unusable. */
export const hasUsableSchema = (schema: JsonObject, depth = 0): boolean => {
  if (depth > DEPTH_MAX || (depth === 0 && schema.type !== 'object')) return false;
  const inner = [...Object.values(fieldsOf(schema)), ...(isObject(schema.items) ? [schema.items] : [])];
  return (
    Object.keys(fieldsOf(schema)).every((name) => FIELD.test(name) && name !== '__proto__') &&
    inner.every((one) => !isObject(one) || hasUsableSchema(one, depth + 1))
  );
};

const plainType = (type: Json | undefined): JsonObject =>
  typeof type === 'string' && TYPES.some((known) => known === type) ? { type } : {};

/** An object could hold any text. */
const isPlainChoice = (one: Json): boolean =>
  typeof one === 'string' ? WORD.test(one) : one === null || typeof one !== 'object';

/** The part of a schema without words of its author. */
export const plainSchema = (schema: JsonObject): JsonObject => {
  const choices = listOf(schema.enum).filter(isPlainChoice);
  const bounds = BOUNDS.flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]] as const] : []));
  const fields = Object.entries(fieldsOf(schema));
  const required = listOf(schema.required).filter(
    (name) => typeof name === 'string' && Object.hasOwn(fieldsOf(schema), name),
  );
  return {
    ...plainType(schema.type),
    ...(choices.length > 0 && choices.length === listOf(schema.enum).length ? { enum: choices } : {}),
    ...Object.fromEntries(bounds),
    ...(schema.type === 'object'
      ? { properties: Object.fromEntries(fields.map(([name, one]) => [name, isObject(one) ? plainSchema(one) : {}])) }
      : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(isObject(schema.items) ? { items: plainSchema(schema.items) } : {}),
    ...(schema.additionalProperties === false ? { additionalProperties: false } : {}),
  };
};

/** Fields with their choices (`place.city`): all words of the author that remain. */
export const schemaWords = (schema: JsonObject, path = ''): readonly string[] => {
  const choices = listOf(schema.enum);
  const own = choices.length === 0 ? path : `${path} (${choices.map((one) => JSON.stringify(one)).join(', ')})`;
  const inner = [
    ...Object.entries(fieldsOf(schema)).map(([name, one]) => [path === '' ? name : `${path}.${name}`, one] as const),
    ...(isObject(schema.items) ? [[`${path}[]`, schema.items] as const] : []),
  ].flatMap(([name, one]) => (isObject(one) ? schemaWords(one, name) : []));
  return [...(own === '' ? [] : [own]), ...inner];
};

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

const objectProblems = (schema: JsonObject, value: JsonObject, path: string): readonly string[] => {
  const fields = fieldsOf(schema);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const missing = listOf(schema.required).filter((name) => typeof name === 'string' && !Object.hasOwn(value, name));
  const isExtra = Object.keys(value).some((name) => !Object.hasOwn(fields, name));
  return [
    ...missing.map((name) => `${at(String(name))} is missing`),
    ...(isExtra && schema.additionalProperties === false
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
