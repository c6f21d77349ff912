import type * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { describeIssues } from '../base/json.ts';
import type { Item } from './table.ts';

const PROBLEM_CHARS_MAX = 500;

/**
 * Parses a stored item, or a part of it. An item of another schema version is refused, never
 * guessed at.
 * @param name names the item in the error; without it the key does
 * @throws StoredItemError
 */
export const parseStored = <T>(
  item: Item,
  schema: z.ZodMiniType<T>,
  name = `${item.pk} ${item.sk}`,
  version = 1,
): T => {
  const result = schema.safeParse(item);
  if (result.success) return result.data;
  const problem =
    item.schemaVersion === version
      ? describeIssues(result.error.issues)
      : `schema version ${String(item.schemaVersion)} is not known to this release`;
  throw new StoredItemError(name, problem.slice(0, PROBLEM_CHARS_MAX));
};

/** An item of another release, or a forgotten one, says nothing. */
export const readOrSkip = <T>(item: Item | undefined, parse: (item: Item) => T): T | undefined => {
  try {
    return item === undefined ? undefined : parse(item);
  } catch {
    return undefined;
  }
};
