/**
 * Limits on a conversation, kept on its head: actions blocked within the hour, the stop that
 * follows, and denials. Each change names the reading it started from, so that a repeat changes
 * nothing. A lifted stop stays known: earlier decisions remain refused.
 */

import { ConditionError, ContendedError } from '../base/errors.ts';
import { BLOCKS_PER_HOUR_MAX, CONFLICT_TRIES_MAX, HOUR_MS } from '../base/limits.ts';
import { type Action, actionHash, withOneName } from '../signal/action.ts';
import type { FloodFacts } from '../signal/facts.ts';
import { absent, type Condition, equals, IS_NEW, type ItemChange } from '../store/condition.ts';
import { indexPartitions, sessionKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { wasWritten } from '../store/update-if.ts';
import type { BlockEntry, DenialEntry, SessionHead, StopCause } from './record.ts';
import { parseHead } from './session.ts';

/** Signals with blocked actions that a conversation keeps: a stop comes long before. */
const BLOCK_ENTRIES_MAX = 32;
/** Stopped conversations in one list: more than a person resumes one by one. */
const STOPPED_SESSIONS_MAX = 50;
/** Denials kept for one conversation: as many as can wait in a space at once. */
const DENIALS_MAX = 20;
/** Time a denial holds: as long as the question would have waited. */
const DENIAL_MS = HOUR_MS;

export interface SessionRef {
  readonly space: string;
  readonly session: string;
}

/** Blocks of the last hour, and since the last stop. */
const blocksWithin = (head: SessionHead | undefined, now: number): readonly BlockEntry[] =>
  (head?.blocks ?? []).filter(({ at }) => at > now - HOUR_MS && at > (head?.stoppedAt ?? 0));

const countOf = (blocks: readonly BlockEntry[]): number => blocks.reduce((sum, { n }) => sum + n, 0);

export interface Consent {
  /** When it was decided or approved, epoch milliseconds. */
  readonly at: number;
  /** A person approved exactly this action on its card. */
  readonly isApproved?: boolean;
}

/**
 * Consent from before a stop counts no more. A later yes to a waiting card counts, unless a person
 * asked for the stop: flood control stops what the model proposes, not what people decide.
 */
export const isSessionStoppedFor = (head: SessionHead | undefined, { at, isApproved = false }: Consent): boolean => {
  const { stoppedBecause, stoppedAt = 0 } = head ?? {};
  return stoppedAt >= at || (stoppedBecause !== undefined && !(isApproved && stoppedBecause !== 'asked'));
};

/** Null if there is nothing to say, as in most conversations. */
export const buildFloodFacts = (head: SessionHead | undefined, now: number, consent: Consent): FloodFacts | null => {
  const blocksLastHour = countOf(blocksWithin(head, now));
  const isSessionStopped = isSessionStoppedFor(head, consent);
  if (blocksLastHour === 0 && !isSessionStopped) return null;
  // The gate names only causes of its own.
  const because = head?.stoppedBecause === 'asked' ? null : (head?.stoppedBecause ?? null);
  return { blocksLastHour, isSessionStopped, because };
};

type ControlTable = Pick<Table, 'load' | 'update'>;

/** @param build makes the change from the head as it stands; undefined for none */
const changeHead = async (
  table: ControlTable,
  { space, session }: SessionRef,
  seen: SessionHead | undefined,
  now: number,
  build: (head: SessionHead | undefined) => ItemChange | undefined,
): Promise<SessionHead | undefined> => {
  const key = sessionKey(space, session);
  let head = seen;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    const change = build(head);
    if (change === undefined) return head;
    const round = head?.controlRound ?? 0;
    const isAsRead: Condition = {
      name: 'the conversation is held back as read',
      holds: round === 0 ? absent('controlRound') : equals('controlRound', round),
    };
    try {
      const item = await table.update(
        key,
        {
          ...change,
          set: { ...change.set, schemaVersion: 1, controlRound: round + 1 },
          setOnce: { startedAt: now },
        },
        isAsRead,
      );
      return parseHead(session, item);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      head = await loadHead(table, { space, session });
    }
  }
  throw new ContendedError('the session', CONFLICT_TRIES_MAX);
};

export const loadHead = async (
  table: Pick<Table, 'load'>,
  { space, session }: SessionRef,
): Promise<SessionHead | undefined> => {
  const item = await loadItem(table, sessionKey(space, session));
  return item === undefined ? undefined : parseHead(session, item);
};

/** A running turn and what waits end where they began, and summaries are of one conversation. */
const STAYS: ReadonlySet<string> = new Set(['pk', 'sk', 'turn', 'mailbox', 'summary', 'owed', 'spend']);

/**
 * A conversation goes on under another name: its history, what was chosen there, and every limit on
 * it, such as a stop. A repeat changes nothing, nor does a name that has a conversation already.
 */
