/**
 * The checkpoints of an export, and the anchor, which is a checkpoint that was kept elsewhere.
 * Every root is computed again from the leaves. A consistency proof joins each two that follow each
 * other. Every signature is checked, and the old key and the new must have signed each change of
 * keys. The anchor shows that the log is neither cut nor rewritten; one with more leaves than the
 * file shows only that the file is older, or was cut.
 */
import { type Checkpoint, parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { cosignersOf, isCosignature } from '../cosignature.ts';
import { appendLeaves, type CompactRange, EMPTY_RANGE, type Hash, isSameHash, rootOf } from '../merkle.ts';
import { buildProof, consistencyNodes, verifyConsistency } from '../proofs.ts';
import { isSameKey, signersOf, type VerifierKey } from '../signed-note.ts';
import { type Fields, fail, readText } from './fields.ts';
import { type HashTiles, nodeAt } from './hash-tiles.ts';
import { hashAt, type Leaves, nameAt, type Rotation } from './leaves.ts';

export interface CheckpointInput {
  readonly origin: string;
  /** Key that the verifying person gave. */
  readonly key: VerifierKey | undefined;
  /** Keys that the file itself names: they must be the ones that signed. */
  readonly claimed: readonly VerifierKey[];
  /** Text of a checkpoint that was kept elsewhere. */
  readonly anchor: string | undefined;
  readonly witnesses: readonly VerifierKey[];
  /** How many of the witnesses must have cosigned a checkpoint. */
  readonly atLeast: number;
  readonly leaves: Leaves;
  readonly tiles: HashTiles;
}

export interface Checkpoints extends Omit<CheckpointInput, 'anchor'> {
  readonly keys: readonly VerifierKey[];
  readonly anchor: SignedCheckpoint | undefined;
  /** False if only a key that came after the file may have signed the anchor. */
  readonly isAnchorSigned: boolean;
  /** Leaves that have been hashed so far. */
  range: CompactRange;
  newest: SignedCheckpoint | undefined;
  /** Leaves of the newest checkpoint that enough witnesses cosigned. */
  cosignedSize: number;
  /** Cosignatures by nobody whose key was given: nothing checks their bytes. */
  unchecked: number;
  count: number;
}

const failAt = (kind: string, { origin, size }: Checkpoint, what: string): never =>
  fail(kind, `${origin} ${size}`, size, what);

const readCheckpoint = (note: string, kind: string, origin: string): SignedCheckpoint => {
  try {
    const checkpoint = parseCheckpoint(note);
    if (checkpoint.origin !== origin)
      fail(kind, `${checkpoint.origin} ${checkpoint.size}`, null, 'it is of another log');
    return checkpoint;
  } catch (error) {
    if (error instanceof Error && error.name === 'ProtocolError') return fail(kind, '', null, error.message);
    throw error;
  }
};

/** All keys of the log, oldest first, as rotations name them; else the given or claimed one. */
const findKeys = ({ leaves: { rotations }, key, claimed }: CheckpointInput): readonly VerifierKey[] => {
  const [first] = rotations;
  const keys = first === undefined ? [key ?? claimed[0]] : [first.oldKey, ...rotations.map(({ newKey }) => newKey)];
  const known = keys.filter((one) => one !== undefined);
  if (key !== undefined && !known.some((one) => isSameKey(one, key)))
    fail('key', key.id, first?.index ?? null, 'the given key never signed this log');
  return known;
};

/** Keys that must have signed: the one in use, and those replaced since the last checkpoint. */
const findNeededKeys = (
  size: number,
  before: number,
  rotations: readonly Rotation[],
  keys: readonly VerifierKey[],
): readonly VerifierKey[] => {
  const inUse = rotations.findLast(({ index }) => index < size)?.newKey ?? keys[0];
  const replaced = rotations.filter(({ index }) => index >= before && index < size).map(({ oldKey }) => oldKey);
  return inUse === undefined ? replaced : [...replaced, inUse];
};

/** @throws WrongError for a signature that is not by the key it names */
const reading = <T>(kind: string, checkpoint: SignedCheckpoint, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    return failAt(kind, checkpoint, error instanceof Error ? error.message : 'it is not signed');
  }
};

/** @returns whether a key that the file knows signed it; a newer anchor may have a newer key */
const checkAnchor = (leaves: Leaves, keys: readonly VerifierKey[], anchor: SignedCheckpoint): boolean => {
  const signers = reading('anchor', anchor, () => signersOf(anchor.note, keys));
  // Others may have signed it too; without the log's own key nothing ties later leaves to it.
  const needed = findNeededKeys(anchor.size, anchor.size, leaves.rotations, keys);
  if (needed.every((key) => signers.includes(key))) return true;
  return anchor.size > leaves.names.length ? false : failAt('anchor', anchor, 'no known key signed it');
};

