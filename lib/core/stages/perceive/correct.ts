/**
 * A message that corrects an earlier one of its chat. If that one still waits in the mailbox, its
 * words are replaced: no model has been asked about them. If nothing changed, nothing is done. Else
 * the correction is a message of its own, so that nothing is lost.
 */
import { ConditionError } from '../../base/errors.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { CORRECTION, type Signal, type TextPiece } from '../../signal/signal.ts';
import { allOf, contains, equals } from '../../store/condition.ts';
import { sessionKey, signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { Item, Table } from '../../store/table.ts';

const wordsOf = ({ payload }: Signal): readonly TextPiece[] =>
  payload.sensor === 'chat-message' ? payload.text.filter(({ text }) => text !== CORRECTION.text) : [];

const isSame = (one: readonly TextPiece[], other: readonly TextPiece[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The words stay the waiting message's own: only those of the same person replace them. */
const replace = async (table: Pick<Table, 'transact'>, item: Item, old: Signal, by: Signal): Promise<boolean> => {
  const first = old.payload.sensor === 'chat-message' && old.payload.text.at(0)?.text === CORRECTION.text;
  const text = [...(first ? [CORRECTION] : []), ...wordsOf(by)];
  const corrected: Signal = { ...old, payload: { sensor: 'chat-message', text } };
  try {
    await table.transact([
      {
        kind: 'check',
        key: sessionKey(old.space, old.session),
        condition: { name: 'the message waits', holds: contains('mailbox', old.id) },
      },
      {
        kind: 'update',
        key: signalKeys.record(old.space, old.id),
        change: { set: { signal: JSON.stringify(corrected) } },
        condition: {
          name: 'its words are as they were read',
          holds: allOf(equals('state', 'perceived'), equals('signal', item.signal)),
        },
      },
    ]);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};

/** A live location is edited every few seconds: nobody asks for an answer to each. */
const isMove = (signal: Signal): boolean => wordsOf(signal).some(({ label }) => label === 'location');

/** @returns why the signal ends here; undefined if it goes on as a message of its own */
export const correct = async (
  table: Pick<Table, 'load' | 'transact'>,
  { signal, corrects }: SignalRecord,
): Promise<string | undefined> => {
  const { mailbox = [], turn = '', recent = [] } = (await loadHead(table, signal)) ?? {};
  // In the order in which they came: the newest words of the message count.
  const ids = [...new Set([...recent, turn, ...mailbox])].filter((id) => id !== '' && id !== signal.id);
  const { items } = await loadNamed(table, { items: ids.map((id) => signalKeys.record(signal.space, id)) });
  const found = items
    .flatMap((item, n) => (item === undefined ? [] : [{ item, record: parseRecord(ids[n] ?? '', item) }]))
    .findLast(({ record }) => (record.corrects ?? record.message) === corrects);
  const moved = isMove(signal) ? 'a live location that moved' : undefined;
  if (found === undefined || found.record.forgottenAt !== undefined) return moved;
  const { item, record } = found;
  const { signal: old } = record;
  if (isSame(wordsOf(old), wordsOf(signal))) return 'the correction changed nothing';
  // The words and files of an album are those of several messages.
  if ((record.gathered ?? 1) > 1) return moved;
  const isTheirs = old.sender.id === signal.sender.id && old.sender.isApprover === signal.sender.isApprover;
  if (!isTheirs || !mailbox.includes(old.id) || !(await replace(table, item, old, signal))) return moved;
  return `its words replaced those of ${old.id}, which still waited`;
};
