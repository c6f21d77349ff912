/**
 * Turn order: one turn at a time in a session. A turn is named by its root; its signals pass, later roots wait in the
 * mailbox until the turn ends or suspends. Whoever ends a turn hands it on in the same write.
 */

import { defined } from '../base/defined.ts';
import { ConditionError, ContendedError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX, HISTORY_TURNS_MAX, SUMMARY_TURNS_MAX } from '../base/limits.ts';
import type { Charge, HeadSpend } from '../money/day-spend.ts';
import { isSummaryId } from '../signal/ids.ts';
import type { Signal } from '../signal/signal.ts';
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
} from '../store/condition.ts';
import { sessionKey } from '../store/keys.ts';
import { type Item, isItem, type Table } from '../store/table.ts';
import { accountsOf, withoutReserve } from './quota.ts';
import { parseStored, SessionHead } from './record.ts';

/** Root signals waiting in one session: past it a message is refused visibly; also keeps the session item small. */
const MAILBOX_MAX = 50;
/** What is kept of them when there would be one more: dropped one by one, each turn would begin its prompt anew for the provider's cache. */
export const HISTORY_TURNS_KEPT = 4;

export const parseHead = (session: string, item: Item): SessionHead =>
  parseStored(`session ${session}`, item, SessionHead);

const rootOf = (signalId: string): string => signalId.split('/')[0] ?? signalId;

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
    if ((head.mailbox?.length ?? 0) >= waitingMax(signal)) return { kind: 'full' };
    try {
      await table.update(key, { append: { mailbox: [signal.id] } }, canWait(signal));
      return { kind: 'waiting' };
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
    }
  }
  throw new ContendedError('the session', CONFLICT_TRIES_MAX);
};

/**
 * Of others' messages fewer may wait: the rest of the places is the owner's, and for what the
 * program does.
 */
const waitingMax = (signal: Signal): number =>
  accountsOf(signal).length === 0 ? MAILBOX_MAX : withoutReserve(MAILBOX_MAX);

const canWait = (signal: Signal): Condition => ({
  name: 'another turn is running and the mailbox has room',
  holds: allOf(
    // A missing attribute "differs" from any value: without this a signal would wait for a turn that has just ended.
    present('turn'),
    differs('turn', signal.root),
    anyOf(absent('mailbox'), allOf(shorterThan('mailbox', waitingMax(signal)), not(contains('mailbox', signal.id)))),
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
  /** Copied from the day's counter, which may release the conversation's entry from then on. */
  readonly spend?: HeadSpend | undefined;
  readonly summary?: SessionHead['summary'];
  /** A summary of the turns that are owed one was asked for. */
  readonly asked?: { readonly tries: number; readonly at: number } | undefined;
  /** Turns that need none any more. */
  readonly summarised?: readonly string[];
}

/** Why a summary was not made that needs none. */
export const NOTHING_TO_SUMMARISE = 'nobody said anything that could be summarised';

/** Conversations with people: what webhooks send is outside text, of which a summary could tell nothing. */
const WITH_PEOPLE = /^(telegram|console):/;

/** Turns of a conversation that a summary is due of when this one ends: of earlier ones it failed, or nobody asked. Oldest first. */
export const owedTurns = (head: SessionHead, { session, root }: Pick<Signal, 'session' | 'root'>): readonly string[] =>
  WITH_PEOPLE.test(session)
    ? [...(head.owed?.turns ?? []), ...droppedTurns(head.recent ?? [], root)].slice(-SUMMARY_TURNS_MAX)
    : [];

/** Kept with the end of a turn, whoever ends it and however, so that none is forgotten. */
const owedAfter = (
  head: SessionHead,
  signal: Pick<Signal, 'session' | 'root'>,
  { asked, summarised = [] }: TurnEnding,
): SessionHead['owed'] => {
  const done = new Set(summarised);
  const turns = owedTurns(head, signal).filter((root) => !done.has(root));
  if (turns.length === 0) return undefined;
  const isNew = droppedTurns(head.recent ?? [], signal.root).length > 0;
  return { ...(head.owed === undefined || isNew ? { tries: 0, at: 0 } : head.owed), ...asked, turns };
};

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
  ending: TurnEnding = {},
): Promise<string | undefined> => {
  const { lastCall, spend, summary } = ending;
  const left = {
    ...defined({ lastCall, spend, summary }),
  };
  let seen = head;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    if (seen?.turn !== signal.root) return undefined;
    const next = seen.mailbox?.[0];
    const owed = owedAfter(seen, signal, ending);
    const set = { recent: withTurn(seen.recent ?? [], signal.root), ...left, ...defined({ owed }) };
    const paid = owed === undefined && seen.owed !== undefined ? ['owed'] : [];
    try {
      if (next === undefined) {
        await table.update(
          sessionKey(signal.space, signal.session),
          { set, remove: ['turn', ...paid] },
          isHeldAnd(signal.root, anyOf(absent('mailbox'), isEmptyList('mailbox'))),
        );
        return undefined;
      }
      await table.update(
        sessionKey(signal.space, signal.session),
        { set: { ...set, turn: rootOf(next) }, removeFirst: 'mailbox', ...(paid.length === 0 ? {} : { remove: paid }) },
        isHeldAnd(signal.root, startsWithElement('mailbox', next)),
      );
      return next;
    } catch (error) {
      if (!(error instanceof ConditionError) || !isItem(error.current)) throw error;
      seen = parseHead(signal.session, error.current);
    }
  }
  throw new ContendedError('the session', CONFLICT_TRIES_MAX);
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
