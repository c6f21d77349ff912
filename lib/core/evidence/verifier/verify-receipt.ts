/**
 * Verifies a receipt: one action with its decision, approval and effect, the proof that the log
 * holds each, and the checkpoint that signs the log. Uses the rules of an export for what belongs
 * together. Imports nothing but what the verifier of exports has. `../RECEIPTS.md` has the format.
 */
import { canonicalJson, hashOf } from '../../base/canonical.ts';
import { ProtocolError } from '../../base/errors.ts';
import { originOf, parseCheckpoint, type SignedCheckpoint } from '../checkpoint.ts';
import { type Cosigned, cosignersOf } from '../cosignature.ts';
import { type Hash, leafHash } from '../merkle.ts';
import { verifyInclusion } from '../proofs.ts';
import { type FixedApproval, type FixedDecision, type FixedEffect, recordHash } from '../record-hash.ts';
import { parseVerifierKey, signersOf, type VerifierKey } from '../signed-note.ts';
import { addApproval, addDecision, addEffect, endEffects, startEffects } from './effects.ts';
import {
  type Fields,
  fail,
  hasExactly,
  readCount,
  readFieldList,
  readFields,
  readList,
  readText,
  type Wrong,
  WrongError,
} from './fields.ts';
import { readLeaf } from './read-leaf.ts';
import { readFixed } from './record-forms.ts';
import { idOf } from './record-state.ts';

export const RECEIPT_TYPE = 'passepartout-receipt';

export interface ReceiptOptions {
  /** Verifier key of the log; without it the one that the receipt names. */
  readonly key?: string | undefined;
  readonly witnesses?: readonly VerifierKey[];
  /** How many of the witnesses must have cosigned. */
  readonly atLeast?: number;
}

export interface VerifiedReceipt {
  /** `consistent`: no key was given. `incomplete`: too few witnesses cosigned. */
  readonly status: 'verified' | 'consistent' | 'incomplete';
  readonly isKeyGiven: boolean;
  /** Witnesses too few. */
  readonly missing: number;
  readonly origin: string;
  /** Leaves of the checkpoint. */
  readonly size: number;
  readonly key: VerifierKey;
  /** The action, if the receipt shows it. */
  readonly action: Fields | undefined;
  readonly decision: FixedDecision;
  readonly approval: FixedApproval | undefined;
  readonly effect: FixedEffect;
  /** Of the given witnesses, those that cosigned the checkpoint. */
  readonly cosigned: readonly Cosigned[];
}

export type ReceiptResult = VerifiedReceipt | { readonly status: 'wrong'; readonly wrong: Wrong };

const parseText = (kind: string, text: string | undefined): Fields => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (canonicalJson(value) === text) return readFields(value) ?? fail(kind, '', null, 'it is not a JSON object');
  } catch {
    // It is refused below, as any other form.
  }
  return fail(kind, '', null, 'it is not canonical JSON');
};

const HASH = /^[A-Za-z0-9+/]{43}=$/;

const readProof = (fields: Fields): readonly Hash[] =>
  (readList(fields, 'proof') ?? []).map((hash) =>
    typeof hash === 'string' && HASH.test(hash)
      ? Buffer.from(hash, 'base64')
      : fail('receipt', '', null, 'a proof is not a list of hashes'),
  );

/** The record of the line, if its leaf holds its hash and the log holds its leaf. */
const readPlaced = (line: Fields, { origin, size, root }: SignedCheckpoint) => {
  const text = readText(line, 'leaf') ?? '';
  const leaf = readLeaf(text) ?? fail('receipt', '', null, 'a leaf does not have a known form');
  const index = readCount(line, 'index') ?? 0;
  const { kind, id } = leaf;
  if (!hasExactly(line, ['kind', 'record', 'leaf', 'index', 'proof']) || line.kind !== kind)
    fail(kind, id, index, 'it has a member too many, or one is missing or of another kind');
  if (originOf(leaf.space) !== origin) fail(kind, id, index, 'its leaf is of another log');
  if (!verifyInclusion(leafHash(Buffer.from(text)), index, size, readProof(line), root))
    fail(kind, id, index, 'the log that the checkpoint signs does not hold its leaf there');
  const fixed = readFixed(kind, parseText(kind, readText(line, 'record')));
  if (fixed === undefined) return fail(kind, id, index, 'its record does not have a known form');
  if (recordHash(kind, fixed.record) !== leaf.hash)
    fail(kind, id, index, 'it was changed: its hash is not the one in the log');
  if (idOf(fixed, id) !== id) fail(kind, id, index, 'its leaf is of another record');
  return { id, index, fixed };
};

