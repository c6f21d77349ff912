/** The writes of a commit. An object is written only if it is as the plan read it. */

import { ProtocolError } from '../base/errors.ts';
import { KIB, MEMORY_COMMIT_OBJECTS_MAX } from '../base/limits.ts';
import { absent, allOf, anyOf, type Condition, equals, IS_NEW } from '../store/condition.ts';
import type { Table, Write } from '../store/table.ts';
import type { By, Head } from './commit.ts';
import { commitKeys, memoryKeys } from './keys.ts';
import { type MemoryObject, stampCommit } from './object.ts';
import type { MemoryReader } from './read.ts';

export type WriteTable = Pick<Table, 'load' | 'put' | 'query' | 'transact' | 'update'>;

export interface WriteDeps {
  readonly table: WriteTable;
  readonly space: string;
  readonly reader: MemoryReader;
  /** Epoch milliseconds, for leases. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly newToken: () => string;
  /** Called for each try that another writer spoilt. */
  readonly onConflict: () => void;
}

/** DynamoDB takes 400 KB for one item: the rest is room for attribute names and markers. */
const ITEM_BYTES_MAX = 380 * KIB;
/** All objects of one commit: Act holds them in memory. */
const MEMORY_COMMIT_BYTES_MAX = 16 * 1024 * KIB;
/** DynamoDB takes 100 writes and 4 MB: the rest is room for what our count of bytes leaves out. */
const TRANSACTION_WRITES_MAX = 100;
const TRANSACTION_BYTES_MAX = 3 * 1024 * KIB;

/** An object as it was read, and as it shall be. */
export interface ObjectChange {
  readonly before: MemoryObject | undefined;
  readonly after: MemoryObject;
}

/** Writes beside the objects: head, record, mark of the effect, end of the manifest. */
const OTHER_WRITES = 4;
const WRITES_PER_OBJECT = 2;
export const TRANSACTION_OBJECTS_MAX = Math.floor((TRANSACTION_WRITES_MAX - OTHER_WRITES) / WRITES_PER_OBJECT);

/** The head is as the plan found it, and nobody holds it. */
export const isStillAt = (head: Head): Condition => ({
  name: `memory is still at commit ${head.number}`,
  holds: allOf(
    head.number === 0 ? anyOf(absent('pk'), equals('number', 0)) : equals('number', head.number),
    absent('pendingToken'),
  ),
});

export const isHeldBy = (token: string): Condition => ({
  name: 'the commit under way is still this one',
  holds: equals('pendingToken', token),
});

const isAsRead = (before: MemoryObject | undefined): Condition => {
  if (before === undefined) return { name: 'the memory object is new', holds: absent('pk') };
  const name = 'the memory object is as it was read';

  // A commit that was given up leaves its number behind: number and hash together name one state.
  return {
    name,
    holds: allOf(equals('commit', before.commit), equals('hash', before.hash), equals('state', before.state)),
  };
};

export const objectWrites = (space: string, number: number, { before, after }: ObjectChange): readonly Write[] => {
  const item = stampCommit(after, number);
  return [
    { kind: 'put', key: memoryKeys.object(space, after.id), item, condition: isAsRead(before) },
    { kind: 'put', key: memoryKeys.version(space, after.id, number), item },
  ];
};

/** Marks an effect as committed, in the write that commits it. */
export const doneWrite = (space: string, { signalId, effectId }: By, number: number): Write => ({
  kind: 'put',
  key: commitKeys.done(space, signalId, effectId),
  item: { schemaVersion: 1, number },
  condition: IS_NEW,
});

/** Bytes of an object in the table, nearly. */
const bytesOf = (object: MemoryObject): number => Buffer.byteLength(JSON.stringify(object)) + object.id.length;

/** Cuts the changes to fit transactions. @throws ProtocolError if they are too large */
export const chunkChanges = (changes: readonly ObjectChange[]): readonly (readonly ObjectChange[])[] => {
  if (changes.length > MEMORY_COMMIT_OBJECTS_MAX)
    throw new ProtocolError(
      `one change of memory takes at most ${MEMORY_COMMIT_OBJECTS_MAX} objects, this one has ${changes.length}`,
    );
  const chunks: ObjectChange[][] = [];
  let total = 0;
  let room = 0;
  for (const change of changes) {
    const bytes = bytesOf(change.after);
    if (bytes > ITEM_BYTES_MAX) throw new ProtocolError('a memory object is larger than the table takes');
    total += bytes;
    const last = chunks.at(-1);
    if (last !== undefined && last.length < TRANSACTION_OBJECTS_MAX && room >= WRITES_PER_OBJECT * bytes) {
      last.push(change);
      room -= WRITES_PER_OBJECT * bytes;
    } else {
      chunks.push([change]);
      room = TRANSACTION_BYTES_MAX - WRITES_PER_OBJECT * bytes;
    }
  }
  if (total > MEMORY_COMMIT_BYTES_MAX)
    throw new ProtocolError(
      `one change of memory takes at most ${MEMORY_COMMIT_BYTES_MAX} bytes, this one has ${total}`,
    );
  return chunks;
};
