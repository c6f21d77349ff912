/**
 * The checkpoints of an export, and the anchor: every root is recomputed from the leaves, every two
 * that follow each other are joined by a consistency proof, every signature is checked, and every
 * change of key must have been signed by the old key and the new. The anchor is a checkpoint kept
 * elsewhere: it shows that the log is neither cut nor rewritten.
 */
import { type Checkpoint, parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { appendLeaves, type CompactRange, EMPTY_RANGE, type Hash, isSameHash, rootOf } from '../merkle.ts';
import { buildProof, consistencyNodes, verifyConsistency } from '../proofs.ts';
import { isSameKey, signersOf, type VerifierKey } from '../signed-note.ts';
import { type Fields, textOf } from './fields.ts';
import type { LeafSection, Rotation } from './leaf-section.ts';
import type { TileSection } from './tile-section.ts';
import { fail } from './wrong.ts';

export interface CheckpointSection {
  readonly add: (line: Fields) => void;
  readonly end: () => void;
  readonly count: () => number;
  readonly newest: () => Checkpoint | undefined;
}

export interface CheckpointInput {
  readonly origin: string;
  /** Given by whoever verifies. */
  readonly key: VerifierKey | undefined;
  /** What the file itself says its keys are: they must be the ones that signed. */
  readonly claimed: readonly VerifierKey[];
  /** Text of a checkpoint kept elsewhere. */
  readonly anchor: string | undefined;
  readonly leaves: LeafSection;
  readonly tiles: TileSection;
}

const nameOf = ({ origin, size }: Checkpoint): string => `${origin} ${size}`;

const read = (note: string, what: string, origin: string): SignedCheckpoint => {
  try {
    const checkpoint = parseCheckpoint(note);
    if (checkpoint.origin !== origin) fail(what, nameOf(checkpoint), null, 'it is of another log');
    return checkpoint;
  } catch (error) {
    if (error instanceof Error && error.name === 'ProtocolError') return fail(what, '', null, error.message);
    throw error;
  }
};

/**
 * All keys of the log, oldest first: the rotations name them; without one there is the given key,
 * or the one the file claims.
 */
const keysOf = (input: CheckpointInput): readonly VerifierKey[] => {
  const { rotations } = input.leaves;
  const { key, claimed } = input;
  const [first] = rotations;
  const keys = first === undefined ? [key ?? claimed[0]] : [first.oldKey, ...rotations.map(({ newKey }) => newKey)];
  const known = keys.filter((one) => one !== undefined);
  if (key !== undefined && !known.some((one) => isSameKey(one, key)))
    fail('key', key.id, first?.index ?? null, 'the given key never signed this log');
  return known;
};

/** Said last, of signatures that hold: then it is the header that was changed. */
const checkClaimed = (claimed: readonly VerifierKey[], keys: readonly VerifierKey[]): void => {
  const isSame = claimed.length === keys.length && claimed.every((one, n) => isSameKey(one, keys[n] ?? one));
  if (!isSame) fail('header', '', null, 'its keys are not the ones that the log was signed with');
};

/**
 * Keys that must have signed a checkpoint: the one in use, and those replaced since the checkpoint
 * before.
 */
const neededFor = (
  size: number,
  before: number,
  rotations: readonly Rotation[],
  keys: readonly VerifierKey[],
): readonly VerifierKey[] => {
  const inUse = rotations.findLast(({ index }) => index < size)?.newKey ?? keys[0];
  const replaced = rotations.filter(({ index }) => index >= before && index < size).map(({ oldKey }) => oldKey);
  return inUse === undefined ? replaced : [...replaced, inUse];
};

export const buildCheckpointSection = (input: CheckpointInput): CheckpointSection => {
  const { leaves, tiles, origin } = input;
  const keys = keysOf(input);
  const anchor = input.anchor === undefined ? undefined : read(input.anchor, 'anchor', origin);
  let range: CompactRange = EMPTY_RANGE;
  let newest: SignedCheckpoint | undefined;
  let count = 0;

  const rootAt = (size: number): Hash => {
    const added = Array.from({ length: size - range.size }, (_, n) => leaves.hashAt(range.size + n));
    range = appendLeaves(range, added);
    return rootOf(range);
  };

  const signers = (checkpoint: SignedCheckpoint, what: string): readonly VerifierKey[] => {
    try {
      return signersOf(checkpoint.note, keys);
    } catch (error) {
      return fail(
        what,
        nameOf(checkpoint),
        checkpoint.size,
        error instanceof Error ? error.message : 'it is not signed',
      );
    }
  };

  const checkRoot = (checkpoint: SignedCheckpoint, what: string): void => {
    if (isSameHash(rootAt(checkpoint.size), checkpoint.root)) return;
    const different = tiles.firstDifference();
    if (different !== undefined && different.index < checkpoint.size) {
      const { kind, id } = leaves.nameOf(different.index);
      fail(kind, id, different.index, `its leaf is not the one in the log (${different.path} holds another)`);
    }
    // Checkpoints of the file say nothing about where a log differs from one that was kept
    // elsewhere.
    const from = what === 'anchor' ? 0 : (newest?.size ?? 0);
    const leavesText = `the leaves from ${from} to ${checkpoint.size - 1}`;
    fail(what, nameOf(checkpoint), checkpoint.size, `${leavesText} do not give its root`);
  };

  const checkSigned = (checkpoint: SignedCheckpoint): void => {
    const signed = signers(checkpoint, 'checkpoint');
    for (const key of neededFor(checkpoint.size, newest?.size ?? 0, leaves.rotations, keys))
      if (!signed.includes(key))
        fail('checkpoint', nameOf(checkpoint), checkpoint.size, `the key ${key.id} did not sign it`);
    if (signed.length === 0) fail('checkpoint', nameOf(checkpoint), checkpoint.size, 'no known key signed it');
    if (signed.length < checkpoint.note.signatures.length)
      fail('checkpoint', nameOf(checkpoint), checkpoint.size, 'it carries a signature that no key of the log made');
  };

  /**
   * Where the leaves give the roots and a tile does not agree with them, it is the tile that is
   * wrong.
   */
  const checkTiles = (): void => {
    const different = tiles.firstDifference();
    if (different !== undefined)
      fail('tile', different.path, different.index, 'it does not hold the hashes of its leaves');
  };

  const checkConsistent = (older: Checkpoint, newer: Checkpoint): void => {
    const proof = buildProof(consistencyNodes(older.size, newer.size), tiles.nodeAt);
    if (verifyConsistency(older.size, newer.size, proof, older.root, newer.root)) return;
    checkTiles();
    fail('checkpoint', nameOf(newer), newer.size, `it does not continue the one of ${older.size} leaves`);
  };

  /**
   * The anchor's turn comes where it stands among the checkpoints: the leaves are hashed once, in
   * order.
   */
  const checkAnchor = (upTo: number): void => {
    if (anchor === undefined || anchor.size > upTo || anchor.size <= (newest?.size ?? -1)) return;
    checkRoot(anchor, 'anchor');
  };

  const checkAnchorItself = (): void => {
    if (anchor === undefined) return;
    const signed = signers(anchor, 'anchor');
    // Others may have signed it too; without the log's own key nothing ties later leaves to it.
    if (!neededFor(anchor.size, anchor.size, leaves.rotations, keys).every((key) => signed.includes(key)))
      fail('anchor', nameOf(anchor), anchor.size, 'no known key signed it');
    if (anchor.size > leaves.count())
      fail(
        'log',
        origin,
        leaves.count(),
        `it was cut, or made before the anchor: ${leaves.count()} leaves, and ${anchor.size} were anchored; an export of now would have them`,
      );
  };
  checkAnchorItself();

  return {
    count: () => count,
    newest: () => newest,
    add: (line) => {
      const checkpoint = read(textOf(line, 'note') ?? '', 'checkpoint', origin);
      if (checkpoint.size <= (newest?.size ?? -1) || checkpoint.size > leaves.count())
        fail('checkpoint', nameOf(checkpoint), checkpoint.size, 'its size does not fit where it stands');
      checkAnchor(checkpoint.size);
      checkRoot(checkpoint, 'checkpoint');
      checkSigned(checkpoint);
      if (newest !== undefined) checkConsistent(newest, checkpoint);
      newest = checkpoint;
      count += 1;
    },
    end: () => {
      const size = newest?.size ?? 0;
      if (size !== leaves.count()) fail('checkpoint', origin, size, `no checkpoint covers the leaves from ${size} on`);
      if (size > 0) checkClaimed(input.claimed, keys);
      checkTiles();
    },
  };
};
