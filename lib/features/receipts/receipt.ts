/**
 * Makes the receipt of one action, which a stranger checks without this program
 * (`../evidence/RECEIPTS.md`): its decision, approval and effect with their leaves, the proofs that
 * the log holds them, and a signed checkpoint. Reads only.
 */
import { canonicalJson } from '../../core/base/canonical.ts';
import { NotFoundError, StoredItemError } from '../../core/base/errors.ts';
import { parseCheckpoint } from '../../core/evidence/checkpoint.ts';
import { inclusionNodes } from '../../core/evidence/proofs.ts';
import { effectId, recordHash } from '../../core/evidence/record-hash.ts';
import { parseVerifierKey } from '../../core/evidence/signed-note.ts';
import { parseEntryBundle, TILE_WIDTH } from '../../core/evidence/tiles.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import { loadSignalRecords } from '../../core/log/collect.ts';
import { buildApprovalRecord, buildSignalRecords, type LooseRecord } from '../../core/log/evidence-records.ts';
import { loadProof } from '../../core/log/load-proof.ts';
import { loadCheckpoints, loadKeys, loadTile } from '../../core/log/read-log.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { FullReadTable } from '../../core/store/table.ts';

/** Checkpoints after the action among which the one with the most cosignatures is taken. */
const CHECKPOINTS_COMPARED_MAX = 20;

const markOf = ({ kind, id }: LooseRecord, n: number): string => {
  if (kind === 'effect') return `effect#${n}`;
  return kind === 'approval' ? `approval#${id}` : kind;
};

const loadEntry = async (table: FullReadTable, space: string, leaf: number): Promise<string> => {
  const [index, width] = [Math.floor(leaf / TILE_WIDTH), (leaf % TILE_WIDTH) + 1];
  const bytes = await loadTile(table, space, { level: 'entries', index, width });
  if (bytes === undefined) throw new StoredItemError('the log', `entry ${leaf} is missing`);
  return Buffer.from(parseEntryBundle(bytes, width).at(-1) ?? []).toString();
};

/** Of the first checkpoints that cover the leaf, the one with the most signatures. */
const chooseCheckpoint = async (table: FullReadTable, space: string, leaf: number) => {
  const notes = (await loadCheckpoints(table, space, leaf)).slice(0, CHECKPOINTS_COMPARED_MAX);
  const [best] = notes
    .map(({ note, size }) => ({ note, size, parsed: parseCheckpoint(note).note }))
    .sort((a, b) => b.parsed.signatures.length - a.parsed.signatures.length || a.size - b.size);
  return best;
};

/** No character of it moves a cursor, and no terminal or editor changes it. */
export const receiptText = (receipt: object): string =>
  JSON.stringify(receipt, null, 1).replace(
    /[^\n -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @returns undefined until the log holds it. @throws NotFoundError */
export const buildReceipt = async (
  table: FullReadTable,
  space: string,
  id: string,
  hasContent: boolean,
): Promise<object | undefined> => {
  const [, signalId = '', digits = ''] = /^(.{1,256})#(\d{1,4})$/.exec(id) ?? [];
  const item = signalId === '' ? undefined : await loadItem(table, signalKeys.record(space, signalId));
  const collected = item === undefined ? undefined : await loadSignalRecords(table, parseRecord(signalId, item));
  const n = Number(digits);
  const effect = collected?.records.effects.find((one) => one.n === n);
  if (collected === undefined || effect === undefined)
    throw new NotFoundError('I know of no such action: a receipt is of <signal>#<n>, as “why” names it');
  const { records: all, marks } = collected;
  const approval = all.approvals.find((one) => one.id === effect.approvalId);
  const wanted = [`decision ${signalId}`, `effect ${effectId(signalId, n)}`];
  if (approval !== undefined) wanted.push(`approval ${buildApprovalRecord(approval).id}`);
  const loose = buildSignalRecords(all).filter((one) => wanted.includes(`${one.kind} ${one.id}`));
  const placed = loose.flatMap((record) => {
    const mark = marks[markOf(record, n)];
    return mark?.hash === recordHash(record.kind, record.fixed) ? [{ ...record, index: mark.index }] : [];
  });
  const last = Math.max(...placed.map(({ index }) => index));
  const chosen = placed.length < wanted.length ? undefined : await chooseCheckpoint(table, space, last);
  if (chosen === undefined) return undefined;
  const { note, size, parsed } = chosen;
  const keys = (await loadKeys(table, space)).map((text) => ({ text, key: parseVerifierKey(text) }));
  const signer = keys.findLast(({ key }) => parsed.signatures.some(({ keyId }) => keyId === key.id));
  const records = placed.map(async ({ kind, fixed, index }) => ({
    kind,
    record: canonicalJson(fixed),
    leaf: await loadEntry(table, space, index),
    index,
    proof: (await loadProof(table, space, inclusionNodes(index, size), size)).map((hash) =>
      Buffer.from(hash).toString('base64'),
    ),
  }));
  const action = all.decision?.actions[n]?.action;
  // The bytes of a card hold an approval's id. A forgotten decision has no action.
  const isShown =
    hasContent && action !== undefined && action.card === undefined && all.decision?.forgottenAt === undefined;
  return {
    type: 'passepartout-receipt',
    version: 1,
    key: signer?.text ?? '',
    ...(isShown ? { action: canonicalJson(action) } : {}),
    records: await Promise.all(records),
    checkpoint: note,
  };
};
