/**
 * Pages of a list of memory objects, newest first. The cursor names the last object shown rather than a position, so that
 * objects made or forgotten between two pages neither repeat nor hide others. Pure.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import type { LiveObject } from './object.ts';
import { MemoryId } from './object-parts.ts';

const Cursor = z.tuple([z.int(), MemoryId]);

/** Newest first; ids break ties, so that the order is total. */
export const byNewest = (a: LiveObject, b: LiveObject): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const encodeCursor = (object: LiveObject): string =>
  Buffer.from(JSON.stringify([object.updatedAt, object.id])).toString('base64url');

const parseCursor = (cursor: string): z.infer<typeof Cursor> => {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ProtocolError('the cursor is none that this list gave');
  }
};

const isAfter = (object: LiveObject, [updatedAt, id]: z.infer<typeof Cursor>): boolean =>
  object.updatedAt < updatedAt || (object.updatedAt === updatedAt && object.id > id);

/** @throws ProtocolError when the cursor is none this function gave. */
export const pageOf = (
  objects: readonly LiveObject[],
  limit: number,
  cursor: string | undefined,
): { readonly objects: readonly LiveObject[]; readonly cursor?: string } => {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const open = [...objects].sort(byNewest).filter((object) => after === undefined || isAfter(object, after));
  const shown = open.slice(0, limit);
  const last = shown.at(-1);
  return {
    objects: shown,
    ...(last === undefined || open.length === shown.length ? {} : { cursor: encodeCursor(last) }),
  };
};
