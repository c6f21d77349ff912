/**
 * Reads unknown JSON by hand, because the verifier may depend on no schema library; and says the
 * first thing that is wrong with an export, by throwing it. Imports nothing.
 */

export interface Wrong {
  /** Kind of record; or `file`, `header`, `leaf`, `tile`, `checkpoint`, `key`, `log`. */
  readonly kind: string;
  /** Empty if the thing has no id. */
  readonly id: string;
  /** Its leaf in the log, or null. */
  readonly index: number | null;
  readonly what: string;
}

export class WrongError extends Error {
  override readonly name = 'WrongError';
  readonly wrong: Wrong;
  constructor(wrong: Wrong) {
    super(`${wrong.kind} ${wrong.id}: ${wrong.what}`);
    this.wrong = wrong;
  }
}

/** A declaration, so that the compiler knows that nothing follows. @throws WrongError always */
export function fail(kind: string, id: string, index: number | null, what: string): never {
  throw new WrongError({ kind, id, index, what });
}

export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value, if it is an object and no list. */
export const readFields = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);

export const readText = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
};

/** A whole number that is not negative. */
export const readCount = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

export const readList = (fields: Fields, name: string): readonly unknown[] | undefined => {
  const value: unknown = fields[name];
  return Array.isArray(value) ? value : undefined;
};

/** A list of objects, or nothing if one of its members is none. */
export const readFieldList = (fields: Fields, name: string): readonly Fields[] | undefined => {
  const list = readList(fields, name)?.map(readFields);
  return list?.every((one) => one !== undefined) ? list : undefined;
};

/** Whether the object has all of the needed names, and no other than both lists. */
export const hasExactly = (fields: Fields, needed: readonly string[], optional: readonly string[] = []): boolean =>
  needed.every((name) => Object.hasOwn(fields, name)) &&
  Object.keys(fields).every((name) => needed.includes(name) || optional.includes(name));
