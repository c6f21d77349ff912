/**
 * Memory items of the table, read and written: objects of schema version 1 become version 2 here, in one place, and nowhere
 * else; any other version is refused (StoredItemError), never guessed at. Pure.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import type { Item } from '../store/table.ts';
import { MemoryObject } from './object.ts';

/** Reads an item of a schema this release writes as `version`. @throws StoredItemError naming key and problem. */
export const parseItem = <T>(item: Item, schema: z.ZodMiniType<T>, version: number): T => {
  const what = `${item.pk} ${item.sk}`;
  if (item.schemaVersion !== version)
    throw new StoredItemError(what, `schema version ${String(item.schemaVersion)} is not known to this release`);
  const result = schema.safeParse(item);
  if (result.success) return result.data;
  const problem = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new StoredItemError(what, problem.slice(0, 500));
};

/** Schema version 1: notes without children, written before there were commits. */
const upgraded = (item: Item): Item =>
  item.schemaVersion === 1
    ? { ...item, schemaVersion: 2, commit: 0, hashForm: 1, ...(item.state === 'live' ? { children: [] } : {}) }
    : item;

export const parseObject = (item: Item): MemoryObject => parseItem(upgraded(item), MemoryObject, 2);

export const stampWith = <T extends MemoryObject>(object: T, commit: number): T => ({ ...object, commit });

/** Ids a big commit writes, in one text: as a list they would take a third more. */
const Manifest = z.object({ schemaVersion: z.literal(1), ids: z.string() });
export const parseManifest = (item: Item): z.infer<typeof Manifest> => parseItem(item, Manifest, 1);

/** An effect's mark: the commit it made. */
const Done = z.object({ schemaVersion: z.literal(1), number: z.int() });
export const parseDone = (item: Item): z.infer<typeof Done> => parseItem(item, Done, 1);
