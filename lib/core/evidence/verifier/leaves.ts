/**
 * The leaves of an export, in order. Checks each by itself and against those before it: form,
 * place, space and time; one decision for each signal; nothing after an end; keys that follow from
 * each other. Keeps 32 bytes of each leaf, and the last leaf of each record.
 */
import { hashOf } from '../../base/canonical.ts';
import { HASH_BYTES, type Hash, leafHash } from '../merkle.ts';
import { recordHash } from '../record-hash.ts';
import { parseVerifierKey, type VerifierKey } from '../signed-note.ts';
import { type Fields, fail, readCount, readText } from './fields.ts';
import { MOMENT_DELAY_MS } from './job-moments.ts';
import { type ReadLeaf, readLeaf } from './read-leaf.ts';

/** The verifier keeps some 200 bytes of each leaf. */
const EXPORT_LEAVES_MAX = 4_000_000;

export interface LastLeaf {
  readonly index: number;
  readonly hash: string;
  readonly state: string;
  readonly count: number;
  /** Leaves of the record so far. */
  readonly leaves: number;
  /** Hash of the changes that a commit's leaf names; empty if it names none. */
  readonly changes: string;
}

export interface Rotation {
  readonly index: number;
  readonly oldKey: VerifierKey;
  readonly newKey: VerifierKey;
}

export interface Leaves {
  readonly space: string;
  readonly origin: string;
  /** A leaf with a later time is refused, epoch milliseconds. */
  readonly latestAt: number;
  /** Hashes of all leaves, with room for more. */
  hashes: Buffer;
  /** `<kind> <id>` of each leaf. */
  readonly names: string[];
  /** Last leaf of each record, by `<kind> <id>`. */
  readonly last: Map<string, LastLeaf>;
  readonly rotations: Rotation[];
  /** Leaves that say that they were added later than the merge delay. */
  lateCount: number;
  /** Time of the newest leaf, epoch milliseconds; 0 without one. */
  newestAt: number;
  /** Newest time of what happened, which is earlier than a leaf that came late. */
  happenedAt: number;
  /** The times around the last long pause, in which nothing happened. */
  pause: { readonly from: number; readonly to: number };
}

const FIRST_LEAVES = 1024;

export const startLeaves = (space: string, origin: string, latestAt: number): Leaves => ({
  space,
  origin,
  latestAt,
  hashes: Buffer.alloc(FIRST_LEAVES * HASH_BYTES),
  names: [],
  last: new Map(),
  rotations: [],
  lateCount: 0,
  newestAt: 0,
  happenedAt: 0,
  pause: { from: 0, to: 0 },
});

export const hashAt = ({ hashes }: Leaves, index: number): Hash =>
  hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);

export const nameAt = ({ names }: Leaves, index: number): { readonly kind: string; readonly id: string } =>
  splitName(names[index] ?? 'leaf ');

/** `<kind> <id>` in its two parts. */
export const splitName = (name: string): { readonly kind: string; readonly id: string } => {
  const gap = name.indexOf(' ');
  return { kind: name.slice(0, gap), id: name.slice(gap + 1) };
};

/** Hash of a list of changes, as a commit's leaf or its record has it. */
export const hashChanges = (changes: unknown): string => hashOf('commit-record', changes);

