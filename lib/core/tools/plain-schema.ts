/**
 * Takes the plain part of a stranger's JSON schema: types, fields, lists, choices and bounds. It is
 * passed on to the model, and `arguments.ts` checks by it. Descriptions are left out, since a
 * stranger could talk to the model there; patterns are never run. Pure.
 */
import type { Json, JsonObject } from '../base/json.ts';

const FIELD = /^[A-Za-z_][\w.-]{0,63}$/;
/** At most three words and no address: a longer choice could be a sentence. */
const WORD = /^(?!.*\/\/)[\w.:@+/-]{1,32}(?: [\w.:@+/-]{1,32}){0,2}$/;
const DEPTH_MAX = 8;
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

export const fieldsOf = (schema: JsonObject): Readonly<Record<string, Json>> =>
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

export const plainType = (type: Json | undefined): JsonObject =>
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
