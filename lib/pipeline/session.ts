/**
 * Turn order: one turn at a time in a session. A turn is named by its root; its signals pass, later roots wait in the
 * mailbox until the turn ends or suspends. Whoever ends a turn hands it on in the same write.
 */
import {
  absent,
  allOf,
  anyOf,
  type Condition,
  contains,
  differs,
  equals,
  isEmptyList,
  not,
  present,
  shorterThan,
  startsWithElement,
} from '../aws/condition.ts';
import { sessionKey } from '../aws/keys.ts';
import type { Item, Table } from '../aws/table.ts';
import type { Charge } from '../budget/day-spend.ts';
import { ConditionError, UnavailableError } from '../errors.ts';
import { CONFLICT_TRIES_MAX, HISTORY_TURNS_KEPT, HISTORY_TURNS_MAX, MAILBOX_MAX } from '../limits.ts';
import { isSummaryId } from '../signal/ids.ts';
import type { Signal } from '../signal/signal.ts';
import { parseStored, SessionHead } from './record.ts';

export const parseHead = (session: string, item: Item): SessionHead =>
  parseStored(`session ${session}`, item, SessionHead);

const rootOf = (signalId: string): string => signalId.split('/')[0] ?? signalId;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

/** `running`: it is this signal's turn. `waiting`: it is in the mailbox. `full`: the mailbox takes no more. */
export type Entry =
  | { readonly kind: 'running'; readonly head: SessionHead }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'full' };

type SessionTable = Pick<Table, 'update'>;

/** Takes the turn for a signal's root, or puts the signal into the mailbox. Repeating it changes nothing. */
export const enterTurn = async (table: SessionTable, signal: Signal, now: number): Promise<Entry> => {
  const key = sessionKey(signal.space, signal.session);
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    const taken = await tryTake(table, signal, now);
    if (!('busy' in taken)) return { kind: 'running', head: taken };
    const head = taken.busy;
    if (head.mailbox?.includes(signal.id) === true) return { kind: 'waiting' };
    if ((head.mailbox?.length ?? 0) >= MAILBOX_MAX) return { kind: 'full' };
    try {
      await table.update(key, { append: { mailbox: [signal.id] } }, canWait(signal));
      return { kind: 'waiting' };
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
    }
  }
  throw new UnavailableError('the session');
};

const canWait = (signal: Signal): Condition => ({
  name: 'another turn is running and the mailbox has room',
  holds: allOf(
    // A missing attribute "differs" from any value: without this a signal would wait for a turn that has just ended.
    present('turn'),
    differs('turn', signal.root),
    anyOf(absent('mailbox'), allOf(shorterThan('mailbox', MAILBOX_MAX), not(contains('mailbox', signal.id)))),
  ),
});

const tryTake = async (
  table: SessionTable,
  signal: Signal,
  now: number,
): Promise<SessionHead | { readonly busy: SessionHead }> => {
  const isFree: Condition = { name: 'turn is free or ours', holds: anyOf(absent('turn'), equals('turn', signal.root)) };
  try {
    const item = await table.update(
      sessionKey(signal.space, signal.session),
      { set: { turn: signal.root, schemaVersion: 1 }, setOnce: { startedAt: now } },
      isFree,
    );
    return parseHead(signal.session, item);
  } catch (error) {
    if (!(error instanceof ConditionError) || !isItem(error.current)) throw error;
    return { busy: parseHead(signal.session, error.current) };
  }
};

export interface TurnEnding {
  readonly lastCall?: Charge | undefined;
  readonly summary?: SessionHead['summary'];
}

/**
 * Ends a turn and hands the session to the oldest signal waiting.
 * @param head the session as read, consistently, while the turn was held.
 * @param ending what the turn leaves behind: what its last model call cost, kept for the next turn's reservation to settle; the
 * summary of earlier turns that it made.
 * @returns the id of the signal whose turn it is now; it must be published before the ended signal leaves the ledger's
 * index of unfinished ones. `undefined` when nobody waits, or the turn was not held any more.
 */
export const leaveTurn = async (
  table: SessionTable,
  signal: Pick<Signal, 'space' | 'session' | 'root'>,
  head: SessionHead | undefined,
  { lastCall, summary }: TurnEnding = {},
): Promise<string | undefined> => {
  const left = { ...(lastCall === undefined ? {} : { lastCall }), ...(summary === undefined ? {} : { summary }) };
  let seen = head;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    if (seen?.turn !== signal.root) return undefined;
    const next = seen.mailbox?.[0];
    const recent = withTurn(seen.recent ?? [], signal.root);
    try {
      if (next === undefined) {
        await table.update(
          sessionKey(signal.space, signal.session),
          { set: { recent, ...left }, remove: ['turn'] },
          isHeldAnd(signal.root, anyOf(absent('mailbox'), isEmptyList('mailbox'))),
        );
        return undefined;
      }
      await table.update(
        sessionKey(signal.space, signal.session),
        { set: { recent, ...left, turn: rootOf(next) }, removeFirst: 'mailbox' },
        isHeldAnd(signal.root, startsWithElement('mailbox', next)),
      );
      return next;
    } catch (error) {
      if (!(error instanceof ConditionError) || !isItem(error.current)) throw error;
      seen = parseHead(signal.session, error.current);
    }
  }
  throw new UnavailableError('the session');
};

/** Several at a time are dropped, so that history begins with the same bytes for several turns (a provider's cache). */
const withTurn = (recent: readonly string[], root: string): readonly string[] => {
  // A summary is no part of what was said.
  if (isSummaryId(root)) return recent;
  const ended = [...recent.filter((id) => id !== root), root];
  return ended.length > HISTORY_TURNS_MAX ? ended.slice(-HISTORY_TURNS_KEPT) : ended;
};

/** Turns that leave the history when this one ends, oldest first. */
export const droppedTurns = (recent: readonly string[], root: string): readonly string[] => {
  const kept = new Set(withTurn(recent, root));
  return recent.filter((id) => !kept.has(id));
};

const isHeldAnd = (root: string, predicate: ReturnType<typeof absent>): Condition => ({
  name: 'turn is held and the mailbox is as read',
  holds: allOf(equals('turn', root), predicate),
});