const readRotation = (leaf: ReadLeaf, index: number, before: Rotation | undefined, origin: string): Rotation => {
  const [oldText, newText] = [readText(leaf.fields, 'oldKey') ?? '', readText(leaf.fields, 'newKey') ?? ''];
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

/** Records that may have several leaves; a tombstone if more lost its content with the object. */
const CHANGING: readonly string[] = ['effect', 'approval', 'tombstone', 'occurrence', 'right'];
/** States that nothing follows. A person may have a failed effect tried again. */
const ENDED: Readonly<Record<string, readonly string[]>> = {
  effect: ['done', 'refused'],
  approval: ['spent', 'denied', 'expired'],
  occurrence: ['skipped', 'missed', 'failed', 'unknown', 'did-nothing', 'stopped'],
};
/** An occurrence runs, and then it is closed. */
const OCCURRENCE_LEAVES_MAX = 2;

const checkOrder = (leaf: ReadLeaf, index: number, before: LastLeaf | undefined): void => {
  if (before === undefined) return;
  if (!CHANGING.includes(leaf.kind))
    fail(leaf.kind, leaf.id, index, `it has a leaf already, ${before.index}, and may have only one`);
  const isClosed = leaf.kind === 'occurrence' && before.leaves >= OCCURRENCE_LEAVES_MAX;
  if (isClosed || ENDED[leaf.kind]?.includes(before.state) === true)
    fail(leaf.kind, leaf.id, index, `it had ended at leaf ${before.index} (${before.state})`);
};

const checkTimes = ({ latestAt }: Leaves, { kind, id, at, loggedAt }: ReadLeaf, index: number): void => {
  if (loggedAt !== undefined && (loggedAt <= at || loggedAt > latestAt))
    fail(kind, id, index, 'its leaf says it was added at a time that cannot be');
  if (at > latestAt) fail(kind, id, index, 'its leaf is younger than the export');
};

const keepLeaf = (leaves: Leaves, { kind, id, hash, state, fields }: ReadLeaf, text: string): void => {
  const index = leaves.names.length;
  const { hashes, names, last } = leaves;
  if (hashes.length === index * HASH_BYTES) leaves.hashes = Buffer.concat([hashes, Buffer.alloc(hashes.length)]);
  leaves.hashes.set(leafHash(Buffer.from(text)), index * HASH_BYTES);
  const name = `${kind} ${id}`;
  names.push(name);
  const changes = fields.changes === undefined ? '' : hashChanges(fields.changes);
  const ordinal = (last.get(name)?.leaves ?? 0) + 1;
  last.set(name, { index, hash, state, count: readCount(fields, 'count') ?? 0, leaves: ordinal, changes });
};

const noteTime = (leaves: Leaves, at: number, loggedAt: number | undefined): void => {
  const { newestAt, happenedAt } = leaves;
  if (at > happenedAt + MOMENT_DELAY_MS) leaves.pause = { from: happenedAt, to: at };
  leaves.newestAt = Math.max(newestAt, loggedAt ?? at);
  leaves.happenedAt = Math.max(happenedAt, at);
};

/**
 * Moments of jobs up to here have their occurrence. A pause of the log may be a time at which
 * nothing ran: after it, what was missed is accounted for within minutes.
 */
export const dueTo = ({ happenedAt, pause }: Leaves): number =>
  (happenedAt - pause.to < MOMENT_DELAY_MS ? pause.from : happenedAt) - MOMENT_DELAY_MS;

export const addLeaf = (leaves: Leaves, line: Fields): void => {
  const { space, origin, names, last, rotations } = leaves;
  const due = names.length;
  const index = readCount(line, 'index');
  const text = readText(line, 'leaf') ?? '';
  if (due >= EXPORT_LEAVES_MAX) fail('log', '', due, 'it has more leaves than this verifier takes');
  const leaf = readLeaf(text) ?? fail('leaf', String(index ?? ''), due, 'it is not a leaf in canonical form');
  const { kind, id, at, loggedAt } = leaf;
  if (index !== due) fail(kind, id, due, `its leaf stands where ${due} is due and says ${String(line.index)}`);
  if (leaf.space !== space) fail(kind, id, due, 'its leaf is of another space');
  checkTimes(leaves, leaf, due);
  if (loggedAt !== undefined) leaves.lateCount += 1;
  // A right has the time of its leaf, at which nothing else need have happened.
  if (kind === 'right') leaves.newestAt = Math.max(leaves.newestAt, at);
  else noteTime(leaves, at, loggedAt);
  if (kind === 'rotation') rotations.push(readRotation(leaf, due, rotations.at(-1), origin));
  checkOrder(leaf, due, last.get(`${kind} ${id}`));
  keepLeaf(leaves, leaf, text);
};
