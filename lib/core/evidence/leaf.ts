/**
 * A leaf of the evidence log: which record came to be or changed, by whose signal, and its hash.
 * It holds hashes and ids only, so forgetting never touches the log. The tree hashes its RFC 8785
 * text. Another version is refused. `verifier/read-leaf.ts` reads the same form without a schema
 * library. A decision's leaf of version 2 vouches for its signal too; older logs have version 1.
 */
import * as z from 'zod/mini';
import { canonicalJson } from '../base/canonical.ts';
import { ProtocolError } from '../base/errors.ts';
import { LEAF_CHANGES_MAX } from '../base/limits.ts';
import { LEAF_BYTES_MAX } from './limits.ts';

const Hex256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const Id = z.string().check(z.minLength(1), z.maxLength(256));

/** An object of a commit by its hashes; null if it did not exist or is forgotten. */
export const LeafChange = z.strictObject({ id: Id, old: z.nullable(Hex256), new: z.nullable(Hex256) });
export type LeafChange = z.infer<typeof LeafChange>;

const common = {
  v: z.literal(1),
  space: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  /**
   * A signal's id (of decisions and occurrences), `<signal>#<n>` of an effect, an approval's
   * reference, a commit's number, `<job>#<n>` of a version, `<signal>#<skill>#<hash>`. A runner's
   * records have the id of their effect.
   */
  id: Id,
  /** Hash of the record as it is from this leaf on (`record-hash.ts`). */
  hash: Hex256,
  /** Signal that caused it; empty for a rotation and a right, which name none. */
  signal: z.string().check(z.maxLength(256)),
  /** The sender as the ingress authenticated them; `system` for code alone. */
  actor: z.string().check(z.maxLength(256)),
  at: z.int().check(z.nonnegative()),
  /** Time of the leaf, only if it came later than the merge delay. */
  loggedAt: z.optional(z.int().check(z.nonnegative())),
};

export const Leaf = z.discriminatedUnion('kind', [
  z.discriminatedUnion('v', [
    z.strictObject({ kind: z.literal('decision'), ...common }),
    /** `envelope`: hash of the stored signal, by which a restore knows who said what. */
    z.strictObject({ kind: z.literal('decision'), ...common, v: z.literal(2), envelope: Hex256 }),
  ]),
  z.strictObject({
    kind: z.literal('effect'),
    ...common,
    state: z.enum(['suspended', 'claimed', 'done', 'failed', 'unknown', 'refused']),
  }),
  z.strictObject({
    kind: z.literal('approval'),
    ...common,
    state: z.enum(['pending', 'approved', 'denied', 'expired', 'spent']),
  }),
  z.strictObject({
    kind: z.literal('commit'),
    ...common,
    /** Objects changed. */
    count: z.int().check(z.nonnegative()),
    /** The changes, unless there are too many for a leaf: then only the record names them. */
    changes: z.optional(z.array(LeafChange).check(z.maxLength(LEAF_CHANGES_MAX))),
  }),
  z.strictObject({
    kind: z.literal('rotation'),
    ...common,
    /** Verifier keys. Both sign the next checkpoint, the new one alone signs later ones. */
    oldKey: z.string().check(z.maxLength(512)),
    newKey: z.string().check(z.maxLength(512)),
  }),
  z.strictObject({ kind: z.literal('tombstone'), ...common }),
  /** A right came, changed or went; its hash is over its row (`../log/rights.ts`). */
  z.strictObject({ kind: z.literal('right'), ...common }),
  z.strictObject({
    kind: z.literal('occurrence'),
    ...common,
    state: z.enum(['fired', 'late', 'skipped', 'missed', 'failed', 'unknown', 'did-nothing', 'stopped']),
  }),
  z.strictObject({
    kind: z.literal('job'),
    ...common,
    state: z.enum(['active', 'paused', 'ended', 'removed']),
  }),
  z.strictObject({ kind: z.literal('skill'), ...common }),
  z.strictObject({ kind: z.enum(['runner-job', 'runner-receipt', 'runner-result']), ...common }),
]);
export type Leaf = z.infer<typeof Leaf>;

/** The bytes that the tree hashes. @throws ProtocolError if the leaf does not fit */
export const buildLeafBytes = (leaf: Leaf): Uint8Array => {
  const parsed = Leaf.safeParse(leaf);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole');
    throw new ProtocolError(`a leaf does not fit: ${fields.join(', ')}`);
  }
  const bytes = Buffer.from(canonicalJson(parsed.data));
  if (bytes.length > LEAF_BYTES_MAX) throw new ProtocolError('a leaf is too long');
  return bytes;
};

/** @throws ProtocolError unless `buildLeafBytes` makes exactly these bytes of a leaf */
export const parseLeafBytes = (bytes: Uint8Array): Leaf => {
  const text = Buffer.from(bytes).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProtocolError('a leaf is not JSON');
  }
  const parsed = Leaf.safeParse(value);
  if (!parsed.success) throw new ProtocolError('a leaf does not have a form this release knows');
  if (canonicalJson(parsed.data) !== text) throw new ProtocolError('a leaf is not in canonical form');
  return parsed.data;
};