/** @throws WrongError if the given key or the anchor does not fit the log */
export const startCheckpoints = (input: CheckpointInput): Checkpoints => {
  const keys = findKeys(input);
  const anchor = input.anchor === undefined ? undefined : readCheckpoint(input.anchor, 'anchor', input.origin);
  const isAnchorSigned = anchor !== undefined && checkAnchor(input.leaves, keys, anchor);
  return {
    ...input,
    keys,
    anchor,
    isAnchorSigned,
    range: EMPTY_RANGE,
    newest: undefined,
    cosignedSize: 0,
    unchecked: 0,
    count: 0,
  };
};

/** Hashes the leaves that come before this size, each once. */
const hashUpTo = (checkpoints: Checkpoints, size: number): Hash => {
  const { range, leaves } = checkpoints;
  const added = Array.from({ length: size - range.size }, (_, n) => hashAt(leaves, range.size + n));
  checkpoints.range = appendLeaves(range, added);
  return rootOf(checkpoints.range);
};

const checkRoot = (checkpoints: Checkpoints, checkpoint: SignedCheckpoint, kind: string): void => {
  if (isSameHash(hashUpTo(checkpoints, checkpoint.size), checkpoint.root)) return;
  const { leaves, tiles, newest } = checkpoints;
  const { difference } = tiles;
  if (difference !== undefined && difference.index < checkpoint.size) {
    const { kind: leafKind, id } = nameAt(leaves, difference.index);
    fail(leafKind, id, difference.index, `its leaf is not the one in the log (${difference.path} holds another)`);
  }
  // The file's checkpoints do not say where a log differs from one that was kept elsewhere.
  const from = kind === 'anchor' ? 0 : (newest?.size ?? 0);
  failAt(kind, checkpoint, `the leaves from ${from} to ${checkpoint.size - 1} do not give its root`);
};

const checkSignatures = ({ leaves, keys, newest }: Checkpoints, checkpoint: SignedCheckpoint): void => {
  const signers = reading('checkpoint', checkpoint, () => signersOf(checkpoint.note, keys));
  for (const key of findNeededKeys(checkpoint.size, newest?.size ?? 0, leaves.rotations, keys))
    if (!signers.includes(key)) failAt('checkpoint', checkpoint, `the key ${key.id} did not sign it`);
  if (signers.length === 0) failAt('checkpoint', checkpoint, 'no known key signed it');
  // The checkpoint may have any witness: the log's owner chooses them.
  if (signers.length < checkpoint.note.signatures.filter((one) => !isCosignature(one)).length)
    failAt('checkpoint', checkpoint, 'it carries a signature that no key of the log made');
};

/** If the leaves give the roots and a tile does not agree with them, the tile is wrong. */
const checkTiles = ({ tiles: { difference } }: Checkpoints): void => {
  if (difference !== undefined)
    fail('tile', difference.path, difference.index, 'it does not hold the hashes of its leaves');
};

const checkConsistency = (checkpoints: Checkpoints, older: Checkpoint, newer: Checkpoint): void => {
  const proof = buildProof(consistencyNodes(older.size, newer.size), (node) => nodeAt(checkpoints.tiles, node));
  if (verifyConsistency(older.size, newer.size, proof, older.root, newer.root)) return;
  checkTiles(checkpoints);
  failAt('checkpoint', newer, `it does not continue the one of ${older.size} leaves`);
};

export const addCheckpoint = (checkpoints: Checkpoints, line: Fields): void => {
  const { origin, leaves, anchor, newest } = checkpoints;
  const checkpoint = readCheckpoint(readText(line, 'note') ?? '', 'checkpoint', origin);
  const before = newest?.size ?? -1;
  if (checkpoint.size <= before || checkpoint.size > leaves.names.length)
    failAt('checkpoint', checkpoint, 'its size does not fit where it stands');
  // The anchor's turn comes where its size stands among theirs: leaves are hashed once, in order.
  if (anchor !== undefined && anchor.size <= checkpoint.size && anchor.size > before)
    checkRoot(checkpoints, anchor, 'anchor');
  checkRoot(checkpoints, checkpoint, 'checkpoint');
  checkSignatures(checkpoints, checkpoint);
  if (newest !== undefined) checkConsistency(checkpoints, newest, checkpoint);
  const { witnesses, atLeast } = checkpoints;
  const cosigned = reading('checkpoint', checkpoint, () => cosignersOf(checkpoint.note, witnesses));
  if (cosigned.length >= atLeast) checkpoints.cosignedSize = checkpoint.size;
  checkpoints.unchecked += checkpoint.note.signatures.filter(isCosignature).length - cosigned.length;
  checkpoints.newest = checkpoint;
  checkpoints.count += 1;
};

export const endCheckpoints = (checkpoints: Checkpoints): void => {
  const { origin, leaves, newest, claimed, keys } = checkpoints;
  const size = newest?.size ?? 0;
  if (size !== leaves.names.length) fail('checkpoint', origin, size, `no checkpoint covers the leaves from ${size} on`);
  // The signatures hold, so other keys in the header mean that the header was changed.
  const isSame = claimed.length === keys.length && claimed.every((one, n) => isSameKey(one, keys[n] ?? one));
  if (size > 0 && !isSame) fail('header', '', null, 'its keys are not the ones that the log was signed with');
  checkTiles(checkpoints);
};