type PlacedRecord = ReturnType<typeof readPlaced>;

/** The records of a receipt, in the order that it has them. */
const checkTogether = (records: readonly PlacedRecord[]) => {
  const effects = startEffects(new Map());
  const found: { decision?: FixedDecision; approval?: FixedApproval; effect?: FixedEffect } = {};
  for (const { id, index, fixed } of records) {
    const { kind, record } = fixed;
    if (kind !== 'decision' && kind !== 'approval' && kind !== 'effect')
      return fail(kind, id, index, 'a receipt has no such record');
    if (found[kind] !== undefined) fail(kind, id, index, 'a receipt has one');
    Object.assign(found, { [kind]: record });
    if (kind === 'decision') addDecision(effects, { id, index, fixed: record });
    if (kind === 'approval') addApproval(effects, { id, index, fixed: record });
    if (kind === 'effect') addEffect(effects, { id, index, fixed: record });
  }
  endEffects(effects);
  const { decision, effect, approval } = found;
  if (decision === undefined || effect === undefined)
    return fail('receipt', '', null, 'it lacks the decision or the effect');
  if (approval?.ref !== effect.approval) return fail('receipt', '', null, 'its approval is not the one of the effect');
  return { decision, effect, approval };
};

const verify = (text: string, options: ReceiptOptions): VerifiedReceipt => {
  const receipt = readFields(JSON.parse(text)) ?? {};
  if (receipt.type !== RECEIPT_TYPE || receipt.version !== 1)
    fail('receipt', '', null, 'this is not a receipt of a known version');
  const isWhole = hasExactly(receipt, ['type', 'version', 'key', 'records', 'checkpoint'], ['action']);
  if (!isWhole) fail('receipt', '', null, 'it has a member too many, or one is missing');
  const key = parseVerifierKey(options.key ?? readText(receipt, 'key') ?? '');
  const checkpoint = parseCheckpoint(readText(receipt, 'checkpoint') ?? '');
  const { origin, size, note } = checkpoint;
  if (signersOf(note, [key]).length === 0 || key.name !== origin)
    fail('checkpoint', `${origin} ${size}`, null, `the key ${key.id} did not sign it`);
  const lines = readFieldList(receipt, 'records') ?? [];
  const together = checkTogether(lines.map((line) => readPlaced(line, checkpoint)));
  const action = Object.hasOwn(receipt, 'action') ? parseText('action', readText(receipt, 'action')) : undefined;
  if (action !== undefined && hashOf('action', action) !== together.effect.actionHash)
    fail('action', '', null, 'it is not the one that was decided');
  const cosigned = cosignersOf(note, options.witnesses ?? []);
  const missing = Math.max(0, (options.atLeast ?? 0) - cosigned.length);
  const isKeyGiven = options.key !== undefined;
  const status = missing > 0 ? 'incomplete' : isKeyGiven ? 'verified' : 'consistent';
  return { status, isKeyGiven, missing, origin, size, key, action, ...together, cosigned };
};

/** Never throws for what a receipt holds. */
export const verifyReceipt = (text: string, options: ReceiptOptions): ReceiptResult => {
  try {
    return verify(text, options);
  } catch (error) {
    if (error instanceof WrongError) return { status: 'wrong', wrong: error.wrong };
    if (!(error instanceof ProtocolError) && !(error instanceof SyntaxError)) throw error;
    return { status: 'wrong', wrong: { kind: 'receipt', id: '', index: null, what: error.message } };
  }
};
