/**
 * A check of the evidence log that a chat can have at once: its newest checkpoint is signed by the
 * key it names, the last entries give the checkpoint's root, and the newest records are what their
 * leaves say. It reads the end of the log only, and trusts the key in the table: the proof is
 * `evidence export` with `verify`. Reads only.
 */

import { StoredItemError } from '../base/errors.ts';
import { parseCheckpoint } from '../evidence/checkpoint.ts';
import { parseLeafBytes } from '../evidence/leaf.ts';
import { isSameHash, rootOf } from '../evidence/merkle.ts';
import type { RecordKind } from '../evidence/record-hash.ts';
import { parseVerifierKey, signersOf } from '../evidence/signed-note.ts';
import { parseEntryBundle, TILE_WIDTH } from '../evidence/tiles.ts';
import { parseRecord } from '../ledger/ledger.ts';
import type { SignalRecord } from '../ledger/record.ts';
import { signalKeys } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { FullReadTable } from '../store/table.ts';
import { loadLogState } from './append.ts';
import { loadSignalRecords } from './collect.ts';
import { findDueLeaves } from './due-leaves.ts';
import { loadCheckpoint, loadKeys, loadTile } from './read-log.ts';

/** Signals whose records are compared: a chat is answered within a second. */
const QUICK_CHECK_SIGNALS_MAX = 20;

/** Whether records of a kind lie with their signal. */
const LIES_WITH_SIGNAL: Readonly<Record<RecordKind, boolean>> = {
  ...{ decision: true, effect: true, occurrence: true, job: true, skill: true },
  ...{ 'runner-job': true, 'runner-receipt': true, 'runner-result': true },
  ...{ approval: false, commit: false, tombstone: false, rotation: false, right: false },
};

/** Signals of the newest leaves, newest first. */
const newestSignals = async (table: FullReadTable, space: string, size: number): Promise<readonly string[]> => {
  const index = Math.floor((size - 1) / TILE_WIDTH);
  const width = size - index * TILE_WIDTH;
  const bytes = await loadTile(table, space, { level: 'entries', index, width });
  if (bytes === undefined) throw new StoredItemError('the log', 'its last entries are missing');
  const signals = parseEntryBundle(bytes, width)
    .map(parseLeafBytes)
    .flatMap(({ kind, signal }) => (LIES_WITH_SIGNAL[kind] ? [signal] : []));
  return [...new Set(signals.reverse())].slice(0, QUICK_CHECK_SIGNALS_MAX);
};

const loadRecord = async (table: FullReadTable, space: string, id: string): Promise<SignalRecord | undefined> => {
  const item = await loadItem(table, signalKeys.record(space, id));
  return item === undefined ? undefined : parseRecord(id, item);
};

/** @returns the problem of a signal's records, if there is one */
const checkSignal = async (table: FullReadTable, space: string, id: string): Promise<string | undefined> => {
  const record = await loadRecord(table, space, id);
  if (record === undefined) return `the record of ${id} is missing`;
  const { records, marks } = await loadSignalRecords(table, record);
  const [changed] = findDueLeaves(records, marks);
  // A signal in the index may have changed: the log's writer has yet to come by.
  if (changed === undefined || record.unfinishedSpace !== undefined) return undefined;
  // Taken up again while it was read: it changed after its record was read.
  const after = await loadRecord(table, space, id);
  if (after?.unfinishedSpace !== undefined || after?.ends !== record.ends) return undefined;
  return `the ${changed.leaf.kind} ${changed.leaf.id} is not what the log says`;
};

/** Lines for a person; the first says whether the log is in order. */
export const quickCheck = async (table: FullReadTable, space: string): Promise<readonly string[]> => {
  try {
    const { head, edge } = await loadLogState(table, space);
    if (head === undefined) return ['The evidence log is still empty.'];
    const note = await loadCheckpoint(table, space, head.checkpointSize);
    if (note === undefined) return ['WRONG: the newest checkpoint is missing.'];
    const { size, root, note: signed } = parseCheckpoint(note);
    const keys = (await loadKeys(table, space)).map(parseVerifierKey);
    if (signersOf(signed, keys).length === 0) return ['WRONG: no key of the log signed its newest checkpoint.'];
    if (size === edge.range.size && !isSameHash(root, rootOf(edge.range)))
      return ['WRONG: the log does not give the root of its newest checkpoint.'];
    const ids = await newestSignals(table, space, edge.range.size);
    for (const id of ids) {
      const problem = await checkSignal(table, space, id);
      if (problem !== undefined) return [`WRONG: ${problem}.`];
    }
    return [
      `The evidence log is in order as far as looked: ${edge.range.size} leaves, checkpoint of ${size} signed.`,
      `The records of the newest ${ids.length} signals are what their leaves say.`,
      'All of it, against a key and an anchor: npx passepartout evidence export --out evidence.jsonl',
    ];
  } catch (error) {
    if (error instanceof StoredItemError || (error instanceof Error && error.name === 'ProtocolError'))
      return [`WRONG: ${error.message}.`];
    throw error;
  }
};
