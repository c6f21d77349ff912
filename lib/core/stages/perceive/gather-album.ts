/**
 * Makes one message of an album, whose pictures or files come as messages of their own. The first
 * that is taken up waits a fixed time, then takes over what came of the others in one transaction:
 * none is lost and none is read twice. One that comes later is a message of its own, and so are
 * those for which a message has no room.
 */
import { ConditionError, ContendedError, RetryLaterError } from '../../base/errors.ts';
import { SECOND_MS } from '../../base/limits.ts';
import { endedAs, parseRecord } from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { ATTACHMENT_LABEL } from '../../signal/attachment.ts';
import { neighboursOf } from '../../signal/ids.ts';
import { type Signal, TEXT_PIECES_MAX, type TextPiece } from '../../signal/signal.ts';
import { absent, allOf, equals } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { Table, Write } from '../../store/table.ts';

/** Telegram sends all of an album at once. */
const ALBUM_WAIT_MS = 2 * SECOND_MS;
/** Updates of other chats come in between. */
const ALBUM_REACH = 45;

const textOf = ({ payload }: Signal): readonly TextPiece[] => (payload.sensor === 'chat-message' ? payload.text : []);

/**
 * Words of all first. A line that several messages have alike, such as their sender, is said once.
 */
const joinPieces = (members: readonly SignalRecord[]): readonly TextPiece[] => {
  const texts = members.map(({ signal }) => textOf(signal));
  const fileAt = (text: readonly TextPiece[]) => text.findIndex(({ label }) => label === ATTACHMENT_LABEL);
  const pieces = [
    ...texts.flatMap((text) => text.slice(0, fileAt(text))),
    ...texts.flatMap((text) => text.slice(fileAt(text))),
  ];
  const seen = new Set<string>();
  return pieces.filter((piece) => !seen.has(JSON.stringify(piece)) && seen.add(JSON.stringify(piece)));
};

/** As many of an album as one message has room for, in the order they were sent. */
const chooseMembers = (first: SignalRecord, others: readonly SignalRecord[]): readonly SignalRecord[] => {
  let chosen = [first];
  for (const one of others) {
    const more = [...chosen, one].toSorted((a, b) => (a.message ?? 0) - (b.message ?? 0));
    if (joinPieces(more).length <= TEXT_PIECES_MAX) chosen = more;
  }
  return chosen;
};

const isPartOf = ({ album, signal }: SignalRecord, other: SignalRecord): boolean =>
  other.state === 'received' &&
  other.album === album &&
  other.signal.session === signal.session &&
  other.signal.sender.id === signal.sender.id &&
  other.signal.sender.isApprover === signal.sender.isApprover &&
  textOf(other.signal).some(({ label }) => label === ATTACHMENT_LABEL);

interface GatherDeps {
  readonly table: Pick<Table, 'load' | 'transact'>;
  readonly now: () => number;
}

/** @returns the record with all words and files. @throws RetryLaterError until it is time */
export const gatherAlbum = async ({ table, now }: GatherDeps, record: SignalRecord): Promise<SignalRecord> => {
  const { signal } = record;
  if (record.gathered !== undefined || !textOf(signal).some(({ label }) => label === ATTACHMENT_LABEL)) return record;
  const leftMs = signal.receivedAt + ALBUM_WAIT_MS - now();
  if (leftMs > 0) throw new RetryLaterError('the rest of its album may still come', leftMs);
  const ids = neighboursOf(signal.id, ALBUM_REACH);
  const { items } = await loadNamed(table, { items: ids.map((id) => signalKeys.record(signal.space, id)) });
  const others = items
    .flatMap((item, n) => (item === undefined ? [] : [parseRecord(ids[n] ?? '', item)]))
    .filter((other) => isPartOf(record, other));
  const members = chooseMembers(record, others);
  const whole: Signal = { ...signal, payload: { sensor: 'chat-message', text: [...joinPieces(members)] } };
  const taken = members.filter(({ signal: { id } }) => id !== signal.id);
  try {
    await table.transact([
      takeOver(whole, members.length),
      ...taken.map((one) => handOn(one.signal, signal.id, now())),
    ]);
  } catch (error) {
    if (error instanceof ConditionError) throw new ContendedError('the album', 1);
    throw error;
  }
  return { ...record, signal: whole, gathered: members.length };
};

const takeOver = (signal: Signal, gathered: number): Write => ({
  kind: 'update',
  key: signalKeys.record(signal.space, signal.id),
  change: { set: { signal: JSON.stringify(signal), gathered } },
  condition: { name: 'the album is not gathered yet', holds: allOf(equals('state', 'perceived'), absent('gathered')) },
});

/** Its words go on in the other message alone, so that they are forgotten with it. */
const handOn = (signal: Signal, to: string, now: number): Write => {
  const note: TextPiece = { text: `[a part of the album of ${to}]`, origin: 'agent', label: 'note' };
  const left: Signal = { ...signal, payload: { sensor: 'chat-message', text: [note] } };
  const ending = endedAs(signal.space, 'dropped', now, `it is a part of ${to}`, { code: 'album' });
  return {
    kind: 'update',
    key: signalKeys.record(signal.space, signal.id),
    change: { ...ending, set: { ...ending.set, signal: JSON.stringify(left) } },
    condition: { name: 'nobody took it up', holds: equals('state', 'received') },
  };
};
