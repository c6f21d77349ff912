/**
 * The leaves of an export, in order. Checks each by itself and against those before it: form,
 * place, space, time, one decision per signal, nothing after an end, keys that follow from each
 * other. Keeps 32 bytes of each, and the last leaf of each record.
 */

import { hashOf } from '../../base/canonical.ts';
import { HASH_BYTES, type Hash, leafHash } from '../merkle.ts';
import { recordHash } from '../record-hash.ts';
import { parseVerifierKey, type VerifierKey } from '../signed-note.ts';
import { countOf, type Fields, textOf } from './fields.ts';
import { type ReadLeaf, readLeaf } from './read-leaf.ts';
import { fail } from './wrong.ts';

/** Leaves of one export: the verifier keeps some 200 bytes of each. */
const EXPORT_LEAVES_MAX = 4_000_000;

export interface LastLeaf {
  readonly index: number;
  readonly hash: string;
  readonly state: string;
  readonly count: number;
  /** Hash of the changes a commit's leaf names; empty where it names none. */
  readonly changes: string;
}

export interface Rotation {
  readonly index: number;
  readonly oldKey: VerifierKey;
  readonly newKey: VerifierKey;
}

export interface LeafSection {
  readonly add: (line: Fields) => void;
  readonly count: () => number;
  /** Those that say they were added later than the merge delay. */
  readonly lateCount: () => number;
  /** When the newest was made, epoch milliseconds; 0 without one. */
  readonly newestAt: () => number;
  readonly hashAt: (index: number) => Hash;
  /** Last leaf of each record, by `<kind> <id>`. */
  readonly last: ReadonlyMap<string, LastLeaf>;
  readonly rotations: readonly Rotation[];
  /** Kind and id of a leaf. */
  readonly nameOf: (index: number) => { readonly kind: string; readonly id: string };
}

/** Of the list of changes in a commit's leaf, and in its record. */
export const changesHash = (changes: unknown): string => hashOf('commit-record', changes);

/**
 * States of effects and approvals that nothing follows. A person may have a failed effect tried
 * again.
 */
const ENDED = ['done', 'refused', 'spent', 'denied', 'expired'];
const FIRST_LEAVES = 1024;

const readRotation = (leaf: ReadLeaf, index: number, before: Rotation | undefined, origin: string): Rotation => {
  const [oldText, newText] = [textOf(leaf.fields, 'oldKey') ?? '', textOf(leaf.fields, 'newKey') ?? ''];
  if (leaf.hash !== recordHash('rotation', { v: 1, oldKey: oldText, newKey: newText }))
    fail('rotation', leaf.id, index, 'its hash is not the one of its two keys');
  try {
    const [oldKey, newKey] = [parseVerifierKey(oldText), parseVerifierKey(newText)];
    if (before !== undefined && before.newKey.id !== oldKey.id)
      fail('rotation', leaf.id, index, 'it replaces a key that was not in use');
    if (oldKey.name !== origin || newKey.name !== origin)
      fail('rotation', leaf.id, index, 'its keys have another name');
    return { index, oldKey, newKey };
  } catch (error) {
    if (error instanceof Error && error.name === 'ProtocolError')
      return fail('rotation', leaf.id, index, 'it names something that is not a key');
    throw error;
  }
};

/** Records that change; a tombstone, where more lost its content with the object since. */
const CHANGING: readonly string[] = ['effect', 'approval', 'tombstone'];

const checkOrder = (leaf: ReadLeaf, index: number, before: LastLeaf | undefined): void => {
  if (before === undefined) return;
  if (!CHANGING.includes(leaf.kind))
    fail(leaf.kind, leaf.id, index, `it has a leaf already, ${before.index}, and may have only one`);
  if (ENDED.includes(before.state))
    fail(leaf.kind, leaf.id, index, `it had ended at leaf ${before.index} (${before.state})`);
};

export const buildLeafSection = (space: string, origin: string, latestAt: number): LeafSection => {
  let hashes = Buffer.alloc(FIRST_LEAVES * HASH_BYTES);
  const names: string[] = [];
  const last = new Map<string, LastLeaf>();
  const rotations: Rotation[] = [];
  let late = 0;
  let newestAt = 0;

  const keep = (leaf: ReadLeaf, text: string): void => {
    const index = names.length;
    if (hashes.length === index * HASH_BYTES) hashes = Buffer.concat([hashes, Buffer.alloc(hashes.length)]);
    hashes.set(leafHash(Buffer.from(text)), index * HASH_BYTES);
    const name = `${leaf.kind} ${leaf.id}`;
    checkOrder(leaf, index, last.get(name));
    names.push(name);
    const changes = leaf.fields.changes === undefined ? '' : changesHash(leaf.fields.changes);
    const count = countOf(leaf.fields, 'count') ?? 0;
    last.set(name, { index, hash: leaf.hash, state: leaf.state, count, changes });
  };

  return {
    last,
    rotations,
    count: () => names.length,
    lateCount: () => late,
    newestAt: () => newestAt,
    hashAt: (index) => hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    nameOf: (index) => {
      const name = names[index] ?? 'leaf ';
      const gap = name.indexOf(' ');
      return { kind: name.slice(0, gap), id: name.slice(gap + 1) };
    },
    add: (line) => {
      const due = names.length;
      const index = countOf(line, 'index');
      const text = textOf(line, 'leaf') ?? '';
      if (due >= EXPORT_LEAVES_MAX) fail('log', '', due, 'it has more leaves than this verifier takes');
      const leaf = readLeaf(text) ?? fail('leaf', String(index ?? ''), due, 'it is not a leaf in canonical form');
      if (index !== due)
        fail(leaf.kind, leaf.id, due, `its leaf stands where ${due} is due and says ${String(line.index)}`);
      if (leaf.space !== space) fail(leaf.kind, leaf.id, due, 'its leaf is of another space');
      if (leaf.loggedAt !== undefined) {
        if (leaf.loggedAt <= leaf.at || leaf.loggedAt > latestAt)
          fail(leaf.kind, leaf.id, due, 'its leaf says it was added at a time that cannot be');
        late += 1;
      }
      if (leaf.at > latestAt) fail(leaf.kind, leaf.id, due, 'its leaf is younger than the export');
      newestAt = Math.max(newestAt, leaf.loggedAt ?? leaf.at);
      if (leaf.kind === 'rotation') rotations.push(readRotation(leaf, due, rotations.at(-1), origin));
      keep(leaf, text);
    },
  };
};
