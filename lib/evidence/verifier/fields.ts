/**
 * Reading of unknown JSON by hand: the verifier may depend on no schema library. Each gives the
 * member in the asked form, or nothing. Pure; imports nothing.
 */

export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

export const textOf = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
};

/** A whole number that is not negative. */
export const countOf = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

export const listOf = (fields: Fields, name: string): readonly unknown[] | undefined => {
  const value: unknown = fields[name];
  return Array.isArray(value) ? value : undefined;
};

/** A list of objects, whole or not at all. */
export const fieldListOf = (fields: Fields, name: string): readonly Fields[] | undefined => {
  const list = listOf(fields, name)?.map(fieldsOf);
  return list?.every((one) => one !== undefined) ? list : undefined;
};

/** Whether the object has all of the first names, and no other than both lists. */
export const hasExactly = (fields: Fields, needed: readonly string[], optional: readonly string[] = []): boolean =>
  needed.every((name) => Object.hasOwn(fields, name)) &&
  Object.keys(fields).every((name) => needed.includes(name) || optional.includes(name));
