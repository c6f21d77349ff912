/**
 * One turn at a time in a conversation. A turn is named by its root signal. Later roots wait in the
 * mailbox; the write that ends a turn hands it to the next. A summary makes nobody wait: a message
 * takes its turn, and the summary goes on beside it.
 */

import { defined } from '../base/defined.ts';
import { ConditionError, ContendedError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX, HISTORY_TURNS_MAX, SUMMARY_TURNS_MAX } from '../base/limits.ts';
import type { HeadSpend } from '../money/day-spend.ts';
import { findChannel } from '../signal/channels.ts';
import { isSummaryId, rootOf } from '../signal/ids.ts';
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
import { parseStored } from '../store/parse-stored.ts';
import { type Item, isItem, type Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';
import { accountsOf, withoutReserve } from './quota.ts';
import { SessionHead } from './record.ts';

/** Root signals that may wait. One more is refused visibly; the item stays small. */
const MAILBOX_MAX = 50;
/** Kept when history overflows. One by one, each prompt would miss the provider's cache. */
export const HISTORY_TURNS_KEPT = 4;

export const parseHead = (session: string, item: Item): SessionHead =>
  parseStored(item, SessionHead, `session ${session}`);

/**
 * `running`: it is this signal's turn. `waiting`: it is in the mailbox. `full`: it is refused.
 * `ended`: its turn is over, though its record is still open.
 */
export type Entry =
  | { readonly kind: 'running'; readonly head: SessionHead }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'full' };

type SessionTable = Pick<Table, 'update'>;

const hasNoMailbox = () => anyOf(absent('mailbox'), isEmptyList('mailbox'));

/**
 * Takes the turn for a signal's root, or puts it into the mailbox. A repeat changes nothing. A
 * decided signal never waits for a second turn: if its record were closed meanwhile, nobody would
 * end that turn. Beside a summary `recent` also names the turns that it will stand for.
 */
export const enterTurn = async (
  table: SessionTable,
  signal: Signal,
  now: number,
  isDecided: () => Promise<boolean>,
): Promise<Entry> => {
  const key = sessionKey(signal.space, signal.session);
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    const taken = await tryTakeTurn(table, signal, now);
    if (!('busy' in taken)) return { kind: 'running', head: taken };
    const head = taken.busy;
    if (head.mailbox?.includes(signal.id) === true) return { kind: 'waiting' };
    if (head.recent?.includes(signal.root) === true && (await isDecided())) return { kind: 'ended' };
    if (isBesideSummary(head, signal)) {
      const isAsRead = isHeldAnd(head.turn ?? '', hasNoMailbox());
      if (!(await updateIf(table, key, { set: { turn: signal.root } }, isAsRead))) continue;
      const recent = [...(head.owed?.turns ?? []), ...(head.recent ?? [])];
      return { kind: 'running', head: { ...head, turn: signal.root, recent } };
    }
    if ((head.mailbox?.length ?? 0) >= waitingMax(signal)) return { kind: 'full' };
    if (await updateIf(table, key, { append: { mailbox: [signal.id] } }, mayWait(signal))) return { kind: 'waiting' };
  }
  throw new ContendedError('the session', CONFLICT_TRIES_MAX);
};

/** Nobody overtakes those who wait. */
const isBesideSummary = ({ turn = '', mailbox = [] }: SessionHead, { root }: Signal): boolean =>
  isSummaryId(turn) && !isSummaryId(root) && mailbox.length === 0;

/** Fewer signals of other people may wait: the rest of the places is the owner's. */
const waitingMax = (signal: Signal): number =>
  accountsOf(signal).length === 0 ? MAILBOX_MAX : withoutReserve(MAILBOX_MAX);

const mayWait = (signal: Signal): Condition => ({
  name: 'another turn is running and the mailbox has room',
  holds: allOf(
    // A missing attribute differs from any value: a signal would wait for a turn that has ended.
    present('turn'),
    differs('turn', signal.root),
    anyOf(absent('mailbox'), allOf(shorterThan('mailbox', waitingMax(signal)), not(contains('mailbox', signal.id)))),
  ),
});