export const moveConversation = async (
  table: Pick<Table, 'load' | 'put'>,
  space: string,
  from: string,
  to: string,
): Promise<void> => {
  const item = await loadItem(table, sessionKey(space, from));
  if (item === undefined) return;
  const moved = Object.fromEntries(Object.entries(item).filter(([name]) => !STAYS.has(name)));
  await wasWritten(table.put(sessionKey(space, to), { ...moved, movedFrom: from }, IS_NEW));
};

const stopChange = (ref: SessionRef, because: StopCause, by: string, now: number): Item => ({
  stoppedAt: now,
  stoppedBecause: because,
  stoppedBy: by,
  unfinishedSpace: indexPartitions.stoppedSessions(ref.space),
  unfinishedAt: now,
});

/** Counts blocked actions, each once, and stops the conversation with the one too many. */
export const noteBlocks = (
  table: ControlTable,
  ref: SessionRef,
  seen: SessionHead | undefined,
  entry: BlockEntry,
  now: number,
): Promise<SessionHead | undefined> =>
  changeHead(table, ref, seen, now, (head) => {
    const isOld = entry.at <= now - HOUR_MS || entry.at <= (head?.stoppedAt ?? 0);
    if (entry.n === 0 || isOld || head?.blocks?.some(({ id }) => id === entry.id) === true) return undefined;
    const blocks = [...blocksWithin(head, now), entry].slice(-BLOCK_ENTRIES_MAX);
    const isTooMany = countOf(blocks) > BLOCKS_PER_HOUR_MAX && head?.stoppedBecause === undefined;
    const [signalId = entry.id] = entry.id.split('#');
    return { set: { blocks, ...(isTooMany ? stopChange(ref, 'blocks', signalId, now) : {}) } };
  });

/** Stops a conversation, unless it is stopped. @param by the signal that made it necessary */
export const stopSession = (
  table: ControlTable,
  ref: SessionRef,
  seen: SessionHead | undefined,
  stop: { readonly because: StopCause; readonly by: string },
  now: number,
): Promise<SessionHead | undefined> =>
  changeHead(table, ref, seen, now, (head) =>
    head?.stoppedBecause === undefined ? { set: stopChange(ref, stop.because, stop.by, now) } : undefined,
  );

/** `outdated`: the resume is older than the stop in force. */
export type ResumeOutcome = 'resumed' | 'not-stopped' | 'outdated';

/** Lifts a stop that is older than the resume, so that a late repeat lifts no newer stop. */
export const resumeSession = async (
  table: ControlTable,
  ref: SessionRef,
  at: number,
  now: number,
): Promise<ResumeOutcome> => {
  let outcome: ResumeOutcome = 'not-stopped';
  await changeHead(table, ref, await loadHead(table, ref), now, (head) => {
    outcome = head?.stoppedBecause === undefined ? 'not-stopped' : (head.stoppedAt ?? 0) < at ? 'resumed' : 'outdated';
    return outcome === 'resumed'
      ? { remove: ['stoppedBecause', 'stoppedBy', 'blocks', 'unfinishedSpace', 'unfinishedAt'] }
      : undefined;
  });
  return outcome;
};

/** Hash of an action without its explanation: however the model explains it, it is the same. */
export const deniedHash = (action: Action): string => actionHash({ ...withOneName(action), explanation: '' });

/** Keeps a denial, once. */
export const noteDenial = async (
  table: ControlTable,
  ref: SessionRef,
  entry: DenialEntry,
  now: number,
): Promise<void> => {
  await changeHead(table, ref, await loadHead(table, ref), now, (head) => {
    const live = (head?.denials ?? []).filter(({ at }) => at > now - DENIAL_MS);
    if (entry.at <= now - DENIAL_MS || live.some((one) => one.hash === entry.hash && one.root === entry.root))
      return undefined;
    return { set: { denials: [...live, entry].slice(-DENIALS_MAX) } };
  });
};

/**
 * Actions that count as denied in a turn: those denied in it, and unless an approver began it, all
 * of the last hour. So only an approver may ask again at once.
 */
export const deniedHashes = (
  head: SessionHead | undefined,
  turn: { readonly root: string; readonly isByApprover: boolean },
  now: number,
): ReadonlySet<string> =>
  new Set(
    (head?.denials ?? [])
      .filter(({ root, at }) => root === turn.root || (!turn.isByApprover && at > now - DENIAL_MS))
      .map(({ hash }) => hash),
  );

/** Names of stopped conversations, oldest stop first. */
export const loadStoppedSessions = async (
  table: Pick<Table, 'queryIndex'>,
  space: string,
): Promise<readonly string[]> => {
  const partition = indexPartitions.stoppedSessions(space);
  const page = await table.queryIndex({ index: 'unfinished', partition, limit: STOPPED_SESSIONS_MAX });
  return page.items.map(({ pk }) => String(pk).slice(sessionKey(space, '').pk.length));
};