const tryTakeTurn = async (
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
  /** Copied from the day's counter, which may then release the conversation's entry. */
  readonly spend?: HeadSpend | undefined;
  readonly summary?: SessionHead['summary'];
  /** Tries of a summary of the owed turns, and when. */
  readonly asked?: { readonly tries: number; readonly at: number } | undefined;
  /** Turns that need no summary any more. */
  readonly summarised?: readonly string[];
}

/** Conversations with people. A webhook's text is untrusted: a summary could say nothing of it. */
const isWithPeople = (session: string): boolean => findChannel(session.split(':')[0] ?? '') !== undefined;

/** Turns still to be summarised when this one ends, oldest first. */
export const owedTurns = (head: SessionHead, { session, root }: Pick<Signal, 'session' | 'root'>): readonly string[] =>
  isWithPeople(session)
    ? [...(head.owed?.turns ?? []), ...droppedTurns(head.recent ?? [], root)].slice(-SUMMARY_TURNS_MAX)
    : [];

/** Stored at the end of every turn, so that no turn that is still due is lost. */
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
 * Ends a turn and hands the conversation to the oldest waiting signal.
 * @param head as read, consistently, while the turn was held
 * @returns id of the signal whose turn it is now: publish it before the ended signal leaves the
 *   index. Undefined if nobody waits, or the turn was not held.
 */
export const leaveTurn = async (
  table: SessionTable,
  signal: Pick<Signal, 'space' | 'session' | 'root'>,
  head: SessionHead | undefined,
  ending: TurnEnding = {},
): Promise<string | undefined> => {
  const { spend, summary } = ending;
  const left = {
    ...defined({ spend, summary }),
  };
  let seen = head;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    if (seen === undefined) return undefined;
    const isHeld = seen.turn === signal.root;
    if (!isHeld && !isStillDue(seen, ending)) return undefined;
    const next = seen.mailbox?.[0];
    const owed = owedAfter(seen, signal, ending);
    const set = { recent: withTurn(seen.recent ?? [], signal.root), ...left, ...defined({ owed }) };
    const paid = owed === undefined && seen.owed !== undefined ? ['owed'] : [];
    try {
      if (!isHeld) {
        const made = { set: defined({ summary, owed }), remove: paid };
        await table.update(sessionKey(signal.space, signal.session), made, isOwedAsRead(seen));
        return undefined;
      }
      if (next === undefined) {
        await table.update(
          sessionKey(signal.space, signal.session),
          { set, remove: ['turn', ...paid] },
          isHeldAnd(signal.root, hasNoMailbox()),
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

/** Of a summary whose turn a message took: nobody else has summarised the same turns. */
const isStillDue = ({ owed }: SessionHead, { summary, summarised = [] }: TurnEnding): boolean =>
  summary !== undefined && summarised.every((root) => owed?.turns.includes(root) === true);

const isOwedAsRead = ({ owed }: SessionHead): Condition => ({
  name: 'the turns to summarise are as read',
  holds: owed === undefined ? absent('owed') : equals('owed', owed),
});

/** Drops several turns at once, so that the prompt's first bytes stay for several turns. */
const withTurn = (recent: readonly string[], root: string): readonly string[] => {
  // A summary is no part of a conversation.
  if (isSummaryId(root)) return recent;
  const ended = [...recent.filter((id) => id !== root), root];
  return ended.length > HISTORY_TURNS_MAX ? ended.slice(-HISTORY_TURNS_KEPT) : ended;
};

/** Turns that leave history when this one ends, oldest first. */
export const droppedTurns = (recent: readonly string[], root: string): readonly string[] => {
  const kept = new Set(withTurn(recent, root));
  return recent.filter((id) => !kept.has(id));
};

const isHeldAnd = (root: string, predicate: ReturnType<typeof absent>): Condition => ({
  name: 'turn is held and the mailbox is as read',
  holds: allOf(equals('turn', root), predicate),
});
